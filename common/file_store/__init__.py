"""Files passed between processes: uploads between two pages, lists to import, printouts to download.

Others use: `protocol`, `stores`, `upload_limits`, `uploads`.
"""
