"""The public side of an event: the API, embeds and link previews, exports."""
