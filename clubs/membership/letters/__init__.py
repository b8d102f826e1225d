"""Letters from the secretary to groups: the readers, the text in their languages, and sending through the email queue.

Others use: `audiences`.
"""
