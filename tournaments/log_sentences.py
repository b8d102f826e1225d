"""The lines of an event's log as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Bye, Entry, Game, LogEntry, Tournament

SENTENCES: Mapping[str, Promise] = {
    "tournament created": gettext_lazy("Made the event “{name}”"),
    "tournament changed": gettext_lazy("Changed the event: {changes}"),
    "file imported": gettext_lazy("Imported “{filename}”: {players} players"),
    "players entered": gettext_lazy("Entered {count}: {names}"),
    "entry changed": gettext_lazy("Changed {name} on the list: {changes}"),
    "entry removed": gettext_lazy("Took {name} off the list"),
    "first round changed": gettext_lazy("{name} plays from round {from_round}"),
    "player withdrawn": gettext_lazy("{name} withdrew from round {from_round}"),
    "player returned": gettext_lazy("{name} plays again"),
    "pair forbidden": gettext_lazy("Must not meet: {names} {remark}"),
    "pair allowed": gettext_lazy("May meet again: {names}"),
    "bye requested": gettext_lazy("{name}: {kind}"),
    "marked absent": gettext_lazy("{name} is absent"),
    "marked present": gettext_lazy("{name} is here"),
    "round paired": gettext_lazy("Paired: {boards} boards"),
    "draft discarded": gettext_lazy("Discarded the draft"),
    "pairing set by hand": gettext_lazy("Changed the pairing by hand"),
    "round published": gettext_lazy("Published the pairing"),
    "pairing declared final": gettext_lazy("Declared the pairing final (version {version})"),
    "round unpublished": gettext_lazy("Took the published pairing back: {reason}"),
    "result entered": gettext_lazy("Board {board}: {after} (before: {before})"),
    "result corrected": gettext_lazy("Board {board} corrected: {after} (before: {before}) {reason}"),
    "round finished": gettext_lazy("Closed the round"),
    "evenings set": gettext_lazy("Gave {rounds} rounds their evenings, every {days} days"),
    "round reopened": gettext_lazy("Opened the round again"),
}


class _Details(dict[str, Any]):
    """What is not noted stays away, rather than breaking the log's page."""

    def __missing__(self, name: str) -> str:
        return ""


def sentence(line: LogEntry) -> str:
    """A line as a sentence; an action without one of its own is shown by its name."""
    known = SENTENCES.get(line.action)
    if known is None:
        return line.action
    return str(known).format_map(_Details(_said(line.action, line.details))).strip()


def _said(action: str, details: Mapping[str, Any]) -> dict[str, Any]:
    said = dict(details)
    if isinstance(said.get("names"), list):
        said["names"] = "; ".join(said["names"])
    if said.get("remark"):
        said["remark"] = f"({said['remark']})"
    if action == "bye requested" and "kind" in said:
        said["kind"] = Bye.Kind(said["kind"]).label
    if action in ("result entered", "result corrected"):
        said |= {when: Game.Result(said[when]).label for when in ("before", "after") if when in said}
    if action == "tournament changed":
        said["changes"] = _changes(Tournament, said.get("changes", {}))
    if action == "entry changed":
        before, after = said.get("before", {}), said.get("after", {})
        said["changes"] = _changes(Entry, {name: [was, after.get(name)] for name, was in before.items()})
    return said


def _changes(model: type[Tournament] | type[Entry], changes: Mapping[str, list[Any]]) -> str:
    return "; ".join(
        _("%(field)s: %(after)s (before: %(before)s)")
        % {"field": model._meta.get_field(name).verbose_name, "before": before or "–", "after": after or "–"}  # type: ignore[union-attr]
        for name, (before, after) in changes.items()
    )
