"""What an event gives away as files: tables, PGN headers, a text, a folder of pages; and where all files are found."""
