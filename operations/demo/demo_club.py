"""The demo club: members, logins, one running and one finished event, paired by the engine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.membership.members.demo_data import fill_demo_club
from clubs.membership.onboarding.club_creation import available_club_slug
from clubs.models import Club, FideTitle, Member, Membership, Role, TimeControlKind, User
from operations.demo.rating_lists import make_demo_rating_lists
from pairing.rounds.lifecycle.transitions import pair_round, publish_round
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.entries.enrolment import enter_members, forbid_pair, withdraw_player
from tournaments.events.event_setup import create_tournament
from tournaments.models import Bye, Game, PairingSystem, Round, Series, Tournament
from tournaments.results.recording import enter_result, finish_round

SLUG = "pod-wieza"

LOGINS = {
    "secretary": Role.SECRETARY,
    "arbiter": Role.ARBITER,
    "treasurer": Role.TREASURER,
    "player": Role.MEMBER,
}
"""The logins. Each password is the name followed by `-demo`."""

# Family name; given name; sex; rating; federation; title; birth year. The names are invented: they are pieces, squares
# and moves in three languages.
_MEMBERS = """
Arcymistrzowska;Bogumiła;w;2287;POL;WGM;1984
Hetmański;Wieńczysław;m;2241;POL;FM;1979
Топалски-Шахов;Любомир;m;2208;BUL;FM;1988
Střelcová;Žofie;w;2176;CZE;WIM;1991
Wieżyński;Świętopełk;m;2154;POL;CM;1968
Dámský;Přemysl;m;2131;CZE;;1975
Gońcowska-Skoczkowa;Świętosława Żaneta;w;2098;POL;WFM;1996
Царев;Асен;m;2077;BUL;;1982
Szachownicki;Zdzisław;m;2054;POL;;1957
Rošádová;Květoslava;w;2033;CZE;;1989
Konikowiak;Ździsława;w;2018;POL;;1999
Офицерова;Десислава;w;1996;BUL;WCM;1994
Matowicz;Łucjan;m;1985;POL;;1963
Věžička;Dobromil;m;1972;CZE;;1971
Gambitowski;Jaczemir;m;1954;POL;;1986
Пешков;Цветан;m;1941;BUL;;1977
Roszadzka;Grzymisława;w;1927;POL;;1993
Figurka;Ctibor;m;1913;CZE;;1952
Pionkiewicz-Przelotowa;Dobrochna Wielisława;w;1898;POL;;2001
Ладиев;Огнян;m;1884;BUL;;1966
Zugzwangowicz;Mścisław;m;1871;POL;;1990
Jezdecký;Vlastislav;m;1857;CZE;;1983
Patowska;Żywia;w;1842;POL;;1987
Конева;Цветелина;w;1826;BUL;;2003
Bierka;Ściborzysław;m;1811;POL;;1949
Šachovnicová;Růžena;w;1796;CZE;;1980
Przekątny;Ęgiert;m;1779;POL;;1973
Рокадов;Светлозар;m;1764;BUL;;1998
Remisowa;Łada;w;1748;POL;;1992
Patová-Tahová;Božislava;w;1731;CZE;;1985
Tempowski;Óskar;m;1713;POL;;2005
Матова;Ралица;w;1698;BUL;;2002
Zegarowicz;Ćwiercimir;m;1677;POL;;1961
Pěšec;Řehoř;m;1659;CZE;;1978
Otwarta;Dąbrówka;w;1636;POL;;2004
Гамбитова;Невена;w;1612;BUL;;2006
Ruchowski;Zawisza;m;1588;POL;;1955
Diagonála;Ďuro;m;1561;CZE;;2000
Kratka;Jagna;w;1537;POL;;2008
Ходов;Щерю;m;1504;BUL;;2007
Debiutant;Żelisław;m;1450;POL;;2010
Nováčková;Ňusja;w;1400;CZE;;2011
Szach;Jan;m;0;POL;;2012
Първокласников;Ясен;m;0;BUL;;2013
"""


@transaction.atomic
def make_demo_club() -> tuple[Club, bool]:
    """Create the demo club with public logins. Return it, and True if it is new. An existing one is not changed."""
    found = Club.objects.filter(slug=SLUG).first()
    if found is not None:
        return found, False
    club = _club(SLUG)
    users = {name: _user(club, name, role) for name, role in LOGINS.items()}
    _fill(
        club,
        arbiter=users["arbiter"],
        secretary=users["secretary"],
        treasurer=users["treasurer"],
        player=users["player"],
    )
    return club, True


@transaction.atomic
def make_demo_club_without_logins(*, by: User) -> Club:
    """Create the demo club on a server, without logins, for its administrator."""
    found = Club.objects.filter(is_demo=True).first()
    if found is not None:
        return found
    club = _club(available_club_slug(f"demo {SLUG}"), is_demo=True)
    _fill(club, arbiter=by, secretary=by, treasurer=by, player=None)
    return club


def demo_password(name: str) -> str:
    """Return the password of a demo login."""
    return f"{name}-demo"


def _club(slug: str, *, is_demo: bool = False) -> Club:
    return Club.objects.create(
        name="Klub Szachowy „Pod Wieżą”",
        slug=slug,
        city="Zamatowice",
        federation="POL",
        language="pl",
        email="skarbnik@pod-wieza.example",
        currency="PLN",
        bank_account="PL61 1090 1014 0000 0712 1981 2874",
        colour="#1f4e79",
        is_demo=is_demo,
    )


def _fill(club: Club, *, arbiter: User, secretary: User, treasurer: User, player: User | None) -> None:
    members = _members(club)
    make_demo_rating_lists(club, members, timezone.localdate())
    if player is not None:
        members[10].user = player
        members[10].save(update_fields=["user"])
    today = timezone.localdate()
    _finished_event(club, members[:30], today - timedelta(weeks=20), by=arbiter)
    _running_event(club, members, today - timedelta(weeks=3), by=secretary)
    _series(club)
    fill_demo_club(club, members, today, by=treasurer)


def _user(club: Club, name: str, role: Role) -> User:
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_password(demo_password(name))
        user.save()
    Membership.objects.create(user=user, club=club, role=role)
    return user


def _members(club: Club) -> list[Member]:
    members = []
    for line in _MEMBERS.strip().splitlines():
        family, given, sex, rating, federation, title, born = line.split(";")
        members.append(
            Member(
                club=club,
                family_name=family,
                given_name=given,
                sex=sex,
                rating=int(rating),
                rating_is_estimate=title == "" and int(rating) < 1500,
                federation=federation,
                title=FideTitle(title) if title else "",
                birth_year=int(born),
            )
        )
    return Member.objects.bulk_create(members)


def _finished_event(club: Club, players: Sequence[Member], first_day: date, *, by: User) -> None:
    """Create a finished event: seven rounds by the rules of 1989."""
    event = create_tournament(
        club,
        by=by,
        name=f"Memoriał Białej Wieży {first_day.year}",
        rounds_announced=7,
        system=PairingSystem.FIDE_1989,
        rated_as=TimeControlKind.STANDARD,
        starts_on=first_day,
        ends_on=first_day + timedelta(weeks=6),
        city=club.city,
        chief_arbiter="Zegarowicz, Ćwiercimir",
        time_control="90 min + 30 s",
    )
    enter_members(event, players, by=by)
    chance = random.Random(1989)  # noqa: S311
    for number in range(1, 8):
        if number == 4:
            grant_requested_bye(event.entries.get(member=players[5]), _round(event, 4), Bye.Kind.HALF_POINT, by=by)
        _play(event, number, first_day, chance, by=by)


def _running_event(club: Club, members: Sequence[Member], first_day: date, *, by: User) -> None:
    """Create a running event: seven rounds by Jahr's method, three of them played."""
    event = create_tournament(
        club,
        by=by,
        name=f"Wtorki pod Wieżą {first_day.year}",
        rounds_announced=7,
        system=PairingSystem.JAHR,
        rated_as=TimeControlKind.STANDARD,
        players_check_in=True,
        players_report_results=True,
        starts_on=first_day,
        ends_on=first_day + timedelta(weeks=6),
        city=club.city,
        chief_arbiter="Zegarowicz, Ćwiercimir",
        time_control="60 min + 15 s",
    )
    enter_members(event, [*members[2:26], *members[42:]], by=by)
    entry_of = {entry.member_id: entry for entry in event.entries.all()}
    forbid_pair(entry_of[members[2].pk], entry_of[members[6].pk], by=by, remark="rodzeństwo")
    chance = random.Random(1981)  # noqa: S311
    for number in range(1, 4):
        if number == 2:
            enter_members(event, [members[1]], by=by)
            grant_requested_bye(entry_of[members[8].pk], _round(event, 2), Bye.Kind.HALF_POINT, by=by)
        if number == 3:
            withdraw_player(entry_of[members[16].pk], 3, by=by)
            mark_absent(entry_of[members[20].pk], _round(event, 3), by=by)
        _play(event, number, first_day, chance, by=by, forfeit_on=3 if number == 2 else None)
    grant_requested_bye(entry_of[members[4].pk], _round(event, 4), Bye.Kind.HALF_POINT, by=by)
    grant_requested_bye(entry_of[members[12].pk], _round(event, 5), Bye.Kind.HALF_POINT, by=by)
    mark_absent(entry_of[members[24].pk], _round(event, 4), by=by)
    for later in range(4, 8):
        _set_beginning(_round(event, later), first_day)


