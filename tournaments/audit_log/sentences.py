"""The lines of an event's log as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.audit_log.actions import EventAction, find_log_action
from tournaments.models import Bye, CheckIn, Entry, Game, LogEntry, OnlineEntry, PairingMethod, Tournament


class _Details(dict[str, Any]):
    """Details of a line. A missing one is left empty instead of breaking the log's page."""

    def __missing__(self, name: str) -> str:
        return ""


def log_line_sentence(line: LogEntry) -> str:
    """Return a log line as a sentence. An unknown action is shown by its name."""
    action = find_log_action(line.action)
    if action is None:
        return line.action
    if line.action == EventAction.RESULT_ENTERED and not line.details.get("before"):
        return _("Board {board}: {after} {reason}").format_map(_Details(_said(line.action, line.details))).strip()
    return action.choose_log_sentence(line.details).format_map(_Details(_said(line.action, line.details))).strip()


def log_heading(lines: Sequence[LogEntry]) -> str:
    """Return what lines shown together say in one short sentence, or "" if only their own sentences say it."""
    action, details = lines[0].action, lines[0].details
    if action == EventAction.RESULT_ENTERED and len(lines) > 1:
        return ngettext("%(count)s result entered", "%(count)s results entered", len(lines)) % {"count": len(lines)}
    if action == EventAction.NUMBERS_CHANGED and (count := str(details.get("numbers", "")).count("; ")):
        sentence = ngettext("%(count)s pairing number changed", "%(count)s pairing numbers changed", count + 1)
        return sentence % {"count": count + 1}
    return ""


def _said(action: str, details: Mapping[str, Any]) -> dict[str, Any]:
    said = dict(details)
    if isinstance(said.get("names"), list):
        said["names"] = "; ".join(said["names"])
    if action == EventAction.GROUPS_FORBIDDEN and not said.get("names"):
        said["names"] = _("families")
    if action == EventAction.EVERYBODY_CHECKED_IN and not said.get("names"):
        said["names"] = "–"
    if said.get("remark"):
        said["remark"] = f"({said['remark']})"
    if action in (EventAction.BYE_REQUESTED, EventAction.BYE_REQUESTED_BY_PLAYER) and "kind" in said:
        said["kind"] = Bye.Kind(said["kind"]).label
    if action.startswith("result "):
        said |= {key: Game.Result(said[key]).label for key in ("before", "after", "result") if key in said}
    if action == EventAction.CHECKED_IN:
        said["state"] = CheckIn.State(said["state"]).label if said.get("state") else _("not checked in yet")
    if action == EventAction.ONLINE_ENTRY_CHANGED and "online_state" in said:
        said["online_state"] = OnlineEntry.State(said["online_state"]).label
    if action == EventAction.SYSTEM_CHANGED:
        said |= {name: PairingMethod(*said[name]).label for name in ("before", "after") if name in said}
    if action == EventAction.TOURNAMENT_CHANGED:
        said["changes"] = _changes(Tournament, said.get("changes", {}))
    if action == EventAction.ENTRY_CHANGED:
        before, after = said.get("before", {}), said.get("after", {})
        said["changes"] = _changes(Entry, {name: [was, after.get(name)] for name, was in before.items()})
    return said


def _changes(model: type[Tournament] | type[Entry], changes: Mapping[str, list[Any]]) -> str:
    fields = {field.name: field for field in model._meta.concrete_fields}
    return "; ".join(
        _("%(field)s: %(after)s (previously: %(before)s)")
        % {
            "field": fields[name].verbose_name,
            "before": _in_words(fields[name], before),
            "after": _in_words(fields[name], after),
        }
        for name, (before, after) in changes.items()
    )


def _in_words(field: models.Field[Any, Any], value: Any) -> str:
    """Return a logged value of a field as the reader would say it. The log keeps an event's values as text."""
    text = str(value)
    if isinstance(field, models.BooleanField):
        return _("yes") if text == "True" else _("no")
    if not value or text == "None":
        return "–"
    if isinstance(field, models.DateField):
        return date_format(date.fromisoformat(text), "DATE_FORMAT")
    return str({str(key): label for key, label in field.flatchoices}.get(text, text))
