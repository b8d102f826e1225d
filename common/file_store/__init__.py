"""Files passed between processes: uploads between two pages, lists to import, papers to download.

Others use: `protocol`, `stores`, `uploads`.
"""
