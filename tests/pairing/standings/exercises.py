"""The events of the FIDE Technical Commission's published exercises in tie-breaking, and what they come to.

They were written for an edition of C.07 that knew no cap of the dummy's score, as that of August 2024. Where the edition
of March 2026 changes a value, it stands beside. The numbers are the Commission's; the names are not kept.
"""

from __future__ import annotations

from pairing.engine.snapshot import TournamentSnapshot
from pairing.engine.trf import read_trf, to_snapshot
from tests.pairing.trf.lines import player, report

_SWISS_OF_FIVE_ROUNDS = """
1  2200   9w1  13b=   2w=  15b1   4w=
2  2150  10b1   7w1   1b=  16w1   3b=
3  2100  11w=   6b1   8w1   4b=   2w=
4  2050  12b1     H  13w1   3w=   1b=
5  2000  13w0  15b0  11w1   7b=  10w1
6  1950  14b0   3w0     U  10w1   8b1
7  1900  15w1   2b0  16b0   5w=  11b0
8  1850  16b=  14w1   3b0  13w1   6w0
9  1800   1b0  10w0     H  11b-     U
10 1750   2w0   9b1  15w0   6b0   5b0
11 1700   3b=  16w0   5b0   9w+   7w1
12 1650   4w0     U  14w+     Z     Z
13 1600   5b1   1w=   4b0   8b0  14w0
14 1550   6w1   8b0  12b-     Z  13b1
15 1500   7b0   5w1  10b1   1w0  16b0
16 1450   8w=  11b1   7w1   2b0  15w1
"""

_SWISS_OF_NINE_ROUNDS = """
1  2150   9w1  13b=   2w=  15b1   4w=   6b=   3b=  16w=   8b1
2  2130  10b1   7w1   1b=  16w1   3b1   4w=   6w0  15b=   5w=
3  2200  11w=   6b1   8w1   4b=   2w0  16b1   1w=  14w1  10b1
4  2110  12b1     H  13w1   3w=   1b=   2b=  16w=   6b=  15w1
5  1890  13w0  15b0  11w1   7b=  10w1  14b0   9b1   8w0   2b=
6  2090  14b0   3w0     U  10w1   8b1   1w=   2b1   4w=  16b1
7  1950  15w1   2b0  16b0   5w=  11b0  10b0  13w1   9w1  14b1
8  1930  16b=  14w1   3b0  13w1   6w0  11b=  15w=   5b1   1w0
9  1790   1b0  10w0     H  11b-     U  13b1   5w0   7b0  12w=
10 1870   2w0   9b1  15w0   6b0   5b0   7w1  12b1  11w1   3w0
11 1810   3b=  16w0   5b0   9w+   7w1   8w=  14b0  10b0  13w=
12 1770   4w0     U  14w+     Z     Z  15b0  10w0  13b=   9b=
13 1750   5b1   1w=   4b0   8b0  14w0   9w0   7b0  12w=  11b=
14 1850   6w1   8b0  12b-     Z  13b1   5w1  11w1   3b0   7w0
15 1830   7b0   5w1  10b1   1w0  16b0  12w1   8b=   2w=   4b0
16 1910   8w=  11b1   7w1   2b0  15w1   3w0   4b=   1b=   6w0
"""

_ROUND_ROBIN = """
1  2200   5w=   2w1   3b1   4w0   6b1
2  2150   6w1   1b0   5w1   3w=   4b1
3  2100   4w1   6b1   1w0   2b=   5w1
4  2050   3b0   5b0   6w=   1b1   2w0
5  1950   1b=   4w1   2b0   6w-   3b0
6  2000   2b0   3w0   4b=   5b+   1w0
"""


def event(rows: str, *, rounds: int | None = None) -> TournamentSnapshot:
    """An event from lines of number, rating and rounds: `9w1` is a win with White against 9, `H` a half-point bye."""
    lines = [
        player(int(number), *map(_block, blocks), rating=int(rating) or "")
        for number, rating, *blocks in map(str.split, rows.strip().splitlines())
    ]
    return to_snapshot(read_trf(report(*lines), name="exercise.trf"), system="dutch-1992", rounds=rounds)


def _block(text: str) -> str:
    return f"{text[:-2]:>4} {text[-2]} {text[-1]}" if len(text) > 1 else f"0000 - {text}"


