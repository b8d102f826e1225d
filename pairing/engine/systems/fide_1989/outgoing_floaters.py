"""Outgoing floaters (article 10) of a group that cannot be paired completely (9.3).

The set is the first by five tests: fewest floaters; disadvantage (10.9); players who floated in the previous round stay
(10.10); due colours of those who stay (10.2); numbers (10.2 to 10.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from pairing.engine.matching import MaximumMatching, bitmask_members, bitmask_of
from pairing.engine.paired_round import DecisionCause, PairingReason, ReasonFact, ReasonKind, make_reason
from pairing.engine.rules.min_cost_assignment import MinCostAssignment, RowCosts
from pairing.engine.rules.players import ScoreGroup
from pairing.engine.systems.fide_1989.article_10_conditions import Article10Conditions, FloaterSetPenalty
from pairing.engine.systems.fide_1989.procedure_state import MAX_RATING_GAP, Fide1989Event, Floater, article_reference

MAX_COMPARED_BY_COLOUR = 24
"""In groups of at most this size, say why players stay who would leave the colours better balanced."""


def send_out_floaters(
    outlook: Article10Conditions, matching: MaximumMatching, following: ScoreGroup, event: Fide1989Event
) -> tuple[Floater, ...]:
    """Choose who floats to the `following` group, remove them from the matching, and return the reasons."""
    out = choose_outgoing_floaters(outlook, matching, event)
    stayed = _why_others_stayed(outlook, matching, out, event) if out else ()
    for place in out:
        matching.try_leave_exposed(place)
    return tuple(_floater(outlook, place, out, following, stayed) for place in out)


def choose_outgoing_floaters(
    outlook: Article10Conditions, matching: MaximumMatching, event: Fide1989Event
) -> tuple[int, ...]:
    """Return the floaters that pass all tests, as vertices. The matching is left unchanged."""
    # Test 1: a maximum matching leaves the fewest over. Its decomposition shows who may be among them.
    count = matching.deficiency
    if not count:
        return ()
    missable = tuple(bitmask_members(matching.decompose_gallai_edmonds().missable))
    if len(missable) == count:
        return missable
    if count == 1:
        return (_choose_one(outlook, missable, event),)
    # 10.2: in maxi events without test 4.
    return choose_multiple_floaters(outlook, matching, missable, heed_colours=not event.is_maxi)


def _choose_one(outlook: Article10Conditions, missable: Sequence[int], event: Fide1989Event) -> int:
    """Apply tests 2 to 5 to a single floater."""
    hindrances = {place: outlook.single_floater_penalty(place) for place in missable}
    least = min(hindrances.values())
    left = sorted((place for place in missable if hindrances[place] == least), key=outlook.float_order_key)
    by_number = left[0]
    by_colour = min(left, key=lambda place: outlook.colour_imbalance((place,)))
    if event.is_maxi and outlook.rating_gap(by_colour, by_number) > MAX_RATING_GAP:
        return by_number
    return by_colour


def _floater(
    outlook: Article10Conditions, place: int, out: Sequence[int], following: ScoreGroup, stayed: Iterable[PairingReason]
) -> Floater:
    """Return the floater with all earlier reasons and those for leaving this group."""
    group = outlook.group
    player = outlook.company.players[place]
    number, cause = "11.4", DecisionCause.BLOCKS_GROUP
    without: dict[str, ReasonFact] = {}
    others = _without_opponents(outlook, out)
    if not outlook.company.neighbour_masks[place]:
        number, cause = "9.3", DecisionCause.NO_OPPONENT
    elif len(out) == 1 + len(others):
        number, cause = "9.3", DecisionCause.ODD_GROUP
        without = {"without": tuple(outlook.company.players[one].tpn for one in others)} if len(others) % 2 else {}
    why = make_reason(
        article_reference(number),
        ReasonKind.FLOATED,
        player.tpn,
        from_half_points=group.score,
        to_half_points=following.score,
        direction="down" if group.side.is_paired_downwards else "up",
        because=cause,
        **without,
    )
    notes = (note for note in stayed if note.players[1] == player.tpn)
    return Floater(player=player, origin=group.side, reasons=(*group.float_reasons(player), why, *notes))


def _without_opponents(outlook: Article10Conditions, out: Iterable[int]) -> tuple[int, ...]:
    """Return the floaters who have no opponent in their group (9.3 a to c)."""
    return tuple(place for place in out if not outlook.company.neighbour_masks[place])


def _why_others_stayed(
    outlook: Article10Conditions, matching: MaximumMatching, out: Sequence[int], event: Fide1989Event
) -> tuple[PairingReason, ...]:
    """For each player before the last floater in the order of test 5 who stays, give the first test that kept them.

    Floaters without an opponent in the group have no rivals. In small groups, also say why players stay who come after
    the floater, but would leave the colours better balanced.
    """
    rivals = [place for place in out if outlook.company.neighbour_masks[place]] or out
    floater = max(rivals, key=outlook.float_order_key)
    others = tuple(place for place in out if place != floater)
    with matching.rollback_on_exit():
        for place in others:
            matching.try_leave_exposed(place)
        spared = matching.decompose_gallai_edmonds().missable
    chosen = outlook.floater_set_penalty(out)
    places = range(len(outlook.company.players))
    before = places[floater + 1 :] if outlook.group.side.is_paired_downwards else places[:floater]
    kept = sorted(set(before).difference(others), key=outlook.float_order_key)
    if len(places) <= MAX_COMPARED_BY_COLOUR and outlook.company.neighbour_masks[floater] and not event.is_maxi:
        kept += (
            place
            for place in sorted(set(places).difference(out, before), key=outlook.float_order_key)
            if outlook.colour_imbalance((*others, place)) < chosen.imbalance
        )
    notes = [_kept(outlook, place, floater, others, chosen, spared) for place in kept]
    if event.is_maxi and len(out) == 1:
        notes += _gap_note(outlook, floater, chosen, spared)
    return tuple(notes)


def _kept(
    outlook: Article10Conditions,
    place: int,
    floater: int,
    others: tuple[int, ...],
    chosen: FloaterSetPenalty,
    spared: int,
) -> PairingReason:
    """Explain what would be worse if this player floated instead."""
    pair = (outlook.company.players[place].tpn, outlook.company.players[floater].tpn)
    if not spared >> place & 1:
        return make_reason(article_reference("9.3"), ReasonKind.STAYED, *pair, because=DecisionCause.BLOCKS_GROUP)
    instead = outlook.floater_set_penalty((*others, place))
    if instead[:3] != chosen[:3]:
        test = next(name for name in FloaterSetPenalty._fields if getattr(instead, name) != getattr(chosen, name))
        return make_reason(
            article_reference("10.9"), ReasonKind.STAYED, *pair, because=DecisionCause.DISADVANTAGE, test=test
        )
    if instead.floated_before != chosen.floated_before:
        floats = outlook.company.players[place].floats
        floated: dict[str, ReasonFact] = {"round": len(floats)}
        if floats[-1] is not None:
            floated["direction"] = floats[-1].value
        return make_reason(
            article_reference("10.10"), ReasonKind.STAYED, *pair, because=DecisionCause.FLOATED_BEFORE, **floated
        )
    return make_reason(article_reference("10.2"), ReasonKind.STAYED, *pair, because=DecisionCause.COLOUR_BALANCE)


def _gap_note(
    outlook: Article10Conditions, floater: int, chosen: FloaterSetPenalty, spared: int
) -> list[PairingReason]:
    """Explain who would have floated for the colours in a maxi event but for the rating gap (10.2)."""
    rivals = [
        place
        for place in bitmask_members(spared)
        if outlook.floater_set_penalty((place,))[:4] == chosen[:4]
        and outlook.colour_imbalance((place,)) < chosen.imbalance
    ]
    if not rivals:
        return []
    rival = min(rivals, key=lambda place: (outlook.colour_imbalance((place,)), outlook.float_order_key(place)))
    kept, gone = outlook.company.players[rival], outlook.company.players[floater]
    gap = outlook.rating_gap(rival, floater)
    return [
        make_reason(
            article_reference("10.2"), ReasonKind.STAYED, kept.tpn, gone.tpn, because=DecisionCause.RATING_GAP, gap=gap
        )
    ]


FloaterPlaces: TypeAlias = tuple[int, ...]
"""Places of floaters among the group's players. An empty tuple means no such set."""


