"""Pages of ratings, lists, series and the calendar, as seen by each of the cast."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clubs.models import Member, MemberRating, RatingListImport, RatingListPlayer, RatingMethod, RatingRegister, User
from clubs.rating.lists.import_jobs import get_fide_register
from clubs.rating.lists.list_import import run_list_import
from common.jobs import queue as jobs
from common.jobs.queue import run_job
from common.models import Job
from lab.made_up_list import HEADER
from tests.factories import played
from tests.scenario import NAMES, SIGN_IN_FIRST, Cast, make_cast
from tournaments.models import Series

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(settings, tmp_path) -> Cast:
    settings.VAR_DIR = tmp_path
    return make_cast()


@pytest.fixture
def national(cast) -> RatingRegister:
    columns = {"number": 0, "name": 1, "standard": 2, "separator": ";", "encoding": "utf-8-sig", "headings": 1}
    return RatingRegister.objects.create(club=cast.club, name="NAT", columns=columns)


def page(name: str, *more: object) -> str:
    return reverse(name, args=["pod-goncem", *more])


# -- Refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "member", "arbiter"),
    [
        ("club_ratings", 200, 200),
        ("member_ratings", 200, 200),
        ("rating_method_edit", 403, 403),
        ("rating_list_overview", 403, 200),
        ("rating_list_upload", 403, 403),
        ("rating_register_new", 403, 403),
        ("rating_register_edit", 403, 403),
        ("rating_list_changes", 403, 403),
        ("attendance_page", 403, 200),
        ("series_new", 403, 200),
        ("series_edit", 403, 200),
        ("evenings_edit", 403, 200),
    ],
)
def test_who_may_see_what(cast, national, name, member, arbiter):
    series = Series.objects.create(club=cast.club, name="Grand Prix")
    more = {
        "member_ratings": [cast.members[0].pk],
        "rating_register_edit": [national.pk],
        "rating_list_changes": [national.pk],
        "series_edit": [series.pk],
        "evenings_edit": [cast.event.slug],
    }.get(name, [])
    wanted = {"visitor": SIGN_IN_FIRST, "neighbour": 404, "member": member, "arbiter": arbiter, "secretary": 200}
    answers = {who: cast.browser(who).get(page(name, *more)).status_code for who in wanted}
    assert answers == wanted


def test_other_clubs_lists_members_and_series_are_not_found(cast):
    neighbour = User.objects.get(username="neighbour")
    theirs = neighbour.memberships.get().club
    register = RatingRegister.objects.create(club=theirs, name="THEIRS")
    member = Member.objects.create(club=theirs, family_name="Obca")
    series = Series.objects.create(club=theirs, name="Theirs")
    secretary = cast.browser("secretary")
    assert secretary.get(page("rating_register_edit", register.pk)).status_code == 404
    assert secretary.get(page("rating_list_changes", register.pk)).status_code == 404
    assert secretary.get(page("member_ratings", member.pk)).status_code == 404
    assert secretary.get(page("series_page", series.pk)).status_code == 404


def test_a_series_with_an_event_of_the_club_alone_is_not_for_visitors(cast):
    series = Series.objects.create(club=cast.club, name="Grand Prix")
    cast.event.series, cast.event.is_public = series, False
    cast.event.save()
    assert cast.browser("visitor").get(page("series_page", series.pk)).status_code == 404
    assert "Grand Prix" not in cast.browser("visitor").get(page("club_calendar")).text
    assert cast.browser("member").get(page("series_page", series.pk)).status_code == 200


def test_fides_list_is_brought_in_by_whoever_serves_all_clubs(cast, national):
    """There are two clubs on this server, so a club's secretary can only import her own lists."""
    file = SimpleUploadedFile("list.txt", HEADER.encode())
    sent = {"register": get_fide_register().pk, "kind": "", "file": file}
    answer = cast.browser("secretary").post(page("rating_list_upload"), sent)
    assert answer.status_code == 422
    assert not RatingListImport.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"column_number": ""}, "required"),
        ({"column_standard": ""}, "Enter the column for at least one type of rating"),
        ({"column_name": "1"}, "Choose a different column for each field"),
        ({"column_name": "dwz", "column_standard": "DWZ"}, "Choose a different column for each field"),
        ({"column_name": "201"}, "its number from 1 to 200"),
        ({"column_name": "0"}, "its number from 1 to 200"),
        (
            {"column_name": "Name", "headings": "0"},
            "To use column headings, set the number of header rows to at least 1",
        ),
        ({"name": "NAT"}, "with this name already exists"),
    ],
)
def test_a_wrong_description_says_what_to_do(cast, national, wrong, said):
    sent = {"name": "DSB", "scale": "ingo", "separator": ";", "encoding": "cp1252", "headings": "1"}
    sent |= {"column_number": "1", "column_name": "2", "column_standard": "3"} | wrong
    answer = cast.browser("secretary").post(page("rating_register_new"), sent)
    assert answer.status_code == 422
    assert said in answer.text
    assert RatingRegister.objects.filter(club=cast.club).count() == 1


