"""The club's book: members and guests, as pages, tables and lists; two rows made one.

Others use: `listing`, `forms`, `merging`, `demo_book`, `leaving`, `statistics`.
"""
