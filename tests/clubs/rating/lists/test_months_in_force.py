"""The month of a rating list: never in the future, and the month in force is shown wherever it matters."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from clubs.membership.members.duplicates import find_duplicate_members
from clubs.models import Member, MemberRatingListing, RatingListImport, RatingListPlayer
from clubs.rating.lists.import_jobs import get_fide_register, store_list_for_import
from clubs.rating.lists.list_import import name_search_text, run_list_import
from clubs.rating.lists.list_inspection import inspect_list
from clubs.rating.lists.member_changes import (
    apply_member_changes,
    find_list_ids,
    find_member_changes,
    link_member_to_listed_player,
)
from clubs.rating.lists.member_listings import current_list_months, save_listings_of_members
from common.jobs.queue import run_job
from common.text.months import add_months
from tests.clubs.rating.lists.test_list_inspection import GOOD, NOVEMBER, OCTOBER, national, own_folder
from tests.clubs.rating.lists.test_reading import ONE_KIND, text_line
from tests.factories import make_club, make_member
from tournaments.club_ratings.monthly_lists import monthly_rating_list

__all__ = ["national", "own_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_a_list_of_a_month_to_come_is_refused_wherever_the_month_is_said(national, tmp_path, club, client, secretary):
    client.force_login(secretary)
    this_month = timezone.localdate().replace(day=1)
    later = add_months(this_month, 2)
    path = tmp_path / f"list-{later:%Y-%m}.csv"
    path.write_bytes(GOOD.encode())
    look = inspect_list(national, path, path.name, kind="", month=None)
    assert "in the future" in look.refusals[0].message
    assert not inspect_list(national, path, "list.csv", kind="", month=add_months(this_month, 1)).refusals
    # The page asks for the month, and the user mistypes the year.
    form = {"register": national.pk, "kind": "", "month": ""}
    page = reverse("rating_list_upload", args=[club.slug])
    asked = client.post(page, {**form, "file": SimpleUploadedFile("list.csv", GOOD.encode())})
    token = asked.context["form"]["token"].value()
    answer = client.post(page, {"token": token, "month": f"{later:%Y-%m}"})
    assert answer.status_code == 422
    assert "in the future" in answer.text
    assert not RatingListImport.objects.exists()
    with pytest.raises(CommandError, match="in the future"):
        call_command("import_rating_list", str(path))


def test_a_player_of_a_list_is_said_to_be_a_member_of_another_spelling(club, client, secretary):
    fide = get_fide_register()
    listed = RatingListPlayer.objects.create(register=fide, number="4711", name="Levandovskiy, Jan", birth_year=1980)
    jan = make_member(club, "Lewandowski, Jan", birth_year=1980)
    older = make_member(club, "Lewandowski, Jan", birth_year=1950)
    make_member(club, "Inny, Jan", fide_id=12)
    client.force_login(secretary)
    page = reverse("listed_player_link_member", args=[club.slug, listed.pk])
    assert [key for key, _name in client.get(page).context["form"].fields["member"].choices] == [jan.pk, older.pk]
    assert client.post(page, {"member": jan.pk}).status_code == 302
    assert Member.objects.get(pk=jan.pk).fide_id == 4711
    # No player has a month twice.
    assert "already has this ID" in client.post(page, {"member": older.pk}).text
    assert Member.objects.get(pk=older.pk).fide_id is None
    of_another_club = make_member(make_club("obcy"), "Lewandowski, Jan")
    assert client.post(page, {"member": of_another_club.pk}).status_code == 422


def test_rapid_ratings_and_lines_of_old_lists_are_shown_and_not_ticked(club, client, secretary):
    client.force_login(secretary)
    member = make_member(club, "Stary, Jan", fide_id=1, rating=1500)
    fide = get_fide_register()
    fide.months = {"standard": "2026-11-01", "rapid": "2026-11-01"}
    fide.save()
    before = store_list_for_import(fide, [b""], "x.txt", kind="", by=None, month=OCTOBER)
    RatingListPlayer.objects.create(
        register=fide, number="1", name="Stary, Jan", standard=1600, rapid=1400, standard_seen=before.pk, rapid_seen=0
    )
    (old,) = find_member_changes(club, fide, "standard")
    assert (old.month, old.is_preselected) == (OCTOBER, False)
    before.month = NOVEMBER
    before.save()
    (now,) = find_member_changes(club, fide, "standard")
    assert (now.month, now.is_preselected) == (None, True)
    (rapid,) = find_member_changes(club, fide, "rapid")
    assert not rapid.is_preselected
    text = client.get(reverse("rating_list_changes", args=[club.slug, fide.pk]) + "?kind=rapid").text
    assert "checked" not in text
    assert "−100" in text
    assert "current list: November 2026" in text
    assert "current list: November 2026" in client.get(reverse("rating_list_overview", args=[club.slug])).text
    member.refresh_from_db()
    assert member.rating == 1500


def test_an_id_that_is_learnt_later_brings_what_the_lists_here_say(club, client, secretary):
    """K and the month's rating do not depend on whether the ID or the list came first."""
    fide = get_fide_register()
    brought = store_list_for_import(fide, [b""], "x.txt", kind="", by=None, month=OCTOBER)
    for number, name in ((1, "Pierwszy, Jan"), (2, "Drugi, Jan")):
        RatingListPlayer.objects.create(
            register=fide,
            number=number,
            name=name,
            searched=name_search_text(name),
            birth_year=1980,
            standard=2288,
            standard_k=20,
            standard_seen=brought.pk,
        )
    first, second = (make_member(club, name, birth_year=1980) for name in ("Pierwszy, Jan", "Drugi, Jan"))
    ids = [change.form_value for change in find_list_ids(fide, [first])]
    assert apply_member_changes(club, fide, "standard", ids, by=secretary) == 1
    link_member_to_listed_player(club, second, RatingListPlayer.objects.get(number="2"), by=secretary)
    kept = {(row.member_id, row.month, row.kind, row.rating, row.factor) for row in MemberRatingListing.objects.all()}
    assert kept == {(member.pk, OCTOBER, "standard", 2288, 20) for member in (first, second)}
    # Importing a list again does not duplicate them.
    save_listings_of_members([first, second])
    assert MemberRatingListing.objects.count() == 2


