"""The club's letterhead on printouts: logo, header, footer, language and paper size.

Others use: `logo_files`.
"""
