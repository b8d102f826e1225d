"""Work that outlasts a request: asked for, done once, watched, taken up again, shown on a page.

Others use: `queue`, `kinds`, `heartbeat`, `status`, `redirects`.
"""