def _series(club: Club) -> None:
    """Create a series with both events."""
    series = Series.objects.create(
        club=club,
        name="Grand Prix Pod Wieżą",
        place_points=[20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
        events_counted=2,
        attendance_points=1,
    )
    club.tournaments.update(series=series)


def _round(event: Tournament, number: int) -> Round:
    return event.rounds.get(number=number)


def _play(
    event: Tournament, number: int, first_day: date, chance: random.Random, *, by: User, forfeit_on: int | None = None
) -> None:
    """Pair, publish and finish a round. Results are random, weighted by rating."""
    _set_beginning(_round(event, number), first_day)
    draft = pair_round(_round(event, number).pk, by=by).round
    shown = publish_round(draft, by=by, version=draft.version)
    for game in shown.games.select_related("white", "black"):
        result = Game.Result.WHITE_WINS_FORFEIT if game.board == forfeit_on else _result(game, chance)
        enter_result(game, result, revision=game.revision, by=by)
    finish_round(shown, by=by)


def _result(game: Game, chance: random.Random) -> Game.Result:
    """Return a result: a draw in one game of four, otherwise by the expected score."""
    if chance.random() < 0.25:
        return Game.Result.DRAW
    difference = (game.black.rating or 1300) - (game.white.rating or 1300)
    expected = 1 / (1 + 10 ** (difference / 400))
    return Game.Result.WHITE_WINS if chance.random() < expected else Game.Result.BLACK_WINS


def _set_beginning(round: Round, first_day: date) -> None:
    """Set the start of a round: weekly, at 18:30."""
    day = first_day + timedelta(weeks=round.number - 1)
    round.starts_at = timezone.make_aware(datetime.combine(day, time(18, 30)))
    round.save(update_fields=["starts_at"])
