"""What makes the site an app on a phone: the web app manifest, the service worker and the offline page.

No other package uses it.
"""
