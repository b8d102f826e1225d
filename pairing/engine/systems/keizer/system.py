"""The next round of a Keizer season: everyone who is there, in the order of the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_of
from pairing.engine.matching.maximum_matching import MaximumMatching
from pairing.engine.paired_round import (
    PairedBye,
    PairedGame,
    PairedRound,
    PairingImpossible,
    PlayerScore,
)
from pairing.engine.rules.players import players_from_snapshot
from pairing.engine.snapshot import Colour, PairingCard, PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems.keizer.options import DEFAULT_OPTIONS, KeizerOptions
from pairing.engine.systems.keizer.ranking import current_ranking


def pair_next_round(snapshot: TournamentSnapshot, options: KeizerOptions = DEFAULT_OPTIONS) -> PairedRound:
    """Pair the next round, without reasons.

    Raises PairingImpossible if players who are kept apart leave no complete pairing.
    """
    ranking = current_ranking(snapshot, options)
    cards = {card.tpn: card for card in snapshot.cards}
    present = [cards[tpn] for tpn in ranking.order if cards[tpn].unavailable is None]
    chosen = _choose_field(present, snapshot, options)
    games = tuple(
        _game(board, higher, lower, snapshot, chosen.meetings)
        for board, (higher, lower) in enumerate(_pairs(present, chosen), start=1)
    )
    return PairedRound(
        system="keizer",
        round_number=snapshot.round_number,
        games=games,
        bye=None if chosen.bye is None else PairedBye(player=chosen.bye),
        scores=tuple(PlayerScore(tpn=each.tpn, score=each.score) for each in players_from_snapshot(snapshot)),
    )


# -- Who may meet ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Meetings:
    """The games over the board that two players have had with each other: their rounds, and the last White."""

    rounds: tuple[int, ...]
    last_white: PairingNumber


@dataclass(frozen=True, slots=True)
class _Limits:
    """How soon and how often two players may meet in this round."""

    gap: int
    max_meetings: int | None


@dataclass(frozen=True, slots=True)
class _ChosenField:
    """The bye, and who may meet: bit w of `neighbours[v]` means that the players at places v and w may."""

    bye: PairingNumber | None
    limits: _Limits
    neighbours: tuple[int, ...]
    meetings: Mapping[frozenset[PairingNumber], _Meetings]


def _choose_field(present: Sequence[PairingCard], snapshot: TournamentSnapshot, options: KeizerOptions) -> _ChosenField:
    """Choose the bye and the strictest limits with which everybody else can be paired (3.2, 3.4).

    Raises PairingImpossible if there are none.
    """
    meetings = _meetings(present)
    by_byes: dict[int, list[int]] = {}
    if len(present) % 2:
        for place, card in enumerate(present):
            byes = sum(record.result is Result.PAIRING_ALLOCATED_BYE for record in card.records)
            by_byes.setdefault(byes, []).append(place)
    for _, candidates in sorted(by_byes.items()) or [(0, [])]:
        for limits in _limits_to_try(options):
            neighbours = _neighbours(present, snapshot, meetings, limits)
            matching = MaximumMatching(neighbours)
            if matching.deficiency > len(present) % 2:
                continue
            bye = None
            if candidates:
                can_go = matching.decompose_gallai_edmonds().missable
                bye = max((place for place in candidates if can_go >> place & 1), default=None)
                if bye is None:
                    continue
            return _ChosenField(None if bye is None else present[bye].tpn, limits, neighbours, meetings)
    raise PairingImpossible("players who are kept apart leave no complete pairing")


def _limits_to_try(options: KeizerOptions) -> Iterator[_Limits]:
    for gap in range(options.gap, 0, -1):
        yield _Limits(gap, options.max_meetings)
    if options.max_meetings is not None:
        yield _Limits(1, None)


def _meetings(present: Iterable[PairingCard]) -> dict[frozenset[PairingNumber], _Meetings]:
    found: dict[frozenset[PairingNumber], _Meetings] = {}
    for card in present:
        for number, record in enumerate(card.records, start=1):
            if record.is_played and record.opponent is not None and record.colour is Colour.WHITE:
                pair = frozenset((card.tpn, record.opponent))
                before = found.get(pair)
                rounds = tuple(sorted((*(before.rounds if before else ()), number)))
                is_last = before is None or number > before.rounds[-1]
                found[pair] = _Meetings(rounds, card.tpn if is_last or before is None else before.last_white)
    return found


def _may_meet(
    pair: frozenset[PairingNumber], snapshot: TournamentSnapshot, met: _Meetings | None, limits: _Limits
) -> bool:
    if pair in snapshot.forbidden_pairs:
        return False
    if met is None:
        return True
    is_too_soon = met.rounds[-1] > snapshot.round_number - limits.gap
    return not is_too_soon and (limits.max_meetings is None or len(met.rounds) < limits.max_meetings)


def _neighbours(
    present: Sequence[PairingCard],
    snapshot: TournamentSnapshot,
    meetings: Mapping[frozenset[PairingNumber], _Meetings],
    limits: _Limits,
) -> tuple[int, ...]:
    places = {card.tpn: place for place, card in enumerate(present)}
    everyone = (1 << len(present)) - 1
    made = [everyone & ~(1 << place) for place in range(len(present))]
    for pair in {*meetings, *snapshot.forbidden_pairs}:
        one, other = pair
        if one not in places or other not in places:
            continue
        if not _may_meet(pair, snapshot, meetings.get(pair), limits):
            made[places[one]] &= ~(1 << places[other])
            made[places[other]] &= ~(1 << places[one])
    return tuple(made)


# -- Pairs -------------------------------------------------------------------------------------------------------------


def _pairs(present: Sequence[PairingCard], chosen: _ChosenField) -> Iterator[tuple[PairingCard, PairingCard]]:
    """Yield the pairs from the top: each time the highest player and the highest possible opponent (3.3)."""
    taking_part = bitmask_of(place for place, card in enumerate(present) if card.tpn != chosen.bye)
    matching = MaximumMatching(chosen.neighbours, taking_part)
    for place, card in enumerate(present):
        if not matching.alive >> place & 1:
            continue
        opponent = matching.fix_first_possible_pair(place, bitmask_members(matching.alive & ~(1 << place)))
        if opponent is None:
            raise PairingImpossible("the bye and the limits were chosen wrongly", players=[card.tpn])
        yield card, present[opponent]


# -- Colours -----------------------------------------------------------------------------------------------------------


def _game(
    board: int,
    higher: PairingCard,
    lower: PairingCard,
    snapshot: TournamentSnapshot,
    meetings: Mapping[frozenset[PairingNumber], _Meetings],
) -> PairedGame:
    met = meetings.get(frozenset((higher.tpn, lower.tpn)))
    has_white = _higher_has_white(board, higher, lower, snapshot.first_colour, met)
    white, black = (higher.tpn, lower.tpn) if has_white else (lower.tpn, higher.tpn)
    return PairedGame(board=board, white=white, black=black, formation_number=board)


def _higher_has_white(
    board: int, higher: PairingCard, lower: PairingCard, first_colour: Colour, met: _Meetings | None
) -> bool:
    """Return True if the higher of two players gets White (3.5)."""
    colours = _colours(higher)
    surplus = _surplus(colours) - _surplus(_colours(lower))
    if surplus:
        return surplus < 0
    if met is not None:
        return met.last_white != higher.tpn
    if colours:
        return colours[-1] is Colour.BLACK
    return (first_colour is Colour.WHITE) == bool(board % 2)


def _colours(card: PairingCard) -> list[Colour]:
    return [record.colour for record in card.records if record.is_played and record.colour is not None]


def _surplus(colours: Sequence[Colour]) -> int:
    return sum(1 if colour is Colour.WHITE else -1 for colour in colours)
