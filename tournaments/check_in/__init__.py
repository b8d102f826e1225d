"""The door of an evening: check-in on several devices, byes and absences, the wall's code, personal links.

Others use: `access`, `byes`, `presence`, `remembered_device`, `current_event`, `personal_links`, `private_pages`.
"""
