"""The largest files that a form accepts, in bytes. The limits of the web servers in `deploy/` are a little higher."""

from __future__ import annotations

MAX_UPLOAD_BYTES = 5 * 1024 * 1024
"""Tables, report files and documents. A report file of 5,000 players and 9 rounds takes about one million."""

MAX_IMAGE_BYTES = 2 * 1024 * 1024

MAX_EVENT_FILE_BYTES = 40 * 1024 * 1024
"""A whole event with its log. One of 300 players and 9 rounds takes about six million."""

MAX_LIST_FILE_BYTES = 300 * 1024 * 1024
"""A rating list of all players in the world, which takes less than 50 million when zipped, or a club's archive."""

MAX_ANONYMOUS_POST_BYTES = 1_500_000
"""A request of somebody who is not signed in. It is kept until they have signed in."""
