"""The Keizer system: see README.md."""

from pairing.engine.systems.keizer.options import (
    DEFAULT_OPTIONS,
    OPTION_NAMES,
    InvalidKeizerOption,
    KeizerOptions,
    parse_keizer_options,
)
from pairing.engine.systems.keizer.ranking import (
    KeizerChange,
    KeizerCredit,
    KeizerLine,
    KeizerLineChange,
    KeizerRanking,
    credits_of_player,
    current_ranking,
    explain_change,
    explain_total,
    orders_by_round,
    rankings_by_round,
    season_from_round,
)
from pairing.engine.systems.keizer.system import pair_next_round

__all__ = [
    "DEFAULT_OPTIONS",
    "OPTION_NAMES",
    "InvalidKeizerOption",
    "KeizerChange",
    "KeizerCredit",
    "KeizerLine",
    "KeizerLineChange",
    "KeizerOptions",
    "KeizerRanking",
    "credits_of_player",
    "current_ranking",
    "explain_change",
    "explain_total",
    "orders_by_round",
    "pair_next_round",
    "parse_keizer_options",
    "rankings_by_round",
    "season_from_round",
]
