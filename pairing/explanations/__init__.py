"""The reasons for a pairing (stored, and as sentences), warnings, and help pages about the methods.

Others use: `articles`, `reason_sentences`, `relaxations`, `step_sentences`, `reason_json`, `pairing_warnings`,
`named_reasons`, `summary_sentences`, `keizer_sentences`.
"""
