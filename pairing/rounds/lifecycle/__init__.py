"""From a waiting round to a published pairing: read, pair, save; its steps, and who is changing it.

Others use: `pairing`, `background`, `deciding`, `drafts`, `editing_sessions`, `provisional`, `saving_boards`,
`seen_version`, `steps`.
"""
