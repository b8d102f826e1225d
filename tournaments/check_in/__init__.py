"""Check-in on several devices, byes and absences, the check-in code and personal links.

Others use: `access`, `answers`, `byes`, `presence`, `remembered_device`, `current_event`, `personal_links`,
`views.round_check_in`.
"""
