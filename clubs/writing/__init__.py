"""How people, money and days are written: names in order and folded for searching, amounts, births.

Others use: `amounts`, `births`, `day_field`, `name_order`, `searching`, `references`, `addresses`.
"""