SWISS_OF_FIVE_ROUNDS = event(_SWISS_OF_FIVE_ROUNDS, rounds=5)
SWISS_OF_NINE_ROUNDS = event(_SWISS_OF_NINE_ROUNDS, rounds=9)
ROUND_ROBIN = event(_ROUND_ROBIN, rounds=5)

IN_BOTH_EDITIONS = {
    "WIN": "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3",
    "WON": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",
    "BPG": "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2",
    "BWG": "1 1 1 1 0 1 0 0 0 1 0 0 1 1 1 1",
    "REP": "5 5 5 4 5 5 5 5 3 5 5 3 5 3 5 5",
    "PS": "11.0 13.0 11.0 11.5 5.0 6.0 6.0 8.5 2.5 4.0 5.5 7.0 7.0 6.0 7.0 10.5",
    "PS/C1": "10.0 12.0 10.5 10.5 5.0 6.0 5.0 8.0 2.5 4.0 5.0 7.0 6.0 5.0 7.0 10.0",
    "ARO": "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    "ARO/C1": "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 - 2025 1900 1963 1900",
    "TPR": "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
    "PTP": "2029 2216 2112 2168 1689 1810 1531 1715 950 1575 1763 1250 1744 1942 1768 2013",
    "APRO": "1789 1856 1904 1772 1719 1846 1869 1915 1805 1717 1840 2081 1879 1775 1776 1805",
    "APPO": "1769 1852 1934 1784 1676 1836 1890 1924 1802 1687 1836 2168 1909 1756 1767 1799",
}
"""Values of players 1 to 16 of the Swiss of five rounds."""

IN_2024 = {
    "BH": "12.5 13.0 15.5 15.0 8.5 12.0 14.5 13.5 9.0 13.0 13.5 11.5 14.0 11.0 12.0 12.5",
    "BH/C1": "11.0 12.0 13.0 11.5 7.5 11.0 12.5 12.0 7.5 11.5 12.0 9.5 12.0 9.0 11.0 11.0",
    "AOB": "12.60 13.60 13.40 13.38 13.40 13.25 11.90 13.00 12.75 10.90 12.75 15.00 12.10 13.17 12.20 13.30",
    "FB": "13.5 13.5 15.0 15.5 10.0 12.0 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12.0 13.5",
    "SB": "8.00 9.50 10.50 9.75 4.25 6.50 3.25 5.25 2.25 1.50 5.75 4.00 4.25 4.50 3.50 7.25",
    "SB/C1": "7.25 8.50 9.25 8.00 3.25 5.50 1.25 3.75 2.25 0.00 4.25 4.00 4.25 3.00 2.50 5.75",
}

CHANGED_IN_2026 = {
    "BH": {4: "14.0", 6: "11.5", 11: "12.5"},
    "BH/C1": {6: "10.5", 11: "11.0"},
    "AOB": {1: "12.40", 3: "12.90", 5: "13.20", 7: "11.70", 8: "12.90", 10: "10.80", 12: "14.00", 13: "11.90"}
    | {14: "13.00", 16: "13.10"},
    "FB": {4: "14.5", 11: "12.0", 12: "11.0"},
    "SB": {4: "9.25", 6: "6.00", 11: "4.75"},
    "SB/C1": {4: "7.75", 6: "5.00", 11: "3.25"},
}
"""Values that the caps of article 16.4 change."""

OF_THE_ROUND_ROBIN = {
    "SB/P": "9.25 6.25 6.25 4.25 3.25 2.25",
    "SB/C1/P": "9.25 4.75 4.75 4.25 3.25 1.50",
    "KS": "2.0 0.5 0.5 1.0 0.5 0.0",
    "TPR": "2199 2209 2219 1931 2038 1803",
    "APRO": "2040 2038 2036 2094 2140 2140",
}

RANKS_AFTER_DIRECT_ENCOUNTER = {1: 3, 2: 5, 3: 1, 4: 3, 5: 9, 6: 2, 7: 6, 8: 6, 9: 14, 10: 9, 11: 13, 12: 14} | {
    13: 16,
    14: 9,
    15: 9,
    16: 6,
}
"""Of the Swiss of nine rounds, by points and direct encounter."""
