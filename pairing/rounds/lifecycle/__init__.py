"""From a waiting round to a published pairing: reading, pairing and saving, its steps and editing sessions.

Others use: `transitions`, `jobs`, `relaxations`, `draft_checks`, `editing_sessions`, `provisional_pairings`,
`board_storage`, `pairing_history`.
"""
