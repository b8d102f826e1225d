"""From texts and a style to pages: what fits where, how sheets are cut, and PDF.

Others use: `aligning`, `arranging`, `columns`, `fitting`, `making`, `pdfs`, `setting`, `tabulating`, `widths`.
"""