def test_what_a_later_file_of_the_month_does_not_say_goes(club):
    members = [make_member(club, f"Nr{n:02}, Jan", fide_id=n) for n in range(1, 13)]
    fide = get_fide_register()

    def said_of(*numbers: int, month=NOVEMBER, **more) -> set[int]:
        text = "".join(f"{text_line(number=str(n), name=f'Nr{n:02}, Jan', kind_columns=1)}\r\n" for n in numbers)
        listed = store_list_for_import(
            fide, [f"{ONE_KIND}\r\n{text}".encode()], "s.txt", kind="standard", by=None, month=month, **more
        )
        assert run_job(listed.job_id, run_list_import)
        return set(MemberRatingListing.objects.filter(month=month).values_list("member__fide_id", flat=True))

    assert len(said_of(*range(1, 13))) == 12
    assert said_of(*range(2, 13)) == set(range(2, 13))
    # The list of another month does not count, and a list with only a few of the players is a part of one.
    assert len(said_of(*range(1, 13), month=OCTOBER, history_only=True)) == 12
    assert said_of(3, 4) == set(range(2, 13))
    assert len(members) == 12


def test_heading_name_and_whoever_brings_it_in_are_asked_where_they_differ(national, tmp_path):
    path = tmp_path / "lista-2026-10.csv"
    path.write_bytes(b"ID;Name;Elo 2026-11\n1;Wilk, Jan;1500\n2;Lis, Ewa;1600\n")
    look = inspect_list(national, path, path.name, kind="", month=None)
    assert look.month == NOVEMBER
    assert [fault.examples for fault in look.doubts] == [("November 2026", "October 2026")]
    sure = inspect_list(national, path, path.name, kind="", month=OCTOBER, is_sure=True)
    assert (sure.month, sure.doubts) == (OCTOBER, ())


def test_a_list_of_the_next_month_is_not_in_force_yet(club):
    fide = get_fide_register()
    this_month = timezone.localdate().replace(day=1)
    fide.months = {"standard": add_months(this_month, 1).isoformat(), "rapid": this_month.isoformat()}
    assert [(kinds, is_to_come) for _month, kinds, is_to_come in current_list_months(fide)] == [
        (["standard"], True),
        (["rapid"], False),
    ]
    member = make_member(club, "Wilk, Jan", fide_id=1)
    for month in (this_month, add_months(this_month, 1)):
        MemberRatingListing.objects.create(member=member, register=fide, kind="standard", month=month, rating=1500)
    assert monthly_rating_list(club, "standard", None).month == this_month


def test_a_national_list_ticks_nobody_who_has_a_rating_of_fides(national, club, client, secretary):
    fide = get_fide_register()
    RatingListPlayer.objects.create(register=fide, number="7", name="Wilk, Jan", standard=2288)
    for number, name in (("1", "Wilk, Jan"), ("2", "Lis, Ewa")):
        RatingListPlayer.objects.create(register=national, number=number, name=name, standard=2338)
    make_member(club, "Wilk, Jan", rating=2288, fide_id=7, national_id="1")
    make_member(club, "Lis, Ewa", rating=1200, national_id="2")
    make_member(club, "Nikt, Ola", national_id="99")
    make_member(club, "Bez, Numeru")
    assert {
        change.member.name: change.is_preselected for change in find_member_changes(club, national, "standard")
    } == {
        "Wilk, Jan": False,
        "Lis, Ewa": True,
    }
    client.force_login(secretary)
    page = client.get(reverse("rating_list_changes", args=[club.slug, national.pk]))
    assert [member.name for member in page.context["not_listed"]] == ["Nikt, Ola"]
    assert [member.name for member in page.context["without"]] == ["Bez, Numeru"]


def test_who_may_be_in_the_book_is_asked_before_somebody_comes_into_it_twice(club, client, secretary):
    listed = RatingListPlayer.objects.create(
        register=get_fide_register(), number="5", name="Lewandowska-Krol, Maria", birth_year=1995
    )
    member = make_member(club, "Lewandowska-Król Maria Zofia", birth_year=1995)
    client.force_login(secretary)
    page = reverse("member_add_from_rating_list", args=[club.slug, listed.pk])
    asked = client.get(page, follow=True)
    assert asked.redirect_chain[0][0] == reverse("listed_player_link_member", args=[club.slug, listed.pk])
    assert f"{page}?new=1" in asked.text
    assert client.get(f"{page}?new=1").status_code == 200
    Member.objects.filter(pk=member.pk).update(birth_year=1950)
    assert client.get(page).status_code == 200
    twin = make_member(club, "Lewandowska-Krol, Maria", birth_year=1950)
    assert find_duplicate_members(club) == [(member, twin)]
