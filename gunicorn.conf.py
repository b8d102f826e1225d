"""What gunicorn does before it takes requests; it reads this file by itself where it is started."""

import os
from typing import Any


def on_starting(server: Any) -> None:
    """Once, in the process that starts the others."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings

    from config.safe_start import check_listening

    for address in server.cfg.address:
        check_listening(address[0] if isinstance(address, tuple) else "unix", debugging=settings.DEBUG)
