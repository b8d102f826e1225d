"""Why a pairing is as it is: reasons kept, named and said in words; warnings; the methods explained.

Others use: `articles`, `explanations`, `reliefs`, `step_words`, `stored`, `warnings`, `with_names`.
"""
