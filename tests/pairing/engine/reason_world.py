"""A snapshot as each system sees its players, and the colour rules: the basis for checking reasons."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pairing.engine.paired_round import DecisionCause, PairingReason
from pairing.engine.snapshot import TournamentSnapshot
from tests.pairing.engine.literal import dutch_2026, jahr
from tests.pairing.engine.literal.counted import Counted, fictitious_in
from tests.pairing.engine.literal.facts import OTHER

ABSOLUTE, STRONG, MILD = 3, 2, 1
DUTCH = ("dutch-1992", "dutch-2026")


class World:
    """A snapshot as the system in question sees its players."""

    def __init__(self, snapshot: TournamentSnapshot) -> None:
        worth = snapshot.points.pairing_allocated_bye
        self.snapshot = snapshot
        self.facts = Counted(snapshot, fictitious_in(snapshot), worth)
        is_jahr = snapshot.system == "jahr"
        self.procedure = (snapshot.procedure or "fide-1989") if is_jahr else snapshot.system
        self.number = jahr.positions(snapshot) if is_jahr else {tpn: tpn for tpn in self.facts.cards}
        self.score = self.facts.pairing_score
        self.is_maxi = (
            self.procedure == "fide-1989"
            and not is_jahr
            and snapshot.rounds_announced is not None
            and len(snapshot.cards) > 2**snapshot.rounds_announced
        )

    def preference(self, tpn: int) -> tuple[str, int] | None:
        """The due colour of a player, and how strong it is."""
        history = self.facts.colours[tpn]
        if not history:
            return None
        absolute = self.facts.absolute[tpn]
        if absolute is not None and not self._is_excused(tpn):
            return absolute, ABSOLUTE
        difference = self.facts.difference[tpn]
        if difference:
            return ("b" if difference > 0 else "w"), STRONG
        return OTHER[history[-1]], MILD

    def due(self, tpn: int) -> str | None:
        preference = self.preference(tpn)
        return preference[0] if preference else None

    def must(self, tpn: int) -> str | None:
        preference = self.preference(tpn)
        return preference[0] if preference and preference[1] == ABSOLUTE else None

    def obstacle(self, one: int, other: int) -> DecisionCause | None:
        if self.facts.met(one, other):
            return DecisionCause.MET
        if self.facts.forbidden(one, other):
            return DecisionCause.FORBIDDEN
        any_colour = self.procedure == "fide-1989" and self.facts.is_last_round
        if self.procedure == "dutch-2026":
            twin = dutch_2026.Procedure(self.facts)
            any_colour = twin.is_topscorer(one) or twin.is_topscorer(other)
        if self.must(one) and self.must(one) == self.must(other) and not any_colour:
            return DecisionCause.SAME_ABSOLUTE_COLOUR
        return None

    def compatible(self, one: int, other: int) -> bool:
        return self.obstacle(one, other) is None

    def float_in(self, tpn: int, round_number: int) -> str | None:
        """How the player floated in a round."""
        if self.procedure == "dutch-2026":
            return dutch_2026.Procedure(self.facts).floated(tpn, self.facts.round_number - round_number)
        return self.facts.float_in(tpn, round_number)

    def average(self, tpn: int) -> Fraction:
        """The average rating of the opponents played."""
        met = [self.facts.rating[r.opponent] for r in self.facts.cards[tpn].records if r.is_played]
        return Fraction(sum(met), len(met)) if met else Fraction(0)

    def listed_average(self, tpn: int) -> Fraction | None:
        """The same in a list of averages: None without opponents."""
        return self.average(tpn) if any(r.is_played for r in self.facts.cards[tpn].records) else None

    def _is_excused(self, tpn: int) -> bool:
        """Dutch 1992, A7 and note to B: above half the points in the last round."""
        played = self.snapshot.rounds_paired
        is_above = self.facts.points_after(tpn, played) > played
        return self.procedure == "dutch-1992" and self.facts.is_last_round and is_above


def check_colours(world: World, why: PairingReason, claim: int, rival: int, given: str) -> None:
    """The colour rule in a reason: `claim` got this colour."""
    getattr(_Colours(world, claim, rival, given), why.get_fact("because"))(why)


class _Colours:
    """What each ColourCause says about the player whose claim decided, and about the other player."""

    def __init__(self, world: World, claim: int, rival: int, given: str) -> None:
        self.world, self.claim, self.rival, self.given = world, claim, rival, given
        self.due, self.rivals_due = world.due(claim), world.due(rival)

    def absolute(self, why: PairingReason) -> None:
        assert self.world.must(self.claim) == self.given
        assert self.world.must(self.rival) != self.given

    def stronger(self, why: PairingReason) -> None:
        assert self.due == self.rivals_due == self.given
        assert ABSOLUTE > self.world.preference(self.claim)[1] > self.world.preference(self.rival)[1]

    def both_due(self, why: PairingReason) -> None:
        assert (self.due, self.rivals_due) == (self.given, OTHER[self.given])

    def only_one_due(self, why: PairingReason) -> None:
        assert (self.due, self.rivals_due) == (self.given, None)

    def history(self, why: PairingReason) -> None:
        self._same_due()
        back = why.get_fact("games_back")
        mine, his = self.world.facts.colours[self.claim], self.world.facts.colours[self.rival]
        assert mine[len(mine) - back + 1 :] == his[len(his) - back + 1 :]
        assert mine[-back] != his[-back]
        assert self.given == OTHER[mine[-back]]

    def higher_player(self, why: PairingReason) -> None:
        self._same_histories()
        self._numbers(why)
        assert self._rank(self.claim) < self._rank(self.rival)

    def lower_player(self, why: PairingReason) -> None:
        assert self.world.procedure == "fide-1989"
        self._same_histories()
        self._numbers(why)
        assert self._rank(self.claim) > self._rank(self.rival)

    def difference(self, why: PairingReason) -> None:
        self._same_due()
        difference = self.world.facts.difference
        assert abs(difference[self.claim]) > abs(difference[self.rival])

    def higher_average(self, why: PairingReason) -> None:
        assert self.given == "w"
        assert average_told(why) == self.world.average(self.claim) > self.world.average(self.rival)

    def lower_rating(self, why: PairingReason) -> None:
        rating = self.world.facts.rating
        assert self.given == "w"
        assert why.get_fact("rating") == rating[self.claim] < rating[self.rival]

    def larger_number(self, why: PairingReason) -> None:
        assert self.given == "w"
        assert self.claim > self.rival

    def alternate_pairs(self, why: PairingReason) -> None:
        assert self.world.snapshot.rounds_paired == 0

    def number_parity(self, why: PairingReason) -> None:
        assert self.due is None
        assert self.rivals_due is None
        assert self._rank(self.claim) < self._rank(self.rival)
        first = self.world.snapshot.first_colour.value
        snapshot = self.world.snapshot
        number = self.claim
        if snapshot.system == "dutch-2026":
            place = World(replace(snapshot, interpretations=())).facts.parity_number(self.claim)
            reading = dict(snapshot.interpretations).get("dutch-2026:5.2.5", "paired")
            hangs = place % 2 != self.claim % 2
            assert why.get_fact("reading") == (f"dutch-2026:5.2.5={reading}" if hangs else None)
            number = place if reading == "paired" else self.claim
        assert self.given == (first if number % 2 else OTHER[first])

    def _same_due(self) -> None:
        assert self.due == self.rivals_due
        assert self.due is not None

    def _same_histories(self) -> None:
        self._same_due()
        mine, his = self.world.facts.colours[self.claim], self.world.facts.colours[self.rival]
        common = min(len(mine), len(his))
        assert mine[len(mine) - common :] == his[len(his) - common :]
        assert self.due == self.given

    def _numbers(self, why: PairingReason) -> None:
        if self.world.procedure == "fide-1989" and self.world.snapshot.system != "jahr":
            assert why.get_fact("numbers") == (self.claim, self.rival)
            assert why.get_fact("white_half_points") is None
        else:
            assert why.get_fact("numbers") is None

    def _rank(self, tpn: int) -> tuple[int, int]:
        score = -self.world.score[tpn] if self.world.procedure in DUTCH else 0
        return score, self.world.number[tpn]


def average_told(why: PairingReason, of: str = "average") -> Fraction:
    """The average in a reason."""
    return Fraction(why.get_fact(f"{of}_numerator"), why.get_fact(f"{of}_denominator"))


def averages_told(why: PairingReason, of: str) -> list[Fraction | None]:
    """The averages in a reason about several players. None for 0/0."""
    numerators, denominators = why.get_fact(f"{of}average_numerators"), why.get_fact(f"{of}average_denominators")
    assert isinstance(numerators, tuple)
    assert isinstance(denominators, tuple)
    return [Fraction(above, below) if below else None for above, below in zip(numerators, denominators, strict=True)]
