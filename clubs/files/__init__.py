"""Tables and other files both ways: CSV, spreadsheets, uploads kept between two pages, answers that are files.

Others use: `spreadsheets`, `text_tables`, `column_names`, `columns`, `uploads`, `shelves`, `public_download`,
`chosen_file`, `answers`.
"""
