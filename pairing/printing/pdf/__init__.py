"""From texts and a style to pages: what fits where, how sheets are cut, and PDF.

Others use: `number_alignment`, `sheet_cutting`, `column_fitting`, `text_fitting`, `paper_templates`,
`weasyprint_rendering`, `paper_jobs`, `card_tables`, `text_widths`.
"""
