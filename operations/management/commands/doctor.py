"""The command `manage.py doctor`: check all data and suggest remedies."""

from __future__ import annotations

import json
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from clubs.models import Club
from operations.alerts.pings import ping
from operations.alerts.telling import tell_about
from operations.integrity.examination import run_integrity_checks
from operations.integrity.findings import FindingSeverity

ERRORS_FOUND_STATUS = 1


class Command(BaseCommand):
    help = (
        "Check the database, the server and every event and ledger, and recalculate ratings and "
        "pairings. Nothing is changed. The exit status is 1 if there are errors."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--quick", action="store_true", help="don't recalculate ratings and pairings")
        parser.add_argument("--alert", action="store_true", help="tell a person about errors, once (see alert)")
        parser.add_argument("--club", help="address of a club (default: all clubs)")

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.objects.all()
        if options["club"]:
            clubs = clubs.filter(slug=options["club"])
            if not clubs.exists():
                raise CommandError(f"No club has the address {options['club']}.", returncode=2)
        findings = list(run_integrity_checks(clubs, quick=options["quick"]))
        errors = sum(finding.weight is FindingSeverity.ERROR for finding in findings)
        warnings = len(findings) - errors
        if options["json"]:
            said = {"version": 1, "healthy": not errors, "errors": errors, "warnings": warnings}
            told = said | {"findings": [finding.as_json() for finding in findings]}
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))
        else:
            for finding in findings:
                self.stdout.write(str(finding))
            self.stdout.write(f"{errors} errors, {warnings} warnings")
        if options["alert"]:
            tell_about("doctor", [finding for finding in findings if finding.weight is FindingSeverity.ERROR])
            ping("doctor", succeeded=not errors)
        if errors:
            raise SystemExit(ERRORS_FOUND_STATUS)
