"""The public side of an event: the API with its tokens, webhooks, embeds and link previews, exports."""
