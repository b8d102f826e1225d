"""The club's letterhead on printed papers: logo, header, footer, language and paper size.

Others use: `logo_files`.
"""
