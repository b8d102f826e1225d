"""How a club has its papers printed: logo, lines, language, size of paper.

Nobody else uses it.
"""
