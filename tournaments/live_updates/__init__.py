"""Pages that stay up to date with an event: their topics, and the process that streams changes to them.

Others use: `topics`, `page_decorators`, `board_marks`, `stream_server`.
"""
