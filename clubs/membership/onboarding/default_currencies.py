"""Which currency a new club is likely to count its money in: by its federation, else by its language."""

from __future__ import annotations

_OF_FEDERATIONS = {
    "EUR": "AND AUT BEL BUL CRO CYP ESP EST FIN FRA GER GRE IRL ITA KOS LAT LTU LUX MLT MNC MNE NED POR SLO SMR SVK",
    "GBP": "ENG GCI GGY IOM JCI NIR SCO WLS",
    "PLN": "POL",
    "CZK": "CZE",
    "UAH": "UKR",
    "CHF": "LIE SUI",
    "SEK": "SWE",
    "NOK": "NOR",
    "DKK": "DEN FAI",
    "ISK": "ISL",
    "HUF": "HUN",
    "RON": "ROU",
    "RSD": "SRB",
    "BAM": "BIH",
    "MKD": "MKD",
    "ALL": "ALB",
    "MDL": "MDA",
    "TRY": "TUR",
    "GEL": "GEO",
    "AMD": "ARM",
    "AZN": "AZE",
    "KZT": "KAZ",
    "ILS": "ISR",
    "USD": "ECU ESA GUM ISV PAN PUR USA",
    "CAD": "CAN",
    "AUD": "AUS",
    "NZD": "NZL",
    "ZAR": "RSA",
    "INR": "IND",
    "JPY": "JPN",
    "CNY": "CHN",
    "BRL": "BRA",
    "MXN": "MEX",
    "ARS": "ARG",
    "CLP": "CHI",
    "COP": "COL",
    "PEN": "PER",
    "UYU": "URU",
}
_OF_LANGUAGES = {"pl": "PLN", "cs": "CZK", "uk": "UAH"}
"""Of those whose speakers mostly have a currency of their own; the others are taken for the euro's."""
_OF_REGIONS = {"gb": "GBP", "us": "USD", "ca": "CAD", "au": "AUD", "nz": "NZD", "ch": "CHF", "in": "INR", "za": "ZAR"}
_OF_REGIONS |= {"mx": "MXN", "ar": "ARS", "cl": "CLP", "co": "COP", "pe": "PEN", "uy": "UYU"}
"""Where a language is spoken by people of several currencies, the browser's region tells them apart: en-GB."""

CURRENCY_BY_FEDERATION = {code: currency for currency, codes in _OF_FEDERATIONS.items() for code in codes.split()}


CURRENCY_PRESETS = CURRENCY_BY_FEDERATION | _OF_LANGUAGES | {"other": "EUR"}
"""For the page: by federation or language; all others have the last."""


def likely_currency(*, federation: str = "", language: str = "") -> str:
    """A code of three letters; the language may have a region, as browsers send it."""
    if found := CURRENCY_BY_FEDERATION.get(federation.strip().upper()):
        return found
    spoken, _dash, region = language.strip().lower().partition("-")
    return _OF_REGIONS.get(region) or _OF_LANGUAGES.get(spoken) or "EUR"


def first_accepted_language(accepted: str) -> str:
    """The first of an Accept-Language: `en-GB,en;q=0.9` is en-GB."""
    return accepted.partition(",")[0].partition(";")[0].strip()
