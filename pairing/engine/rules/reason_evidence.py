"""Evidence for the reasons of a round: the players and numbers that let a reader check them.

It is collected after the pairing, from the boards, the reasons and the players. No search is repeated. The facts:

- `whose` may not meet others: those `met` (in `met_rounds`), `forbidden`, `bound` to the same `colour`, or `floaters`
  too; `more_mates` are not named; `alone` if there are no others
- `blocked` could only play those in `only` (and each other if `each_other`), where all but `to_float` are to be paired
- `left_over` would not be paired; with one of them, the facts that begin with `over_` say why they could not float in
  the place of `instead`
- `float_order`: a group in the order in which its players float; `more_members` are not named
- `clashes` of the last `of` pairs have players due the same colour; `rest_white` and `rest_black` are due a colour
- `due` is the chooser's colour; `due_white` and `due_black` are the players named who are due a colour
- `balance`: those due White and Black who stayed; `otherwise`: if the kept player had floated
- `ranked`: players from the lowest up, from place `first`, with `ranked_half_points`
- `upper` and `lower`: the halves before any exchange
- `again` floated before, in `again_rounds`, up or down (`again_direction`)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nsmallest
from operator import attrgetter
from types import MappingProxyType
from typing import TypeAlias

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import (
    DecisionCause,
    PairedBye,
    PairedGame,
    PairingReason,
    ReasonEntry,
    ReasonFact,
    ReasonKind,
    ReasonRun,
    build_reason_sequence,
    list_reason_entries,
    with_facts,
)
from pairing.engine.rules.compatibility import CompatibilityGraph, find_pairing_obstacle
from pairing.engine.rules.players import PairingPlayer
from pairing.engine.rules.rejected_candidates import MAX_EARLIER_CANDIDATES, MAX_LATER_CANDIDATES
from pairing.engine.rules.shared_facts import MAX_LISTED_HALF, MAX_NAMED_PLAYERS, Facts, shortage_facts
from pairing.engine.snapshot import Colour, HalfPoints, PairingNumber

Group: TypeAlias = tuple[ReasonFact, ReasonFact] | None
"""The score and side of the group that formed a pair."""

MAX_MATCHED_PLAYERS = 60
"""Look for those left without an opponent among at most this many players."""

MAX_LEFT_OVER = 4
"""The most players that are named as a group in which one would be left over."""

MAX_MATCHINGS = 40
"""Look for them at most this often in one round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRules:
    """The differences between systems that matter for evidence.

    `any_colour` ignores absolute colours. `has_bye_first`: the bye is given before the groups are paired, not to the
    last player left over. `moves_up_first`: players may move up before their own group is formed (Dubov).
    `floaters_meet`: two players who floated into the same group may meet.
    """

    any_colour: bool = False
    has_bye_first: bool = False
    moves_up_first: bool = False
    floaters_meet: bool = True


def add_evidence(
    games: Sequence[PairedGame],
    bye: PairedBye | None,
    players: Iterable[PairingPlayer],
    rules: EvidenceRules,
    *,
    excused: Mapping[PairingNumber, PairingPlayer] = MappingProxyType({}),
) -> tuple[tuple[PairedGame, ...], PairedBye | None]:
    """Return the boards and the bye with evidence added to their reasons.

    `players` are those to be paired. `excused` replaces some of them where the question is who may meet.
    """
    evidence = _Evidence(games, bye, players, rules, excused)
    return (
        tuple([evidence.complete_board(game) for game in games]),
        bye and replace(bye, reasons=tuple(evidence.complete_bye(bye))),
    )


