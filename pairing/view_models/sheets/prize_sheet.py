"""The distribution of an event's prize fund, with its calculation."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.text.amounts import Cents, format_amount, format_money
from pairing.view_models.sheets.players_and_results import SheetPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeAmount:
    """Money, a prize in kind or both. `str()` includes the currency in the active language's format."""

    cents: Cents
    currency: str
    in_kind: str = ""

    @property
    def money_without_currency(self) -> str:
        """Return the money without the currency. Empty if the prize is in kind only."""
        return format_amount(self.cents) if self.cents or not self.in_kind else ""

    def __str__(self) -> str:
        if not self.in_kind:
            return format_money(self.cents, self.currency)
        return f"{format_money(self.cents, self.currency)} + {self.in_kind}" if self.cents else self.in_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeLine:
    """A player's prize from a list.

    `place` is the place in the whole table, `working` the calculation. A player who has withdrawn keeps the place and
    the prize, unless the arbiter decides otherwise.
    """

    place: int
    player: SheetPlayer
    amount: PrizeAmount
    working: str
    has_withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeByLot:
    """A prize in kind for a shared place, to be drawn by lot. `str()` is a sentence."""

    in_kind: str
    candidates: tuple[SheetPlayer, ...]

    def __str__(self) -> str:
        # Names contain commas.
        names = "; ".join(player.name_with_title for player in self.candidates)
        return _("%(thing)s: drawn by lot between %(names)s") % {"thing": self.in_kind, "names": names}


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgonePrizeLine:
    """A player with a larger prize from another list, and the amount they give up in this one."""

    player: SheetPlayer
    amount: PrizeAmount


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheetSection:
    """The prizes for everyone (empty `key`) or for a category, from first place down, and their winners.

    The amounts of `lines`, `left_over` (cannot be shared evenly) and `not_awarded` (no player left) add up to `prizes`.
    `eligibility_note` says who is eligible if the label does not.
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
    """A player with their total prize, for the prize-giving.

    `lists` are the labels of the lists it comes from.
    """

    place: int
    player: SheetPlayer
    amount: PrizeAmount
    lists: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheet:
    """An event's prizes according to the table after a round.

    `is_final`: all rounds are finished. `is_public`: readers may see it. `awarded`, `left_over` and `not_awarded` add
    up to `total`. `receivers` are in the order of the table. `shared_place_note` explains the rule for a place that the
    tie-breaks leave shared, or is empty.
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
        """Return True if a lot must still be drawn."""
        return any(each.by_lot for each in self.lists)
