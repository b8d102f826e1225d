"""The lines of an event's log as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Bye, CheckIn, Entry, Game, LogEntry, Tournament

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
    "groups kept apart": gettext_lazy("Kept apart {names}: {count} pairs"),
    "group may meet": gettext_lazy("A group may meet again: {count} pairs"),
    "pair allowed": gettext_lazy("May meet again: {names}"),
    "bye requested": gettext_lazy("{name}: {kind}"),
    "marked absent": gettext_lazy("{name} is absent"),
    "marked present": gettext_lazy("{name} is here"),
    "round paired": gettext_lazy("Paired: {boards} boards"),
    "draft discarded": gettext_lazy("Discarded the draft"),
    "players swapped": gettext_lazy("By hand: swapped {names}"),
    "colours turned": gettext_lazy("By hand: turned the colours of board {board} ({names})"),
    "board moved": gettext_lazy("By hand: made {names} board {board}"),
    "pair removed": gettext_lazy("By hand: took {names} off board {board}"),
    "pair made": gettext_lazy("By hand: paired {names} at board {board}"),
    "bye given by hand": gettext_lazy("By hand: gave the bye to {names}"),
    "bye taken away": gettext_lazy("By hand: took the bye from {names}"),
    "player taken out": gettext_lazy("By hand: {names} is absent from this round"),
    "player put in": gettext_lazy("By hand: {names} is in this round"),
    "editing begun": gettext_lazy("Began to change the pairing by hand"),
    "editing taken over": gettext_lazy("Took over the changing of the pairing from {name}"),
    "editing ended": gettext_lazy("Ended the changing of the pairing by hand"),
    "step undone": gettext_lazy("Undid a step of the pairing"),
    "step done again": gettext_lazy("Did a step of the pairing again"),
    "pairing restored": gettext_lazy("Restored an earlier pairing"),
    "round published": gettext_lazy("Published the pairing"),
    "pairing declared final": gettext_lazy("Declared the pairing final (version {version})"),
    "round unpublished": gettext_lazy("Took the published pairing back: {reason}"),
    "trial pairing adopted": gettext_lazy(
        "Took over a trial pairing: {count} boards changed (version {version}) {broken} {reason}"
    ),
    "trial pairing drafted": gettext_lazy("Took over a trial pairing as the draft: {count} boards changed {broken}"),
    "result entered": gettext_lazy("Board {board}: {after} (before: {before})"),
    "result corrected": gettext_lazy("Board {board} corrected: {after} (before: {before}) {reason}"),
    "round finished": gettext_lazy("Closed the round"),
    "evenings set": gettext_lazy("Gave {rounds} rounds their evenings, every {days} days"),
    "round reopened": gettext_lazy("Opened the round again"),
    "prizes set": gettext_lazy("Set {count} prizes, {total} in all"),
    "prizes published": gettext_lazy("Published who gets which prize"),
    "prizes withdrawn": gettext_lazy("Took the prizes back"),
    "lots drawn": gettext_lazy("Drew lots for {count} players"),
    "lots drawn again": gettext_lazy("Drew all lots again: {reason}"),
    "name erased": gettext_lazy("Erased the name of a former member"),
    "personal link renewed": gettext_lazy("Renewed the personal link of {name}"),
    "checked in": gettext_lazy("At the door: {name}, {state}"),
    "player checked in": gettext_lazy("{name} checked in by phone"),
    "says he is here": gettext_lazy("{name} says by phone: I am here"),
    "check-in closed": gettext_lazy("Closed the check-in; not seen: {count} {names}"),
    "check-in opened": gettext_lazy("Opened the check-in again"),
    "bye asked for": gettext_lazy("{name} asks for a bye: {kind}"),
    "bye taken back": gettext_lazy("{name} takes the bye back"),
    "result reported": gettext_lazy("Board {board}: {name} reports {result}"),
    "result confirmed": gettext_lazy("Board {board}: {after}, confirmed by both players"),
    "result read again": gettext_lazy("Board {board}: read a second time, {result}"),
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
    if action == "groups kept apart" and not said.get("names"):
        said["names"] = _("families")
    if said.get("remark"):
        said["remark"] = f"({said['remark']})"
    if action in ("bye requested", "bye asked for") and "kind" in said:
        said["kind"] = Bye.Kind(said["kind"]).label
    if action.startswith("result "):
        said |= {key: Game.Result(said[key]).label for key in ("before", "after", "result") if key in said}
    if action == "checked in":
        said["state"] = CheckIn.State(said["state"]).label if said.get("state") else _("not seen")
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
