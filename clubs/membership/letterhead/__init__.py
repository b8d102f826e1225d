"""How a club has its papers printed: logo, lines, language, size of paper.

Others use: `logo_files`.
"""
