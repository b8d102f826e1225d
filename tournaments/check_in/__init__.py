"""The door of an evening: check-in on several devices, byes and absences, the wall's code, personal links.

Others use: `access`, `byes`, `check_in`, `own_device`, `own_events`, `personal_links`, `private_pages`.
"""
