"""The demo club: members, logins, one running and one finished event, paired by the engine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from clubs.membership.members.demo_data import fill_demo_club
from clubs.membership.onboarding.club_creation import available_club_slug
from clubs.models import Club, FideTitle, Member, Membership, Role, TimeControlKind, User
from operations.demo.demo_texts import DemoTexts, demo_texts
from operations.demo.rating_lists import make_demo_rating_lists
from pairing.rounds.lifecycle.transitions import pair_round, publish_round
from tournaments.check_in.byes import grant_requested_bye, mark_absent
from tournaments.entries.enrolment import enter_members, forbid_pair, withdraw_player
from tournaments.events.event_setup import create_tournament
from tournaments.models import Bye, Game, PairingSystem, Round, Series, Tournament
from tournaments.results.recording import enter_result, finish_round

LOGINS = {
    "secretary": Role.SECRETARY,
    "arbiter": Role.ARBITER,
    "treasurer": Role.TREASURER,
    "player": Role.MEMBER,
}
"""The logins. Each password is the name followed by `-demo`."""


@transaction.atomic
def make_demo_club() -> tuple[Club, bool]:
    """Create the demo club with public logins. Return it, and True if it is new. An existing one is not changed.

    It is made in the current language.
    """
    texts = demo_texts(get_language())
    found = Club.objects.filter(slug=texts.slug).first()
    if found is not None:
        return found, False
    club = _club(texts, texts.slug)
    users = {name: _user(club, name, role) for name, role in LOGINS.items()}
    _fill(
        club,
        texts,
        arbiter=users["arbiter"],
        secretary=users["secretary"],
        treasurer=users["treasurer"],
        player=users["player"],
    )
    return club, True


@transaction.atomic
def make_demo_club_without_logins(*, by: User) -> Club:
    """Create the demo club without logins on a server, in the language of the server's administrator."""
    found = Club.objects.filter(is_demo=True).first()
    if found is not None:
        return found
    texts = demo_texts(get_language())
    club = _club(texts, available_club_slug(f"demo {texts.slug}"), is_demo=True)
    _fill(club, texts, arbiter=by, secretary=by, treasurer=by, player=None)
    return club


def demo_password(name: str) -> str:
    """Return the password of a demo login."""
    return f"{name}-demo"


def _club(texts: DemoTexts, slug: str, *, is_demo: bool = False) -> Club:
    return Club.objects.create(
        name=texts.name,
        slug=slug,
        city=texts.city,
        federation=texts.federation,
        language=texts.language,
        email=texts.email,
        currency=texts.currency,
        bank_account=texts.bank_account,
        colour="#1f4e79",
        is_demo=is_demo,
    )


def _fill(
    club: Club, texts: DemoTexts, *, arbiter: User, secretary: User, treasurer: User, player: User | None
) -> None:
    members = _members(club, texts)
    make_demo_rating_lists(club, members, timezone.localdate(), texts)
    if player is not None:
        members[10].user = player
        members[10].save(update_fields=["user"])
    today = timezone.localdate()
    _finished_event(club, texts, members[:30], today - timedelta(weeks=20), by=arbiter)
    _running_event(club, texts, members, today - timedelta(weeks=3), by=secretary)
    _series(club, texts)
    fill_demo_club(club, members, today, by=treasurer)


def _user(club: Club, name: str, role: Role) -> User:
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_password(demo_password(name))
        user.save()
    Membership.objects.create(user=user, club=club, role=role)
    return user


def _members(club: Club, texts: DemoTexts) -> list[Member]:
    members = []
    for line in texts.members.strip().splitlines():
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


def _finished_event(club: Club, texts: DemoTexts, players: Sequence[Member], first_day: date, *, by: User) -> None:
    """Create a finished event: seven rounds by the rules of 1989."""
    event = create_tournament(
        club,
        by=by,
        name=f"{texts.finished_event} {first_day.year}",
        rounds_announced=7,
        system=PairingSystem.FIDE_1989,
        rated_as=TimeControlKind.STANDARD,
        starts_on=first_day,
        ends_on=first_day + timedelta(weeks=6),
        city=club.city,
        chief_arbiter=texts.chief_arbiter,
        time_control="90 min + 30 s",
    )
    enter_members(event, players, by=by)
    chance = random.Random(1989)  # noqa: S311
    for number in range(1, 8):
        if number == 4:
            grant_requested_bye(event.entries.get(member=players[5]), _round(event, 4), Bye.Kind.HALF_POINT, by=by)
        _play(event, number, first_day, chance, by=by)


def _running_event(club: Club, texts: DemoTexts, members: Sequence[Member], first_day: date, *, by: User) -> None:
    """Create a running event: seven rounds by Jahr's method, three of them played."""
    event = create_tournament(
        club,
        by=by,
        name=f"{texts.running_event} {first_day.year}",
        rounds_announced=7,
        system=PairingSystem.JAHR,
        rated_as=TimeControlKind.STANDARD,
        players_check_in=True,
        players_report_results=True,
        starts_on=first_day,
        ends_on=first_day + timedelta(weeks=6),
        city=club.city,
        chief_arbiter=texts.chief_arbiter,
        time_control="60 min + 15 s",
    )
    enter_members(event, [*members[2:26], *members[42:]], by=by)
    entry_of = {entry.member_id: entry for entry in event.entries.all()}
    forbid_pair(entry_of[members[2].pk], entry_of[members[6].pk], by=by, remark=texts.forbidden_pair_remark)
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


def _series(club: Club, texts: DemoTexts) -> None:
    """Create a series with both events."""
    series = Series.objects.create(
        club=club,
        name=texts.series,
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
