"""Reading and writing FIDE tournament report files (TRF16 and the TRF26 codes for the same data)."""

from pairing.engine.trf.comments import (
    EarlierPairingSystem,
    format_arbiter_decision_line,
    format_earlier_system_lines,
    format_interpretation_lines,
    is_clubnight_comment,
    is_earlier_system_line,
    is_interpretation_line,
    read_earlier_systems,
    read_rule_interpretations,
)
from pairing.engine.trf.model import (
    TeamEventError,
    TrfError,
    TrfFile,
    TrfPlayer,
    TrfRecord,
    TrfRound,
    TrfWarning,
    TrfWarningKind,
)
from pairing.engine.trf.reader import read_trf
from pairing.engine.trf.regulations import (
    describe_event_kind,
    detect_rate_of_play,
    format_event_type_line,
    format_time_control,
    format_time_control_line,
    read_event_type,
    read_tie_break_codes,
    read_time_control,
    stated_pairing_system,
    thinking_seconds_for_60_moves,
)
from pairing.engine.trf.scoring import point_system_of_trf
from pairing.engine.trf.snapshot_conversion import forbidden_pairs_in_round, snapshot_from_trf, trf_from_snapshot
from pairing.engine.trf.writer import TrfHeader, make_trf, write_trf

__all__ = [
    "EarlierPairingSystem",
    "TeamEventError",
    "TrfError",
    "TrfFile",
    "TrfHeader",
    "TrfPlayer",
    "TrfRecord",
    "TrfRound",
    "TrfWarning",
    "TrfWarningKind",
    "describe_event_kind",
    "detect_rate_of_play",
    "forbidden_pairs_in_round",
    "format_arbiter_decision_line",
    "format_earlier_system_lines",
    "format_event_type_line",
    "format_interpretation_lines",
    "format_time_control",
    "format_time_control_line",
    "is_clubnight_comment",
    "is_earlier_system_line",
    "is_interpretation_line",
    "make_trf",
    "point_system_of_trf",
    "read_earlier_systems",
    "read_event_type",
    "read_rule_interpretations",
    "read_tie_break_codes",
    "read_time_control",
    "read_trf",
    "snapshot_from_trf",
    "stated_pairing_system",
    "thinking_seconds_for_60_moves",
    "trf_from_snapshot",
    "write_trf",
]
