"""What the arbiter decided against the pairing rules or changed later: for the report's page and its file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from pairing.engine.paired_round import ReasonKind
from pairing.engine.trf import format_override_line
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.sentences import log_line_sentence
from tournaments.models import Bye, Game, LogEntry, Round, Tournament

CHANGES_THAT_COUNT = frozenset({"rounds_announced", "tie_breaks", "fide_rated"})
"""Fields of an event that FIDE expects to stay as they were when round 1 was paired."""
_RULES_OF_THE_EVENT = (EventAction.PAIR_FORBIDDEN, EventAction.PAIR_ALLOWED, EventAction.GROUPS_FORBIDDEN)


class ArbiterOverride(NamedTuple):
    """A decision or change: its round (None for the whole event), a sentence, and its words in the report file.

    `words` is empty for decisions, which have a line of their own there.
    """

    round_number: int | None
    sentence: str
    words: str


def arbiter_overrides(event: Tournament) -> list[ArbiterOverride]:
    """Return what the arbiter overrode in the public rounds, by round, then what changed after round 1 was paired."""
    rounds = list(event.rounds.only_published().select_related("decision").order_by("number"))
    return [each for this_round in rounds for each in _in_round(this_round)] + list(_of_event(event, rounds))


def format_override_lines(event: Tournament) -> list[str]:
    """Return the comment lines of the report file."""
    return [format_override_line(each.round_number, each.words) for each in arbiter_overrides(event) if each.words]


def _in_round(this_round: Round) -> Iterator[ArbiterOverride]:
    number = this_round.number
    if this_round.decision is not None:
        yield ArbiterOverride(number, log_line_sentence(this_round.decision), "")
    games = list(Game.objects.filter(round=this_round).select_related("correction").order_by("board"))
    if boards := [str(game.board) for game in games if _is_by_hand(game.reasons)]:
        text = ", ".join(boards)
        yield ArbiterOverride(
            number, _("Boards paired by hand: %(boards)s") % {"boards": text}, f"by hand boards={text}"
        )
    byes = Bye.objects.filter(round=this_round, kind=Bye.Kind.PAIRING_ALLOCATED).select_related("entry")
    for bye in byes:
        if _is_by_hand(bye.reasons):
            yield ArbiterOverride(
                number, _("Bye given by hand: %(name)s") % {"name": bye.entry.name}, f"by hand bye={bye.entry.tpn}"
            )
    for game in games:
        if game.correction is not None:
            details = game.correction.details
            words = f"corrected board={game.board} {details.get('before', '')} {details.get('after', '')}"
            yield ArbiterOverride(number, log_line_sentence(game.correction), words)


def _of_event(event: Tournament, rounds: list[Round]) -> Iterator[ArbiterOverride]:
    first = next((each.paired_at for each in rounds if each.number == 1), None)
    if first is None:
        return
    acts = Q(action__in=[*_RULES_OF_THE_EVENT, EventAction.SYSTEM_CHANGED, EventAction.TOURNAMENT_CHANGED])
    for line in LogEntry.objects.filter(acts, tournament=event, at__gt=first).order_by("at", "pk"):
        changes = line.details.get("changes", {})
        if line.action != EventAction.TOURNAMENT_CHANGED:
            yield ArbiterOverride(None, log_line_sentence(line), f"{line.action} on {line.at:%Y/%m/%d}")
        elif counting := sorted(CHANGES_THAT_COUNT & set(changes)):
            told = ", ".join(f"{name} {changes[name][0]} {changes[name][1]}" for name in counting)
            yield ArbiterOverride(None, log_line_sentence(line), f"changed on {line.at:%Y/%m/%d}: {told}")


def _is_by_hand(reasons: list[dict[str, object]]) -> bool:
    return any(reason.get("kind") == ReasonKind.MANUAL for reason in reasons)
