"""From sheets to papers in the language of their club, and from papers to PDF.

Others use: `papers`, `events`, `pdfs`, `setting`.
"""
