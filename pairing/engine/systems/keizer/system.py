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
from pairing.engine.systems.keizer.options import KeizerOptions, parse_keizer_options
from pairing.engine.systems.keizer.ranking import KeizerRanking, current_ranking

MAX_LISTED = 12
"""How many players between two opponents are named."""


def pair_next_round(snapshot: TournamentSnapshot, options: KeizerOptions | None = None) -> PairedRound:
    """Pair the next round. Without `options`, the snapshot's options are used.

    Raises PairingImpossible if players who are kept apart leave no complete pairing.
    """
    options = options or parse_keizer_options(snapshot.options)
    ranking = current_ranking(snapshot, options)
    cards = {card.tpn: card for card in snapshot.cards}
    present = [cards[tpn] for tpn in ranking.order if cards[tpn].unavailable is None]
    chosen = _choose_field(present, snapshot, options)
    told = _Reasons(snapshot, options, ranking, present, chosen)
    return PairedRound(
        system="keizer",
        round_number=snapshot.round_number,
        games=tuple(
            [
                _game(board, higher, lower, snapshot, told)
                for board, (higher, lower) in enumerate(_pairs(present, chosen), start=1)
            ]
        ),
        bye=None if chosen.bye is None else PairedBye(player=chosen.bye, reasons=tuple(told.of_bye(chosen.bye))),
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

    def find_obstacle(self, pair: frozenset[PairingNumber], snapshot: TournamentSnapshot) -> DecisionCause | None:
        return _find_obstacle(pair, snapshot, self.meetings.get(pair), self.limits)


def _choose_field(present: Sequence[PairingCard], snapshot: TournamentSnapshot, options: KeizerOptions) -> _ChosenField:
    """Choose the bye and the strictest limits with which everybody else can be paired (3.2, 3.4).

    Raises PairingImpossible if there are none.
    """
    meetings = _meetings(present)
    by_byes: dict[int, list[int]] = {}
    if len(present) % 2:
        for place, card in enumerate(present):
            by_byes.setdefault(_byes(card), []).append(place)
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


def _find_obstacle(
    pair: frozenset[PairingNumber], snapshot: TournamentSnapshot, met: _Meetings | None, limits: _Limits
) -> DecisionCause | None:
    """Return why two players may not meet in this round (3.4), or None if they may."""
    if pair in snapshot.forbidden_pairs:
        return DecisionCause.FORBIDDEN
    if met is None:
        return None
    if limits.max_meetings is not None and len(met.rounds) >= limits.max_meetings:
        return DecisionCause.MET_OFTEN
    return DecisionCause.MET_RECENTLY if met.rounds[-1] > snapshot.round_number - limits.gap else None


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
        if _find_obstacle(pair, snapshot, meetings.get(pair), limits):
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
    board: int, higher: PairingCard, lower: PairingCard, snapshot: TournamentSnapshot, told: _Reasons
) -> PairedGame:
    """Return a board with its colours (3.5) and its reasons."""
    has_white, why = _decide_colours(board, higher, lower, snapshot, told.meetings(higher.tpn, lower.tpn))
    white, black = (higher, lower) if has_white else (lower, higher)
    colours = make_reason(
        "keizer 3.5",
        ReasonKind.COLOUR,
        white.tpn,
        black.tpn,
        white_colours="".join(colour.value for colour in _colours(white)),
        black_colours="".join(colour.value for colour in _colours(black)),
        **why,
    )
    return PairedGame(
        board=board,
        white=white.tpn,
        black=black.tpn,
        reasons=(*told.of_pair(higher.tpn, lower.tpn), colours),
        formation_number=board,
    )


def _decide_colours(
    board: int, higher: PairingCard, lower: PairingCard, snapshot: TournamentSnapshot, met: _Meetings | None
) -> tuple[bool, dict[str, ReasonFact]]:
    """Return True if the higher of two players gets White, and what decided."""
    colours, first_colour = _colours(higher), snapshot.first_colour
    surplus = _surplus(colours) - _surplus(_colours(lower))
    if surplus:
        claim = higher.tpn if surplus < 0 else lower.tpn
        return surplus < 0, {"because": ColourCause.FEWER_WHITES, "claim": claim}
    if met is not None:
        return met.last_white != higher.tpn, {"because": ColourCause.LAST_MEETING, "round": met.rounds[-1]}
    if colours:
        return colours[-1] is Colour.BLACK, {"because": ColourCause.LAST_COLOUR, "claim": higher.tpn}
    because: dict[str, ReasonFact] = {
        "because": ColourCause.BOARD_PARITY,
        "claim": higher.tpn,
        "board": board,
        "first_colour": first_colour.value,
    }
    return (first_colour is Colour.WHITE) == bool(board % 2), because


def _colours(card: PairingCard) -> list[Colour]:
    return [record.colour for record in card.records if record.is_played and record.colour is not None]


