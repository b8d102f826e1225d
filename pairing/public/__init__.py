"""What the world may see of an event: the API, embeds and link previews, exports."""
