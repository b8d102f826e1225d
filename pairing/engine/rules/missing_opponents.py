"""Facts that show who could not have had an opponent: whom players met, and who would have been left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairedGame, PairingReason, ReasonFact
from pairing.engine.rules.compatibility import (
    CompatibilityGraph,
    absolute_colour,
    find_pairing_obstacle,
    leftover_pair_facts,
)
from pairing.engine.rules.round_groups import Group, RoundGroups, chooser_of, is_moved_down
from pairing.engine.rules.shared_facts import (
    MAX_LISTED_HALF,
    MAX_NAMED_PLAYERS,
    Facts,
    KeptPlayer,
    kept_facts,
    shortage_facts,
)
from pairing.engine.snapshot import Colour, PairingNumber

MAX_MATCHED_PLAYERS = 60
"""Look for those left without an opponent among at most this many players."""

MAX_LEFT_OVER = 4
"""The most players that are named as a group in which one would be left over."""

MAX_MATCHINGS = 40
"""Look for them at most this often in one round."""


class MissingOpponents:
    """Finds players in a round's groups who have no possible opponent, without repeating any pairing search."""

    def __init__(self, groups: RoundGroups) -> None:
        self._groups = groups
        self._matchings = 0

    # -- Who may meet whom -----------------------------------------------------------------------------------------

    def obstacles(self, tpn: PairingNumber, others: Collection[PairingNumber]) -> Facts:
        """Return what keeps a player from playing these others: earlier games with their rounds, and other causes."""
        one = self._groups.as_opponents[tpn]
        facts: dict[str, list[int]] = {"met": [], "met_rounds": [], "forbidden": [], "bound": [], "floaters": []}
        named = sorted(set(others) - {tpn})
        for other in named[:MAX_NAMED_PLAYERS]:
            between = find_pairing_obstacle(
                one, self._groups.as_opponents[other], any_colour=self._groups.rules.any_colour
            )
            match between.cause if between else None:
                case DecisionCause.MET:
                    facts["met"].append(other)
                    facts["met_rounds"].append(one.met_in_round[other])
                case DecisionCause.FORBIDDEN:
                    facts["forbidden"].append(other)
                case DecisionCause.SAME_ABSOLUTE_COLOUR:
                    facts["bound"].append(other)
                case _ if not self._groups.rules.floaters_meet and self._groups.moved(other, "down"):
                    facts["floaters"].append(other)
        told: Facts = {name: tuple(values) for name, values in facts.items() if values}
        if facts["bound"] and one.due_colour:
            told["colour"] = one.due_colour.value
        if len(named) > MAX_NAMED_PLAYERS:
            told["more_mates"] = len(named) - MAX_NAMED_PLAYERS
        if not named:
            return {"alone": True}
        return {"whose": tpn, **told} if told else {}

    def obstacles_to_all(self, tpn: PairingNumber, others: Collection[PairingNumber]) -> Facts:
        """Return the `obstacles` if the player cannot be paired with any of the others, otherwise nothing."""
        one, rules = self._groups.as_opponents[tpn], self._groups.rules
        opponents = map(self._groups.as_opponents.__getitem__, others)
        if not all(find_pairing_obstacle(one, other, any_colour=rules.any_colour) for other in opponents):
            return {}
        return self.obstacles(tpn, others)

    def kept_apart(self, upper: Sequence[PairingNumber], lower: Sequence[PairingNumber]) -> Facts:
        """Return a group's pairs of players who have met, pairs between the halves first, and its forbidden pairs."""
        lows, everyone = {*lower}, {*upper, *lower}
        met, forbidden = [], []
        for one in (*upper, *lower):
            player = self._groups.players[one]
            everyone.discard(one)
            met += [(one, other) for other in player.met_in_round if other in everyone]
            forbidden += [(one, other) for other in player.forbidden_opponents if other in everyone]
        met.sort(key=lambda pair: (pair[0] in lows) is (pair[1] in lows))
        facts: Facts = {}
        if met:
            named = met[:MAX_NAMED_PLAYERS]
            facts["met_pairs"] = tuple(chain.from_iterable(named))
            facts["met_pair_rounds"] = tuple(self._groups.players[one].met_in_round[other] for one, other in named)
        if len(met) > MAX_NAMED_PLAYERS:
            facts["more_met_pairs"] = len(met) - MAX_NAMED_PLAYERS
        if forbidden:
            facts["forbidden_pairs"] = tuple(chain.from_iterable(forbidden[:MAX_NAMED_PLAYERS]))
        return facts

    def due_among(self, players: Iterable[PairingNumber]) -> Facts:
        """Return which of these players are due White, which are due Black, and which must have that colour."""
        due: dict[Colour | None, list[PairingNumber]] = {Colour.WHITE: [], Colour.BLACK: [], None: []}
        for tpn in players:
            due[self._groups.players[tpn].due_colour].append(tpn)
        facts: Facts = {"due_white": tuple(due[Colour.WHITE]), "due_black": tuple(due[Colour.BLACK])}
        must = [tpn for tpns in due.values() for tpn in tpns if tpn in self.bound]
        return facts | {"must": tuple(must)} if must else facts

    @cached_property
    def bound(self) -> frozenset[PairingNumber]:
        """The players who must have the colour they are due."""
        if self._groups.rules.any_colour:
            return frozenset()
        return frozenset(
            tpn for tpn, player in self._groups.as_opponents.items() if absolute_colour(player) is not None
        )

    def is_clash(self, one: PairingNumber, other: PairingNumber) -> bool:
        due = self._groups.players[one].due_colour
        return due is not None and due is self._groups.players[other].due_colour

    # -- Who has too few opponents ---------------------------------------------------------------------------------

    def shortage(self, players: Collection[PairingNumber], *, leaving: int = 0, no_clashes: bool = False) -> Facts:
        """Return players who have too few opponents, if all but `leaving` of the given players are to be paired.

        `blocked` have only the opponents in `only`, and each other if `each_other`. If there are none, but only a few
        players can be left over, those are `left_over`.
        """
        if len(players) > MAX_MATCHED_PLAYERS or self._matchings == MAX_MATCHINGS:
            return {}
        self._matchings += 1
        company = CompatibilityGraph(
            [self._groups.as_opponents[tpn] for tpn in sorted(players)], any_colour=self._groups.rules.any_colour
        )
        neighbours = company.neighbour_masks
        if not self._groups.rules.floaters_meet:
            came = bitmask_of(company.places[tpn] for tpn in players if self._groups.moved(tpn, "down"))
            neighbours = [mask & ~came if came >> place & 1 else mask for place, mask in enumerate(neighbours)]
        if no_clashes:
            neighbours = self.without_clashes(company, neighbours)
        matching = MaximumMatching(neighbours)
        if matching.deficiency > leaving:
            facts: Facts = {**shortage_facts(company, matching, whole=leaving > 0), "to_float": leaving}
            return facts | self.obstacles_of_blocked(facts, players, no_clashes=no_clashes)
        if not leaving or matching.deficiency < leaving:
            return {}
        over = [company.players[place].tpn for place in bitmask_members(matching.decompose_gallai_edmonds().missable)]
        return {"left_over": tuple(over), "to_float": leaving} if 0 < len(over) <= MAX_LEFT_OVER else {}

    def shortage_of_halves(
        self,
        upper: Sequence[PairingNumber],
        lower: Sequence[PairingNumber],
        score: ReasonFact,
        *,
        no_clashes: bool = False,
    ) -> Facts:
        """Return players in the upper half who lack opponents in the lower, or the players who would be left over."""
        company = CompatibilityGraph([self._groups.as_opponents[tpn] for tpn in (*upper, *lower)])
        inside = bitmask_of(range(len(upper)))
        neighbours = [
            mask & ~inside if inside >> place & 1 else mask & inside
            for place, mask in enumerate(company.neighbour_masks)
        ]
        if no_clashes:
            neighbours = self.without_clashes(company, neighbours)
        matching = MaximumMatching(neighbours)
        if not matching.exposed & inside:
            missable = matching.decompose_gallai_edmonds().missable & ~inside
            over = [company.players[place].tpn for place in bitmask_members(missable)]
            gone = self._groups.leavers(score) & {*upper, *lower}
            return self.left_over(over, gone) if matching.deficiency == 1 and gone else {}
        facts = shortage_facts(company, matching, roots=inside)
        others = (*lower, *facts["blocked"])  # type: ignore[misc]
        return facts | self.obstacles_of_blocked(facts, others, no_clashes=no_clashes)

    def without_clashes(self, company: CompatibilityGraph, neighbours: Sequence[int]) -> list[int]:
        """Return the graph without the pairs of players who are both due the same colour."""
        due = {colour: company.due_colour_mask(colour) for colour in Colour}
        return [
            mask & ~due[player.due_colour] if player.due_colour else mask
            for player, mask in zip(company.players, neighbours, strict=True)
        ]

    def obstacles_of_blocked(
        self, facts: Facts, players: Collection[PairingNumber], *, no_clashes: bool = False
    ) -> Facts:
        """Return the `obstacles` of the blocked player, if there is only one and they have no opponent at all."""
        blocked = facts["blocked"]
        if no_clashes or facts["only"] or not isinstance(blocked, tuple) or len(blocked) != 1:
            return {}
        return self.obstacles(blocked[0], players)

    def left_over(self, over: Sequence[PairingNumber], gone: set[PairingNumber]) -> Facts:
        """Return `over`, the players who would have been left over instead of `gone`, and why they were not.

        Empty if there are none or too many.
        """
        if not 0 < len(over) <= MAX_LEFT_OVER:
            return {}
        facts: Facts = {"left_over": tuple(over), "to_float": len(gone)}
        if len(gone) != 1:
            return facts
        if len(over) == 1:
            return facts | self.reason_against(over[0], *gone)
        return facts | kept_facts([*self.kept_among(over, *gone)])

    def kept_among(self, players: Iterable[PairingNumber], floater: PairingNumber) -> Iterator[KeptPlayer]:
        """Yield each of these players for whom the round says why they stayed and the floater did not."""
        for tpn in players:
            told = {name.removeprefix("over_"): value for name, value in self.reason_against(tpn, floater).items()}
            cause, number = told.get("because"), told.get("round")
            if told.get("criterion") == "C12":
                cause = DecisionCause.MORE_CLASHES
            if isinstance(cause, DecisionCause) and cause is not DecisionCause.WORSE_BY_CRITERION:
                yield KeptPlayer(tpn, cause, number if isinstance(number, int) else 0)

    def reason_against(self, player: PairingNumber, floater: PairingNumber) -> Facts:
        """Return why one player stayed while another floated, if the round gives a reason."""
        why = self._groups.stayed.get((player, floater))
        if floater == self._groups.bye and player in self._groups.own_members(self._groups.final_group(floater)):
            why = why or self._groups.stayed.get((player,))
        if why is None:
            return {}
        return {"instead": (floater,), **{f"over_{name}": value for name, value in why.facts}}

    # -- What another choice would have left -----------------------------------------------------------------------

    def rest_after_turn(self, why: PairingReason, floater: PairingNumber, score: object) -> Facts:
        """Return who would have lacked an opponent if the kept player had floated and the first pairs had not changed.

        The first pairs end with the pair of `chooser` or, without one, with the last pair before the halves.
        """
        kept, chooser = why.players[0], why.get_fact("chooser")
        group = next((group for group in self._groups.pairs if group and group[0] == score), None)
        games = self._groups.pairs[group] if group else []
        if chooser is None:
            if why.get_fact("rule") != "exchange" or not games:
                return {}
            turn = sum(is_moved_down(game) for game in games)
            if kept in [chooser_of(game) for game in games[turn:]]:
                return {"in_upper": True}
            return self.rest_of_halves(group, turn, without=(kept,), joined=(floater,))
        if why.get_fact("first") == kept:
            return {}
        turn = next((turn for turn, game in enumerate(games) if chooser in (game.white, game.black)), len(games)) + 1
        return self.rest_of_halves(group, turn, without=(kept,), joined=(floater,))

    def rest_of_halves(
        self, group: Group, turn: int, *, without: Sequence[PairingNumber], joined: Iterable[PairingNumber] = ()
    ) -> Facts:
        """Return who would lack an opponent in a group's later pairs, without some players and with others (`joined`).

        If the pairs chosen avoid all colour clashes, the new pairs must avoid them too.
        """
        games = self._groups.pairs[group][turn:]
        upper = [one for one in map(chooser_of, games) if one not in without]
        lower = [tpn for game in games for tpn in (game.white, game.black) if tpn not in (*upper, *without)]
        lower += [tpn for tpn in joined if tpn not in without]
        if max(len(upper), len(lower)) > MAX_LISTED_HALF:
            return {}
        if len(upper) == len(lower) == 1:
            return self.last_pair(upper[0], lower[0], games)
        in_halves = not any(is_moved_down(game) for game in games)
        avoids_clashes = not any(self.is_clash(game.white, game.black) for game in games)
        for no_clashes in (False, True)[: 1 + avoids_clashes]:
            if in_halves:
                facts = self.shortage_of_halves(upper, lower, group[0] if group else None, no_clashes=no_clashes)
                facts |= {"in_halves": True} if "blocked" in facts else {}
            else:
                facts = self.shortage({*upper, *lower}, leaving=len(lower) - len(upper), no_clashes=no_clashes)
            if "blocked" in facts or "over_because" in facts or "kept" in facts:
                return facts | ({"no_clashes": True} if no_clashes else {})
        if not in_halves:
            return {}
        rest: Facts = {"rest_upper": tuple(upper), "rest_lower": tuple(lower)}
        return rest | self.due_among((*upper, *lower)) | self.kept_apart(upper, lower)

    def last_pair(self, one: PairingNumber, other: PairingNumber, games: Sequence[PairedGame]) -> Facts:
        """Return what keeps the last two players apart: an obstacle, or a colour clash that the other pairs avoid."""
        facts = leftover_pair_facts(self._groups.as_opponents[one], self._groups.as_opponents[other])
        if not facts and self.is_clash(one, other) and not any(self.is_clash(game.white, game.black) for game in games):
            due = self._groups.players[one].due_colour
            facts = {"left": tuple(sorted((one, other))), "left_because": DecisionCause.SAME_DUE_COLOUR}
            facts["left_colour"] = due.value if due else ""
        return facts
