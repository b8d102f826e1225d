"""The procedure of the FIDE Swiss rules of 1987, as amended in 1988 and 1989, from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pairing.engine.matching import Matching
from pairing.engine.paired_round import PairedRound, PlayerScore, Reason, ReasonKind, reason
from pairing.engine.readings import FORFEIT_WINNERS
from pairing.engine.rules.boards import seat
from pairing.engine.rules.compatibility import Company
from pairing.engine.rules.field import Contender, take_field
from pairing.engine.rules.order import Order
from pairing.engine.rules.score_groups import ScoreGroup, score_groups
from pairing.engine.snapshot import HalfPoints, PairingNumber, TournamentSnapshot
from pairing.engine.systems.fide_1989.bye import choose_bye
from pairing.engine.systems.fide_1989.colours import give_colours
from pairing.engine.systems.fide_1989.floaters import send_out
from pairing.engine.systems.fide_1989.groups import Event, Floater, Group, Pair, Side, article
from pairing.engine.systems.fide_1989.incoming import pair_incoming
from pairing.engine.systems.fide_1989.median import widen
from pairing.engine.systems.fide_1989.outlook import Outlook
from pairing.engine.systems.fide_1989.scrutiny import pair_residents
from pairing.engine.watching import begin_groups, group_done


def pair(
    snapshot: TournamentSnapshot,
    *,
    order: Order | None = None,
    fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None = None,
) -> PairedRound:
    """Pair the next round.

    `order` replaces the TPNs inside score groups (Jahr); `fictitious` gives everyone's fictitious half points for
    rounds 1, 2, ... up to this one (accelerations). Raises PairingImpossible where no legal round exists.
    """
    field = take_field(snapshot, numbers=order.positions if order else None, fictitious=fictitious)
    present = [player for player in field if player.to_be_paired]
    event = take_event(snapshot, by_rating=order is None)
    bye = choose_bye(present, event)
    to_pair = [player for player in present if bye is None or player.tpn != bye.player]
    median = median_score(snapshot, to_pair, accelerated=_is_accelerated(snapshot, fictitious))
    pairs = pair_groups(score_groups(to_pair), median, event)
    return PairedRound(
        system=order.system if order else "fide-1989",
        round_number=snapshot.round_number,
        games=seat(give_colours(one, event) for one in pairs),
        bye=bye,
        scores=tuple(
            PlayerScore(tpn=player.tpn, score=player.score, fictitious=player.fictitious)
            for player in sorted(field, key=lambda player: player.tpn)
        ),
        acceleration=snapshot.acceleration,
    )


def take_event(snapshot: TournamentSnapshot, *, by_rating: bool) -> Event:
    """Preface: a maxi event has more players on the list than 2 to the power of its rounds. 13: the last round."""
    rounds = snapshot.rounds_announced
    return Event(
        round_number=snapshot.round_number,
        forfeit_winners=snapshot.reading(FORFEIT_WINNERS),
        maxi=by_rating and rounds is not None and len(snapshot.cards) > 2**rounds,
        any_colour=snapshot.is_last_round,
        first_colour=snapshot.first_colour,
    )


def median_score(snapshot: TournamentSnapshot, players: Sequence[Contender], *, accelerated: bool) -> HalfPoints:
    """9.2: half of the rounds played so far; with an acceleration the score of the player in the middle."""
    if not accelerated or not players:
        return snapshot.rounds_paired
    scores = sorted((player.pairing_score for player in players), reverse=True)
    return scores[(len(scores) + 1) // 2 - 1]


def pair_groups(groups: Sequence[ScoreGroup], median: HalfPoints, event: Event) -> list[Pair]:
    """9.2: the groups above the median downwards, those below it upwards, the median group last."""
    middle = next((group for group in groups if group.score == median), ScoreGroup(score=median, residents=()))
    above = [group for group in groups if group.score > median]
    below = [group for group in reversed(groups) if group.score < median]
    begin_groups(len(above) + len(below) + 1)
    pairs_above, from_above = pair_side(Side.ABOVE, above, middle, event)
    pairs_below, from_below = pair_side(Side.BELOW, below, middle, event)
    group = Group(
        score=median,
        side=Side.MEDIAN if above or below else Side.WHOLE,
        residents=middle.residents,
        incoming=(*from_above, *from_below),
    )
    company = Company(group.members(), any_colour=event.any_colour)
    matching = Matching(company.neighbours)
    if matching.deficiency:
        group, pairs_above, pairs_below = widen(group, pairs_above, pairs_below, event)
        company = Company(group.members(), any_colour=event.any_colour)
        matching = Matching(company.neighbours)
    pairs = [*pairs_above, *pairs_below, *pair_members(group, company, matching, event)]
    group_done()
    return pairs


def pair_side(
    side: Side, groups: Sequence[ScoreGroup], middle: ScoreGroup, event: Event
) -> tuple[list[Pair], tuple[Floater, ...]]:
    """All groups of one side, the farthest from the median first; returns the pairs and who floats to the median."""
    pairs: list[Pair] = []
    floaters: tuple[Floater, ...] = ()
    for this, following in pairwise([*groups, middle]):
        group = Group(score=this.score, side=side, residents=this.residents, incoming=floaters)
        formed, floaters = pair_group(group, following, event)
        pairs += formed
        group_done()
    return pairs, floaters


def pair_group(group: Group, following: ScoreGroup, event: Event) -> tuple[list[Pair], tuple[Floater, ...]]:
    """9.3: send out those who float to the following group, then pair those who stay."""
    company = Company(group.members(), any_colour=event.any_colour)
    beyond = Company(following.residents, any_colour=event.any_colour)
    matching = Matching(company.neighbours)
    floaters = send_out(Outlook(group, company, beyond), matching, following, event)
    return pair_members(group, company, matching, event), floaters


def pair_members(group: Group, company: Company, matching: Matching, event: Event) -> list[Pair]:
    """10.6.3, 10.7.3: first the floaters that came in, then the rest; in the order in which pairs are formed."""
    pairs = [*pair_incoming(group, company, matching, event)]
    pairs += pair_residents(group, company, matching, event)
    return [one._replace(reasons=(_in_group(group), *_floats(one), *one.reasons)) for one in pairs]


def _in_group(group: Group) -> Reason:
    return reason(article("9.2"), ReasonKind.SCORE_GROUP, half_points=group.score, side=group.side)


def _floats(one: Pair) -> tuple[Reason, ...]:
    return (*one.group.floats_of(one.chooser), *one.group.floats_of(one.opponent))


def _is_accelerated(
    snapshot: TournamentSnapshot, fictitious: Mapping[PairingNumber, Sequence[HalfPoints]] | None
) -> bool:
    return fictitious is not None or any(card.fictitious for card in snapshot.cards)