def test_an_unknown_method_is_refused(cast):
    assert cast.browser("secretary").post(page("rating_method_edit"), {"method": "dice"}).status_code == 422


# -- Ratings ---------------------------------------------------------------------------------------------------------


def test_ratings_follow_a_finished_round_and_explain_themselves(cast):
    assert "No ratings for this time control yet" in cast.browser("member").get(page("club_ratings")).text
    played(cast.event, 1)
    answer = cast.browser("member").get(page("club_ratings"))
    assert all(name in answer.text for name in NAMES)
    row = MemberRating.objects.select_related("member").first()
    own = cast.browser("member").get(page("member_ratings", row.member.pk)).text
    assert f"{row.before} → {row.after}" in own
    assert "K 20" in own
    assert "<svg" in own
    assert "Ratings after each month" in own


def test_members_are_compared_in_one_chart(cast):
    played(cast.event, 1)
    first, second = cast.members[:2]
    answer = cast.browser("member").get(page("member_ratings", first.pk), {"with": second.pk})
    assert answer.text.count("<polyline") == 2


def test_the_method_is_chosen(cast):
    played(cast.event, 1)
    cast.browser("secretary").post(page("rating_method_edit"), {"method": RatingMethod.GLICKO_2})
    assert set(MemberRating.objects.values_list("factor", flat=True)) == {None}
    cast.browser("secretary").post(page("rating_method_edit"), {"method": RatingMethod.NONE})
    assert not MemberRating.objects.exists()


def test_the_list_takes_as_many_queries_for_six_as_for_sixty(cast, django_assert_max_num_queries):
    played(cast.event, 1)
    row = MemberRating.objects.first()
    for n in range(60):
        member = Member.objects.create(club=cast.club, family_name=f"Kopia {n}")
        MemberRating.objects.create(member=member, kind="standard", month=row.month, after=1500 + n)
    browser = cast.browser("member")
    with django_assert_max_num_queries(12):
        browser.get(page("club_ratings"))
    with django_assert_max_num_queries(16):
        browser.get(page("member_ratings", row.member_id))


# -- Lists -----------------------------------------------------------------------------------------------------------


def bring_in(cast: Cast, register: RatingRegister, text: str) -> str:
    secretary = cast.browser("secretary")
    file = SimpleUploadedFile("list.csv", text.encode())
    sent = {"register": register.pk, "kind": "", "month": "2026-11", "file": file}
    answer = secretary.post(page("rating_list_upload"), sent)
    if answer.status_code == 200:
        form = answer.context["form"]
        sent = {"token": form["token"].value(), "month": form["month"].value()}
        answer = secretary.post(page("rating_list_upload"), sent)
    assert answer.status_code == 302
    listed = RatingListImport.objects.latest("pk")
    run_job(listed.job_id, run_list_import)
    return answer.headers["Location"]


def test_a_list_is_described_brought_in_and_applied_to_those_ticked(cast):
    secretary = cast.browser("secretary")
    sent = {"name": "DSB", "scale": "ingo", "separator": ";", "encoding": "utf-8-sig", "headings": "1"}
    sent |= {"column_number": "1", "column_name": "2", "column_standard": "3"}
    assert secretary.post(page("rating_register_new"), sent).status_code == 302
    register = RatingRegister.objects.get(name="DSB")
    grazyna, jan = cast.members[4], cast.members[5]
    for member, number in ((grazyna, "A4"), (jan, "A5"), (cast.members[0], "A6")):
        member.national_id = number
        member.save()
    address = bring_in(
        cast, register, f"ID;Name;INGO\nA4;{NAMES[4]};100\nA5;Other, Person;112,5\nA6;Same;105\nX;No;yes\n"
    )
    told = secretary.get(address).text
    assert "3 players are on the list" in told
    assert "rating is not a number up to 3500" in told

    assert secretary.get(page("rating_list_changes", register.pk), {"kind": "rapid"}).context["kind"] == "rapid"
    shown = secretary.get(page("rating_list_changes", register.pk)).text
    assert f'value="{grazyna.pk}:rating:2040" checked' in shown
    assert f'value="{jan.pk}:name:Other, Person">' in shown
    assert "different name, check the ID" in shown
    assert Member.objects.get(pk=grazyna.pk).rating == 1800
    sent = {"kind": "standard", "change": [f"{grazyna.pk}:rating:2040", f"{jan.pk}:rating:1", "7:x"]}
    answer = secretary.post(page("rating_list_changes", register.pk), sent, follow=True)
    assert "1 change made" in answer.text
    assert "Some changes were out of date. They are shown again below" in answer.text
    assert [Member.objects.get(pk=member.pk).rating for member in (grazyna, jan)] == [2040, 1750]
    assert str(grazyna.data_accesses.get().details["rating"]) == "[1800, 2040]"