def choose_multiple_floaters(
    outlook: Article10Conditions, matching: MaximumMatching, missable: Sequence[int], *, heed_colours: bool
) -> FloaterPlaces:
    """Return the best set by tests 1 to 5, skipping test 4 unless `heed_colours`. The matching is left unchanged."""
    ways = FloaterComponents(outlook, matching, missable)
    weights = {outlook.due_colour_weight(place) for place in missable}
    if not heed_colours or len(weights) == 1:
        return _Sets(ways).find_first_set()
    sets = _SetsByColour(ways, all_due=0 not in weights)
    for distance in count():
        found = sets.find_set_by_imbalance(distance)
        if found:
            return found
    raise AssertionError("some set has a balance")


class _Sets:
    """The best sets by tests 1 to 3, reduced by one decision after another."""

    def __init__(self, ways: FloaterComponents) -> None:
        self._ways = ways
        self._choices = [UNDECIDED_CHOICE] * ways.components
        self._taken: list[tuple[int, ComponentFloatChoice]] = []
        self._kept = [ways.find_cheapest_assignment(lambda weight: 0)]

    def find_first_set(self) -> FloaterPlaces:
        """Return the first remaining set in the order of test 5, or an empty tuple if there is no such set."""
        players, size = self._ways.players, self._ways.size
        floating: list[tuple[int, int]] = []
        turn = 0
        while len(floating) < size:
            decisions = len(self._taken)
            if self._decide(players[turn], floats=True):
                floating.append((turn, decisions))
            elif not self._decide(players[turn], floats=False):
                # No set remains, so the last chosen floater must stay.
                while True:
                    if not floating:
                        self._take_back(0)
                        return ()
                    turn, decisions = floating.pop()
                    self._take_back(decisions)
                    if self._decide(players[turn], floats=False):
                        break
            turn += 1
        return tuple(players[turn] for turn, _ in floating)

    def _decide(self, place: int, *, floats: bool) -> bool:
        """Decide about a player if a set remains. Players come in the order of test 5."""
        component = self._ways.component_of[place]
        before = self._choices[component]
        if before.floater is not None:
            return not floats
        choice = ComponentFloatChoice(before.stay, place) if floats else ComponentFloatChoice(before.stay + 1, None)
        for number, kept in enumerate(self._kept):
            if not kept.try_set_choice(component, choice):
                self._return_to(before, component, self._kept[:number])
                return False
        if not self._may_hold():
            self._return_to(before, component, self._kept)
            return False
        self._choices[component] = choice
        self._taken.append((component, before))
        return True

    def _may_hold(self) -> bool:
        return True

    def _take_back(self, decisions: int) -> None:
        """Undo all but the first `decisions` decisions."""
        changed = dict(reversed(self._taken[decisions:]))
        del self._taken[decisions:]
        for component, before in changed.items():
            self._choices[component] = before
            self._return_to(before, component, self._kept)

    def _return_to(self, choice: ComponentFloatChoice, component: int, kept: Sequence[ComponentAssignment]) -> None:
        for one in kept:
            one.try_set_choice(component, choice)


