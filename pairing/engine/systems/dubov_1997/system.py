"""The procedure of the Dubov Swiss system (FIDE 1997) from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from pairing.engine.matching import members
from pairing.engine.paired_round import PairedRound, PlayerScore, Reason, ReasonKind, reason
from pairing.engine.readings import MOVED_UP, READINGS
from pairing.engine.rules.boards import seat
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.completion import no_legal_round
from pairing.engine.rules.field import Contender, take_field
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.dubov_1997.averages import average_ratings
from pairing.engine.systems.dubov_1997.bye import choose_bye
from pairing.engine.systems.dubov_1997.colours import give_colours
from pairing.engine.systems.dubov_1997.columns import equal_columns
from pairing.engine.systems.dubov_1997.entrants import Entrant, take_entrants
from pairing.engine.systems.dubov_1997.first_round import pair_halves
from pairing.engine.systems.dubov_1997.floaters import send_down
from pairing.engine.systems.dubov_1997.groups import Below, Event, Group, Pair, article
from pairing.engine.systems.dubov_1997.history import MovedUp, moved_up_so_far
from pairing.engine.systems.dubov_1997.incoming import pair_floaters
from pairing.engine.systems.dubov_1997.moving_up import complete_odd_group, supply_opponents
from pairing.engine.systems.dubov_1997.rows import pair_columns
from pairing.engine.watching import begin_groups, group_done

LONG_EVENT = 10
"""From so many rounds on a player may float up once more (2.5)."""


def pair(
    snapshot: TournamentSnapshot, *, fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None = None
) -> PairedRound:
    """Pair the next round.

    `fictitious` gives everyone's fictitious half points for rounds 1, 2, ... up to this one (accelerations). Raises
    PairingImpossible where no legal round exists.
    """
    field = take_field(snapshot, fictitious=fictitious)
    moved_up = None
    if snapshot.reading(MOVED_UP) == READINGS[MOVED_UP].other and not snapshot.is_last_round:
        moved_up = moved_up_so_far(snapshot, field, partial(_pair_anew, fictitious))
    return _pair(snapshot, field, fictitious, moved_up)


def _pair_anew(
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None, before: TournamentSnapshot, moved_up: MovedUp
) -> PairedRound:
    """An earlier round; `fictitious` are the points up to a later one."""
    if fictitious is not None:
        fictitious = {tpn: points[: before.round_number] for tpn, points in fictitious.items()}
    return _pair(before, take_field(before, fictitious=fictitious), fictitious, moved_up)


def _pair(
    snapshot: TournamentSnapshot,
    field: Sequence[Contender],
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None,
    moved_up: MovedUp | None,
) -> PairedRound:
    present = take_entrants((player for player in field if player.to_be_paired), average_ratings(snapshot), snapshot)
    bye = choose_bye(present, is_first_round=snapshot.rounds_paired == 0)
    event = take_event(snapshot, [entrant for entrant in present if bye is None or entrant.tpn != bye.player], moved_up)
    return PairedRound(
        system="dubov-1997",
        round_number=snapshot.round_number,
        games=seat(give_colours(one, event) for one in pair_groups(event)),
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def take_event(snapshot: TournamentSnapshot, entrants: Sequence[Entrant], moved_up: MovedUp | None = None) -> Event:
    """2.5: in how many rounds the event is played, and whether this is the last, tell who may float up.

    `moved_up` says who was moved up before, where that is not read from the float marks.
    """
    rounds = snapshot.rounds_announced
    return Event(
        entrants=tuple(entrants),
        company=Company([entrant.contender for entrant in entrants]),
        rounds_paired=snapshot.rounds_paired,
        is_last_round=snapshot.is_last_round,
        upfloat_limit=4 if rounds is not None and rounds >= LONG_EVENT else 3,
        first_colour=snapshot.first_colour,
        readings={name: snapshot.reading(name) for name in READINGS},
        moved_up=moved_up,
    )


def pair_groups(event: Event) -> Iterator[Pair]:
    """6, 7: the groups from the top down; who is not paired in one goes on to the next."""
    below = Below(event)
    if below.matching.deficiency:
        raise no_legal_round(event.company, article("2"))
    begin_groups(len(below.groups))
    group = None
    while group := below.next_group(group):
        next_group = below.nearest()
        supply_opponents(group, below, event)
        complete_odd_group(group, below, event, next_group)
        send_down(group, below, event)
        for one in pair_halves(group, event) if event.is_first_round else pair_members(group, event):
            yield one._replace(reasons=(_in_group(group), *_floats(one), *one.reasons))
        group_done()


def pair_members(group: Group, event: Event) -> Iterator[Pair]:
    """8, 6: the floaters from above, then the rest in two columns."""
    yield from pair_floaters(group, event)
    yield from pair_columns(equal_columns(members(group.members), event), group, event)


def _in_group(group: Group) -> Reason:
    return reason(article("6.1"), ReasonKind.SCORE_GROUP, half_points=group.score)


def _floats(one: Pair) -> tuple[Reason, ...]:
    notes = one.group.notes
    return (*notes.get(one.chooser, ()), *notes.get(one.opponent, ()))