def test_a_second_file_of_a_list_waits_for_the_first_and_is_not_kept(cast, national, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    job = Job.objects.create(task="x", club=cast.club, state=Job.State.RUNNING, heartbeat_at=timezone.now())
    first = RatingListImport.objects.create(register=national, job=job, by=cast.secretary, filename="x", path="x")
    file = SimpleUploadedFile("list.csv", b"Nr;Nazwisko;Elo\n1;Nikt;1900\n")
    sent = {"register": national.pk, "kind": "", "month": "2026-11", "file": file}
    answer = cast.browser("secretary").post(page("rating_list_upload"), sent)
    assert answer.headers["Location"] == page("rating_list_import_progress", first.pk)
    assert RatingListImport.objects.count() == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file() and b"1900" in path.read_bytes()] == []


def test_a_list_described_by_its_headings_may_move_its_columns(cast):
    secretary = cast.browser("secretary")
    shown = secretary.get(page("rating_register_new"), {"like": "DSB (spieler.csv)"})
    assert shown.context["form"]["column_name"].value() == "Spielername"
    sent = {"name": "DSB", "scale": "elo", "separator": "", "encoding": "", "headings": "1"}
    sent |= {"column_number": "ID", "column_name": "Spielername", "column_standard": "DWZ"}
    assert secretary.post(page("rating_register_new"), sent).status_code == 302
    register = RatingRegister.objects.get(name="DSB")
    assert secretary.get(page("rating_register_edit", register.pk)).context["form"]["column_standard"].value() == "DWZ"
    bring_in(cast, register, "ID,Spielername,DWZ\n7,Łoś,1850\n8,Ryś,1700\n")
    bring_in(cast, register, "DWZ;ID;Spielername\n1900;7;Łoś\n1750;8;Ryś\n")
    assert [*register.players.order_by("number").values_list("name", "standard")] == [("Łoś", 1900), ("Ryś", 1750)]
    file = SimpleUploadedFile("list.csv", "ID,Spielername,Zahl\n7,Łoś,1850\n".encode())
    answer = secretary.post(page("rating_list_upload"), {"register": register.pk, "kind": "", "file": file})
    assert answer.status_code == 422
    assert "Line 1: we expected a column named “DWZ”" in answer.text


def test_what_is_no_list_is_refused_before_anything_is_written(cast, national):
    national.delete()
    User.objects.filter(username="secretary").update(is_superuser=True)
    sent = {"register": get_fide_register().pk, "kind": "", "file": SimpleUploadedFile("list.csv", b"no list")}
    answer = cast.browser("secretary").post(page("rating_list_upload"), sent)
    assert answer.status_code == 422
    assert "Line 1: we expected" in answer.text
    assert not RatingListImport.objects.exists()


def test_two_files_of_one_list_are_not_brought_in_side_by_side(cast, national, monkeypatch):
    monkeypatch.setattr(jobs, "_dispatch", lambda *_: None)
    secretary = cast.browser("secretary")

    sent = {"register": national.pk, "kind": "", "month": "2026-11"}

    def send(text: str):
        file = SimpleUploadedFile("list.csv", text.encode())
        return secretary.post(page("rating_list_upload"), sent | {"file": file}, follow=True)

    send("ID;Name;Elo\n1;Nikt, Jan;1500\n")
    answer = send("ID;Name;Elo\n1;Nikt, Jan;1600\n")
    assert "Another file for this list is being imported" in answer.text
    assert RatingListImport.objects.count() == 1
    assert answer.redirect_chain[-1][0] == page("rating_list_import_progress", RatingListImport.objects.get().pk)


def test_players_of_lists_are_found(cast, national):
    bring_in(cast, national, "ID;Name;Elo\n1;Żeglarz, Ewa;1900\n2;Nikt, Jan;1500\n")
    answer = cast.browser("arbiter").get(page("rating_list_overview"), {"q": "zegl"}).text
    assert "Żeglarz, Ewa" in answer
    assert "No player found" in cast.browser("arbiter").get(page("rating_list_overview"), {"q": "nobody"}).text
    assert RatingListPlayer.objects.count() == 2


# -- Season ----------------------------------------------------------------------------------------------------------


