"""Sends an email, and a message to a webhook, about each new failure and each resolved one.

Alerts already sent are kept in a file of `CLUBNIGHT_VAR`, because the database may be what fails.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from smtplib import SMTPException
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.mail import send_mail

from operations.integrity.findings import Finding

WEBHOOK_TIMEOUT = 20
MAX_PLACES = 5

_log = logging.getLogger(__name__)


def has_recipient() -> bool:
    """Return True if anyone is notified of failures on this server."""
    return bool(settings.ALERT_MAIL or settings.ALERT_WEBHOOK)


def tell_about(scope: str, findings: Iterable[Finding], *, unknown: Collection[str] = ()) -> None:
    """Send alerts about findings that are new since the last call for this scope, and about resolved ones.

    Findings with the same code are one failure. No alert is sent about `unknown` codes, which could not be checked.
    Alerts that nobody could be sent are repeated at the next call.
    """
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    file = Path(settings.VAR_DIR) / "alerts" / f"{scope}.json"
    known = _load(file)
    new = {code: _describe(found) for code, found in by_code.items() if code not in known}
    over = {code: text for code, text in known.items() if code not in by_code and code not in unknown}
    told = known
    if new and _send(f"Clubnight: {len(new)} new on {_server()}", [*new.values(), _ONCE]):
        told = told | new
    if over and _send(f"Clubnight: fixed on {_server()}", ["These no longer occur:", *over.values()]):
        told = {code: text for code, text in told.items() if code not in over}
    if told != known:
        _save(file, told)


_ONCE = "This message is sent once. Another one follows when it is fixed."


def _describe(found: list[Finding]) -> str:
    first = found[0]
    places = ", ".join(each.where for each in found[:MAX_PLACES])
    more = f", and {len(found) - MAX_PLACES} more" if len(found) > MAX_PLACES else ""
    return f"{places}{more}: {first.what.removesuffix('.')}. [{first.code}]\nWhat to do: {first.do}"


def _server() -> str:
    return str(settings.ALLOWED_HOSTS[0])


def _send(subject: str, paragraphs: list[str]) -> bool:
    """Send a message by each way that is set. Return True if one of them worked."""
    text = "\n\n".join(paragraphs)
    sent = False
    if settings.ALERT_MAIL:
        try:
            send_mail(subject, text, None, settings.ALERT_MAIL)
            sent = True
        except (OSError, SMTPException):
            _log.exception("nobody could be told by email: %s", subject)
    if settings.ALERT_WEBHOOK:
        try:
            _post(settings.ALERT_WEBHOOK, {"text": f"{subject}\n\n{text}"})
            sent = True
        except (OSError, ValueError):
            _log.exception("nobody could be told by the webhook: %s", subject)
    return sent


def _post(address: str, content: Mapping[str, str]) -> None:
    """Post JSON as Slack, Mattermost and similar programs take it."""
    request = Request(address, json.dumps(content).encode(), {"Content-Type": "application/json"})  # noqa: S310
    with urlopen(request, timeout=WEBHOOK_TIMEOUT):  # noqa: S310 - the settings allow http and https only
        return


def _load(file: Path) -> dict[str, str]:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def _save(file: Path, told: Mapping[str, str]) -> None:
    file.parent.mkdir(exist_ok=True)
    unfinished = file.with_suffix(".new")
    unfinished.write_text(json.dumps(told), encoding="utf-8")
    os.replace(unfinished, file)
