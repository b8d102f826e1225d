"""The rows of clubs: people, money, ratings. Import them from here: `from clubs.models import Member`."""

from clubs.models.people import Club, Language, Member, Membership, Role, Title, User

__all__ = ["Club", "Language", "Member", "Membership", "Role", "Title", "User"]
