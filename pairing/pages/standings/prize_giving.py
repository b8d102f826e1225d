"""The prizes of an event: awarding them by the standings, and setting them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from common.text.amounts import Cents, cents_to_decimal
from pairing.engine.prizes import AwardedPrizeList, PlacedPlayer, PrizeList, PrizeShare, PrizeSharing, award_prize_fund
from pairing.engine.snapshot import PairingNumber
from pairing.log_actions import PairingAction
from pairing.view_models.sheets.players_and_results import SheetPlayer
from pairing.view_models.sheets.prize_sheet import (
    ForgonePrizeLine,
    PrizeAmount,
    PrizeByLot,
    PrizeLine,
    PrizeReceiver,
    PrizeSheet,
    PrizeSheetSection,
)
from pairing.view_models.standings.event_standings import EventStandings, get_event_standings
from pairing.view_models.standings.player_categories import (
    category_eligibility_note,
    player_numbers_in_category,
    possible_categories_of_event,
)
from tournaments.audit_log.recorder import record_action
from tournaments.models import Game, PairingSystem, Prize, PrizeFund, Round, Tournament

EVERYONE = ""
"""The key of the prizes for everyone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesOfList:
    """The prizes in one list, from first place down, with the category's key."""

    category: str
    prizes: tuple[Cents, ...]
    things: tuple[str, ...] = ()
    """Prizes in kind of the same places. As many as `prizes`, or none at all."""

    @property
    def prizes_by_place(self) -> Iterator[tuple[Cents, str]]:
        """The money and the prize in kind for each place."""
        return zip(self.prizes, self.things or ("",) * len(self.prizes), strict=True)


def prize_sheet(tournament: Tournament) -> PrizeSheet:
    """Return the prize sheet after the latest published round. It has no lists if the event has no prize fund.

    Players without a played game get nothing. Texts are in the active language. The number of queries is constant.
    Raises ArbiterProblem if a tie-break is unknown.
    """
    fund = get_prize_fund(tournament)
    table = get_event_standings(tournament)
    listed = prizes_by_list(fund)
    # Places in a Keizer season follow from totals, so equal points share nothing.
    is_keizer = tournament.system == PairingSystem.KEIZER
    awarded = award_prize_fund(
        [
            PrizeList(
                prizes=each.prizes,
                prizes_in_kind=each.things,
                open_to=player_numbers_in_category(table, each.category) if each.category else None,
            )
            for each in listed
        ],
        [
            PlacedPlayer(tpn=row.tpn, points=-row.rank if is_keizer else row.points, rank=row.rank)
            for row in table.ranking.standings
            if table.ranking.has_played(row.tpn)
        ],
        sharing=PrizeSharing(fund.sharing),
        one_prize_each=fund.one_prize_each,
    )
    return _SheetMaker(tournament, table).build_prize_sheet(fund, listed, awarded)


def get_prize_fund(tournament: Tournament) -> PrizeFund:
    """Return the event's prize fund, unsaved if there is none."""
    fund = PrizeFund.objects.filter(tournament=tournament).first() or PrizeFund()
    fund.tournament = tournament
    return fund


def prizes_by_list(fund: PrizeFund) -> tuple[PrizesOfList, ...]:
    """Return the fund's lists: everyone first, then the categories in their usual order."""
    by_category: dict[str, dict[int, Prize]] = defaultdict(dict)
    for prize in fund.prizes.all() if fund.pk else ():
        by_category[prize.category][prize.place] = prize
    order = [EVERYONE, *possible_categories_of_event(fund.tournament)]
    keys = sorted(by_category, key=lambda key: (order.index(key) if key in order else len(order), key))
    return tuple(
        PrizesOfList(
            category=key,
            prizes=tuple(prize.cents if prize else 0 for prize in of_places),
            things=tuple(prize.thing if prize else "" for prize in of_places),
        )
        for key in keys
        for of_places in ([by_category[key].get(place) for place in range(1, max(by_category[key]) + 1)],)
    )


def has_public_prizes(fund: PrizeFund) -> bool:
    """Return True if readers may see the prizes: all rounds are finished, or the arbiter published them."""
    return fund.pk is not None and (fund.is_published or _is_over(fund.tournament))


