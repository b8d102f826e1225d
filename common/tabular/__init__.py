"""Tables and other files both ways: CSV, spreadsheets, lists written down as text, answers that are files.

Others use: `spreadsheets`, `text_tables`, `column_names`, `column_mapping`, `public_download`, `text_conversion`,
`file_field`, `file_responses`.
"""
