"""Integrity checks of events, in about thirty plain queries, independent of the code that writes them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.db.models import F, Min, Q, QuerySet

from operations.integrity.findings import Finding, FindingSeverity
from tournaments.models import Bye, CheckIn, Entry, ForbiddenPair, Game, LogEntry, ResultClaim, Round, Tournament

RESTORE = (
    "Recover the event from a backup (docs/operator/backups.md, One event out of a backup), or correct it "
    "manually from the arbiter's printouts."
)


def check_events(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report every contradiction in these events."""
    rounds = Round.objects.filter(tournament__in=events)
    places = {
        pk: f"{club}/{event} round {number} (row {pk})"
        for pk, club, event, number in rounds.values_list("pk", "tournament__club__slug", "tournament__slug", "number")
    }
    yield from _twice(rounds, places)
    yield from _strangers(rounds, places)
    yield from _states(rounds, places)
    yield from _numbers(events)
    yield from _loose_ends(rounds, places)
    yield from _counted_twice(events)


def _twice(rounds: QuerySet[Round], places: Mapping[int, str]) -> Iterator[Finding]:
    """Report players who are in a round more than once."""
    seats: dict[int, Counter[int]] = defaultdict(Counter)
    for this_round, white, black in _games(rounds).values_list("round", "white", "black"):
        seats[this_round].update((white, black))
    for this_round, entry in Bye.objects.filter(round__in=rounds).values_list("round", "entry"):
        seats[this_round][entry] += 1
    for this_round, times in sorted(seats.items()):
        if twice := sorted(entry for entry, count in times.items() if count > 1):
            yield Finding(
                code="player-twice",
                where=places[this_round],
                what=f"more than once in the round: entries {_listed(twice)}",
                do="Edit the pairings, or remove the player's bye. " + RESTORE,
            )


def _strangers(rounds: QuerySet[Round], places: Mapping[int, str]) -> Iterator[Finding]:
    """Report players in rounds of another event."""
    event = F("round__tournament")
    found = [
        (this_round, f"board {board}")
        for this_round, board in _games(rounds)
        .exclude(white__tournament=event, black__tournament=event)
        .values_list("round", "board")
    ]
    for model, word in ((Bye, "bye"), (CheckIn, "check-in")):
        rows = model.objects.filter(round__in=rounds).exclude(entry__tournament=event)
        found += [(this_round, f"{word} of entry {entry}") for this_round, entry in rows.values_list("round", "entry")]
    claims = ResultClaim.objects.filter(game__round__in=rounds).exclude(
        Q(entry=F("game__white")) | Q(entry=F("game__black"))
    )
    found += [
        (this_round, f"report by entry {entry} for someone else's board")
        for this_round, entry in claims.values_list("game__round", "entry")
    ]
    for this_round, what in found:
        yield Finding(code="player-of-another-event", where=places[this_round], what=what, do=RESTORE)


def _states(rounds: QuerySet[Round], places: Mapping[int, str]) -> Iterator[Finding]:
    """Report rounds whose content does not fit their state."""
    waiting, draft, finished = Round.State.WAITING, Round.State.DRAFT, Round.State.FINISHED
    wrong: list[tuple[str, QuerySet[Game] | QuerySet[Bye], str, str]] = [
        ("waiting-with-boards", _games(rounds).filter(round__state=waiting), "is not paired but has boards", RESTORE),
        (
            "waiting-with-bye",
            Bye.objects.filter(round__in=rounds, round__state=waiting, kind=Bye.Kind.PAIRING_ALLOCATED),
            "is not paired but has a pairing-allocated bye",
            RESTORE,
        ),
        (
            "draft-with-results",
            _games(rounds).filter(round__state=draft).exclude(result=Game.Result.PENDING),
            "is a draft but has results",
            "Publish it again. The results are kept.",
        ),
        (
            "finished-with-open-boards",
            _games(rounds).filter(round__state=finished, result=Game.Result.PENDING),
            "is finished but has boards without a result",
            "Reopen the round, enter the results and finish it.",
        ),
    ]
    for code, rows, what, do in wrong:
        for this_round in rows.order_by("round").values_list("round", flat=True).distinct():
            yield Finding(code=code, where=places[this_round], what=what, do=do)
    by_event: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
    for pk, event, number, state in rounds.values_list("pk", "tournament", "number", "state"):
        by_event[event].append((number, state, pk))
    for each in by_event.values():
        yield from _order_of_states(sorted(each), places)


