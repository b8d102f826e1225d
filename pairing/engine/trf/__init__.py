"""FIDE tournament report files (TRF16 and the TRF26 codes for the same things), both ways."""

from pairing.engine.trf.errors import TeamEvent, TrfError, TrfWarning, TrfWarningKind
from pairing.engine.trf.model import TrfFile, TrfPlayer, TrfRecord, TrfRound
from pairing.engine.trf.reader import read_trf
from pairing.engine.trf.regulations import (
    event_type,
    kind_in_words,
    rate_of_play,
    says_round_robin,
    thinking_time,
    tie_breaks_said,
    time_control_in_words,
    time_control_line,
    time_control_said,
    type_line,
)
from pairing.engine.trf.remarks import (
    EarlierSystem,
    decision_line,
    earlier_systems_of,
    is_remark,
    reading_lines,
    readings_of,
    states_reading,
    states_system,
    system_lines,
)
from pairing.engine.trf.snapshots import forbidden_pairs, from_snapshot, to_snapshot
from pairing.engine.trf.worth import points_of
from pairing.engine.trf.writer import TrfHeader, make_trf, write_trf

__all__ = [
    "EarlierSystem",
    "TeamEvent",
    "TrfError",
    "TrfFile",
    "TrfHeader",
    "TrfPlayer",
    "TrfRecord",
    "TrfRound",
    "TrfWarning",
    "TrfWarningKind",
    "decision_line",
    "earlier_systems_of",
    "event_type",
    "forbidden_pairs",
    "from_snapshot",
    "is_remark",
    "kind_in_words",
    "make_trf",
    "points_of",
    "rate_of_play",
    "read_trf",
    "reading_lines",
    "readings_of",
    "says_round_robin",
    "states_reading",
    "states_system",
    "system_lines",
    "thinking_time",
    "tie_breaks_said",
    "time_control_in_words",
    "time_control_line",
    "time_control_said",
    "to_snapshot",
    "type_line",
    "write_trf",
]
