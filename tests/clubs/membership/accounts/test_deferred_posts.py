"""A form sent after the session expired is not saved yet, not lost, and saved after signing in."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import FakePayload
from django.urls import reverse

from clubs.models import Member, MemberGroup, SavedMemberFilter
from common.file_store.upload_limits import MAX_ANONYMOUS_POST_BYTES
from tests.module_fixtures import make_module_fixtures
from tests.scenario import HTMX, make_cast

pytestmark = pytest.mark.django_db

made_once, cast = make_module_fixtures(make_cast)


def page(name: str, *more: object) -> str:
    return reverse(name, args=["pod-goncem", *more])


def kept_in(answer: Any) -> list[str]:
    return re.findall(r'name="kept" value="([^"]+)"', answer.content.decode())


def send(browser: Client, path: str, fields: dict[str, str], **more: object) -> Any:
    """A form without files, as browsers send it."""
    return browser.post(path, urlencode(fields), content_type="application/x-www-form-urlencoded", **more)


def signed_in(browser: Client, kept: list[str], who: str = "secretary") -> Any:
    return browser.post(reverse("account_login"), {"login": who, "password": who, "kept": kept})


def pressed(browser: Client, path: str) -> Any:
    """Press the button on the page of saved forms, for one plain form, which goes to its own URL."""
    shown = browser.get(path).content.decode()
    action = re.search(r'action="([^"]+)"[^>]*data-press-at-once', shown).group(1)
    form = shown[shown.index("data-press-at-once") : shown.index("</form>", shown.index("data-press-at-once"))]
    sent: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form):
        sent.setdefault(name, []).append(value)
    return browser.post(action, sent)


def test_nothing_is_entered_by_nobody(cast):
    answer = send(Client(), page("member_groups"), {"name": "Juniorzy"})
    assert answer.status_code == 401
    assert "lost" in answer.text
    assert not MemberGroup.objects.exists()


def test_after_signing_in_it_is_entered_once(cast):
    browser = Client()
    kept = kept_in(send(browser, page("member_groups"), {"name": "Juniorzy"}))
    answer = signed_in(browser, kept)
    assert answer.headers["Location"] == reverse("deferred_posts")
    assert "Juniorzy" in browser.get(reverse("deferred_posts")).text
    assert not MemberGroup.objects.exists(), "looking enters nothing"
    assert pressed(browser, reverse("deferred_posts")).status_code == 302
    assert MemberGroup.objects.get().name == "Juniorzy"
    assert browser.get(reverse("deferred_posts")).headers["Location"] == "/", "it waits no more"


def test_a_wrong_password_does_not_lose_it(cast):
    browser = Client()
    kept = kept_in(send(browser, page("member_groups"), {"name": "Juniorzy"}))
    answer = browser.post(reverse("account_login"), {"login": "secretary", "password": "wrong", "kept": kept})
    assert kept_in(answer) == kept
    assert "The username or password is wrong. Check both and try again" in answer.text


def test_after_signing_in_permissions_apply(cast):
    browser = Client()
    kept = kept_in(send(browser, page("member_groups"), {"name": "Juniorzy"}))
    signed_in(browser, kept, who="member")
    assert pressed(browser, reverse("deferred_posts")).status_code == 403
    assert not MemberGroup.objects.exists()


def test_it_may_be_dropped(cast):
    browser = Client()
    signed_in(browser, kept_in(send(browser, page("member_groups"), {"name": "Juniorzy"})))
    answer = browser.post(reverse("deferred_posts"), {"drop": "1"}, follow=True)
    assert "Nothing was saved" in answer.text
    assert not MemberGroup.objects.exists()
    assert browser.get(reverse("deferred_posts")).status_code == 302


def test_several_are_entered_in_their_order(cast):
    browser = Client()
    kept = [kept_in(send(browser, page("member_groups"), {"name": name}))[0] for name in ("Juniorzy", "Seniorzy")]
    signed_in(browser, kept)
    answer = browser.post(reverse("deferred_posts"), follow=True)
    assert "2 forms were saved" in answer.text
    assert list(MemberGroup.objects.order_by("pk").values_list("name", flat=True)) == ["Juniorzy", "Seniorzy"]
    browser.post(reverse("deferred_posts"))
    assert MemberGroup.objects.count() == 2


def test_of_several_those_that_cannot_be_are_said_not_to_be(cast):
    browser = Client()
    there = kept_in(send(browser, page("member_groups"), {"name": "Juniorzy"}))
    elsewhere = kept_in(send(browser, reverse("member_groups", args=["elsewhere"]), {"name": "Obcy"}))
    signed_in(browser, there + elsewhere)
    answer = browser.post(reverse("deferred_posts"), follow=True)
    assert "1 form was saved" in answer.text
    assert "Check the page and enter them again" in answer.text
    assert MemberGroup.objects.get().club == cast.club


def test_a_file_is_kept_with_its_form(cast):
    browser = Client()
    table = SimpleUploadedFile("members.csv", b"name\nNowa, Ola\n")
    kept = kept_in(browser.post(page("members_import"), {"file": table}))
    signed_in(browser, kept)
    assert "members.csv" in browser.get(reverse("deferred_posts")).text
    answer = browser.post(reverse("deferred_posts"))
    assert "Nowa" in answer.text
    assert not Member.objects.filter(family_name="Nowa").exists(), "the import shows what it read first"


def test_what_is_too_large_is_not_kept_and_said_so(cast):
    table = SimpleUploadedFile("members.csv", b"x" * (MAX_ANONYMOUS_POST_BYTES + 1))
    answer = Client().post(page("members_import"), {"file": table})
    assert answer.status_code == 401
    assert kept_in(answer) == []
    assert "They were too large to keep. Sign in, go back and send them again" in answer.text


def test_what_is_too_large_is_not_read_from_strangers(cast):
    """A slow sender would block a process of the pages."""
    sent = FakePayload(b"x" * 10)
    answer = Client().generic(
        "POST", page("members_import"), **{"wsgi.input": sent, "CONTENT_LENGTH": str(MAX_ANONYMOUS_POST_BYTES + 1)}
    )
    assert answer.status_code == 401
    assert sent.read() == b"x" * 10


def test_htmx_gets_the_form_on_top_of_the_page_that_stands(cast):
    answer = send(Client(), page("member_groups"), {"name": "Juniorzy"}, headers=HTMX)
    assert answer.status_code == 401
    assert answer.headers["HX-Retarget"] == "#main"
    assert "<html" not in answer.text
    assert kept_in(answer)


def test_htmx_that_only_reads_is_led_away(cast):
    answer = Client().get(page("member_list"), headers=HTMX)
    assert answer.headers["HX-Redirect"] == f"/sign-in/?next={page('member_list')}"


@pytest.mark.parametrize("forged", ["", "x", "eyJwYXRoIjoiLyJ9:1abc:def", "a" * 10_000])
def test_what_we_did_not_sign_is_not_taken(cast, forged):
    browser = Client()
    answer = signed_in(browser, [forged])
    assert answer.headers["Location"] == "/pod-goncem/"
    assert browser.get(reverse("deferred_posts")).status_code == 302


def test_a_forged_form_of_another_site_is_never_kept(cast):
    """The sign-in page must not save what another site has sent in somebody's name."""
    browser = Client(enforce_csrf_checks=True)
    answer = send(browser, page("member_groups"), {"name": "Juniorzy"}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert kept_in(answer) == []


def test_a_browser_that_keeps_no_cookies_is_told_so_and_its_password_is_kept_nowhere(cast):
    browser = Client(enforce_csrf_checks=True)
    sent = {"login": "secretary", "password": "secretary", "csrfmiddlewaretoken": "x" * 64}
    answer = send(browser, reverse("account_login"), sent, headers={"Origin": "http://testserver"})
    assert answer.status_code == 403
    assert "Allow cookies for this site" in answer.text
    assert "lost" not in answer.text
    assert kept_in(answer) == []


def test_a_page_from_before_signing_in_elsewhere_is_looked_at_first(cast):
    """Another tab signed in, so this page's token is outdated; the browser confirms that it is our page."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.secretary)
    sent = {"name": "Juniorzy", "csrfmiddlewaretoken": "x" * 64}
    answer = send(browser, page("member_groups"), sent, headers={"Origin": "http://testserver"})
    assert answer.status_code == 302
    shown = browser.get(answer.headers["Location"]).text
    assert "Juniorzy" in shown
    assert "data-press-at-once" not in shown
    assert not MemberGroup.objects.exists()


def test_an_officers_bookmark_leads_to_signing_in_and_then_to_the_page(cast):
    browser = Client()
    answer = browser.get(page("member_list"))
    assert answer.headers["Location"] == f"/sign-in/?next={page('member_list')}"
    sent = {"login": "secretary", "password": "secretary", "next": page("member_list")}
    assert browser.post(reverse("account_login"), sent).headers["Location"] == page("member_list")


def test_a_club_that_is_not_there_looks_the_same_to_visitors(cast):
    assert Client().get("/no-such-club/members/").status_code == Client().get(page("member_list")).status_code == 302


def test_saved_views_too(cast):
    browser = Client()
    kept = kept_in(send(browser, page("saved_filter_add"), {"name": "Moi", "q": "a"}))
    signed_in(browser, kept)
    pressed(browser, reverse("deferred_posts"))
    assert SavedMemberFilter.objects.get().user == cast.secretary


def test_what_is_refused_beside_others_is_named_and_the_others_are_entered(cast):
    browser = Client()
    choose = page("entries_add_members", cast.event.slug)
    kept = kept_in(send(browser, choose, {"members": "0"})) + kept_in(
        send(browser, page("member_groups"), {"name": "Juniorzy"})
    )
    signed_in(browser, kept)
    said = browser.post(reverse("deferred_posts"), follow=True).text
    assert "Check the page and enter them again" in said
    assert MemberGroup.objects.get().name == "Juniorzy"
