"""Files that one process lays aside for another: uploads between two pages, lists to import, papers to fetch.

Others use: `stores`, `uploads`.
"""