def test_an_evening_is_set_and_stands_in_the_calendar(cast):
    arbiter = cast.browser("arbiter")
    wrong = arbiter.post(page("evenings_edit", cast.event.slug), {"first": "tomorrow", "days": "7"})
    assert wrong.status_code == 422
    arbiter.post(page("evenings_edit", cast.event.slug), {"first": "2027-03-17T18:30", "days": "7"})
    starts = [this_round.starts_at for this_round in cast.event.rounds.all()]
    # Half past six local time, before and after summer time began on 28 March.
    assert starts == [datetime(2027, 3, day, hour, 30, tzinfo=UTC) for day, hour in ((17, 17), (24, 17), (31, 16))]
    assert "18:30" in cast.browser("visitor").get(page("club_calendar")).text
    feed = cast.browser("visitor").get(page("calendar_feed"))
    assert feed.headers["Content-Type"].startswith("text/calendar")
    assert feed.content.count(b"BEGIN:VEVENT") == 3
    assert b"DTSTART:20270317T173000Z\r\n" in feed.content
    two = {"first": "2027-03-17T18:30", "days": "7", "games": "2"}
    arbiter.post(page("evenings_edit", cast.event.slug), two)
    assert [this_round.starts_at.day for this_round in cast.event.rounds.all()] == [17, 17, 24]


def test_events_of_the_club_alone_are_not_in_the_feed(cast):
    cast.browser("arbiter").post(page("evenings_edit", cast.event.slug), {"first": "2027-03-17T18:30", "days": "7"})
    cast.event.is_public = False
    cast.event.save(update_fields=["is_public"])
    assert b"VEVENT" not in cast.browser("secretary").get(page("calendar_feed")).content
    assert cast.event.name not in cast.browser("visitor").get(page("club_calendar")).text
    assert cast.event.name in cast.browser("member").get(page("club_calendar")).text


def test_a_series_is_made_and_counts(cast):
    sent = {"name": "Grand Prix", "award": "places", "place_points": "12 7", "attendance_points": "1"}
    sent["events"] = [cast.event.pk]
    arbiter = cast.browser("arbiter")
    bad = arbiter.post(page("series_new"), sent | {"place_points": "12 seven"})
    assert bad.status_code == 422
    arbiter.post(page("series_new"), sent)
    series = Series.objects.get()
    assert "has finished yet" in arbiter.get(page("series_page", series.pk)).text
    for number in (1, 2, 3):
        played(cast.event, number)
    table = cast.browser("visitor").get(page("series_page", series.pk)).text
    assert "<strong>15</strong>" in table
    assert all(name in table for name in NAMES)


def test_attendance_of_a_year(cast):
    cast.browser("arbiter").post(page("evenings_edit", cast.event.slug), {"first": "2026-03-17T18:30", "days": "7"})
    played(cast.event, 1)
    played(cast.event, 2)
    answer = cast.browser("arbiter").get(page("attendance_page"), {"year": "2026"}).text
    assert "2 evenings, 6 players on average" in answer
    assert "100 %" in answer
    assert "No finished evening" in cast.browser("arbiter").get(page("attendance_page"), {"year": "2025"}).text


@pytest.mark.parametrize("sent", ["²", "9" * 4000, "x", ""])
def test_what_is_no_key_or_year_is_passed_over(cast, national, sent):
    """`int` would fail for each of these."""
    secretary = cast.browser("secretary")
    assert secretary.get(page("member_ratings", cast.members[0].pk), {"with": sent}).status_code == 200
    assert secretary.get(page("attendance_page"), {"year": sent}).status_code == 200
    assert secretary.get(page("member_list"), {"group": sent}).status_code == 200
    changes = page("rating_list_changes", national.pk)
    assert secretary.post(changes, {"change": f"{sent}:{sent}"}).status_code == 302


def test_officers_tell_namesakes_apart_by_year(cast):
    """It does not tell members when somebody was born; two curves are still two."""
    played(cast.event, 1)
    rated = [row.member for row in MemberRating.objects.select_related("member").order_by("pk")[:2]]
    for member, year in zip(rated, (1970, 2009), strict=True):
        Member.objects.filter(pk=member.pk).update(family_name="Nowak", given_name="Jan", birth_year=year)
    for name in ("club_ratings", "ratings_of_month"):
        shown = cast.browser("secretary").get(page(name)).text
        assert "Nowak, Jan (1970)" in shown
        assert "Nowak, Jan (2009)" in shown
        shown = cast.browser("member").get(page(name)).text
        assert "Nowak, Jan" in shown
        assert "(1970)" not in shown
    answer = cast.browser("member").get(page("member_ratings", rated[0].pk), {"with": rated[1].pk})
    assert "Nowak, Jan · 2" in answer.text
