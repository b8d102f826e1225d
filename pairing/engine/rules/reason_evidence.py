"""Evidence for the reasons of a round: the players and numbers that let a reader check them.

It is collected after the pairing, from the boards, the reasons and the players. No search is repeated. The facts:

- `whose` may not meet others: those `met` (in `met_rounds`), `forbidden`, `bound` to the same `colour`, or `floaters`
  too; `more_mates` are not named; `alone` if there are no others
- `blocked` could only play those in `only` (and each other if `each_other`), where all but `to_float` are to be paired
- `left_over` would not be paired; with one of them, the facts that begin with `over_` say why they could not float in
  the place of `instead`
- `in_upper`: one of them is in the upper half, where nobody is left over
- `floaters_together`: all who floated out of a group
- `float_order`: a group in the order in which its players float; `more_members` are not named
- `clashes` of the last `of` pairs have players due the same colour; `rest_white` and `rest_black` are due a colour
- `due` is the chooser's colour; `due_white` and `due_black` are the players named who are due a colour
- `balance`: those due White and Black who stayed; `otherwise`: if the kept player had floated
- `left_due` of the `left_of` players left to pair, with both of the pair, are due `left_due_colour`: more than half
- `ranked`: players from the lowest up, from place `first`, with `ranked_half_points`
- `upper` and `lower`: the halves before any exchange; `met_pairs` in them had met (in `met_pair_rounds`),
  `more_met_pairs` are not named, and `forbidden_pairs` are kept apart (one player after the other)
- `must` of the players named must have the colour they are due
- `without`: floaters without an opponent in their group, who made its number odd
- `forfeited`: the round in which the two were paired, but one of them did not play
- `bye_half_points`: the lowest possible score of a player with the bye
- `others_fail`: earlier criteria on which other pairings without an exchange fail
- `kept` could not leave the group: `kept_because` has their causes, `kept_rounds` the rounds of these (0: none)
- `chooser` has met their opponent as chosen, `first`; if the kept player had floated, `then` would have been the first
- `in_column` of the last `of` pairs are inside one of Dubov's columns
- `unmet` of the last `of` pairs leave a strong preference unmet; `strong` have one
- `paired_before`: earlier pairs of Dubov's columns; `paired`, `floated` and `absent` were not free in Jahr's order
- `came`: the kept player had floated into the group; `floated_later`: they left it in a later step
- `moved` and `moved_up` had floated down or up
- `again` floated before, in `again_rounds`, up or down (`again_direction`)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from types import MappingProxyType

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
from pairing.engine.rules.missing_opponents import MissingOpponents
from pairing.engine.rules.players import FloatDirection, PairingPlayer
from pairing.engine.rules.rejected_candidates import MAX_EARLIER_CANDIDATES, MAX_LATER_CANDIDATES
from pairing.engine.rules.round_groups import (
    KINDS_NEEDING_EVIDENCE,
    EvidenceRules,
    Group,
    RoundGroups,
    chooser_of,
    is_moved_down,
)
from pairing.engine.rules.shared_facts import (
    MAX_LISTED_HALF,
    MAX_NAMED_PLAYERS,
    Facts,
    earlier_float_facts,
    floater_facts,
)
from pairing.engine.snapshot import Colour, PairingNumber


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
    evidence = _Evidence(RoundGroups(games, bye, players, rules, excused))
    return (
        tuple([evidence.complete_board(game) for game in games]),
        bye and replace(bye, reasons=tuple(evidence.complete_bye(bye))),
    )


class _Evidence:
    def __init__(self, groups: RoundGroups) -> None:
        self._groups = groups
        self._search = MissingOpponents(groups)
        self._halves: dict[ReasonFact, tuple[tuple[PairingNumber, ...], tuple[PairingNumber, ...]]] = {}

    def complete_board(self, game: PairedGame) -> PairedGame:
        """Return a board with the evidence for its reasons. Most boards need none."""
        is_clash = self._search.is_clash(game.white, game.black)
        forfeited = self._groups.players[game.white].forfeited_in_round.get(game.black)
        if game.board not in self._groups.incomplete and not is_clash and not forfeited:
            return game
        entries = list_reason_entries(game.reasons)
        group, _ = self._groups.places[game.board]
        about_colours = {why.kind for why in entries if _is_about_due_colours(why)}
        # Dubov's columns already show who gets which colour.
        colours = ReasonKind.PASSED_OVER in about_colours and not self._groups.rules.moves_up_first
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
            elif kind in KINDS_NEEDING_EVIDENCE:
                facts = self._facts_of_float(first, latest, colours=floats_for_colours)
                if kind is ReasonKind.STAYED and latest and self._groups.floated_after_staying(first, latest):
                    facts = facts | {"floated_later": True}
            else:
                facts = {}
            if kind is ReasonKind.OPPONENT and is_clash:
                facts = facts | self._unavoidable_clashes(game, group)
            if kind is ReasonKind.OPPONENT and forfeited:
                facts = facts | {"forfeited": forfeited}
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
            because = why.get_fact("because") if why.kind is ReasonKind.BYE_PASSED_OVER else None
            if because is DecisionCause.BLOCKS_REST:
                facts = self._search.shortage(set(self._groups.players) - {why.players[0]})
            elif because is DecisionCause.BLOCKS_GROUP:
                score = self._groups.final_group(bye.player)
                facts = self._search.shortage(
                    self._groups.own_members(score) - self._groups.left_group(score) - {why.players[0]}
                )
            elif because is DecisionCause.BETTER_CANDIDATE:
                facts = self._search.rest_after_turn(why, bye.player, self._groups.final_group(bye.player))
            elif why.kind is ReasonKind.BYE and isinstance(lower := why.get_fact("lower"), int):
                facts = self._bye_order(bye.player, lower)
            else:
                facts = self._facts_of_float(why, latest, colours=False)
            yield with_facts(why, **facts) if facts else why

    def _bye_order(self, player: PairingNumber, lower: int) -> Facts:
        """Return the players from the lowest rank upwards, near the one with the bye."""
        ranked = nsmallest(lower + MAX_LATER_CANDIDATES + 1, self._groups.players.values(), key=_bye_key)
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
            if why.get_fact("step") == "floater":
                candidates = why.get_fact("candidates")
                listed = candidates if isinstance(candidates, tuple) else ()
                moved: Facts = {"moved": tuple(tpn for tpn in listed if self._groups.moved(tpn, "down"))}
                return self._due_colours(why) | (moved if moved["moved"] else {})
            return self._due_colours(why) if colours or why.get_fact("order") in _COLOURS_FIRST else {}
        cause = why.get_fact("because")
        if cause is DecisionCause.MET or cause is DecisionCause.SAME_DUE_COLOUR:
            return {}
        match cause:
            case _ if why.get_fact("not_moved_up"):
                return {}
            case DecisionCause.BLOCKS_REST if self._groups.rules.has_bye_first:
                return self._search.shortage(self._groups.unpaired_before(group) - set(why.players))
            case (
                DecisionCause.BLOCKS_GROUP
                | DecisionCause.BLOCKS_REST
                | DecisionCause.HIGHER_BYE
                | DecisionCause.LOOK_AHEAD
            ):
                return {} if why.get_fact("left") else self._rest_without(why, game, group)
            case DecisionCause.BETTER_CANDIDATE if why.get_fact("rule") == "exchange":
                gone = self._groups.leavers(group[0] if group else None)
                return self._search.rest_of_halves(
                    group, self._groups.places[game.board][1], without=why.players, joined=gone
                )
            case DecisionCause.MORE_CLASHES | DecisionCause.WORSE_BY_CRITERION if _is_about_colours(why):
                return self._clashes(why, game, group)
        return {}

    def _facts_of_float(self, why: PairingReason, latest: PairingReason | None, *, colours: bool) -> Facts:
        cause = why.get_fact("because")
        match why.kind:
            case ReasonKind.FLOATED if cause is DecisionCause.NO_OPPONENT:
                return self._search.obstacles(
                    why.players[0], self._groups.own_members(why.get_fact("from_half_points"))
                )
            case ReasonKind.FLOATED if cause is DecisionCause.OPPONENT_WANTED:
                return self._search.obstacles(why.players[1], self._groups.own_members(why.get_fact("to_half_points")))
            case ReasonKind.FLOATED if cause is DecisionCause.BLOCKS_GROUP:
                return self._several_floaters(why)
            case ReasonKind.FLOATED if cause in _FOR_THOSE_BELOW and not self._groups.rules.has_bye_first:
                return self._several_floaters(why) or self._float_order(why, colours=colours)
            case ReasonKind.FLOATED if cause is DecisionCause.BLOCKS_REST and self._groups.rules.moves_up_first:
                floaters = self._groups.left_group(why.get_fact("from_half_points"))
                return {"floaters_together": tuple(sorted(floaters))} if len(floaters) > 1 else {}
            case ReasonKind.FLOATED if cause is DecisionCause.BLOCKED_MEDIAN:
                score = why.get_fact("to_half_points")
                split = {tpn for tpn, (*_, last) in self._groups.floats.items() if last.get_fact("because") is cause}
                return self._search.obstacles_of_blocked(dict(why.facts), self._groups.own_members(score) - split)
            case ReasonKind.FLOATED if not self._groups.rules.moves_up_first and cause in _IN_ORDER:
                return self._float_order(why, colours=colours)
            case ReasonKind.EXCHANGE_TRIED:
                return self._facts_of_exchange(why)
            case ReasonKind.LACK_OPPONENTS:
                return self._facts_of_lacking(why)
            case ReasonKind.STAYED if latest is not None:
                return self._facts_of_staying(why, latest)
        return {}

    def _facts_of_staying(self, why: PairingReason, departure: PairingReason) -> Facts:
        """Return what shows that a player could not float in place of the one who did."""
        match why.get_fact("because"):
            case DecisionCause.BETTER_CANDIDATE:
                return self._search.rest_after_turn(why, why.players[1], departure.get_fact("from_half_points"))
            case DecisionCause.NO_OPPONENT:
                return self._search.obstacles(
                    why.players[0], self._groups.own_members(departure.get_fact("to_half_points"))
                )
            case DecisionCause.BLOCKS_GROUP:
                return self._search.shortage(self._groups.staying(why, departure))
            case DecisionCause.BLOCKS_REST if (
                self._groups.rules.moves_up_first and departure.get_fact("direction") == "up"
            ):
                return self._below_without(why, departure)
            case DecisionCause.BLOCKS_REST | DecisionCause.HIGHER_BYE:
                lacking = self._groups.lacking.get(departure.get_fact("from_half_points"), ())
                return self._search.obstacles_to_all(why.players[0], lacking) if lacking else {}
            case DecisionCause.DISADVANTAGE if why.get_fact("test") in _TESTS_OF_MOVED:
                kept_came, floater_came = (self._groups.moved_before(tpn, departure) for tpn in why.players)
                return {"came": True} if kept_came and not floater_came else {}
            case DecisionCause.LOOK_AHEAD | DecisionCause.DISADVANTAGE:
                score = departure.get_fact("to_half_points")
                following = self._groups.residents.get(score, []) if isinstance(score, int) else []
                return self._search.obstacles_to_all(why.players[0], following)
            case DecisionCause.COLOUR_BALANCE | DecisionCause.RATING_GAP:
                return self._balance(why, departure)
        return {}

    def _unavoidable_clashes(self, game: PairedGame, group: Group) -> Facts:
        """Count those left to pair who are due the same colour as both players, if they outnumber the others."""
        waiting = self._groups.waiting(game, group)
        colour = self._groups.players[game.white].due_colour
        due = sum(self._groups.players[tpn].due_colour is colour for tpn in waiting)
        if colour is None or len(waiting) < 4 or 2 * due <= len(waiting) or self._groups.dissolved(group and group[0]):
            return {}
        return {"left_due": due, "left_of": len(waiting), "left_due_colour": colour.value}

    def _rest_without(self, why: PairingReason, game: PairedGame, group: Group) -> Facts:
        """Return who would have had no opponent if the chooser had met this candidate."""
        score = group[0] if group else None
        waiting = {*self._groups.waiting(game, group), *self._groups.dissolved(score)} - set(why.players)
        if self._groups.rules.has_bye_first:
            return self._search.shortage(waiting)
        gone = self._groups.leavers(score)
        facts = self._search.shortage((waiting | gone) - set(why.players), leaving=len(gone))
        over = facts.get("left_over")
        if isinstance(over, tuple):
            later = [one for one in self._groups.pairs[group] if one.formation_number > game.formation_number]
            in_upper = not {*over}.isdisjoint(chooser_of(one) for one in later if not is_moved_down(one))
            return facts | self._search.left_over(over, gone) | ({"in_upper": True} if in_upper else {})
        if facts or is_moved_down(game):
            return facts
        return self._search.rest_of_halves(group, self._groups.places[game.board][1], without=why.players, joined=gone)

    def _balance(self, why: PairingReason, departure: PairingReason) -> Facts:
        """Count the players due White and Black among those who stay, and among those who would have stayed."""
        score = departure.get_fact("from_half_points")
        stay = self._groups.own_members(score) - self._groups.left_group(score)
        return {"balance": self._count_due(stay), "otherwise": self._count_due(self._groups.staying(why, departure))}

    def _below_without(self, why: PairingReason, departure: PairingReason) -> Facts:
        """Return who below a group would have had no opponent if this player had moved up (Dubov)."""
        score = departure.get_fact("to_half_points")
        group = next((group for group in self._groups.pairs if group and group[0] == score), None)
        return self._search.shortage(
            self._groups.unpaired_before(group) - self._groups.own_members(score) - {why.players[0]}
        )

    def _count_due(self, players: Iterable[PairingNumber]) -> tuple[int, int]:
        due = [self._groups.players[tpn].due_colour for tpn in players]
        return due.count(Colour.WHITE), due.count(Colour.BLACK)

    def _float_order(self, why: PairingReason, *, colours: bool) -> Facts:
        """Return a group's members in the order in which they would float."""
        members = [self._groups.players[tpn] for tpn in self._groups.own_members(why.get_fact("from_half_points"))]
        if not self._groups.rules.has_bye_first:
            ordered = sorted(members, key=lambda player: (player.pairing_score, -player.number))
        else:
            ordered = sorted(members, key=lambda player: player.number, reverse=why.get_fact("direction") == "down")
        facts: Facts = {"float_order": tuple(player.tpn for player in ordered[:MAX_NAMED_PLAYERS])}
        score = why.get_fact("from_half_points")
        if isinstance(score, int):
            facts |= floater_facts(ordered[:MAX_NAMED_PLAYERS], score)
        if colours:
            facts |= self._search.due_among(facts["float_order"])  # type: ignore[arg-type]
            facts |= self._search.kept_apart(facts["float_order"], ())  # type: ignore[arg-type]
        if len(ordered) > MAX_NAMED_PLAYERS:
            facts["more_members"] = len(ordered) - MAX_NAMED_PLAYERS
        return facts

    def _several_floaters(self, why: PairingReason) -> Facts:
        """Return who of a group had too few opponents in it, who else floated, and all that decides who does."""
        score = why.get_fact("from_half_points")
        members = self._groups.own_members(score)
        facts: Facts = {}
        if why.get_fact("because") is DecisionCause.BLOCKS_GROUP:
            facts = self._search.shortage(members, leaving=len(members) % 2)
        floaters, lacking = self._groups.left_group(score), self._groups.lacking.get(score, ())
        if len(floaters) > 1 and len(members) <= MAX_NAMED_PLAYERS:
            facts |= {"floaters_together": tuple(sorted(floaters))} | self._float_order(why, colours=True)
            facts |= self._search.kept_apart(sorted(members), [tpn for tpn in lacking if tpn not in members])
            if not self._groups.rules.has_bye_first:
                facts |= earlier_float_facts(
                    [self._groups.players[tpn] for tpn in sorted(members)], FloatDirection.DOWN, (1, 2)
                )
        return facts

    def _facts_of_exchange(self, why: PairingReason) -> Facts:
        """Return what shows that an exchange, or none, was not enough: opponents in the other half, or due colours."""
        score, leaving = why.get_fact("half_points"), why.get_fact("leaving")
        upper, lower = why.get_fact("upper"), why.get_fact("lower")
        if isinstance(upper, tuple) and isinstance(lower, tuple):
            self._halves[score] = (upper, lower)
        if score not in self._halves or not isinstance(leaving, int):
            return {}
        upper, lower = self._halves[score]
        if why.get_fact("because") in (*_FOR_THOSE_BELOW, DecisionCause.BLOCKS_GROUP, DecisionCause.LOOK_AHEAD):
            out, into = why.players[:leaving], why.players[leaving:]
            facts = self._search.shortage_of_halves(
                [tpn for tpn in upper if tpn not in out] + [*into],
                [tpn for tpn in lower if tpn not in into] + [*out],
                score,
            )
            # The reason may already say who could not be left over, with more players.
            facts = {name: value for name, value in facts.items() if why.get_fact(name) is None}
        else:
            facts = {}
        if leaving:
            return facts
        return facts | self._search.kept_apart(upper, lower) | self._search.due_among((*upper, *lower))

    def _facts_of_lacking(self, why: PairingReason) -> Facts:
        """Return whom a player without any possible opponent below has met."""
        if why.get_fact("only") or why.get_fact("each_other") or not 0 < len(why.players) == why.get_fact("of"):
            return {}
        score = why.get_fact("half_points")
        below = [
            tpn
            for at, group in self._groups.residents.items()
            for tpn in group
            if isinstance(score, int) and at < score
        ]
        return self._search.obstacles(why.players[0], below) if len(why.players) < 3 and len(below) > 1 else {}

    def _clashes(self, why: PairingReason, game: PairedGame, group: Group) -> Facts:
        """Count the pairs of this group, from this one on, in which both players are due the same colour.

        `rest_white` and `rest_black` are the others due each colour, if they are few. Where strong preferences (C13) or
        Dubov's columns decided, the reason counts those instead.
        """
        later = self._groups.pairs[group][self._groups.places[game.board][1] :]
        is_counted = why.get_fact("criterion") == "C13" or self._groups.rules.moves_up_first
        facts: Facts = {}
        if not is_counted:
            facts = {"clashes": sum(self._search.is_clash(one.white, one.black) for one in later), "of": len(later)}
        if 1 < len(later) <= MAX_LISTED_HALF:
            others = {tpn for one in later for tpn in (one.white, one.black)} | self._groups.leavers(group and group[0])
            others -= {why.players[0]}
            if not is_counted:
                due = self._search.due_among(sorted(others))
                facts |= {"rest_white": due["due_white"], "rest_black": due["due_black"]}
            facts |= self._search.kept_apart(sorted(others), ())
        return facts

    def _due_colours(self, why: PairingReason) -> Facts:
        """Return the colour the chooser is due, and the candidates due each colour."""
        candidates = why.get_fact("candidates")
        if not isinstance(candidates, tuple):
            return {}
        mine = self._groups.players[why.players[0]].due_colour
        return {"due": mine.value if mine else "", **self._search.due_among(candidates)}


def _bye_key(player: PairingPlayer) -> tuple[int, int]:
    return player.score + player.fictitious, -player.number


_OF_COLOURS = ("C12", "C13")
_TESTS_OF_MOVED = (
    "moved_without_opponent",
    "moved_with_opponent",
    "came_down_without_opponent",
    "came_down_with_opponent",
)
_COLOURS_FIRST = ("colour", "colour_up")

_ABOUT_GROUPS = frozenset({ReasonKind.STAYED, ReasonKind.EXCHANGE_TRIED})
_FOR_THOSE_BELOW = (DecisionCause.BLOCKS_REST, DecisionCause.HIGHER_BYE)
_IN_ORDER = (DecisionCause.ODD_GROUP, *_FOR_THOSE_BELOW)
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
