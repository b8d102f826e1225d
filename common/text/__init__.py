"""How people, money and days are written: names in order and folded for searching, amounts, births.

Others use: `amounts`, `colours`, `births`, `day_field`, `name_order`, `searching`, `references`, `addresses`, `ibans`,
`months`, `ratings_written`, `rating_field`, `secret_files`, `asking_form`, `latin_letters`.
"""
