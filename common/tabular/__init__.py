"""Tables and other files both ways: CSV, spreadsheets, lists written down as text, answers that are files.

Others use: `spreadsheets`, `text_tables`, `column_names`, `columns`, `public_download`, `written_down`, `chosen_file`,
`answers`.
"""
