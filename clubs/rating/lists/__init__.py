"""Rating lists that others publish: read as a stream, kept by register, searched, compared with the book.

Others use: `changes`, `finding`, `importing`, `listings`, `starting`.
"""