class _Evidence:
    def __init__(
        self,
        games: Sequence[PairedGame],
        bye: PairedBye | None,
        players: Iterable[PairingPlayer],
        rules: EvidenceRules,
        excused: Mapping[PairingNumber, PairingPlayer],
    ) -> None:
        self._rules = rules
        self._bye = bye.player if bye else None
        self._players = {player.tpn: player for player in players}
        self._as_opponents = {**self._players, **excused}
        self._matchings = 0
        self._pairs: dict[Group, list[PairedGame]] = defaultdict(list)
        self._places: dict[int, tuple[Group, int]] = {}
        self._incomplete: set[int] = set()
        self._stayed: dict[tuple[PairingNumber, ...], PairingReason] = {}
        self._halves: dict[ReasonFact, tuple[tuple[PairingNumber, ...], tuple[PairingNumber, ...]]] = {}
        self._lacking: dict[ReasonFact, tuple[PairingNumber, ...]] = {}
        self._floats: dict[PairingNumber, list[PairingReason]] = defaultdict(list)
        for game in sorted(games, key=attrgetter("formation_number")):
            entries = list_reason_entries(game.reasons)
            group = _group_of(entries)
            pairs = self._pairs[group]
            self._places[game.board] = (group, len(pairs))
            pairs.append(game)
            if not _NEEDING_EVIDENCE.isdisjoint([why.kind for why in entries]):
                self._incomplete.add(game.board)
                self._collect_floats(entries)
        self._collect_floats(bye.reasons if bye else ())

    def _collect_floats(self, entries: Iterable[ReasonEntry]) -> None:
        for why in entries:
            if why.kind is ReasonKind.FLOATED and isinstance(why, PairingReason):
                self._floats[why.players[0]].append(why)
            elif why.kind in (ReasonKind.STAYED, ReasonKind.BYE_PASSED_OVER) and isinstance(why, PairingReason):
                self._stayed[why.players] = why
            elif why.kind is ReasonKind.LACK_OPPONENTS and why.get_fact("of") == len(why.players):
                self._lacking[why.get_fact("half_points")] = why.players

    # -- Boards and the bye ----------------------------------------------------------------------------------------

    def complete_board(self, game: PairedGame) -> PairedGame:
        """Return a board with the evidence for its reasons. Most boards need none."""
        if game.board not in self._incomplete:
            return game
        entries = list_reason_entries(game.reasons)
        group, _ = self._places[game.board]
        about_colours = {why.kind for why in entries if _is_about_due_colours(why)}
        colours = ReasonKind.PASSED_OVER in about_colours
        floats_for_colours = not about_colours.isdisjoint(_ABOUT_GROUPS)
        completed: list[ReasonEntry] = []
        latest: PairingReason | None = None
        for entry in entries:
            first = entry.first if isinstance(entry, ReasonRun) else entry
            if first.kind is ReasonKind.FLOATED:
                latest = first
            kind = first.kind
            if kind is ReasonKind.PASSED_OVER or kind is ReasonKind.OPPONENT:
                facts = self._facts_of_choice(first, game, group, colours=colours)
            elif kind in _NEEDING_EVIDENCE:
                facts = self._facts_of_float(first, latest, colours=floats_for_colours)
            else:
                facts = {}
            if not facts:
                completed.append(entry)
            elif isinstance(entry, ReasonRun):
                completed.append(replace(entry, first=with_facts(first, **facts)))
            else:
                completed.append(with_facts(first, **facts))
        return PairedGame(
            board=game.board,
            white=game.white,
            black=game.black,
            reasons=build_reason_sequence(completed),
            formation_number=game.formation_number,
        )

    def complete_bye(self, bye: PairedBye) -> Iterator[PairingReason]:
        latest: PairingReason | None = None
        for why in bye.reasons:
            if why.kind is ReasonKind.FLOATED:
                latest = why
            if why.kind is ReasonKind.BYE_PASSED_OVER and why.get_fact("because") is DecisionCause.BLOCKS_REST:
                facts = self._shortage(set(self._players) - {why.players[0]})
            elif why.kind is ReasonKind.BYE and isinstance(lower := why.get_fact("lower"), int):
                facts = self._bye_order(bye.player, lower)
            else:
                facts = self._facts_of_float(why, latest, colours=False)
            yield with_facts(why, **facts) if facts else why

    def _bye_order(self, player: PairingNumber, lower: int) -> Facts:
        """Return the players from the lowest rank upwards, near the one with the bye."""
        ranked = nsmallest(lower + MAX_LATER_CANDIDATES + 1, self._players.values(), key=_bye_key)
        at = next(place for place, one in enumerate(ranked) if one.tpn == player)
        first = max(0, at - MAX_EARLIER_CANDIDATES)
        listed = ranked[first : at + MAX_LATER_CANDIDATES + 1]
        return {
            "ranked": tuple([one.tpn for one in listed]),
            "ranked_half_points": tuple([one.pairing_score for one in listed]),
            "first": first + 1,
        }

    def _facts_of_choice(self, why: PairingReason, game: PairedGame, group: Group, *, colours: bool) -> Facts:
        """Return the evidence for an opponent, or for a candidate passed over."""
        if why.kind is ReasonKind.OPPONENT:
            return self._due_colours(why) if colours or why.get_fact("order") == "colour" else {}
        cause = why.get_fact("because")
        if cause is DecisionCause.MET or cause is DecisionCause.SAME_DUE_COLOUR:
            return {}
        match cause:
            case DecisionCause.BLOCKS_GROUP:
                return {} if why.get_fact("left") else self._rest_without(why, game, group)
            case DecisionCause.BLOCKS_REST:
                return self._shortage(self._unpaired_before(group) - set(why.players))
            case DecisionCause.MORE_CLASHES | DecisionCause.WORSE_BY_CRITERION if _is_about_colours(why):
                return self._clashes(why, game, group)
        return {}

    def _unpaired_before(self, group: Group) -> set[PairingNumber]:
        """Return all players without an opponent when a group was begun."""
        first = min(game.formation_number for game in self._pairs[group])
        paired = {
            tpn
            for games in self._pairs.values()
            for game in games
            if game.formation_number < first
            for tpn in (game.white, game.black)
        }
        return set(self._players) - paired - {self._bye}

    def _facts_of_float(self, why: PairingReason, latest: PairingReason | None, *, colours: bool) -> Facts:
        cause = why.get_fact("because")
        match why.kind:
            case ReasonKind.FLOATED if cause is DecisionCause.NO_OPPONENT:
                return self._obstacles(why.players[0], self._own_members(why.get_fact("from_half_points")))
            case ReasonKind.FLOATED if cause is DecisionCause.OPPONENT_WANTED:
                return self._obstacles(why.players[1], self._own_members(why.get_fact("to_half_points")))
            case ReasonKind.FLOATED if cause is DecisionCause.BLOCKS_GROUP:
                members = self._own_members(why.get_fact("from_half_points"))
                return self._shortage(members, leaving=len(members) % 2)
            case ReasonKind.FLOATED if cause is DecisionCause.BLOCKED_MEDIAN:
                score = why.get_fact("to_half_points")
                split = {tpn for tpn, (*_, last) in self._floats.items() if last.get_fact("because") is cause}
                return self._obstacles_of_blocked(dict(why.facts), self._own_members(score) - split)
            case ReasonKind.FLOATED if not self._rules.moves_up_first and cause in _IN_ORDER:
                return self._float_order(why, colours=colours)
            case ReasonKind.EXCHANGE_TRIED:
                return self._facts_of_exchange(why, colours=colours)
            case ReasonKind.LACK_OPPONENTS:
                return self._facts_of_lacking(why)
            case ReasonKind.STAYED if latest is not None:
                return self._facts_of_staying(why, latest)
        return {}

    def _facts_of_staying(self, why: PairingReason, departure: PairingReason) -> Facts:
        """Return what shows that a player could not float in place of the one who did."""
        match why.get_fact("because"):
            case DecisionCause.NO_OPPONENT:
                return self._obstacles(why.players[0], self._own_members(departure.get_fact("to_half_points")))
            case DecisionCause.BLOCKS_GROUP:
                return self._shortage(self._staying(why, departure))
            case DecisionCause.BLOCKS_REST if self._rules.moves_up_first and departure.get_fact("direction") == "up":
                return self._below_without(why, departure)
            case DecisionCause.BLOCKS_REST:
                lacking = self._lacking.get(departure.get_fact("from_half_points"), ())
                one = self._as_opponents[why.players[0]]
                if all(find_pairing_obstacle(one, self._as_opponents[other]) for other in lacking):
                    return self._obstacles(one.tpn, lacking) if lacking else {}
            case DecisionCause.LOOK_AHEAD:
                score = departure.get_fact("to_half_points")
                following = self._residents.get(score, []) if isinstance(score, int) else []
                one = self._as_opponents[why.players[0]]
                if all(find_pairing_obstacle(one, self._as_opponents[other]) for other in following):
                    return self._obstacles(one.tpn, following)
            case DecisionCause.COLOUR_BALANCE:
                return self._balance(why, departure)
        return {}

    # -- Groups ----------------------------------------------------------------------------------------------------

    @cached_property
    def _residents(self) -> dict[HalfPoints, list[PairingNumber]]:
        residents: dict[HalfPoints, list[PairingNumber]] = defaultdict(list)
        for player in self._players.values():
            if self._rules.has_bye_first and player.tpn == self._bye:
                continue
            if self._rules.moves_up_first and self._moved(player.tpn, "up"):
                continue
            residents[player.pairing_score].append(player.tpn)
        return residents

    def _moved(self, tpn: PairingNumber, direction: str) -> bool:
        return tpn in self._floats and self._floats[tpn][0].get_fact("direction") == direction

    def _own_members(self, score: object) -> set[PairingNumber]:
        """Return the residents of a group and those who floated into it, without those moved up to complete it."""
        came = {
            tpn
            for tpn, floats in self._floats.items()
            if any(why.get_fact("to_half_points") == score for why in floats)
            and not (self._rules.moves_up_first and floats[-1].get_fact("direction") == "up")
        }
        residents = self._residents.get(score, ()) if isinstance(score, int) else ()
        return {*residents, *came}

    def _left_group(self, score: object) -> set[PairingNumber]:
        """Return the players who floated out of a group before it was paired."""
        return {
            tpn
            for tpn, floats in self._floats.items()
            for why in floats
            if why.get_fact("from_half_points") == score and why.get_fact("because") is not DecisionCause.BLOCKED_MEDIAN
        }

    def _waiting(self, game: PairedGame, group: Group) -> list[PairingNumber]:
        """Return those without an opponent in the group when a pair was formed, with the pair."""
        later = self._pairs[group][self._places[game.board][1] :]
        return [tpn for one in later for tpn in (one.white, one.black)]

    # -- Evidence --------------------------------------------------------------------------------------------------

    def _obstacles(self, tpn: PairingNumber, others: Collection[PairingNumber]) -> Facts:
        """Return why a player may not meet any of the others: whom they met and when, and the other causes."""
        one = self._as_opponents[tpn]
        facts: dict[str, list[int]] = {"met": [], "met_rounds": [], "forbidden": [], "bound": [], "floaters": []}
        named = sorted(set(others) - {tpn})
        for other in named[:MAX_NAMED_PLAYERS]:
            between = find_pairing_obstacle(one, self._as_opponents[other], any_colour=self._rules.any_colour)
            match between.cause if between else None:
                case DecisionCause.MET:
                    facts["met"].append(other)
                    facts["met_rounds"].append(one.met_in_round[other])
                case DecisionCause.FORBIDDEN:
                    facts["forbidden"].append(other)
                case DecisionCause.SAME_ABSOLUTE_COLOUR:
                    facts["bound"].append(other)
                case _ if not self._rules.floaters_meet and self._moved(other, "down"):
                    facts["floaters"].append(other)
        told: Facts = {name: tuple(values) for name, values in facts.items() if values}
        if facts["bound"] and one.due_colour:
            told["colour"] = one.due_colour.value
        if len(named) > MAX_NAMED_PLAYERS:
            told["more_mates"] = len(named) - MAX_NAMED_PLAYERS
        if not named:
            return {"alone": True}
        return {"whose": tpn, **told} if told else {}

    def _rest_without(self, why: PairingReason, game: PairedGame, group: Group) -> Facts:
        """Return who would have had no opponent if the chooser had met this candidate."""
        score = group[0] if group else None
        waiting = {*self._waiting(game, group), *self._dissolved(score)} - set(why.players)
        if self._rules.has_bye_first:
            return self._shortage(waiting)
        gone = self._leavers(score)
        facts = self._shortage((waiting | gone) - set(why.players), leaving=len(gone))
        over = facts.get("left_over")
        return facts | self._left_over(over, gone) if isinstance(over, tuple) else facts

    def _leavers(self, score: object) -> set[PairingNumber]:
        """Return those who left a group though they had opponents there, with the bye's player."""
        gone = {tpn for tpn in self._left_group(score) if self._has_opponent_in(tpn, score)}
        if self._bye is not None and self._final_group(self._bye) == score:
            gone.add(self._bye)
        return gone

    def _left_over(self, over: Sequence[PairingNumber], gone: set[PairingNumber]) -> Facts:
        """Return one or some players who would have been left over in place of those who left, and why that is barred.

        Empty if it could have been anybody.
        """
        if not 0 < len(over) <= MAX_LEFT_OVER:
            return {}
        facts: Facts = {"left_over": tuple(over), "to_float": len(gone)}
        return facts | self._reason_against(over[0], *gone) if len(over) == len(gone) == 1 else facts

    def _reason_against(self, player: PairingNumber, floater: PairingNumber) -> Facts:
        """Return why a player stayed and another floated, if the round says so."""
        why = self._stayed.get((player, floater)) or self._stayed.get((player,) if floater == self._bye else ())
        if why is None:
            return {}
        return {"instead": (floater,), **{f"over_{name}": value for name, value in why.facts}}

    def _dissolved(self, score: object) -> set[PairingNumber]:
        """Return the players of a group whose pair was split up for the median group (FIDE 1987-89, 9.6)."""
        return {
            tpn
            for tpn, floats in self._floats.items()
            if floats[-1].get_fact("because") is DecisionCause.BLOCKED_MEDIAN
            and floats[-1].get_fact("from_half_points") == score
        }

    def _has_opponent_in(self, tpn: PairingNumber, score: object) -> bool:
        """Return True unless the player floated out of a group for want of an opponent there."""
        return not any(
            why.get_fact("from_half_points") == score and why.get_fact("because") is DecisionCause.NO_OPPONENT
            for why in self._floats[tpn]
        )

    def _final_group(self, tpn: PairingNumber) -> object:
        floats = self._floats.get(tpn)
        return floats[-1].get_fact("to_half_points") if floats else self._players[tpn].pairing_score

    def _staying(self, why: PairingReason, departure: PairingReason) -> set[PairingNumber]:
        """Return the members who would have stayed in a group if the kept player had floated."""
        kept, floater = why.players
        score = departure.get_fact("from_half_points")
        return self._own_members(score) - (self._left_group(score) - {floater}) - {kept}

    def _balance(self, why: PairingReason, departure: PairingReason) -> Facts:
        """Count the players due White and Black among those who stay, and among those who would have stayed."""
        score = departure.get_fact("from_half_points")
        stay = self._own_members(score) - self._left_group(score)
        return {"balance": self._count_due(stay), "otherwise": self._count_due(self._staying(why, departure))}

    def _below_without(self, why: PairingReason, departure: PairingReason) -> Facts:
        """Return who below a group would have had no opponent if this player had moved up (Dubov)."""
        score = departure.get_fact("to_half_points")
        group = next((group for group in self._pairs if group and group[0] == score), None)
        return self._shortage(self._unpaired_before(group) - self._own_members(score) - {why.players[0]})

    def _count_due(self, players: Iterable[PairingNumber]) -> tuple[int, int]:
        due = [self._players[tpn].due_colour for tpn in players]
        return due.count(Colour.WHITE), due.count(Colour.BLACK)

    def _float_order(self, why: PairingReason, *, colours: bool) -> Facts:
        """Return a group's members in the order in which they would float."""
        members = [self._players[tpn] for tpn in self._own_members(why.get_fact("from_half_points"))]
        if not self._rules.has_bye_first:
            ordered = sorted(members, key=lambda player: (player.pairing_score, -player.number))
        else:
            ordered = sorted(members, key=lambda player: player.number, reverse=why.get_fact("direction") == "down")
        facts: Facts = {"float_order": tuple(player.tpn for player in ordered[:MAX_NAMED_PLAYERS])}
        if colours:
            facts |= self._due_among([player.tpn for player in ordered[:MAX_NAMED_PLAYERS]])
        if len(ordered) > MAX_NAMED_PLAYERS:
            facts["more_members"] = len(ordered) - MAX_NAMED_PLAYERS
        return facts

    def _shortage(self, players: Collection[PairingNumber], *, leaving: int = 0) -> Facts:
        """Return players with too few opponents among themselves, if all but `leaving` are to be paired.

        `blocked` have only the opponents in `only`, and each other if `each_other`. Where that is not so, but few can
        be left over, these are `left_over`.
        """
        if len(players) > MAX_MATCHED_PLAYERS or self._matchings == MAX_MATCHINGS:
            return {}
        self._matchings += 1
        company = CompatibilityGraph(
            [self._as_opponents[tpn] for tpn in sorted(players)], any_colour=self._rules.any_colour
        )
        neighbours = company.neighbour_masks
        if not self._rules.floaters_meet:
            came = bitmask_of(company.places[tpn] for tpn in players if self._moved(tpn, "down"))
            neighbours = [mask & ~came if came >> place & 1 else mask for place, mask in enumerate(neighbours)]
        matching = MaximumMatching(neighbours)
        if matching.deficiency > leaving:
            facts: Facts = {**shortage_facts(company, matching, whole=leaving > 0), "to_float": leaving}
            return facts | self._obstacles_of_blocked(facts, players)
        if not leaving or matching.deficiency < leaving:
            return {}
        over = [company.players[place].tpn for place in bitmask_members(matching.decompose_gallai_edmonds().missable)]
        return {"left_over": tuple(over), "to_float": leaving} if 0 < len(over) <= MAX_LEFT_OVER else {}

    def _obstacles_of_blocked(self, facts: Facts, players: Collection[PairingNumber]) -> Facts:
        """Return whom a single blocked player without any opponent has met, and what else keeps them apart."""
        blocked = facts["blocked"]
        if facts["only"] or not isinstance(blocked, tuple) or len(blocked) != 1:
            return {}
        return self._obstacles(blocked[0], players)

    def _facts_of_exchange(self, why: PairingReason, *, colours: bool) -> Facts:
        """Return what shows that an exchange, or none, was not enough: opponents in the other half, or due colours."""
        score, leaving = why.get_fact("half_points"), why.get_fact("leaving")
        upper, lower = why.get_fact("upper"), why.get_fact("lower")
        if isinstance(upper, tuple) and isinstance(lower, tuple):
            self._halves[score] = (upper, lower)
        if score not in self._halves or not isinstance(leaving, int):
            return {}
        upper, lower = self._halves[score]
        if why.get_fact("because") is DecisionCause.BLOCKS_GROUP:
            out, into = why.players[:leaving], why.players[leaving:]
            facts = self._shortage_of_halves(
                [tpn for tpn in upper if tpn not in out] + [*into],
                [tpn for tpn in lower if tpn not in into] + [*out],
                score,
            )
        else:
            facts = {}
        return facts | self._due_among((*upper, *lower)) if colours and not leaving else facts

    def _due_among(self, players: Iterable[PairingNumber]) -> Facts:
        """Return who of some players is due each colour."""
        due: dict[Colour | None, list[PairingNumber]] = {Colour.WHITE: [], Colour.BLACK: [], None: []}
        for tpn in players:
            due[self._players[tpn].due_colour].append(tpn)
        return {"due_white": tuple(due[Colour.WHITE]), "due_black": tuple(due[Colour.BLACK])}

    def _facts_of_lacking(self, why: PairingReason) -> Facts:
        """Return whom a player without any possible opponent below has met."""
        if why.get_fact("only") or why.get_fact("each_other") or not 0 < len(why.players) == why.get_fact("of"):
            return {}
        score = why.get_fact("half_points")
        below = [tpn for at, group in self._residents.items() for tpn in group if isinstance(score, int) and at < score]
        return self._obstacles(why.players[0], below) if len(why.players) < 3 and len(below) > 1 else {}

    def _shortage_of_halves(
        self, upper: Sequence[PairingNumber], lower: Sequence[PairingNumber], score: ReasonFact
    ) -> Facts:
        """Return who in the upper half has too few opponents in the lower half, or who would have been left over."""
        company = CompatibilityGraph([self._as_opponents[tpn] for tpn in (*upper, *lower)])
        inside = bitmask_of(range(len(upper)))
        neighbours = [
            mask & ~inside if inside >> place & 1 else mask & inside
            for place, mask in enumerate(company.neighbour_masks)
        ]
        matching = MaximumMatching(neighbours)
        if not matching.exposed & inside:
            missable = matching.decompose_gallai_edmonds().missable & ~inside
            over = [company.players[place].tpn for place in bitmask_members(missable)]
            return self._left_over(over, self._leavers(score)) if matching.deficiency == 1 else {}
        facts = shortage_facts(company, matching, roots=inside)
        return facts | self._obstacles_of_blocked(facts, (*lower, *facts["blocked"]))  # type: ignore[misc]

    def _clashes(self, why: PairingReason, game: PairedGame, group: Group) -> Facts:
        """Count the pairs of this group, from this one on, in which both players are due the same colour.

        `rest_white` and `rest_black` are the others due each colour, if they are few.
        """
        later = self._pairs[group][self._places[game.board][1] :]
        facts: Facts = {"clashes": sum(self._is_clash(one.white, one.black) for one in later), "of": len(later)}
        if 1 < len(later) <= MAX_LISTED_HALF:
            others = {tpn for one in later for tpn in (one.white, one.black)} - {why.players[0]}
            due = self._due_among(sorted(others))
            facts |= {"rest_white": due["due_white"], "rest_black": due["due_black"]}
        return facts

    def _is_clash(self, one: PairingNumber, other: PairingNumber) -> bool:
        due = self._players[one].due_colour
        return due is not None and due is self._players[other].due_colour

    def _due_colours(self, why: PairingReason) -> Facts:
        """Return the colour the chooser is due, and the candidates due each colour."""
        candidates = why.get_fact("candidates")
        if not isinstance(candidates, tuple):
            return {}
        mine = self._players[why.players[0]].due_colour
        return {"due": mine.value if mine else "", **self._due_among(candidates)}