@transaction.atomic
def set_prizes(
    tournament: Tournament, lists: Sequence[PrizesOfList], *, sharing: str, one_prize_each: bool, by: User | None
) -> PrizeFund:
    """Replace the prize lists. This neither publishes nor hides them."""
    fund, _made = PrizeFund.objects.update_or_create(
        tournament=tournament, defaults={"sharing": sharing, "one_prize_each": one_prize_each}
    )
    fund.prizes.all().delete()
    prizes = [
        Prize(fund=fund, category=each.category, place=place, cents=cents, thing=thing)
        for each in lists
        for place, (cents, thing) in enumerate(each.prizes_by_place, start=1)
        if cents or thing
    ]
    Prize.objects.bulk_create(prizes)
    total = sum(prize.cents for prize in prizes)
    record_action(
        tournament,
        PairingAction.PRIZES_SET,
        by=by,
        count=len(prizes),
        total=str(cents_to_decimal(total)),
        sharing=sharing,
    )
    return fund


@transaction.atomic
def publish_prizes(tournament: Tournament, *, publish: bool, by: User | None) -> None:
    """Publish or unpublish the prizes before all rounds are finished."""
    changed = PrizeFund.objects.filter(tournament=tournament).exclude(is_published=publish).update(is_published=publish)
    if changed:
        record_action(tournament, PairingAction.PRIZES_PUBLISHED if publish else PairingAction.PRIZES_WITHDRAWN, by=by)


def _is_over(tournament: Tournament) -> bool:
    """Return True if all rounds and adjourned games are finished."""
    adjourned = Count("games", filter=Q(games__result=Game.Result.ADJOURNED))
    finished = tournament.rounds.filter(state=Round.State.FINISHED).order_by().annotate(adjourned=adjourned)
    counts = list(finished.values_list("adjourned", flat=True))
    return len(counts) >= tournament.rounds_announced and not any(counts)


