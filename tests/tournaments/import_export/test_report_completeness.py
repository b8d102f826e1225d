"""Missing data that a rating officer will need, listed before the export."""

from __future__ import annotations

from datetime import date

import pytest
from django.db.models import CharField, Value
from django.db.models.functions import Concat
from django.urls import reverse

from clubs.models import Club, Member, RatingListPlayer
from clubs.rating.lists.import_jobs import get_fide_register
from tests.factories import make_event, played, player, published
from tests.scenario import make_cast
from tournaments.import_export.report_completeness import MissingFieldKind, events_to_report, missing_report_fields
from tournaments.import_export.report_names import is_different_person
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def complete(club: Club, *, rounds: int = 1, **more: object) -> Tournament:
    """An event with one round, which is played: nothing is missing."""
    Club.objects.filter(pk=club.pk).update(federation="POL")
    event = make_event(club, players=4, rounds=rounds)
    played(event, 1)
    columns = {"city": "Kraków", "chief_arbiter": "Nikt (1234567)", "time_control": "90+30", "fide_rated": True}
    columns["system"] = "dutch-2026"
    days = {"starts_on": date(2026, 10, 20), "ends_on": date(2026, 11, 3)}
    Tournament.objects.filter(pk=event.pk).update(**columns | days | more)
    entries = Entry.objects.filter(tournament=event)
    entries.update(fide_id=Concat(Value("9990"), "tpn", output_field=CharField()), birth="2000", federation="POL")
    return Tournament.objects.select_related("club").get(pk=event.pk)


def test_nothing_is_missed_where_nothing_lacks(club):
    assert missing_report_fields(complete(club)) == ()


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"city": ""}, MissingFieldKind.CITY),
        ({"chief_arbiter": ""}, MissingFieldKind.ARBITER),
        ({"chief_arbiter": "Nikt"}, MissingFieldKind.ARBITER_ID),
        ({"deputy_arbiters": "Nikt (1234567)\nKtoś"}, MissingFieldKind.ARBITER_ID),
        ({"time_control": ""}, MissingFieldKind.TIME_CONTROL),
        ({"ends_on": None}, MissingFieldKind.DATES),
        ({"rounds_announced": 3}, MissingFieldKind.UNFINISHED),
        ({"system": "jahr"}, MissingFieldKind.SYSTEM),
    ],
)
def test_what_the_event_lacks(club, columns, what):
    (found,) = missing_report_fields(complete(club, **columns))
    assert found.kind == what
    assert found.rounds == ((2, 3) if what is MissingFieldKind.UNFINISHED else ())


def test_who_lacks_what_is_named_and_which_rounds_have_open_games_or_no_day(club):
    event = complete(club, rounds=2)
    published(event, 2)
    event.rounds.update(published_at=None)
    Entry.objects.filter(pk=player(event, 2).pk).update(fide_id="", birth="")
    Entry.objects.filter(pk=player(event, 3).pk).update(federation="")
    Club.objects.filter(pk=club.pk).update(federation="")
    found = missing_report_fields(Tournament.objects.get(pk=event.pk))
    assert [(each.kind, [entry.tpn for entry in each.entries], each.rounds) for each in found] == [
        (MissingFieldKind.UNFINISHED, [], (2,)),
        (MissingFieldKind.NO_RESULT, [], (2,)),
        (MissingFieldKind.FIDE_ID, [2], ()),
        (MissingFieldKind.BIRTH, [2], ()),
        (MissingFieldKind.FEDERATION, [3], ()),
        (MissingFieldKind.ROUND_DATES, [], (1, 2)),
        (MissingFieldKind.CLUB_FEDERATION, [], ()),
    ]


def test_an_event_is_reported_in_the_month_of_its_end(club):
    ended = complete(club)
    not_for_fide = make_event(club)
    Tournament.objects.filter(pk=not_for_fide.pk).update(ends_on=date(2026, 11, 3))
    november = date(2026, 11, 1), date(2026, 11, 30)
    assert [each.event for each in events_to_report(club, *november)] == [ended]
    assert events_to_report(club, date(2026, 10, 1), date(2026, 10, 31)) == []
    Tournament.objects.filter(pk=ended.pk).update(ends_on=None, starts_on=date(2026, 11, 2))
    assert [each.event for each in events_to_report(club, *november)] == [ended]
    Tournament.objects.filter(pk=ended.pk).update(starts_on=date(2199, 11, 2))
    assert events_to_report(club, date(2199, 11, 1), date(2199, 11, 30)) == [], "it has not begun"


def filled_in(cast, **typed: str):
    address = reverse("fide_report_check", args=["pod-goncem", cast.event.slug])
    sent = {f"player-{cast.entry(0).pk}-{name}": value for name, value in typed.items()}
    return cast.browser("arbiter").post(address, sent)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"fide_id": "12a"}, "A FIDE ID contains only digits"),
        ({"birth": "31.02.1990"}, "Enter the date as"),
        ({"federation": "PO"}, "3 letters"),
    ],
)
def test_what_is_filled_in_wrongly_is_said_and_nothing_is_written(typed, said):
    cast = make_cast()
    Entry.objects.filter(tournament=cast.event).update(fide_id="", birth="", federation="")
    answer = filled_in(cast, **{"fide_id": "1234567", **typed})
    assert (answer.status_code, said in answer.text) == (422, True)
    assert Entry.objects.get(pk=cast.entry(0).pk).fide_id == ""


