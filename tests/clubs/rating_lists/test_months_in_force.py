"""Of which month a list is: none that is still to come, and that in force is said wherever it counts."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from clubs.models import ListedPlayer, Member, RatingListImport
from clubs.rating_lists.changes import changes_for
from clubs.rating_lists.looking import look_through
from clubs.rating_lists.starting import fide_register, keep_list
from clubs.writing.months import months_later
from tests.clubs.rating_lists.test_looking import GOOD, NOVEMBER, OCTOBER, national, own_folder
from tests.factories import make_club, make_member

__all__ = ["national", "own_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_a_list_of_a_month_to_come_is_refused_wherever_the_month_is_said(national, tmp_path, club, client, secretary):
    client.force_login(secretary)
    this_month = timezone.localdate().replace(day=1)
    later = months_later(this_month, 2)
    path = tmp_path / f"list-{later:%Y-%m}.csv"
    path.write_bytes(GOOD.encode())
    look = look_through(national, path, path.name, kind="", month=None)
    assert "still to come" in look.refused[0].message
    assert not look_through(national, path, "list.csv", kind="", month=months_later(this_month, 1)).refused
    # Asked for its month, somebody mistypes the year.
    form = {"register": national.pk, "kind": "", "month": ""}
    page = reverse("rating_list_new", args=[club.slug])
    asked = client.post(page, {**form, "file": SimpleUploadedFile("list.csv", GOOD.encode())})
    token = asked.context["form"]["token"].value()
    answer = client.post(page, {"token": token, "month": f"{later:%Y-%m}"})
    assert answer.status_code == 422
    assert "still to come" in answer.text
    assert not RatingListImport.objects.exists()
    with pytest.raises(CommandError, match="still to come"):
        call_command("import_rating_list", str(path))


def test_a_player_of_a_list_is_said_to_be_a_member_of_another_spelling(club, client, secretary):
    fide = fide_register()
    listed = ListedPlayer.objects.create(register=fide, number="4711", name="Levandovskiy, Jan", birth_year=1980)
    jan = make_member(club, "Lewandowski, Jan", birth_year=1980)
    older = make_member(club, "Lewandowski, Jan", birth_year=1950)
    make_member(club, "Inny, Jan", fide_id=12)
    client.force_login(secretary)
    page = reverse("listed_is_member", args=[club.slug, listed.pk])
    assert [key for key, _name in client.get(page).context["form"].fields["member"].choices] == [jan.pk, older.pk]
    assert client.post(page, {"member": jan.pk}).status_code == 302
    assert Member.objects.get(pk=jan.pk).fide_id == 4711
    # Nobody has it twice.
    assert "has this ID in the book" in client.post(page, {"member": older.pk}).text
    assert Member.objects.get(pk=older.pk).fide_id is None
    of_another_club = make_member(make_club("obcy"), "Lewandowski, Jan")
    assert client.post(page, {"member": of_another_club.pk}).status_code == 422


def test_rapid_ratings_and_lines_of_old_lists_are_shown_and_not_ticked(club, client, secretary):
    client.force_login(secretary)
    member = make_member(club, "Stary, Jan", fide_id=1, rating=1500)
    fide = fide_register()
    fide.months = {"standard": "2026-11-01", "rapid": "2026-11-01"}
    fide.save()
    before = keep_list(fide, [b""], "x.txt", kind="", by=None, month=OCTOBER)
    ListedPlayer.objects.create(
        register=fide, number="1", name="Stary, Jan", standard=1600, rapid=1400, standard_seen=before.pk, rapid_seen=0
    )
    (old,) = changes_for(club, fide, "standard")
    assert (old.month, old.is_proposed) == (OCTOBER, False)
    before.month = NOVEMBER
    before.save()
    (now,) = changes_for(club, fide, "standard")
    assert (now.month, now.is_proposed) == (None, True)
    (rapid,) = changes_for(club, fide, "rapid")
    assert not rapid.is_proposed
    text = client.get(reverse("rating_changes", args=[club.slug, fide.pk]) + "?kind=rapid").text
    assert "checked" not in text
    assert "−100" in text
    assert "list of November 2026 in force" in text
    assert "list of November 2026 in force" in client.get(reverse("rating_lists", args=[club.slug])).text
    member.refresh_from_db()
    assert member.rating == 1500
