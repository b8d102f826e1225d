"""Members and guests: pages, tables, statistics and merging of duplicates.

Others use: `guest_nights`, `member_list`, `forms`, `duplicates`, `demo_data`, `membership_periods`, `statistics`.
"""
