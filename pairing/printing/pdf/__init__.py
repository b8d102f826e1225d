"""Typesetting: fitting texts and columns, cutting sheets, and rendering PDF.

Others use: `text_fitting`, `sheet_cutting`, `paper_templates`, `weasyprint_rendering`, `weasyprint_pages`,
`paper_jobs`.
"""
