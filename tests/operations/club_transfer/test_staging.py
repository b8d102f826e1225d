"""With SQLite, a club is prepared in a temporary database: others can save meanwhile, and see all of it or nothing."""

from __future__ import annotations

from threading import Thread

import pytest
from django.apps import apps
from django.db import connection

from clubs.models import Club, Member, User
from clubs.rating.lists.import_jobs import get_fide_register
from operations.club_transfer import club_import
from operations.club_transfer.archive_reader import read_club_archive
from operations.club_transfer.club_import import prepare_club, save_club
from tests.factories import make_club, make_event, make_member, make_user, published
from tests.operations.club_transfer.club_scenario import SITE, archive_of
from tournaments.models import Game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


@pytest.fixture(autouse=True)
def only_sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("other databases have more than one writer")


@pytest.fixture
def archive():
    club = make_club()
    event = make_event(club, players=6, rounds=2)
    published(event, 1)
    return read_club_archive(archive_of(club))


@pytest.fixture
def ann() -> User:
    return make_user("ann")


def test_somebody_else_saves_during_the_preparation(archive, ann, monkeypatch):
    club = Club.objects.get()
    checks = club_import._Importing._check

    def save_elsewhere() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 100")
        make_member(club, "Skoczek, Ewa", 1500)
        connection.close()

    def check(importing) -> None:
        checks(importing)
        other = Thread(target=save_elsewhere)
        other.start()
        other.join()

    monkeypatch.setattr(club_import._Importing, "_check", check)
    prepared = prepare_club(archive, by=ann, site=SITE)
    assert Member.objects.filter(family_name="Skoczek").exists()
    assert list(Club.objects.all()) == [club]
    copy = save_club(prepared)
    assert Member.objects.get(family_name="Skoczek").club == club
    assert set(Club.objects.all()) == {club, copy}


def test_rows_saved_meanwhile_keep_their_keys(archive, ann):
    club = Club.objects.get()
    prepared = prepare_club(archive, by=ann, site=SITE)
    event = make_event(club, players=8, rounds=1)
    published(event, 1)
    copy = save_club(prepared)
    assert event.entries.count() == 8
    assert Game.objects.filter(round__tournament=event).count() == 4
    assert copy.tournaments.get().entries.count() == 6
    assert Game.objects.filter(round__tournament__club=copy).count() == 3


def test_a_club_that_is_only_prepared_leaves_nothing(archive, ann):
    def counts() -> list[int]:
        return [model._base_manager.count() for model in apps.get_models(include_auto_created=True)]

    get_fide_register()
    before = counts()
    prepare_club(archive, by=ann, site=SITE)
    assert counts() == before


def test_more_rows_than_reserved_keys_are_not_saved(archive, ann, monkeypatch):
    monkeypatch.setattr(club_import, "_most_rows", lambda _archive: {Member: 1})
    with pytest.raises(RuntimeError, match="more rows than reserved keys"):
        prepare_club(archive, by=ann, site=SITE)
    assert Club.objects.count() == 1