def _bye_key(player: PairingPlayer) -> tuple[int, int]:
    return player.score + player.fictitious, -player.number


def _group_of(entries: Sequence[ReasonEntry]) -> Group:
    for why in entries:
        if why.kind is ReasonKind.SCORE_GROUP:
            return why.get_fact("half_points"), why.get_fact("side")
    return None


_OF_COLOURS = ("C12", "C13")


_NEEDING_EVIDENCE = frozenset(
    {
        ReasonKind.PASSED_OVER,
        ReasonKind.FLOATED,
        ReasonKind.STAYED,
        ReasonKind.EXCHANGE_TRIED,
        ReasonKind.LACK_OPPONENTS,
    }
)
_ABOUT_GROUPS = frozenset({ReasonKind.STAYED, ReasonKind.EXCHANGE_TRIED})
_IN_ORDER = (DecisionCause.ODD_GROUP, DecisionCause.BLOCKS_REST)
"""Why somebody floated, if the order of the group says who."""


def _is_about_colours(why: ReasonEntry) -> bool:
    """Return True if a candidate was passed over for colours that are due."""
    return why.kind is ReasonKind.PASSED_OVER and _is_about_due_colours(why)


def _is_about_due_colours(why: ReasonEntry) -> bool:
    """Return True if the cause is that players are due the same colour."""
    because = why.get_fact("because")
    if because is DecisionCause.WORSE_BY_CRITERION:
        return why.get_fact("criterion") in _OF_COLOURS
    return because is DecisionCause.SAME_DUE_COLOUR or because is DecisionCause.MORE_CLASHES
