"""Names in a FIDE report, event data copied to the member list, and long events reported month by month."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from clubs.models import Member, RatingListPlayer
from clubs.rating.lists.import_jobs import get_fide_register
from pairing.engine.trf import read_trf
from tests.factories import make_member, played
from tests.tournaments.import_export.test_report_completeness import complete
from tournaments.import_export.file_import import apply_import
from tournaments.import_export.member_data_transfer import find_new_member_details, save_member_details
from tournaments.import_export.monthly_reports import export_month_trf
from tournaments.import_export.report_completeness import MissingFieldKind, events_to_report, missing_report_fields
from tournaments.import_export.report_names import NameSource, report_names_by_entry
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Entry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def player(event: Tournament, number: int) -> Entry:
    return event.entries.get(tpn=number)


def named(event: Tournament, *names: str) -> Tournament:
    for number, name in enumerate(names, start=1):
        Entry.objects.filter(pk=player(event, number).pk).update(name=name)
    return Tournament.objects.select_related("club").get(pk=event.pk)


def sent(event: Tournament) -> list[str]:
    return [each.name for each in sorted(read_trf(export_trf(event), name="x").players, key=lambda each: each.tpn)]


NAMES = ("Шахов, Любомир", "王, 五", "Gońcowska-Skoczkowa, Świętosława Żaneta", "Łoś, Jan")


def test_an_event_that_is_not_sent_to_fide_keeps_its_letters(club):
    event = named(complete(club, fide_rated=False), *NAMES)
    assert sent(event)[:2] == ["Шахов, Любомир", "王, 五"]


def test_names_go_out_as_fides_list_has_them_else_by_rule_and_that_is_said(club, client, secretary):
    event = named(complete(club), *NAMES)
    assert [each.kind for each in missing_report_fields(event)] == [
        MissingFieldKind.LETTERS,
        MissingFieldKind.BY_RULE,
        MissingFieldKind.LONG_NAME,
    ]
    assert sent(event) == ["Shakhov, Liubomir", "王, 五", "Gońcowska-Skoczkowa, Świętosława", "Łoś, Jan"]
    fide = get_fide_register()
    for number, name in (("99901", "Shahov, Ljubomir"), ("99902", "Quite, Another"), ("99903", "Goncowska, S Z")):
        RatingListPlayer.objects.create(register=fide, number=number, name=name)
    whence = [each.source for each in report_names_by_entry(event, list(event.entries.order_by("tpn"))).values()]
    assert whence == [NameSource.LIST, NameSource.UNKNOWN, NameSource.LIST, NameSource.EVENT]
    assert sent(event)[0] == "Shahov, Ljubomir"
    # A name entered by hand is exported unchanged; only Latin letters are accepted.
    client.force_login(secretary)
    page = reverse("fide_report_check", args=[club.slug, event.slug])
    forms = {f"name-{player(event, number).pk}-report_name": "" for number in (1, 3)}
    of_second = f"name-{player(event, 2).pk}-report_name"
    assert "FIDE's list" in client.get(page).text
    assert client.post(page, {"names": "1", of_second: "王"}).status_code == 422
    assert client.post(page, {"names": "1", of_second: "Wang, Wu", **forms}).status_code == 302
    assert sent(event)[:2] == ["Shahov, Ljubomir", "Wang, Wu"]
    assert player(event, 2).name == "王, 五"
    assert event.log.filter(action="entry changed").count() == 1


def test_what_the_rule_writes_is_looked_at_once(club, client, secretary):
    event = named(complete(club), *NAMES[:1])
    client.force_login(secretary)
    first = player(event, 1).pk
    client.post(
        reverse("fide_report_check", args=[club.slug, event.slug]),
        {"names": "1", f"name-{first}-report_name": "Shakhov, Liubomir"},
    )
    assert missing_report_fields(event) == ()


def test_ratings_that_are_not_fides_are_named(club):
    event = complete(club)
    fide = get_fide_register()
    for number, rating in ((1, 2000), (2, 1700), (3, 0)):
        RatingListPlayer.objects.create(
            register=fide, number=f"9990{number}", name=player(event, number).name, standard=rating
        )
    Entry.objects.filter(pk=player(event, 4).pk).update(fide_id="")
    assert MissingFieldKind.RATING not in [each.kind for each in missing_report_fields(event)], (
        "the list here is of no month that is known"
    )
    fide.months = {"standard": "2026-10-01"}
    fide.save()
    (found,) = (each for each in missing_report_fields(event) if each.kind is MissingFieldKind.RATING)
    assert [entry.tpn for entry in found.entries] == [2, 3]
    assert "1990, FIDE 1700" in found.message
    assert "1980, FIDE –" in found.message


def test_the_birth_date_of_who_has_no_fide_id_goes_out_with_an_event_sent_to_fide(club):
    event = complete(club)
    for number in (1, 2):
        member = make_member(club, f"Gracz {number}", birth_date=date(1990, 3, 28))
        Entry.objects.filter(pk=player(event, number).pk).update(
            member=member, birth="1990", fide_id="" if number == 1 else "99902"
        )

    def births() -> list[str]:
        players = read_trf(export_trf(event), name="x").players
        return [each.birth_date for each in players if each.tpn < 3]

    assert births() == ["1990/03/28", "1990/00/00"]
    Tournament.objects.filter(pk=event.pk).update(fide_rated=False)
    event.refresh_from_db()
    assert births() == ["1990/00/00", "1990/00/00"]


def test_the_secretary_copies_event_data_to_members_with_one_click(club, client, secretary, arbiter):
    event = complete(club)
    other = make_member(club, "Inna, Ewa", fide_id=99902)
    for number in (1, 2):
        member = make_member(club, f"Gracz {number}", birth_year=1990 if number == 2 else None)
        Entry.objects.filter(pk=player(event, number).pk).update(member=member, birth="1990/03/28")
    found = find_new_member_details(event)
    assert [(each.field, each.value, each.other_owner) for each in found if each.entry.tpn == 2] == [
        ("fide_id", "99902", "Inna, Ewa"),
        ("birth", "1990/03/28", ""),
        ("federation", "POL", ""),
    ]
    page = reverse("fide_report_check", args=[club.slug, event.slug])
    keys = [each.checkbox_value for each in found]
    client.force_login(arbiter)
    assert "New details for the member list" not in client.get(page).text
    client.post(page, {"known": keys})
    assert find_new_member_details(event) == found
    client.force_login(secretary)
    assert "already used by Inna, Ewa" in client.get(page).text
    assert client.post(page, {"known": ["", *keys]}).status_code == 302
    first, second = (player(event, number).member for number in (1, 2))
    assert (first.fide_id, first.birth_date, first.federation) == (99901, date(1990, 3, 28), "POL")
    assert (second.fide_id, second.birth_year) == (None, 1990)
    assert Member.objects.get(pk=other.pk).fide_id == 99902
    assert save_member_details(event, keys, by=secretary) == 0
    assert club.data_accesses.filter(what="change", member=first).count() == 1


def test_an_event_of_more_than_30_days_is_reported_month_by_month(club):
    event = complete(club, rounds=3, starts_on=date(2026, 9, 20), ends_on=date(2026, 11, 3))
    played(event, 2)
    for number, day in enumerate((date(2026, 9, 20), date(2026, 10, 4), date(2026, 10, 18)), start=1):
        event.rounds.filter(number=number).update(starts_at=datetime(day.year, day.month, day.day, 18, tzinfo=UTC))
    played(event, 3)
    event.rounds.filter(number=3).update(starts_at=datetime(2026, 10, 18, 18, tzinfo=UTC))
    whole = read_trf(export_trf(event), name="x")
    part = read_trf(export_month_trf(event, date(2026, 10, 1)), name="x")
    assert part.warnings == ()
    assert [each.rounds for each in part.players] == [each.rounds[1:] for each in whole.players]
    lines = export_month_trf(event, date(2026, 10, 1)).decode().split("\r\n")
    assert {"042 2026/10/04", "052 2026/10/18"} <= set(lines)
    kept = {line for line in export_trf(event).decode().split("\r\n") if line[:3] in ("092", "222", "142", "122")}
    assert len(kept) == 4
    assert kept <= set(lines)
    assert [line.split()[1:] for line in lines if line.startswith("132")] == [["26/10/04", "26/10/18"]]
    september = read_trf(export_month_trf(event, date(2026, 9, 1)), name="x")
    assert [each.points for each in september.players] != [each.points for each in whole.players]
    assert export_month_trf(event, date(2026, 11, 1)) is None
    months = {month: events_to_report(club, date(2026, month, 1), date(2026, month, 28)) for month in (8, 9, 10, 11)}
    assert {month: [each.rounds for each in found] for month, found in months.items()} == {
        8: [],
        9: [(1,)],
        10: [(2, 3)],
        11: [],
    }
    assert MissingFieldKind.UNFINISHED not in [each.kind for each in months[9][0].missing_fields]


def test_a_month_of_an_imported_round_robin_is_called_what_the_file_calls_it(club):
    event = complete(club, rounds=3, starts_on=date(2026, 9, 20), ends_on=date(2026, 11, 3), system="round-robin")
    event.rounds.filter(number=1).update(starts_at=datetime(2026, 9, 20, 18, tzinfo=UTC))
    file = export_trf(event).replace(b"092 Individual: Round-Robin", b"092 Individual: Liga (Round-Robin)")
    again = apply_import(club, file, "x.trf", by=None)
    part = export_month_trf(again, date(2026, 9, 1)).decode().split("\r\n")
    assert "092 Individual: Liga (Round-Robin)" in part
    assert "142 3" in part