def test_what_players_lack_is_filled_in_where_it_is_said():
    """Known data of a player are not form fields: an old page does not overwrite them."""
    cast = make_cast()
    Entry.objects.filter(tournament=cast.event).update(fide_id="", birth="", federation="POL")
    answer = filled_in(cast, fide_id=" 1234567 ", birth="28.3.1990", federation="GER")
    assert answer.status_code == 302
    entry = Entry.objects.get(pk=cast.entry(0).pk)
    assert (entry.fide_id, entry.birth, entry.federation) == ("1234567", "1990/03/28", "POL")
    assert entry.tournament.log.filter(action="entry changed").count() == 1
    assert filled_in(cast, fide_id="7654321").status_code == 302
    assert Entry.objects.get(pk=entry.pk).fide_id == "1234567"


def test_the_pages_lead_to_what_mends_it(django_assert_max_num_queries):
    cast = make_cast()
    Tournament.objects.filter(pk=cast.event.pk).update(fide_rated=True, ends_on=date(2026, 11, 3))
    browser = cast.browser("arbiter")
    page = browser.get(reverse("fide_report_check", args=["pod-goncem", cast.event.slug]))
    assert reverse("entry_edit", args=["pod-goncem", cast.event.slug, cast.entry(0).pk]) in page.text
    assert reverse("club_settings", args=["pod-goncem"]) in page.text
    assert "This event is FIDE rated" in page.text
    with django_assert_max_num_queries(20):
        month = browser.get(reverse("monthly_fide_reports", args=["pod-goncem"]), {"month": "2026-11"})
    assert cast.event.name in month.text
    assert (
        cast.event.name
        not in browser.get(reverse("monthly_fide_reports", args=["pod-goncem"]), {"month": "2026-10"}).text
    )


def test_a_fide_id_of_two_players_is_refused_and_told(club):
    event = complete(club)
    Entry.objects.filter(pk=player(event, 3).pk).update(fide_id="99901")
    (found,) = missing_report_fields(event)
    assert (found.kind, [entry.tpn for entry in found.entries]) == (MissingFieldKind.SAME_FIDE_ID, [1, 3])
    cast = make_cast()
    first, second, third = cast.event.entries.order_by("pk")[:3]
    cast.event.entries.update(fide_id="", birth="2000", federation="POL")
    Entry.objects.filter(pk=third.pk).update(fide_id="777")
    arbiter = cast.browser("arbiter")
    address = reverse("fide_report_check", args=[cast.club.slug, cast.event.slug])
    for numbers in (("777", ""), ("555", "555")):
        sent = {f"player-{first.pk}-fide_id": numbers[0], f"player-{second.pk}-fide_id": numbers[1]}
        assert arbiter.post(address, sent).status_code == 422
    assert set(cast.event.entries.values_list("fide_id", flat=True)) == {"", "777"}


def test_ids_are_held_against_fides_list_once_there_is_one(club):
    event = complete(club)
    register = get_fide_register()
    for number, name in (("99901", "Pionek, N. R."), ("99902", "Pionyek, Nr"), ("99904", "Wymyślny, Teofil")):
        RatingListPlayer.objects.create(register=register, number=number, name=name)
    found = {each.kind: [entry.tpn for entry in each.entries] for each in missing_report_fields(event)}
    assert found == {MissingFieldKind.NOT_LISTED: [3], MissingFieldKind.OTHER_NAME: [4]}
    said = "; ".join(each.message for each in missing_report_fields(event))
    assert "Wymyślny" in said


@pytest.mark.parametrize(
    ("name", "listed", "other"),
    [
        ("Шевченко, Юрий", "Shevchenko, Yuri", False),
        ("Müller, Jörg", "Mueller, Joerg", False),
        ("Nowak-Kowalska, Anna", "Kowalska, Anna", False),
        ("Nowak, Anna", "Kowalska, Anna", False),
        ("Nikt, Jan", "Wymyślny, Teofil", True),
        ("Nikt, Jan", "", False),
    ],
)
def test_who_is_another(name, listed, other):
    assert is_different_person(name, listed) is other


def test_what_the_book_knows_stands_in_the_form_already():
    cast = make_cast()
    jan = cast.members[5]
    Member.objects.filter(pk=jan.pk).update(birth_date=date(2014, 11, 24), fide_id=4242, federation="POL")
    entry = cast.event.entries.get(member=jan)
    Entry.objects.filter(pk=entry.pk).update(birth="", fide_id="", federation="")
    forms = (
        cast.browser("arbiter")
        .get(reverse("fide_report_check", args=[cast.club.slug, cast.event.slug]))
        .context["forms"]
    )
    (form,) = (each for each in forms if each.instance.pk == entry.pk)
    assert [form[name].value() for name in ("fide_id", "birth", "federation")] == ["4242", "2014/11/24", "POL"]
