"""How wide DejaVu Sans Condensed sets the letters, figures and signs of cards."""

from __future__ import annotations

FIGURE, POINT, WIDEST = "\u2007", "\u2008", "\u2003"
"""Spaces as wide as a figure and as a decimal point, and the widest there is."""

_UNITS_OF_EM = 2048
_USUAL = 1170
"""A letter that is not in the table is taken to be as wide as an n."""

_SIGNS_OF_WIDTH = {
    183: "\u200a",
    307: "\u2006",
    460: "\u2005",
    506: "'",
    512: "ijlìíîïĩīĭįıĵĺļіїј",
    523: "ł",
    543: "IJÌÍÎÏĨĪĬĮİĴІЇЈ",
    585: POINT + " ,.·‚‘’",
    607: "\u2004",
    621: "/:;\\|¦",
    630: "ŀ",
    648: "fſ",
    665: "-",
    691: "ľ",
    719: "()[]",
    722: "tţťŧț",
    738: "!¡²³¹",
    757: "rŕŗř",
    847: '"',
    868: "ªº",
    921: "\u2002" + "*_`§¨¯°´¸–",
    954: "„“”",
    960: "sśŝşšșѕ",
    967: "zźżž",
    968: "гѓґ",
    978: "?¿",
    980: "з",
    1011: "эє",
    1013: "cçćĉċčс",
    1024: "ĳ",
    1026: "LĹĻĽĿ",
    1035: "Ł",
    1060: "F",
    1067: "kķĸ",
    1073: "т",
    1086: "вь",
    1087: "Ĳ",
    1089: "ч",
    1090: "vxyýÿŷухў",
    1108: "я",
    1111: "PР",
    1113: "кќ",
    1115: "Þ",
    1123: "ЎУ",
    1124: "ЃГҐ",
    1125: "TYÝŢŤŦŶŸȚТ",
    1127: "o«»ðòóôõöøōŏőо",
    1129: "aàáâãäåāăąа",
    1134: "eèéêëēĕėęěеѐё",
    1136: "б",
    1152: "ђ",
    1161: "ß",
    1164: "EÈÉÊËĒĔĖĘĚЀЁЕ",
    1168: "hnuñùúûüĥńņňŋũūŭůűų",
    1170: "SbdgpqþďđĝğġģŚŜŞŠȘЅр",
    1172: FIGURE + "$0123456789{}¢£¤¥µ¶",
    1178: "л",
    1181: "З",
    1197: "ийѝ",
    1201: "ћ",
    1205: "нпџ",
    1208: "KĶ",
    1254: "ц",
    1260: "AVÀÁÂÃÄÅĀĂĄА",
    1262: "XZŹŻŽХ",
    1263: "Ч",
    1264: "BБВЬ",
    1274: "д",
    1280: "RħŔŖŘЯ",
    1287: "CÇĆĈĊČЄСЭ",
    1302: "ъ",
    1308: "ЌК",
    1349: "UÙÚÛÜŨŪŬŮŰŲ",
    1378: "NÑŃŅŇŊЍИЙ",
    1386: "HĤЏЛНП",
    1390: "м",
    1419: "DĎ",
    1428: "GÐĐĜĞĠĢ",
    1431: "Ц",
    1437: "&",
    1440: "Д",
    1449: "ЂЋ",
    1450: "OQÒÓÔÕÖØŌŎŐО",
    1455: "ы",
    1499: "ŉ",
    1507: "wŵ",
    1534: "Ъ",
    1544: "#+<=>^~¬±×÷−↑↓",
    1551: "ю",
    1575: "ф",
    1586: "Ф",
    1590: "MМ",
    1608: "○●",
    1626: "Ы",
    1656: "њ",
    1660: "ж",
    1663: "љ",
    1686: "ш",
    1688: "Ħ",
    1736: "щ",
    1751: "%",
    1786: "¼½¾",
    1795: "mÆ",
    1809: "æ",
    1822: "WŴ",
    1843: "\u2003" + "@©®—…",
    1885: "œ",
    1917: "№",
    1926: "Њ",
    1971: "ŒШ",
    1985: "Ж",
    1989: "Ю",
    2016: "ЉЩ",
}
_WIDTHS = {sign: width / _UNITS_OF_EM for width, signs in _SIGNS_OF_WIDTH.items() for sign in signs}

_SPACES = "\u2003\u2007\u2002\u2004\u2005\u2006\u200a"
"""From the widest to the finest."""


def width(text: str) -> float:
    """How many em a text is wide."""
    return sum(_WIDTHS.get(sign, _USUAL / _UNITS_OF_EM) for sign in text)


def spaces(ems: float) -> str:
    """White space of so many em, or a hair less; none for less than nothing."""
    found = ""
    for space in _SPACES:
        count = max(0, int(ems / _WIDTHS[space]))
        found += space * count
        ems -= count * _WIDTHS[space]
    return found


def fitted(name: str, ems: float) -> str:
    """A name cut to so many em: the given names to initials first, then the end."""
    if width(name) <= ems:
        return name
    family, _comma, given = name.partition(", ")
    initials = " ".join(f"{part[0]}." for part in given.split())
    if given and width(f"{family}, {initials}") <= ems:
        return f"{family}, {initials}"
    while family and width(family + "…") > ems:
        family = family[:-1]
    return family.rstrip(" -,.") + "…"
