"""Typesetting: fitting texts and columns, cutting sheets, and rendering PDF.

Others use: `number_alignment`, `sheet_cutting`, `column_fitting`, `text_fitting`, `paper_templates`,
`weasyprint_rendering`, `paper_jobs`, `card_tables`, `text_widths`.
"""
