"""Why a pairing is as it is: reasons kept, named and said in words; warnings; the methods explained.

Others use: `articles`, `reason_sentences`, `relaxations`, `step_sentences`, `reason_json`, `pairing_warnings`,
`named_reasons`.
"""