class _SheetMaker:
    """Build the prize sheet: adds names, places and texts to the awards."""

    def __init__(self, tournament: Tournament, table: EventStandings) -> None:
        self.tournament = tournament
        self.table = table
        self.currency = tournament.club.currency
        self.places: Mapping[PairingNumber, int] = {row.tpn: row.rank for row in table.ranking.standings}
        self.withdrawn = {
            table.pairing_numbers[row.entry.pk] for row in table.rows if row.entry.withdrawn_from_round is not None
        }
        self.players = {
            tpn: SheetPlayer(
                entry=entry.pk,
                tpn=entry.tpn,
                name=entry.name,
                title=entry.title,
                rating=entry.rating,
                score=int(row.points * 2),
            )
            for row in table.rows
            for entry in (row.entry,)
            for tpn in (table.pairing_numbers[entry.pk],)
        }

    def build_prize_sheet(
        self, fund: PrizeFund, listed: Sequence[PrizesOfList], awarded: Sequence[AwardedPrizeList]
    ) -> PrizeSheet:
        is_over = _is_over(self.tournament)
        lists = tuple(self._list(each, of_list) for each, of_list in zip(listed, awarded, strict=True))
        return PrizeSheet(
            club=self.tournament.club.name,
            event=self.tournament.name,
            after_round=self.table.after_round,
            rounds_announced=self.tournament.rounds_announced,
            is_final=is_over,
            is_public=fund.pk is not None and (fund.is_published or is_over),
            sharing=fund.get_sharing_display(),
            one_prize_each=fund.one_prize_each,
            shared_place_note=" ".join(_where_shared(fund, listed)),
            lists=lists,
            receivers=self._receivers(lists),
            total=self._amount(sum(sum(each.prizes) for each in listed)),
            awarded=self._amount(sum(share.cents for of_list in awarded for _tpn, share in of_list.shares)),
            left_over=self._amount(sum(of_list.left_over for of_list in awarded)),
            not_awarded=self._amount(sum(of_list.not_awarded for of_list in awarded)),
        )

    def _list(self, listed: PrizesOfList, awarded: AwardedPrizeList) -> PrizeSheetSection:
        label, category = possible_categories_of_event(self.tournament).get(listed.category, (listed.category, None))
        return PrizeSheetSection(
            key=listed.category,
            label=str(label) if listed.category else _("All players"),
            eligibility_note=category_eligibility_note(category) if category else "",
            prizes=tuple(self._amount(cents, thing) for cents, thing in listed.prizes_by_place),
            lines=tuple(self._lines(listed, awarded)),
            forgone=tuple(
                ForgonePrizeLine(player=self.players[tpn], amount=self._amount(cents, thing))
                for tpn, cents, thing in awarded.forgone
            ),
            unawarded_in_kind=awarded.unawarded_in_kind,
            by_lot=tuple(
                PrizeByLot(in_kind=handed.prize, candidates=tuple(self.players[each] for each in handed.candidates))
                for _tpn, handed in awarded.awards_in_kind
                if handed.is_tied
            ),
            left_over=self._amount(awarded.left_over),
            not_awarded=self._amount(awarded.not_awarded),
        )

    def _lines(self, listed: PrizesOfList, awarded: AwardedPrizeList) -> Iterator[PrizeLine]:
        """Yield everybody with a certain prize of the list, the best placed first."""
        shares = dict(awarded.shares)
        things = {tpn: handed for tpn, handed in awarded.awards_in_kind if not handed.is_tied}
        for tpn in self.players:
            share, handed = shares.get(tpn), things.get(tpn)
            if share is None and handed is None:
                continue
            told = [_working(share, listed.prizes)] if share else []
            if handed and not share:
                told.append(_places(handed.place, handed.place))
            yield PrizeLine(
                place=self.places[tpn],
                player=self.players[tpn],
                amount=self._amount(share.cents if share else 0, handed.prize if handed else ""),
                working="; ".join(told),
                has_withdrawn=tpn in self.withdrawn,
            )

    def _receivers(self, lists: Sequence[PrizeSheetSection]) -> tuple[PrizeReceiver, ...]:
        got: dict[int, list[tuple[str, PrizeLine]]] = defaultdict(list)
        for each in lists:
            for line in each.lines:
                got[line.player.entry].append((each.label, line))
        return tuple(
            PrizeReceiver(
                place=self.places[tpn],
                player=player,
                amount=self._amount(
                    sum(line.amount.cents for _label, line in got[player.entry]),
                    " + ".join(line.amount.in_kind for _label, line in got[player.entry] if line.amount.in_kind),
                ),
                lists=tuple(label for label, _line in got[player.entry]),
            )
            for tpn, player in self.players.items()
            if player.entry in got
        )

    def _amount(self, cents: Cents, thing: str = "") -> PrizeAmount:
        return PrizeAmount(cents=cents, currency=self.currency, in_kind=thing)


def _where_shared(fund: PrizeFund, listed: Sequence[PrizesOfList]) -> Iterator[str]:
    if fund.sharing == PrizeFund.PrizeSharing.PLACE:
        yield _("Players still tied after all tie-breaks share the prize money for their places equally.")
    if any(thing for each in listed for thing in each.things):
        yield _("Items can't be shared. If players are still tied, they draw lots.")


def _working(share: PrizeShare, prizes: Sequence[Cents]) -> str:
    """Explain a share: its places, and the sum with the result rounded down to the cent."""
    places = _places(share.first, share.last)
    if share.sharers == 1:
        return places
    pool = _sum(prizes[share.first - 1 : share.last], share.sharers)
    if share.own_places is None:
        return f"{places}: {pool} = {_plain(share.cents)}"
    first, last = share.own_places
    own = _sum(prizes[first - 1 : last], last - first + 1)
    return f"{_places(first, last)}; {places}: ½ × {own} + ½ × {pool} = {_plain(share.cents)}"


def _places(first: int, last: int) -> str:
    numbers = str(first) if first == last else f"{first}–{last}"
    return ngettext("place %(numbers)s", "places %(numbers)s", last - first + 1) % {"numbers": numbers}


def _sum(prizes: Sequence[Cents], sharers: int) -> str:
    """Write the sum of the prizes, divided by the players who share them."""
    added = " + ".join(_plain(cents) for cents in prizes if cents) or "0"
    if sharers == 1:
        return added
    return f"({added}) : {sharers}" if "+" in added else f"{added} : {sharers}"


def _plain(cents: Cents) -> str:
    return formats.number_format(cents_to_decimal(cents), 2, use_l10n=True, force_grouping=True)
