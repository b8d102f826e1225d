"""The next round of a Keizer season: everyone who is there, in the order of the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.matching.bitmasks import bitmask_members, bitmask_of
from pairing.engine.matching.maximum_matching import MaximumMatching
from pairing.engine.paired_round import (
    ColourCause,
    DecisionCause,
    PairedBye,
    PairedGame,
    PairedRound,
    PairingImpossible,
    PairingReason,
    PlayerScore,
    ReasonFact,
    ReasonKind,
    make_reason,
)
from pairing.engine.rules.players import players_from_snapshot
from pairing.engine.snapshot import Colour, PairingCard, PairingNumber, Result, TournamentSnapshot
from pairing.engine.systems.keizer.options import DEFAULT_OPTIONS, KeizerOptions
from pairing.engine.systems.keizer.ranking import current_ranking

_MOST_BEFORE, _MOST_AFTER = 8, 3
"""How many candidates a reason lists: those before the opponent, and after."""


def pair_next_round(snapshot: TournamentSnapshot, options: KeizerOptions = DEFAULT_OPTIONS) -> PairedRound:
    """Pair the next round. Raises PairingImpossible if players who are kept apart leave no complete pairing."""
    ranking = current_ranking(snapshot, options)
    cards = {card.tpn: card for card in snapshot.cards}
    present = [cards[tpn] for tpn in ranking.order if cards[tpn].unavailable is None]
    chosen = _choose_field(present, snapshot, options)
    games = tuple(
        _game(board, pair, snapshot, chosen.meetings)
        for board, pair in enumerate(_pairs(present, chosen, ranking.values), start=1)
    )
    return PairedRound(
        system="keizer",
        round_number=snapshot.round_number,
        games=games,
        bye=chosen.bye and PairedBye(player=chosen.bye, reasons=_bye_reasons(present, chosen)),
        scores=tuple(PlayerScore(tpn=each.tpn, score=each.score) for each in players_from_snapshot(snapshot)),
    )


# -- Who may meet ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meetings:
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
    meetings: Mapping[frozenset[PairingNumber], Meetings]


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


def _meetings(present: Iterable[PairingCard]) -> dict[frozenset[PairingNumber], Meetings]:
    found: dict[frozenset[PairingNumber], Meetings] = {}
    for card in present:
        for number, record in enumerate(card.records, start=1):
            if record.is_played and record.opponent is not None and record.colour is Colour.WHITE:
                pair = frozenset((card.tpn, record.opponent))
                before = found.get(pair)
                rounds = tuple(sorted((*(before.rounds if before else ()), number)))
                is_last = before is None or number > before.rounds[-1]
                found[pair] = Meetings(rounds, card.tpn if is_last or before is None else before.last_white)
    return found


def _obstacle(
    one: PairingNumber,
    other: PairingNumber,
    snapshot: TournamentSnapshot,
    met: Meetings | None,
    limits: _Limits,
) -> tuple[DecisionCause, dict[str, ReasonFact]] | None:
    """Return what keeps two players apart in this round, with its facts, or None."""
    if frozenset((one, other)) in snapshot.forbidden_pairs:
        return DecisionCause.FORBIDDEN, {}
    if met is None:
        return None
    if met.rounds[-1] > snapshot.round_number - limits.gap:
        return DecisionCause.MET, {"round": met.rounds[-1], "gap": limits.gap}
    if limits.max_meetings is not None and len(met.rounds) >= limits.max_meetings:
        return DecisionCause.MET, {"round": met.rounds[-1], "meetings": len(met.rounds)}
    return None


def _neighbours(
    present: Sequence[PairingCard],
    snapshot: TournamentSnapshot,
    meetings: Mapping[frozenset[PairingNumber], Meetings],
    limits: _Limits,
) -> tuple[int, ...]:
    places = {card.tpn: place for place, card in enumerate(present)}
    everyone = (1 << len(present)) - 1
    made = [everyone & ~(1 << place) for place in range(len(present))]
    for pair in {*meetings, *snapshot.forbidden_pairs}:
        one, other = pair
        if one not in places or other not in places:
            continue
        if _obstacle(one, other, snapshot, meetings.get(pair), limits):
            made[places[one]] &= ~(1 << places[other])
            made[places[other]] &= ~(1 << places[one])
    return tuple(made)


# -- Pairs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pair:
    higher: PairingCard
    lower: PairingCard
    reasons: tuple[PairingReason, ...]


def _pairs(
    present: Sequence[PairingCard], chosen: _ChosenField, values: Mapping[PairingNumber, int]
) -> Iterator[_Pair]:
    """Yield the pairs from the top: each time the highest player and the highest possible opponent (3.3)."""
    taking_part = bitmask_of(place for place, card in enumerate(present) if card.tpn != chosen.bye)
    matching = MaximumMatching(chosen.neighbours, taking_part)
    ranks = {tpn: rank for rank, tpn in enumerate(values, start=1)}
    for place, card in enumerate(present):
        if not matching.alive >> place & 1:
            continue
        below = [*bitmask_members(matching.alive & ~(1 << place))]
        opponent = matching.fix_first_possible_pair(place, below)
        assert opponent is not None, "everybody can be paired, by the choice of the bye and the limits"
        yield _Pair(card, present[opponent], ())


# -- Colours -----------------------------------------------------------------------------------------------------------


def _game(
    board: int,
    pair: _Pair,
    snapshot: TournamentSnapshot,
    meetings: Mapping[frozenset[PairingNumber], Meetings],
) -> PairedGame:
    white, reason = _white_of(board, pair, snapshot, meetings.get(frozenset((pair.higher.tpn, pair.lower.tpn))))
    black = pair.lower.tpn if white == pair.higher.tpn else pair.higher.tpn
    return PairedGame(board=board, white=white, black=black, reasons=(*pair.reasons, reason), formation_number=board)


def _white_of(
    board: int, pair: _Pair, snapshot: TournamentSnapshot, met: Meetings | None
) -> tuple[PairingNumber, PairingReason]:
    higher, lower = pair.higher.tpn, pair.lower.tpn
    one, other = _colours(pair.higher), _colours(pair.lower)
    balance = _balance(one) - _balance(other)
    if balance:
        white, cause = (lower if balance > 0 else higher), ColourCause.DIFFERENCE
    elif met is not None:
        white, cause = (lower if met.last_white == higher else higher), ColourCause.HISTORY
    elif one:
        white, cause = (lower if one[-1] is Colour.WHITE else higher), ColourCause.HIGHER_PLAYER
    else:
        first = snapshot.first_colour if board % 2 else snapshot.first_colour.opposite
        white, cause = (higher if first is Colour.WHITE else lower), ColourCause.ALTERNATE_PAIRS
    black = lower if white == higher else higher
    return white, make_reason("keizer 3.5", ReasonKind.COLOUR, white, black, because=cause)


def _colours(card: PairingCard) -> list[Colour]:
    return [record.colour for record in card.records if record.is_played and record.colour is not None]


def _balance(colours: Sequence[Colour]) -> int:
    return sum(1 if colour is Colour.WHITE else -1 for colour in colours)


# -- Reasons -----------------------------------------------------------------------------------------------------------


def _bye_reasons(present: Sequence[PairingCard], chosen: _ChosenField) -> tuple[PairingReason, ...]:
    return ()