class _SetsByColour(_Sets):
    """Sets with the range of their colour surpluses: White-due minus Black-due among the floaters."""

    def __init__(self, ways: FloaterComponents, *, all_due: bool) -> None:
        super().__init__(ways)
        self._whites = ways.find_cheapest_assignment(lambda weight: 1 - weight)
        self._blacks = ways.find_cheapest_assignment(lambda weight: 1 + weight)
        self._kept = [self._whites, self._blacks]
        self._all_due = all_due
        if not all_due:
            self._undue = ways.find_cheapest_assignment(lambda weight: 1 - abs(weight))
            self._coloured = ways.find_cheapest_assignment(abs)
            self._kept += [self._undue, self._coloured]
        self._wanted: set[int] = set()

    def find_set_by_imbalance(self, distance: int) -> FloaterPlaces:
        """Return the first set, in the order of test 5, that leaves a group with this colour imbalance."""
        surplus = self._ways.outlook.colour_surplus
        self._wanted = {surplus - distance, surplus + distance}
        return self.find_first_set() if self._may_hold() else ()

    def _may_hold(self) -> bool:
        """Return True if the range of surpluses includes a wanted one."""
        size = self._ways.size
        lowest, highest = self._blacks.total - size, size - self._whites.total
        within = {value for value in self._wanted if lowest <= value <= highest}
        undue = 0
        if not self._all_due:
            undue = self._undue.total
            if undue != size - self._coloured.total:
                return bool(within)
        # With a fixed number of players without due colour, all surpluses are odd or all are even.
        return any((size - undue - value) % 2 == 0 for value in within)


class FloaterTestCosts(NamedTuple):
    """The costs that one floater adds to tests 1 to 3. Earlier fields weigh more."""

    floats: int
    moved_without_opponent: int
    moved_with_opponent: int
    resident_without_opponent: int
    floated_before: int


class ComponentFloatChoice(NamedTuple):
    """The decision for a component: how many of its players stay (in the order of test 5), and who floats."""

    stay: int
    floater: int | None


UNDECIDED_CHOICE = ComponentFloatChoice(0, None)
"""No decision yet."""


