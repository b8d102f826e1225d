"""The default currency of a new club, by its federation or else by language."""

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
"""Languages with one main currency. All others default to the euro."""
_OF_REGIONS = {"gb": "GBP", "us": "USD", "ca": "CAD", "au": "AUD", "nz": "NZD", "ch": "CHF", "in": "INR", "za": "ZAR"}
_OF_REGIONS |= {"mx": "MXN", "ar": "ARS", "cl": "CLP", "co": "COP", "pe": "PEN", "uy": "UYU"}
"""For languages spoken in several currency areas, the browser's region decides, as in en-GB."""

CURRENCY_BY_FEDERATION = {code: currency for currency, codes in _OF_FEDERATIONS.items() for code in codes.split()}


CURRENCY_PRESETS = CURRENCY_BY_FEDERATION | _OF_LANGUAGES | {"other": "EUR"}
"""Currencies by federation or language for the page's script, with a default under `other`."""


def likely_currency(*, federation: str = "", language: str = "") -> str:
    """Return the likely currency as a three-letter code. `language` may have a region, such as `en-GB`."""
    if found := CURRENCY_BY_FEDERATION.get(federation.strip().upper()):
        return found
    spoken, _dash, region = language.strip().lower().partition("-")
    return _OF_REGIONS.get(region) or _OF_LANGUAGES.get(spoken) or "EUR"


def first_accepted_language(accepted: str) -> str:
    """Return the first language of an Accept-Language header: en-GB for `en-GB,en;q=0.9`."""
    return accepted.partition(",")[0].partition(";")[0].strip()
