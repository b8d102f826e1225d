"""Reading and writing tables: CSV, spreadsheets, lists converted to text, and file downloads.

Others use: `spreadsheets`, `parsed_table`, `text_tables`, `column_names`, `column_mapping`, `public_download`,
`text_conversion`, `file_field`, `file_responses`, `subprocess_reader`, `sqlite_tables`.
"""
