"""Who gets what of an event's prize fund, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.text.amounts import Cents, format_amount, format_money
from pairing.view_models.sheets.players_and_results import SheetPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeAmount:
    """Money, a thing, or both; as a text the money has its currency and is written in the reader's way."""

    cents: Cents
    currency: str
    in_kind: str = ""

    @property
    def text_without_currency(self) -> str:
        """Without the currency, where that stands over a column."""
        if not self.in_kind:
            return format_amount(self.cents)
        return f"{format_amount(self.cents)} + {self.in_kind}" if self.cents else self.in_kind

    def __str__(self) -> str:
        if not self.in_kind:
            return format_money(self.cents, self.currency)
        return f"{format_money(self.cents, self.currency)} + {self.in_kind}" if self.cents else self.in_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeLine:
    """What a player gets of a list. `place` is his place in the whole table; `working` says how it came about.

    Whoever has withdrawn keeps his place, and with it the prize, unless the arbiter decides otherwise.
    """

    place: int
    player: SheetPlayer
    amount: PrizeAmount
    working: str
    has_withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeByLot:
    """A thing for a place that the table leaves shared: nobody's before a lot says whose. As a text, a sentence."""

    in_kind: str
    candidates: tuple[SheetPlayer, ...]

    def __str__(self) -> str:
        # Names have commas of their own.
        names = "; ".join(player.name_with_title for player in self.candidates)
        return _("%(thing)s: by lot between %(names)s") % {"thing": self.in_kind, "names": names}


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgonePrizeLine:
    """A player who keeps a greater prize of another list, and what he left in this one."""

    player: SheetPlayer
    amount: PrizeAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheetSection:
    """The prizes for everyone (an empty `key`) or for a category, from the first place on, and who gets them.

    The amounts of `lines`, `left_over` (what cannot be shared out evenly) and `not_awarded` (prizes nobody was left
    for) add up to `prizes`. `eligibility_note` says who belongs where the label leaves that open.
    """

    key: str
    label: str
    prizes: tuple[PrizeAmount, ...]
    lines: tuple[PrizeLine, ...]
    forgone: tuple[ForgonePrizeLine, ...]
    left_over: PrizeAmount
    not_awarded: PrizeAmount
    unawarded_in_kind: tuple[str, ...] = ()
    by_lot: tuple[PrizeByLot, ...] = ()
    eligibility_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeReceiver:
    """A player with all he gets, for handing it out: `lists` are the labels of those he gets it from."""

    place: int
    player: SheetPlayer
    amount: PrizeAmount
    lists: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheet:
    """An event's prizes by the table after a round.

    `is_final` says that all its rounds are finished, `is_public` that readers may see it. `awarded`, `left_over` and
    `not_awarded` add up to `total`. `receivers` stand in the order of the table.
    `shared_place_note` says what is done with a place that the tie-breaks leave shared, in sentences or empty.
    """

    club: str
    event: str
    after_round: int
    rounds_announced: int
    is_final: bool
    is_public: bool
    sharing: str
    one_prize_each: bool
    lists: tuple[PrizeSheetSection, ...]
    receivers: tuple[PrizeReceiver, ...]
    total: PrizeAmount
    awarded: PrizeAmount
    left_over: PrizeAmount
    not_awarded: PrizeAmount
    shared_place_note: str = ""

    @property
    def has_lots_to_draw(self) -> bool:
        """Whether a lot has still to be drawn for anything."""
        return any(each.by_lot for each in self.lists)
