"""What the columns of tables of people are called, in English, Polish, Czech, Bulgarian and German.

Among them are the headings that other pairing programs write: chess-results and Swiss-Manager (`RtgI`, `Rtg_Nat`,
`Fide_No`, `Verein/Ort`) and Vega (`ELOFIDE`, `IDNAT`, `BIRTHDAY`).
"""

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
    "name": "name, player, full name, family name, last name, surname, nazwisko, zawodnik, nazwisko i imię, "
    "imię i nazwisko, jméno a příjmení, příjmení, hráč, příjmení a jméno, фамилия, име и фамилия, фамилия и име, "
    "фамилия име, състезател, играч, nachname, familienname, spieler, name vorname, names, player name, lastname, "
    "nazwisko imię, name des spielers, nachname vorname, familienname vorname, jméno hráče, příjmení jméno, "
    "име на състезател, имена",
    "given_name": "given name, first name, imię, jméno, křestní jméno, име, собствено име, vorname, firstname, "
    "given names, forename, vornamen",
    "rating": "rating, rtg, elo, ranking, rating fide, elo fide, elo std, рейтинг, ело, wertung, wertungszahl, "
    "rtgi, rtg int, rtg intl, rating int, rating i, fide rating, fide rtg, elofide, fide elo, eloi, elo i, "
    "elo int, elo international, elo intern, irtg, ranking fide, rk fide, ranking międzynarodowy, rtg fide, "
    "mezinárodní elo, rating mezinárodní, рейтинг фиде, фиде рейтинг, ело фиде, рейтинг i, wertung int, std, "
    "standard, standard rating, rtg std",
    "rating_national": "rtgn, rtg nat, rtg natl, rating nat, rating n, national rating, nat rating, elonat, elo nat, "
    "elo n, elon, elo national, nrtg, nwz, dwz, ranking krajowy, rk krajowy, ranking polski, národní elo, "
    "národní rating, lok, elo čr, rating národní, национален рейтинг, нац рейтинг, бг рейтинг, рейтинг n, "
    "nationale wertung, wertung nat",
    "title": "title, tytuł, tyt, titul, титла, зв, звание, titel, ttl, titl, fide title, fide titel, tytuł szachowy, "
    "tytuł fide, titul fide, titel fide, тит",
    "federation": "federation, fed, country, federacja, kraj, federace, země, fede, федерация, страна, фед, "
    "föderation, verband, land, nation, nat, country code, land fed, fide fed, kraj fed, država, föd, "
    "nationalität, státní příslušnost, държава",
    "sex": "sex, gender, płeć, pohlaví, пол, geschlecht, g, m w, w m, m f, geschl, płec, k m, пол м ж",
    "birth": "birth, birth year, year of birth, birth date, date of birth, born, birthday, rok urodzenia, rok ur, "
    "data urodzenia, data ur, ročník, rok narození, datum narození, narozen, година на раждане, роден, "
    "рождена дата, дата на раждане, geburtsjahr, geburtsdatum, jahrgang, geboren, geb, dob, bdate, b day, bday, "
    "b year, birthyear, birthdate, yob, geb datum, geb jahr, geburt, jg, ur, rok, nar, dat nar, datum nar, "
    "rok nar, r nar, род, г р, год р, рожд дата, година, роден на, geburtstag",
    "fide_id": "fide id, fideid, fide no, fide number, id fide, id, id fide num, fide ид, фиде ид, фиде id, "
    "fide nummer, idfide, fide code, fide id no, fide nr, fide num, fideno, fide id number, fide ident, "
    "fide kennung, fidekenn, fide kenn, kod fide, číslo fide, фиде номер, фиде №, id fide no",
    "club_name": "club, klub, oddíl, клуб, verein, klub sportowy, team, club city, club name, clubname, verein ort, "
    "vereinsname, klub miasto, klub miejscowość, klub miejsc, klub místo, klub město, oddíl místo, oddíl klub, "
    "клуб град, клуб и град, club ort, sekcja, towarzystwo",
    "number": "number, member number, numer, numer członka, číslo, číslo člena, номер, членски номер, mitgliedsnummer",
    "place": "no, nr, sno, snr, start no, start nr, startno, stnr, starting rank, start rank, rank, rk, rg, pos, "
    "place, lp, l p, lfd nr, tlnnr, tln nr, nr st, nr start, platz, poz, pozycja, poř, pořadí, č, čís, st č, stč, "
    "ном, поз, място, ст но",
    "national_id": "national id, national number, id krajowe, numer krajowy, národní id, reg číslo, национален номер, "
    "картотека, nationale id, spielernummer, zps, idnat, id nat, id no, id number, id num, ident, ident number, "
    "ident no, ident nummer, id nummer, national code, nat id, natid, pkz, lok id, id čr, id pzszach, licencja, "
    "numer licencji, licence, č registrace, registrační číslo, картотека №, национален id, personenkennzahl, "
    "mitglieds nr",
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


def kind_named(heading: str) -> str:
    """What a heading calls its column, whatever its case and punctuation; empty where nobody knows."""
    return _KIND_OF.get(_NOT_LETTERS.sub(" ", heading.casefold()).strip(), "")


def columns_named(headings: Iterable[str], kinds: Container[str]) -> dict[int, str]:
    """Which of these kinds stands in which column, by its place from 0.

    A column of another name is passed over; of two columns of a kind the first counts. Where only one rating is asked
    for, a national one counts if there is no other.
    """
    named = [kind_named(heading) for heading in headings]
    found: dict[int, str] = {}
    for place, kind in enumerate(named):
        if kind in kinds and kind not in found.values():
            found[place] = kind
    if "rating_national" not in kinds and "rating" in kinds and "rating" not in found.values():
        national = next((place for place, kind in enumerate(named) if kind == "rating_national"), None)
        found |= {} if national is None else {national: "rating"}
    return found
