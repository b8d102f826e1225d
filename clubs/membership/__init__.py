"""The people of a club: members, accounts, the first steps, settings and how the club looks."""
