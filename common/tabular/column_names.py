"""Column headings in tables of people, in the languages of the interface.

They include headings of other programs: chess-results and Swiss-Manager (`RtgI`, `Rtg_Nat`, `Fide_No`, `Verein/Ort`),
Vega (`ELOFIDE`, `IDNAT`, `BIRTHDAY`), Sharly Chess (`last_name`, `standard_f`) and JVerein (`mitglied_vorname`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

SEX_LETTERS: Mapping[str, str] = {
    **dict.fromkeys(("w", "f", "k", "ж", "ž"), "w"),
    **dict.fromkeys(("m", "м", "ч"), "m"),
}
"""The letters for women and men in these languages."""

_COLUMN_NAMES: Mapping[str, str] = {
    "name": "name, player, full name, family name, last name, surname, nazwisko, zawodnik, nazwisko i imię, "
    "imię i nazwisko, jméno a příjmení, příjmení, hráč, příjmení a jméno, фамилия, име и фамилия, фамилия и име, "
    "фамилия име, състезател, играч, nachname, familienname, spieler, name vorname, names, player name, lastname, "
    "nazwisko imię, spielername, name des spielers, nachname vorname, familienname vorname, jméno hráče, "
    "příjmení jméno, "
    "име на състезател, имена, apellidos, apellidos y nombre, apellidos nombre, jugador, nombre completo, "
    "nombre y apellidos, nom, nom de famille, nom prénom, nom et prénom, joueur, cognome, cognome e nome, "
    "cognome nome, giocatore, nominativo, прізвище, прізвище та ім я, прізвище ім я, піб, гравець, учасник, "
    "mitglied name",
    "given_name": "given name, first name, imię, jméno, křestní jméno, име, собствено име, vorname, firstname, "
    "given names, forename, vornamen, nombre, nombre de pila, prénom, prénoms, nome, ім я, mitglied vorname",
    "rating": "rating, rtg, elo, ranking, rating fide, elo fide, elo std, рейтинг, ело, wertung, wertungszahl, rtgi, "
    "rtg int, rtg intl, rating int, rating i, fide rating, fide rtg, elofide, fide elo, eloi, elo i, elo int, "
    "elo international, elo intern, irtg, ranking fide, rk fide, ranking międzynarodowy, rtg fide, mezinárodní elo, "
    "rating mezinárodní, рейтинг фиде, фиде рейтинг, ело фиде, рейтинг i, wertung int, std, standard, "
    "standard rating, rtg std, elo fide internacional, elo std fide, рейтинг фіде, rango fide, fide elo std, "
    "standard f",
    "rating_national": "rtgn, rtg nat, rtg natl, rating nat, rating n, national rating, nat rating, elonat, elo nat, "
    "elo n, elon, elo national, nrtg, nwz, dwz, ranking krajowy, rk krajowy, ranking polski, národní elo, "
    "národní rating, lok, elo čr, rating národní, национален рейтинг, нац рейтинг, бг рейтинг, рейтинг n, "
    "nationale wertung, wertung nat, elo nacional, elo feda, elo nac, elo ffe, elo nazionale, elo naz, elo fsi, "
    "національний рейтинг, standard n",
    "title": "title, tytuł, tyt, titul, титла, зв, звание, titel, ttl, titl, fide title, fide titel, tytuł szachowy, "
    "tytuł fide, titul fide, titel fide, тит, título, tít, titre, tit, titolo, звання, титул",
    "federation": "federation, fed, country, federacja, kraj, federace, země, fede, федерация, страна, фед, "
    "föderation, verband, land, nation, nat, country code, land fed, fide fed, kraj fed, država, föd, nationalität, "
    "státní příslušnost, fide land, държава, federación, país, fédération, pays, federazione, paese, "
    "nazione, федерація, країна",
    "sex": "sex, gender, płeć, pohlaví, пол, geschlecht, g, m w, w m, m f, geschl, płec, k m, пол м ж, sexo, sexe, "
    "sesso, стать, mitglied geschlecht",
    "birth": "birth, birth year, year of birth, birth date, date of birth, born, birthday, rok urodzenia, rok ur, "
    "data urodzenia, data ur, ročník, rok narození, datum narození, narozen, година на раждане, роден, рождена дата, "
    "дата на раждане, geburtsjahr, geburtsdatum, jahrgang, geboren, geb, dob, bdate, b day, bday, b year, birthyear, "
    "birthdate, yob, geb datum, geb jahr, geburt, jg, ur, rok, nar, dat nar, datum nar, rok nar, r nar, род, г р, "
    "год р, рожд дата, година, роден на, geburtstag, nacimiento, año de nacimiento, fecha de nacimiento, f nac, "
    "fecha nac, año, nacido, naissance, date de naissance, année de naissance, année, né le, nascita, "
    "data di nascita, anno di nascita, anno, nato il, дата народження, рік народження, народження, рік, д н, р н, "
    "mitglied geburtsdatum",
    "fide_id": "fide id, fideid, fide no, fide number, id fide, id, id fide num, fide ид, фиде ид, фиде id, "
    "fide nummer, idfide, fide code, fide id no, fide nr, fide num, fideno, fide id number, fide ident, fide kennung, "
    "fidekenn, fide kenn, kod fide, číslo fide, фиде номер, фиде №, id fide no, código fide, cod fide, "
    "código fide id, code fide, id fide code, codice fide, numero fide, número fide, numéro fide, код фіде, ід фіде, "
    "id фіде, номер фіде",
    "club_name": "club, klub, oddíl, клуб, verein, klub sportowy, team, club city, club name, clubname, verein ort, "
    "vereinsname, klub miasto, klub miejscowość, klub miejsc, klub místo, klub město, oddíl místo, oddíl klub, "
    "клуб град, клуб и град, club ort, sekcja, towarzystwo, club ciudad, equipo, club ville, club lieu, équipe, "
    "circolo, circolo città, club città, società, associazione, клуб місто, команда",
    "number": "number, member number, numer, numer członka, číslo, číslo člena, номер, членски номер, "
    "mitgliedsnummer, número, número de socio, numéro, numéro de membre, numero, numero socio, номер члена",
    "place": "no, nr, sno, snr, start no, start nr, startno, stnr, starting rank, start rank, rank, rk, rg, pos, "
    "place, lp, l p, lfd nr, tlnnr, tln nr, nr st, nr start, platz, poz, pozycja, poř, pořadí, č, čís, st č, stč, "
    "ном, поз, място, ст но, no ini, n ini, nº, nro, puesto, orden, rango, cl, place de départ, num, n, pos ini, "
    "posto, номер старту, ст номер, місце, м",
    "national_id": "national id, national number, id krajowe, numer krajowy, národní id, reg číslo, национален номер, "
    "картотека, nationale id, spielernummer, zps, idnat, id nat, id no, id number, id num, ident, ident number, "
    "ident no, ident nummer, id nummer, national code, nat id, natid, pkz, lok id, id čr, id pzszach, licencja, "
    "numer licencji, licence, č registrace, registrační číslo, картотека №, национален id, personenkennzahl, "
    "mitglieds nr, id cr, idcr, nr cr, licencia feda, nº licencia, n licencia, número de licencia, código nacional, "
    "n licence, numéro de licence, code ffe, licence ffe, tessera, n tessera, tessera fsi, codice fsi, matricola, "
    "національний код, національний id, код фшу",
    "remark": "remark, remarks, comment, comments, note, notes, uwaga, uwagi, komentarz, adnotacja, adnotacje, "
    "poznámka, poznámky, komentář, забележка, забележки, бележка, бележки, коментар, "
    "bemerkung, bemerkungen, anmerkung, "
    "anmerkungen, notiz, notizen, kommentar, nota, notas, "
    "observación, observaciones, comentario, comentarios, remarque, "
    "remarques, observations, commentaire, annotazione, annotazioni, osservazioni, commento, примітка, примітки",
    "status": "status, stan, stav, статус, mitgliedsstatus, estado, statut, stato, статус члена",
    "joined_on": "joined, joined on, member since, data przyjęcia, członek od, vstup, člen od, член от, приет на, "
    "eintritt, mitglied seit, alta, fecha de alta, socio desde, adhésion, membre depuis, iscrizione, iscritto dal, "
    "socio dal, дата вступу, член з, data przystąpienia, wstąpił, wstąpiła, "
    "data wstąpienia, vstup dne, eingetreten am, eingetreten, eintrittsdatum, "
    "alta el, adhésion le, iscritto al circolo il, mitglied eintritt",
    "left_on": "left, left on, data odejścia, konec členství, напуснал на, austritt, baja, fecha de baja, sortie, "
    "départ le, uscita, дата виходу, data wystąpienia, odchod dne, член до, ausgetreten am, ausgetreten, "
    "austrittsdatum, baja el, uscito il, mitglied austritt",
    "came_from": "came from, came from the club, from club, previous club, poprzedni klub, z klubu, przyszedł z klubu, "
    "předchozí klub, přišel z klubu, předchozí oddíl, предишен клуб, дошъл от клуба, früherer verein, "
    "vorheriger verein, kam vom verein, club anterior, vino del club, club précédent, venu du club, "
    "circolo precedente, venuto dal circolo, попередній клуб, прийшов із клубу",
    "went_to": "went to, went to the club, to club, new club, nowy klub, do klubu, odszedł do klubu, nový klub, "
    "odešel do klubu, нов клуб, отишъл в клуба, neuer verein, ging zum verein, club nuevo, se fue al club, "
    "nouveau club, parti au club, nuovo circolo, andato al circolo, новий клуб, перейшов до клубу",
    "groups": "groups, group, grupa, grupy, skupina, skupiny, група, групи, gruppe, gruppen, grupo, grupos, groupe, "
    "groupes, gruppo, gruppi, mitglied beitragsgruppe bezeichnung, beitragsgruppe",
    "family_payer": "family pays with, pays with, family payer, payer, rodzina płaci z, płaci z, płatnik, "
    "rodina platí s, platí s, plátce, семейство плаща с, плаща с, familie zahlt mit, zahlt mit, zahler, "
    "familia paga con, paga con, pagador, famille paie avec, paie avec, payeur, famiglia paga con, pagante, "
    "сім я платить із, платить із, платник",
    "email": "e mail, email, mail, adres e mail, ел поща, имейл, е поща, correo, correo electrónico, courriel, "
    "adresse e mail, mél, posta elettronica, indirizzo e mail, електронна пошта, ел адреса, ел пошта, mitglied email",
    "phone": "telephone, phone, telefon, tel, телефон, teléfono, téléphone, telefono, telefonprivat, telefon privat, "
    "mitglied telefon privat",
    "mobile": "mobile, mobile phone, cell phone, telefon komórkowy, mobil, handy, telefonmobil, mitglied handy, móvil, "
    "portable, cellulare, мобільний, моб телефон, мобилен телефон",
    "address": "address, adres, adresa, адрес, anschrift, adresse, dirección, domicilio, adresse postale, indirizzo, "
    "адреса",
    "street": "street, street address, ulica, ulice, улица, straße, strasse, str, mitglied strasse, calle, rue, via, "
    "вулиця",
    "postcode": "postcode, post code, postal code, zip, zip code, kod pocztowy, psč, пощенски код, plz, postleitzahl, "
    "mitglied plz, código postal, code postal, cap, поштовий індекс, індекс",
    "town": "town, city, miasto, miejscowość, obec, město, град, населено място, ort, wohnort, stadt, mitglied ort, "
    "ciudad, localidad, población, ville, città, comune, місто, населений пункт",
    "guardian_name": "guardian, parent, opiekun, zákonný zástupce, настойник, родител, erziehungsberechtigter, tutor, "
    "padre o madre, responsable légal, parent responsable, tutore, genitore, опікун, батьки",
    "guardian_email": "guardian s e mail, guardian e mail, e mail opiekuna, e mail zástupce, имейл на настойник, "
    "e mail der eltern, correo del tutor, e mail du responsable, e mail del tutore, пошта опікуна",
    "guardian_phone": "guardian s telephone, guardian telephone, telefon opiekuna, telefon zástupce, "
    "телефон на настойник, telefon der eltern, teléfono del tutor, téléphone du responsable, telefono del tutore, "
    "телефон опікуна",
    "photo_consent": "photographs, zdjęcia, fotografie, снимки, fotos, fotografías, fotos permitidas, photos, "
    "photographies, foto, fotografie consentite, фотографії",
    "photo_consent_on": "photographs asked on",
    "publication_consent": "publication, publikacja, zveřejnění, публикуване, veröffentlichung, publicación, "
    "parution, pubblicazione, публікація",
    "publication_consent_on": "publication asked on",
}
_KIND_OF = {name.strip(): kind for kind, names in _COLUMN_NAMES.items() for name in names.split(",")}
MAX_HEADING_WORDS = 4
"""In words."""
_YEAR = re.compile(r"year|yob|jahr|jg|rok|roč|год|година|рік|año|anno|année")
_NOT_LETTERS = re.compile(r"[\W_]+")


def column_kind_of_heading(heading: str) -> str:
    """Return the kind of a heading, ignoring case and punctuation. Empty if it is unknown."""
    return _KIND_OF.get(normalise_heading(heading), "")


def normalise_heading(heading: str) -> str:
    """Return a heading in lower case and without punctuation, for comparison."""
    return _NOT_LETTERS.sub(" ", heading.casefold()).strip()


def is_heading_line(text: str) -> bool:
    """Return True if a line has only headings separated by spaces, including the name: `No. Name Rtg`."""
    words, found, begin = text.split(), [], 0
    while begin < len(words):
        ends = range(min(begin + MAX_HEADING_WORDS, len(words)), begin, -1)
        end = next((end for end in ends if column_kind_of_heading(" ".join(words[begin:end]))), None)
        if end is None:
            return False
        found.append(column_kind_of_heading(" ".join(words[begin:end])))
        begin = end
    return len(found) > 1 and not {"name", "given_name"}.isdisjoint(found)


def columns_by_heading(headings: Iterable[str], kinds: Container[str]) -> dict[int, str]:
    """Return the columns of these kinds, by position from 0.

    Other columns are skipped, and of two columns of a kind the first counts. With a column for dates of birth and one
    for years, the year is for people without a date. If only one rating is wanted, a national one counts if there is no
    other. Without a family name column, "jméno", "nombre" or "име" is the whole name.
    """
    headings = [*headings]
    named = [column_kind_of_heading(heading) for heading in headings]
    if named.count("fide_id") > 1:
        # Beside a FIDE ID, a column "ID" is the federation's own.
        alone = [heading.strip().casefold() == "id" for heading in headings]
        named = ["national_id" if its_own else kind for kind, its_own in zip(named, alone, strict=True)]
    found: dict[int, str] = {}
    for place, kind in enumerate(named):
        if kind in kinds and kind not in found.values():
            found[place] = kind
    if "name" in kinds and "name" not in found.values():
        found = {place: "name" if kind == "given_name" else kind for place, kind in found.items()}
    births = [place for place, kind in enumerate(named) if kind == "birth"]
    if "birth" in kinds and "birth_year" in kinds and len(births) > 1:
        year = next((place for place in births if _YEAR.search(headings[place].casefold())), births[1])
        found |= {next(place for place in births if place != year): "birth", year: "birth_year"}
    if "rating_national" not in kinds and "rating" in kinds and "rating" not in found.values():
        national = next((place for place, kind in enumerate(named) if kind == "rating_national"), None)
        found |= {} if national is None else {national: "rating"}
    return found
