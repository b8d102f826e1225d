"""Who gets what of an event's prize fund, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.text.amounts import Cents, figures, money
from pairing.view_models.sheets.parts import SheetPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Money, a thing, or both; as a text the money has its currency and is written in the reader's way."""

    cents: Cents
    currency: str
    thing: str = ""

    @property
    def figures(self) -> str:
        """Without the currency, where that stands over a column."""
        if not self.thing:
            return figures(self.cents)
        return f"{figures(self.cents)} + {self.thing}" if self.cents else self.thing

    def __str__(self) -> str:
        if not self.thing:
            return money(self.cents, self.currency)
        return f"{money(self.cents, self.currency)} + {self.thing}" if self.cents else self.thing


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeLine:
    """What a player gets of a list. `place` is his place in the whole table; `working` says how it came about.

    Whoever has withdrawn keeps his place, and with it the prize, unless the arbiter decides otherwise.
    """

    place: int
    player: SheetPlayer
    amount: Amount
    working: str
    has_withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ByLot:
    """A thing for a place that the table leaves shared: nobody's before a lot says whose. As a text, a sentence."""

    thing: str
    between: tuple[SheetPlayer, ...]

    def __str__(self) -> str:
        # Names have commas of their own.
        names = "; ".join(player.titled for player in self.between)
        return _("%(thing)s: by lot between %(names)s") % {"thing": self.thing, "names": names}


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedLine:
    """A player who keeps a greater prize of another list, and what he left in this one."""

    player: SheetPlayer
    amount: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheetList:
    """The prizes for everyone (an empty `key`) or for a category, from the first place on, and who gets them.

    The amounts of `lines`, `left_over` (what cannot be shared out evenly) and `not_awarded` (prizes nobody was left
    for) add up to `prizes`. `explained` says who belongs where the label leaves that open.
    """

    key: str
    label: str
    prizes: tuple[Amount, ...]
    lines: tuple[PrizeLine, ...]
    passed: tuple[PassedLine, ...]
    left_over: Amount
    not_awarded: Amount
    things_kept: tuple[str, ...] = ()
    by_lot: tuple[ByLot, ...] = ()
    explained: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """A player with all he gets, for handing it out: `lists` are the labels of those he gets it from."""

    place: int
    player: SheetPlayer
    amount: Amount
    lists: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeSheet:
    """An event's prizes by the table after a round.

    `is_final` says that all its rounds are finished, `is_open` that readers may see it. `awarded`, `left_over` and
    `not_awarded` add up to `total`. `receivers` stand in the order of the table.
    `where_shared` says what is done with a place that the tie-breaks leave shared, in sentences or empty.
    """

    club: str
    event: str
    after_round: int
    rounds_announced: int
    is_final: bool
    is_open: bool
    sharing: str
    one_prize_each: bool
    lists: tuple[PrizeSheetList, ...]
    receivers: tuple[Receiver, ...]
    total: Amount
    awarded: Amount
    left_over: Amount
    not_awarded: Amount
    where_shared: str = ""

    @property
    def has_lots(self) -> bool:
        """Whether a lot has still to be drawn for anything."""
        return any(each.by_lot for each in self.lists)