def _order_of_states(each: list[tuple[int, str, int]], places: Mapping[int, str]) -> Iterator[Finding]:
    """Report gaps in round numbers, and rounds paired before the previous one was finished."""
    if [number for number, _state, _pk in each] != list(range(1, len(each) + 1)):
        yield Finding(
            code="rounds-with-a-gap", where=places[each[0][2]], what="the rounds are not 1, 2, 3, ...", do=RESTORE
        )
    is_open = False
    for _number, state, pk in each:
        if is_open and state != Round.State.WAITING:
            yield Finding(
                code="paired-on-open-round",
                where=places[pk],
                what="is paired although an earlier round is not finished",
                do="Finish the earlier rounds.",
                weight=FindingSeverity.WARNING,
            )
        is_open = is_open or state != Round.State.FINISHED


def _numbers(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report players without a number after round 1 is public."""
    begun = events.filter(rounds__number=1, rounds__state__in=[Round.State.PUBLISHED, Round.State.FINISHED])
    without = Entry.objects.filter(tournament__in=begun, tpn=None)
    for club, event, entry in without.values_list("tournament__club__slug", "tournament__slug", "pk"):
        yield Finding(
            code="no-number",
            where=f"{club}/{event} entry {entry}",
            what="plays without a pairing number although round 1 is public",
            do="Open and save the player's entry. If that doesn't help, restore the event from a backup.",
        )
    pairs = ForbiddenPair.objects.filter(tournament__in=events).exclude(
        first__tournament=F("tournament"), second__tournament=F("tournament")
    )
    for club, event, pk in pairs.values_list("tournament__club__slug", "tournament__slug", "pk"):
        yield Finding(
            code="player-of-another-event", where=f"{club}/{event}", what=f"forbidden pair {pk}", do="Allow the pair."
        )


def _loose_ends(rounds: QuerySet[Round], places: Mapping[int, str]) -> Iterator[Finding]:
    """Report players paired after they withdrew or before they entered. The arbiter may have intended it."""
    number = F("round__number")
    for side in ("white", "black"):
        odd = _games(rounds).filter(
            Q(**{f"{side}__withdrawn_from_round__lte": number}) | Q(**{f"{side}__entered_in_round__gt": number})
        )
        for this_round, board in odd.values_list("round", "board"):
            yield Finding(
                code="player-not-in-the-round",
                where=places[this_round],
                what=f"board {board} has a player who had withdrawn or not entered yet",
                do="Check which rounds the player takes part in.",
                weight=FindingSeverity.WARNING,
            )


def _counted_twice(events: QuerySet[Tournament]) -> Iterator[Finding]:
    """Report rated copies of one event. After a transfer back, their logs share the first line."""
    lines = LogEntry.objects.filter(tournament__in=events.exclude(rated_as="")).values_list("tournament__club__slug")
    same: dict[tuple[str, datetime], list[str]] = defaultdict(list)
    for club, slug, began in lines.annotate(slug=F("tournament__slug"), began=Min("at")).order_by("slug"):
        same[club, began].append(slug)
    for (club, _began), slugs in same.items():
        if len(slugs) > 1:
            yield Finding(
                code="event-counted-twice",
                where=", ".join(f"{club}/{slug}" for slug in slugs),
                what="is the same event imported from its file, so its games count for ratings more than once",
                do="Delete all but one of them, or set the others to not rated.",
                weight=FindingSeverity.WARNING,
            )


def _games(rounds: QuerySet[Round]) -> QuerySet[Game]:
    return Game.objects.filter(round__in=rounds).order_by("round", "board")


def _listed(keys: Iterable[int]) -> str:
    return ", ".join(map(str, keys))
