"""Pages that keep up with an event: what they listen to, and the process that tells them of changes.

Others use: `topics`, `page_decorators`, `board_marks`, `stream_server`.
"""