def _surplus(colours: Sequence[Colour]) -> int:
    return sum(1 if colour is Colour.WHITE else -1 for colour in colours)


# -- Reasons -----------------------------------------------------------------------------------------------------------


class _Reasons:
    """The reasons of a round. Boards are asked for in the order in which they were paired."""

    def __init__(
        self,
        snapshot: TournamentSnapshot,
        options: KeizerOptions,
        ranking: KeizerRanking,
        present: Sequence[PairingCard],
        chosen: _ChosenField,
    ) -> None:
        self._snapshot, self._options, self._ranking, self._chosen = snapshot, options, ranking, chosen
        self._ranks = {tpn: rank for rank, tpn in enumerate(ranking.order, start=1)}
        self._places = {card.tpn: place for place, card in enumerate(present)}
        self._byes = {card.tpn: _byes(card) for card in present}
        self._seated: set[PairingNumber] = set()

    def meetings(self, one: PairingNumber, other: PairingNumber) -> _Meetings | None:
        return self._chosen.meetings.get(frozenset((one, other)))

    def of_pair(self, higher: PairingNumber, lower: PairingNumber) -> list[PairingReason]:
        """Return the reasons for pairing these two players (3.3, 3.4)."""
        between = self._ranking.order[self._ranks[higher] : self._ranks[lower] - 1]
        candidates = [tpn for tpn in between if self._state(tpn) == "c"]
        listed = (higher, lower, *between[:MAX_LISTED], *between[MAX_LISTED:][-1:])
        told = [
            make_reason(
                "keizer 3.3",
                ReasonKind.RANKS,
                *listed,
                ranks=tuple([self._ranks[tpn] for tpn in listed]),
                values=tuple([self._ranking.values[tpn] for tpn in listed]),
                between="".join([self._state(tpn) for tpn in listed[2:]]),
                more=len(between) - len(listed) + 2,
            ),
            make_reason("keizer 3.3", ReasonKind.OPPONENT, higher, lower, place=len(candidates) + 1),
        ]
        told += [self._passed_over(higher, tpn) for tpn in candidates[:MAX_LISTED]]
        self._seated |= {higher, lower}
        met = self.meetings(higher, lower)
        wanted = _Limits(self._options.gap, self._options.max_meetings)
        if met and _find_obstacle(frozenset((higher, lower)), self._snapshot, met, wanted):
            limits = self._chosen.limits
            told.append(
                make_reason(
                    "keizer 3.4",
                    ReasonKind.REPEATED,
                    higher,
                    lower,
                    round=met.rounds[-1],
                    gap=limits.gap,
                    wanted=wanted.gap,
                    limit=None if limits.max_meetings == wanted.max_meetings else wanted.max_meetings,
                )
            )
        return told

    def _state(self, tpn: PairingNumber) -> str:
        if tpn == self._chosen.bye:
            return "b"
        if tpn not in self._places:
            return "a"
        return "p" if tpn in self._seated else "c"

    def _passed_over(self, higher: PairingNumber, candidate: PairingNumber) -> PairingReason:
        cause = self._chosen.find_obstacle(frozenset((higher, candidate)), self._snapshot)
        facts: dict[str, ReasonFact] = {}
        if cause is None:
            return make_reason(
                "keizer 3.3", ReasonKind.PASSED_OVER, higher, candidate, because=DecisionCause.BLOCKS_REST
            )
        met = self.meetings(higher, candidate)
        if met and cause is DecisionCause.MET_OFTEN:
            facts["count"] = len(met.rounds)
        elif met and cause is DecisionCause.MET_RECENTLY:
            facts |= {"round": met.rounds[-1], "again": met.rounds[-1] + self._chosen.limits.gap}
        return make_reason("keizer 3.4", ReasonKind.PASSED_OVER, higher, candidate, because=cause, **facts)

    def of_bye(self, player: PairingNumber) -> list[PairingReason]:
        """Return the reasons for giving a player the bye (3.2)."""
        lower = [tpn for tpn in self._ranking.order[self._ranks[player] :] if tpn in self._places]
        byes = self._byes[player]
        fewest = min(self._byes.values())
        told = [make_reason("keizer 3.2", ReasonKind.BYE, player, byes=byes, fewest=fewest, lower=len(lower))]
        for tpn in lower:
            if self._byes[tpn] > byes:
                facts: dict[str, ReasonFact] = {"because": DecisionCause.MORE_BYES, "byes": self._byes[tpn]}
            else:
                facts = {"because": DecisionCause.BLOCKS_REST}
            told.append(make_reason("keizer 3.2", ReasonKind.BYE_PASSED_OVER, tpn, **facts))
        return told


def _byes(card: PairingCard) -> int:
    return sum(record.result is Result.PAIRING_ALLOCATED_BYE for record in card.records)
