"""The club's book: members and guests, as pages, tables and lists; two rows made one.

Others use: `member_list`, `forms`, `duplicates`, `demo_data`, `membership_periods`, `statistics`.
"""
