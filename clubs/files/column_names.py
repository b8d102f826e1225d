"""What the columns of tables of people are called, in English, Polish, Czech, Bulgarian and German."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from clubs.models import Member

SEX_LETTERS: Mapping[str, str] = {
    **dict.fromkeys(("w", "f", "k", "ж", "ž"), Member.Sex.FEMALE.value),
    **dict.fromkeys(("m", "м"), Member.Sex.MALE.value),
}
"""The letters for women and men in the five languages."""

_COLUMN_NAMES: Mapping[str, str] = {
    "name": "name, player, full name, family name, last name, surname, nazwisko, zawodnik, nazwisko i imię, imię i "
    "nazwisko, jméno a příjmení, příjmení, hráč, příjmení a jméno, фамилия, име и фамилия, фамилия и име, фамилия име, "
    "състезател, играч, nachname, familienname, spieler, name vorname",
    "given_name": "given name, first name, imię, jméno, křestní jméno, име, собствено име, vorname",
    "rating": "rating, rtg, elo, ranking, rating fide, elo fide, elo std, рейтинг, ело, wertung, wertungszahl, dwz",
    "title": "title, tytuł, tyt, titul, титла, зв, звание, titel",
    "federation": "federation, fed, country, federacja, kraj, federace, země, fede, федерация, страна, фед, "
    "föderation, verband, land, nation",
    "sex": "sex, gender, płeć, pohlaví, пол, geschlecht",
    "birth": "birth, birth year, year of birth, birth date, date of birth, born, birthday, rok urodzenia, rok ur, data "
    "urodzenia, data ur, ročník, rok narození, datum narození, narozen, година на раждане, роден, рождена дата, дата "
    "на раждане, geburtsjahr, geburtsdatum, jahrgang, geboren",
    "fide_id": "fide id, fideid, fide no, fide number, id fide, id, id fide num, fide ид, фиде ид, фиде id, "
    "fide nummer",
    "club_name": "club, klub, oddíl, клуб, verein, klub sportowy, team",
    "number": "number, no, nr, member number, numer, numer członka, číslo, číslo člena, номер, членски номер, "
    "mitgliedsnummer",
    "national_id": "national id, national number, id krajowe, numer krajowy, národní id, reg číslo, национален номер, "
    "картотека, nationale id, spielernummer, zps",
    "status": "status, stan, stav, статус, mitgliedsstatus",
    "joined_on": "joined, joined on, member since, data przyjęcia, członek od, vstup, člen od, член от, приет на, "
    "eintritt, mitglied seit",
    "left_on": "left, left on, data odejścia, konec členství, напуснал на, austritt",
    "groups": "groups, group, grupa, grupy, skupina, skupiny, група, групи, gruppe, gruppen",
    "email": "e mail, email, mail, adres e mail, ел поща, имейл, е поща",
    "phone": "telephone, phone, mobile, telefon, tel, telefon komórkowy, mobil, телефон, handy",
    "address": "address, adres, adresa, адрес, anschrift, adresse",
    "guardian_name": "guardian, parent, opiekun, zákonný zástupce, настойник, родител, erziehungsberechtigter",
    "guardian_email": "guardian s e mail, guardian e mail, e mail opiekuna, e mail zástupce, имейл на настойник, "
    "e mail der eltern",
    "guardian_phone": "guardian s telephone, guardian telephone, telefon opiekuna, telefon zástupce, "
    "телефон на настойник, telefon der eltern",
    "photo_consent": "photographs, zdjęcia, fotografie, снимки, fotos",
    "photo_consent_on": "photographs asked on",
    "publication_consent": "publication, publikacja, zveřejnění, публикуване, veröffentlichung",
    "publication_consent_on": "publication asked on",
}
_KIND_OF = {name.strip(): kind for kind, names in _COLUMN_NAMES.items() for name in names.split(",")}
_NOT_LETTERS = re.compile(r"[\W_]+")


def columns_named(headings: Iterable[str], kinds: Container[str]) -> dict[int, str]:
    """Which of these kinds stands in which column, by its place from 0, whatever the headings' case and punctuation.

    A column of another name is passed over; of two columns of a kind the first counts.
    """
    found: dict[int, str] = {}
    for place, heading in enumerate(headings):
        kind = _KIND_OF.get(_NOT_LETTERS.sub(" ", heading.casefold()).strip())
        if kind in kinds and kind is not None and kind not in found.values():
            found[place] = kind
    return found
