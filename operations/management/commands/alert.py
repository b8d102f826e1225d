"""The command `manage.py alert`: check the server, and alert a person to new and resolved problems."""

from __future__ import annotations

import os
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from common.schedule.pings import ping
from operations.alerts.telling import has_recipient, tell_about
from operations.alerts.watching import watch
from operations.integrity.findings import Finding

SERVICES = {
    "copy": "Is the disk plugged in, or the other machine on? Then: systemctl start clubnight-copy",
    "drill": "The newest copy can't be restored. Make a backup and a copy, then: systemctl start clubnight-drill",
}
"""What to do if a service fails."""


class Command(BaseCommand):
    help = (
        "Check the server, and tell CLUBNIGHT_ALERT_MAIL and CLUBNIGHT_ALERT_WEBHOOK once about each failure, "
        "and once when it is fixed."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--test", action="store_true", help="send a test message")
        parser.add_argument("--service", help="report how a service ended, from its SERVICE_RESULT (for systemd)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["service"]:
            name = options["service"]
            if name not in SERVICES:
                raise CommandError(f"No service is called {name}. Services: {', '.join(SERVICES)}.")
            report_service(name, os.environ.get("SERVICE_RESULT", "success"))
        elif options["test"]:
            if not has_recipient():
                raise CommandError("Set CLUBNIGHT_ALERT_MAIL or CLUBNIGHT_ALERT_WEBHOOK first.")
            test = Finding(code="test", where="this server", what="this is a test", do="nothing.")
            tell_about("test", [test])
            tell_about("test", [])
        else:
            watch()


def report_service(name: str, result: str) -> None:
    """Report a systemd service that failed or works again. `result` is its SERVICE_RESULT."""
    copies = os.environ.get("CLUBNIGHT_COPIES", "")
    if not copies or (name == "drill" and ":" in copies):
        # There is no second place, or the drill runs there. Nothing was done here.
        return
    succeeded = result == "success"
    failure = Finding(
        code=f"{name}-failed",
        where=f"clubnight-{name}",
        what=f"the service failed ({result})",
        do=f"See journalctl --unit clubnight-{name}. {SERVICES[name]}",
    )
    tell_about(name, [] if succeeded else [failure])
    ping(name, succeeded=succeeded)
