"""Letters from the secretary to groups: the readers, the text in their languages, and sending by the queue of emails.

Others use: `audiences`.
"""
