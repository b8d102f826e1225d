"""Everything that is kept, in one file: made while the server is in use, tried out, put back.

Others use: `backup_folder`.
"""