class FloaterComponents:
    """The components of a group that must send out `size` floaters. At most one player of each can float."""

    def __init__(self, outlook: Article10Conditions, matching: MaximumMatching, missable: Sequence[int]) -> None:
        self.outlook = outlook
        self.size = matching.deficiency
        self.players = sorted(missable, key=outlook.float_order_key)
        neighbours = outlook.company.neighbour_masks
        blocking = matching.decompose_gallai_edmonds().blocking
        masks = list(_components(bitmask_of(missable), neighbours))
        self.components = len(masks)
        self.component_of = {place: number for number, mask in enumerate(masks) for place in bitmask_members(mask)}
        self._within = [_reached(mask, neighbours) & blocking for mask in masks]
        self._members: list[list[int]] = [[] for _ in masks]
        for place in self.players:
            self._members[self.component_of[place]].append(place)

    def find_cheapest_assignment(self, cost: Callable[[int], int]) -> ComponentAssignment:
        """Find the cheapest assignment by tests 1 to 3, then by `cost` (0 to 2), a function of the colour weight."""
        scale = 1 + 2 * self.components
        by_choice = [
            self._offers(component, {place: cost(self.outlook.due_colour_weight(place)) for place in places}, scale)
            for component, places in enumerate(self._members)
        ]
        seats = self._first_alone + self.components
        return ComponentAssignment(by_choice, seats, scale)

    @property
    def _first_alone(self) -> int:
        return len(self.outlook.company.players) + self.outlook.next_group_size

    def _offers(self, component: int, costs: dict[int, int], scale: int) -> dict[ComponentFloatChoice, RowCosts]:
        """Return the seats and prices for every choice of a component."""
        offers: dict[ComponentFloatChoice, RowCosts] = {}
        open_to_all = {0: self._within[component]}
        places = self._members[component]
        offers[ComponentFloatChoice(len(places), None)] = tuple(open_to_all.items())
        for stay in range(len(places) - 1, -1, -1):
            place = places[stay]
            own = tuple(self._ways_of(place, costs[place], scale))
            offers[ComponentFloatChoice(stay, place)] = own
            for price, seats in own:
                open_to_all[price] = open_to_all.get(price, 0) | seats
            offers[ComponentFloatChoice(stay, None)] = tuple(open_to_all.items())
        return offers

    def _ways_of(self, place: int, cost: int, scale: int) -> Iterator[tuple[int, int]]:
        """Yield the prices at which a player floats, with the seats for each."""
        beyond = self.outlook.opponents_in_next_group(place)
        if beyond:
            yield self._price(place, paired=True) * scale + cost, beyond << len(self.outlook.company.players)
        yield self._price(place, paired=False) * scale + cost, 1 << self._first_alone + self.component_of[place]

    def _price(self, place: int, *, paired: bool) -> int:
        """Return a floater's share of tests 1 to 3 as one number, in which no test can outweigh an earlier one."""
        moved = self.outlook.is_incoming_floater(place)
        tests = FloaterTestCosts(
            floats=1,
            moved_without_opponent=moved and not paired,
            moved_with_opponent=moved and paired,
            resident_without_opponent=not moved and not paired,
            floated_before=self.outlook.has_floated_last_round(place),
        )
        price = 0
        for test in tests:
            price = price * (self.components + 1) + test
        return price


class ComponentAssignment:
    """The cheapest assignment of the components, restricted by choices. At first nothing is chosen."""

    def __init__(self, by_choice: Sequence[dict[ComponentFloatChoice, RowCosts]], seats: int, scale: int) -> None:
        self._by_choice = by_choice
        self._scale = scale
        self._assignment = MinCostAssignment([offers[UNDECIDED_CHOICE] for offers in by_choice], seats)
        self._chosen = [UNDECIDED_CHOICE] * len(by_choice)
        self._best, self.total = divmod(self._assignment.total_cost, scale)

    def try_set_choice(self, component: int, choice: ComponentFloatChoice) -> bool:
        """Set a component's choice, unless it makes tests 1 to 3 worse. `total` is the remaining cost."""
        offers = self._by_choice[component]
        if not self._assignment.replace_row_costs(component, offers[choice]):
            return False
        tests, total = divmod(self._assignment.total_cost, self._scale)
        if tests > self._best:
            self._assignment.replace_row_costs(component, offers[self._chosen[component]])
            return False
        self._chosen[component], self.total = choice, total
        return True


def _components(within: int, neighbours: Sequence[int]) -> Iterator[int]:
    """Yield the connected components of some players, as bitmasks."""
    left = within
    while left:
        component = fresh = left & -left
        while fresh:
            fresh = _reached(fresh, neighbours) & within & ~component
            component |= fresh
        yield component
        left &= ~component


def _reached(places: int, neighbours: Sequence[int]) -> int:
    """Bitmask of all players compatible with at least one of these."""
    reached = 0
    for place in bitmask_members(places):
        reached |= neighbours[place]
    return reached
