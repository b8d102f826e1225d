"""The check-in pages: check-in by officers, the check-in code, personal links, no-shows."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.finance.dues.ledger import charge_member
from clubs.membership.members.guest_nights import record_guest_night
from clubs.models import DuesSeason, Member
from clubs.privacy import public_name
from tests.factories import make_event, played, player
from tests.module_fixtures import make_module_fixtures
from tests.scenario import HTMX, NAMES, SIGN_IN_FIRST, Cast, make_cast
from tournaments.check_in.byes import sign_up_as_player
from tournaments.check_in.personal_links import check_in_code_url, event_link_url, personal_link_url
from tournaments.check_in.presence import check_in_by_player, set_check_in_state
from tournaments.models import Bye, CheckIn, Entry, Round, Tournament

PAGES = ("round_check_in", "check_in_close", "check_in_code", "check_in_code_picture")
ACTIONS = ("check_in_reopen", "absent_players_withdraw")


def make_rows() -> Cast:
    made = make_cast()
    made.event.players_check_in = True
    made.event.save()
    return made


made_once, cast = make_module_fixtures(make_rows)


def page(cast: Cast, name: str, number: int = 1) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, number])


def big_event(club, players: int) -> Tournament:
    event = make_event(club, players=6, players_check_in=True)
    Entry.objects.bulk_create(Entry(tournament=event, name=f"Kopia, {number:03}") for number in range(players - 6))
    return event


def tap(cast: Cast, how: str, *, place: int = 0, htmx: bool = False, who: str = "secretary"):
    sent = {"entry": cast.entry(place).pk, "mark": how}
    return cast.browser(who).post(page(cast, "round_check_in"), sent, headers=HTMX if htmx else {})


# -- Who may ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    ("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403), ("arbiter", 200)]
)
def test_check_in_is_for_those_who_run_the_event(cast, name, who, status):
    assert cast.browser(who).get(page(cast, name)).status_code == status


@pytest.mark.parametrize("name", ["round_check_in", "check_in_close", *ACTIONS])
@pytest.mark.parametrize(("who", "status"), [("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)])
def test_nobody_else_may_check_players_in(cast, name, who, status):
    answer = cast.browser(who).post(page(cast, name), {"entry": cast.entry(0).pk, "mark": "here"})
    assert answer.status_code == status
    assert not CheckIn.objects.exists()


@pytest.mark.parametrize("name", ACTIONS)
def test_wrong_methods(cast, name):
    assert cast.browser("secretary").get(page(cast, name)).status_code == 405
    assert cast.browser("secretary").post(page(cast, "check_in_code")).status_code == 405


def test_the_links_are_for_those_who_run_the_event(cast):
    entry = cast.entry(0)
    addresses = [
        reverse("personal_links", args=[cast.club.slug, cast.event.slug]),
        reverse("personal_link_picture", args=[cast.club.slug, cast.event.slug, entry.pk]),
    ]
    for who, status in (("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403), ("arbiter", 200)):
        for address in addresses:
            assert cast.browser(who).get(address).status_code == status
    renew = reverse("personal_link_renew", args=[cast.club.slug, cast.event.slug, entry.pk])
    for who, status in (("visitor", SIGN_IN_FIRST), ("neighbour", 404), ("member", 403)):
        assert cast.browser(who).post(renew).status_code == status
    entry.refresh_from_db()
    assert entry.link_version == 0


# -- One tap a player ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["here", "late", "absent"])
@pytest.mark.parametrize("htmx", [False, True])
def test_one_tap(cast, how, htmx):
    for _ in range(2):
        answer = tap(cast, how, htmx=htmx)
    assert CheckIn.objects.get().state == how
    if htmx:
        assert answer.content.decode().count("<li") == 1
        assert f'id="{how}-{cast.entry(0).pk}" aria-pressed="true"' in answer.content.decode()
        assert 'id="counts"' in answer.content.decode()
    else:
        assert answer.url.endswith(f"#player-{cast.entry(0).pk}")


def test_a_tap_is_taken_back(cast):
    tap(cast, "absent")
    tap(cast, "not-seen")
    assert not CheckIn.objects.exists()
    assert not Bye.objects.exists()


def test_the_counts(cast):
    for place, how in enumerate(("here", "here", "late", "absent", "bye")):
        tap(cast, how, place=place)
    html = cast.browser("secretary").get(page(cast, "round_check_in")).content.decode()
    for words in ("2 of 6 here", "1 arriving late", "1 absent", "1 with a bye", "1 not checked in"):
        assert words in html


def test_another_device_gets_the_rows_that_changed(cast):
    browser = cast.browser("arbiter")
    first = browser.get(page(cast, "round_check_in")).content.decode()
    since = first.partition("?since=")[2].partition("&")[0]
    address = f"{page(cast, 'round_check_in')}?since={since}&open=yes"
    assert browser.get(address, headers={"HX-Request": "true"}).status_code == 204
    tap(cast, "here", place=1)
    check_in_by_player(cast.entry(2), cast.round(1))
    news = browser.get(address, headers={"HX-Request": "true"}).content.decode()
    assert news.count("<li") == 2
    assert news.count("hx-swap-oob") == 7
    assert "2 of 6 here" in news
    assert "from phone" in news
    assert f"since={since}&" not in news


def test_a_page_of_closed_check_in_is_rendered_again(cast):
    Round.objects.filter(pk=cast.round(1).pk).update(check_in_closed_at=timezone.now())
    answer = cast.browser("arbiter").get(
        f"{page(cast, 'round_check_in')}?since=0&open=yes", headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (204, "true")


def test_players_who_say_they_are_here_are_pointed_out(cast):
    tap(cast, "absent")
    check_in_by_player(cast.entry(0), cast.round(1))
    html = cast.browser("arbiter").get(page(cast, "round_check_in")).content.decode()
    assert "says they're here" in html
    assert "1 to confirm" in html


@pytest.mark.parametrize("players", [6, 60, 300])
def test_check_in_takes_as_many_queries_for_any_number_of_players(cast, players, django_assert_num_queries):
    club = cast.club
    event = big_event(club, players)
    for member in range(5):
        person = Member.objects.create(club=club, family_name=f"Dłużny {member}")
        Entry.objects.filter(pk=player(event, member + 1).pk).update(member=person, name=f"Aa, {member}")
        charge_member(person, 5000, text="x", due_on=date(2020, 1, 1), by=None, season=_season(club))
    browser = cast.browser("secretary")
    with django_assert_num_queries(29):
        answer = browser.get(reverse("round_check_in", args=[club.slug, event.slug, 1]))
    assert answer.content.decode().count("Dłużny") == 0
    assert answer.content.decode().count("owes") == 5
    since = f"?since={event.log.first().pk}&open=yes"
    with django_assert_num_queries(7):
        browser.get(reverse("round_check_in", args=[club.slug, event.slug, 1]) + since, headers={"HX-Request": "true"})


def _season(club) -> DuesSeason:
    return DuesSeason.objects.get_or_create(
        club=club,
        name="2019/20",
        defaults={"starts_on": date(2019, 9, 1), "ends_on": date(2020, 8, 31), "due_on": date(2020, 1, 1)},
    )[0]


# -- What the officer should know ---------------------------------------------------------------------------------


@pytest.fixture
def noted(cast) -> Cast:
    """The first owes dues, the second has left, the third has used up all guest nights."""
    debtor, gone, guest = cast.members[:3]
    charge_member(debtor, 12050, text="x", due_on=date(2020, 1, 1), by=None, season=_season(cast.club))
    charge_member(cast.members[3], 100, text="x", due_on=date.today() + timedelta(days=1), by=None)
    Member.objects.filter(pk=gone.pk).update(status=Member.Status.FORMER)
    Member.objects.filter(pk=guest.pk).update(status=Member.Status.GUEST)
    for day in range(1, 4):
        record_guest_night(guest, date(2026, 1, day))
    return cast


def test_dues_with_amount_and_season_are_for_those_who_see_money(noted):
    html = noted.browser("secretary").get(page(noted, "round_check_in")).content.decode()
    assert "owes €120.50" in html
    assert "2019/20" in html
    assert html.count("owes") == 1
    assert "no longer a member" in html
    assert "guest nights used up (3)" in html
    arbiters = noted.browser("arbiter").get(page(noted, "round_check_in")).content.decode()
    assert "120.50" not in arbiters
    assert "2019/20" not in arbiters
    assert arbiters.count("dues outstanding") == 1


def test_dues_can_be_hidden_from_those_who_see_the_screen(noted):
    browser = noted.browser("secretary")
    door = page(noted, "round_check_in")
    assert browser.post(page(noted, "check_in_dues"), {"dues": "hide"}).status_code == 302
    hidden = browser.get(door).content.decode()
    assert "owes" not in hidden
    assert "no longer a member" in hidden
    tapped = browser.post(door, {"entry": noted.entry(0).pk, "mark": "here"}, headers={"HX-Request": "true"})
    assert "owes" not in tapped.content.decode()
    assert "owes €120.50" in noted.browser("secretary").get(door).content.decode()
    browser.post(page(noted, "check_in_dues"), {"dues": "show"})
    assert "owes €120.50" in browser.get(door).content.decode()


def test_officers_read_and_find_the_name_behind_initials(cast):
    Member.objects.filter(pk=cast.members[0].pk).update(publication_consent="no", publication_consent_on=date.today())
    Entry.objects.filter(pk=cast.entry(0).pk).update(name=public_name(Member.objects.get(pk=cast.members[0].pk)))
    browser = cast.browser("arbiter")
    links = reverse("personal_links", args=[cast.club.slug, cast.event.slug])
    for address in (
        page(cast, "round_check_in"),
        f"{page(cast, 'round_check_in')}?q=domys",
        page(cast, "check_in_close"),
        links,
    ):
        assert NAMES[0] in browser.get(address).content.decode()
    assert NAMES[0] not in Client().get(check_in_code_url(cast.round(1))).content.decode()


def test_players_never_read_it(noted):
    published = [check_in_code_url(noted.round(1)), event_link_url(noted.entry(0))]
    for address in published:
        html = Client().get(address).content.decode()
        for words in ("120.50", "2019/20", "dues", "owes", "no longer a member", "guest night"):
            assert words not in html


# -- Closing ------------------------------------------------------------------------------------------------------


def test_closing_shows_who_was_not_seen_and_changes_nothing(cast):
    tap(cast, "here")
    tap(cast, "late", place=1)
    html = cast.browser("secretary").get(page(cast, "check_in_close")).content.decode()
    assert html.count('name="shown"') == 4
    assert NAMES[3] in html
    assert html.count('name="wait"') == 1
    assert not Bye.objects.exists()


def test_closing(cast):
    tap(cast, "here")
    for place in (1, 2):
        tap(cast, "late", place=place)
    shown = [cast.entry(place).pk for place in (3, 4, 5)]
    late = [cast.entry(place).pk for place in (1, 2)]
    sent = {"shown": shown, "late": late, "wait": late[:1]}
    answer = cast.browser("secretary").post(page(cast, "check_in_close"), sent, follow=True)
    assert "Check-in is closed. 4 players are absent." in answer.content.decode()
    assert set(Bye.objects.values_list("entry", flat=True)) == {*shown, late[1]}
    again = cast.browser("secretary").post(page(cast, "check_in_reopen"), follow=True).content.decode()
    assert "0 not seen" not in again
    assert cast.round(1).check_in_closed_at is None


@pytest.mark.parametrize("shown", [[], ["x"], ["99999999999999999999"]])
@pytest.mark.every_database
def test_whom_the_arbiter_did_not_see_is_not_made_absent(cast, shown):
    answer = cast.browser("secretary").post(page(cast, "check_in_close"), {"shown": shown})
    assert answer.status_code == 422
    assert "on the list and haven" in answer.content.decode()
    assert not Bye.objects.exists()


# -- Links and those who did not come -----------------------------------------------------------------------------


def test_links_of_everyone_and_a_new_one(cast):
    browser = cast.browser("arbiter")
    address = reverse("personal_links", args=[cast.club.slug, cast.event.slug])
    before = personal_link_url(cast.entry(1))
    of_event = event_link_url(cast.entry(1))
    answer = browser.get(address)
    assert "no-store" in answer.headers["Cache-Control"]
    html = answer.content.decode()
    assert all(personal_link_url(entry) in html for entry in cast.event.entries.all())
    assert "Измислен" in browser.get(address, {"q": "измис"}).content.decode()
    assert "No one found" in browser.get(address, {"q": "nobody"}).content.decode()
    renew = reverse("personal_link_renew", args=[cast.club.slug, cast.event.slug, cast.entry(1).pk])
    html = browser.post(renew, follow=True).content.decode()
    assert before not in html
    assert personal_link_url(cast.entry(1)) in html
    assert [Client().get(address).status_code for address in (before, of_event)] == [404, 404]


def without_isolation(html: str) -> str:
    return html.replace("<bdi>", "").replace("</bdi>", "")


def test_who_is_on_the_way_is_named_beside_the_button_that_pairs(cast):
    browser = cast.browser("arbiter")
    assert 'id="on-the-way"' not in browser.get(page(cast, "round")).content.decode()
    entries = list(cast.event.entries.order_by("pk"))
    for entry in entries[:2]:
        set_check_in_state(entry, cast.round(1), "late", by=None)
    set_check_in_state(entries[2], cast.round(1), "absent", by=None)
    set_check_in_state(entries[3], cast.round(1), "here", by=None)
    said = re.search(r'<p id="on-the-way">([^<]*)</p>', without_isolation(browser.get(page(cast, "round")).text))
    number, _, names = said[1].partition(": ")
    assert number == "Running late (2)"
    assert set(names.split("; ")) == {entry.name for entry in entries[:2]}
    for entry in entries[4:]:
        set_check_in_state(entry, cast.round(1), "late", by=None)
    said = re.search(r'<p id="on-the-way">([^<]*)</p>', without_isolation(browser.get(page(cast, "round")).text))
    late = len(entries) - 2
    assert said[1].startswith(f"Running late ({late}): ")
    assert said[1].count(";") == (5 if late > 6 else late - 1)
    assert (f" and {late - 6} more" in said[1]) is (late > 6)


@pytest.mark.parametrize(("extra", "more"), [(0, ""), (2, " and 2 more")])
def test_up_to_five_not_seen_are_named_beside_the_button_that_pairs(cast, extra, more):
    for number in range(extra):
        Entry.objects.create(tournament=cast.event, name=f"Żyła, {number}")
    set_check_in_state(cast.entry(0), cast.round(1), "here", by=None)
    html = without_isolation(cast.browser("arbiter").get(page(cast, "round")).text)
    said = re.search(r'<p id="not-seen"><span[^>]*>([^<]*)</span> ([^<]*?) <a', html)
    five = ("Niebyłowicz-Fikcyjska, Bronisława Kunegunda", "Nikt, Jan", "Vymyšlený, Bohumil", "Żółć, Grażyna")
    names = "; ".join((*five, "Измислен, Петър"))
    assert said[1] == f"{5 + extra} not checked in"
    if not extra:
        assert said[2] == f"{names}. Players who haven't checked in will still be paired unless you close check-in."
    else:
        assert said[2].count("; ") == 4
        assert said[2].endswith(
            f"{more}. Players who haven't checked in will still be paired unless you close check-in."
        )


def test_a_remark_stands_beside_the_name(cast):
    Entry.objects.filter(pk=cast.entry(0).pk).update(remark="late")
    Entry.objects.filter(pk=cast.entry(1).pk).update(remark="comes by the train that is at the station " * 3)
    html = cast.browser("secretary").get(page(cast, "round_check_in")).text
    assert html.count('class="soft small" title=') == 2
    assert '<span class="soft small" title="late">late</span>' in html
    assert ">comes by the train that is at the stati…</span>" in html
    assert '<span class="soft small" title="late">late</span>' in tap(cast, "here", htmx=True).text


def test_absent_players_are_asked_about_before_the_next_round_is_paired(cast):
    for place in (0, 1, 2):
        set_check_in_state(cast.entry(place), cast.round(1), "absent", by=None)
    browser = cast.browser("arbiter")
    assert "did not come" not in browser.get(page(cast, "round", 2)).content.decode()
    played(cast.event, 1)
    set_check_in_state(cast.entry(2), cast.round(2), "here", by=None)
    html = browser.get(page(cast, "round", 2)).content.decode()
    assert "2 players didn't turn up." in html
    ticked = re.findall(r'<input type="checkbox" name="entry" value="(\d+)"', html)
    assert set(ticked) == {str(cast.entry(place).pk) for place in (0, 1)}
    address = page(cast, "absent_players_withdraw")
    assert f'action="{address}"' in html
    sent = {"entry": [cast.entry(0).pk, cast.entry(2).pk], "back": "next"}
    answer = browser.post(address, sent, follow=True)
    assert answer.redirect_chain[-1][0] == page(cast, "round", 2)
    assert "1 player withdrawn" in answer.content.decode()
    assert [cast.entry(place).withdrawn_from_round for place in (0, 1, 2)] == [2, None, None]
    assert "Round 1: 1 player didn't turn up." in answer.content.decode()


def test_absent_players_are_withdrawn_with_one_click(cast):
    set_check_in_state(cast.entry(0), cast.round(1), "absent", by=None)
    set_check_in_state(cast.entry(1), cast.round(1), "absent", by=None)
    played(cast.event, 1)
    browser = cast.browser("arbiter")
    html = browser.get(page(cast, "round")).content.decode()
    assert "2 players didn't turn up." in html
    assert html.count('name="entry"') == 2
    answer = browser.post(
        page(cast, "absent_players_withdraw"), {"entry": [cast.entry(0).pk, cast.entry(3).pk]}, follow=True
    )
    assert "1 player withdrawn" in answer.content.decode()
    assert cast.entry(0).withdrawn_from_round == 2
    assert cast.entry(1).withdrawn_from_round is None
    assert cast.entry(3).withdrawn_from_round is None
    visitor = cast.browser("visitor").get(page(cast, "round")).content.decode()
    assert "did not come" not in visitor


# -- Gone home -----------------------------------------------------------------------------------------------------


def test_a_player_who_went_home_is_out_of_later_rounds_too_until_that_is_undone(cast):
    tap(cast, "absent")
    door = page(cast, "round_check_in")
    assert 'value="gone"' in cast.browser("secretary").get(door).content.decode()
    answer = tap(cast, "gone")
    assert cast.entry(0).withdrawn_from_round == 1
    assert not CheckIn.objects.filter(entry=cast.entry(0)).exists()
    assert not Bye.objects.filter(entry=cast.entry(0)).exists()
    shown = cast.browser("secretary").get(answer["Location"]).content.decode()
    assert f"{NAMES[0]} is out for the rest of the event." in shown
    assert 'value="back"' in shown
    cast.browser("secretary").post(
        page(cast, "check_in_everybody"), {"who": "everybody", "newest": 10**6, "since": 10**6}
    )
    assert cast.entry(0).withdrawn_from_round == 1, "the others are here, and the player is not"
    tap(cast, "back")
    assert cast.entry(0).withdrawn_from_round is None


def test_the_button_for_everyone_else_comes_with_the_answer_to_a_tap(cast):
    answer = tap(cast, "here", htmx=True).content.decode()
    assert re.search(r'<button id="everyone"[^>]*hx-swap-oob="true"[^>]*>Everyone else is here<', answer)
    for place in range(1, len(NAMES) - 1):
        answer = tap(cast, "here", place=place, htmx=True).content.decode()
    assert re.search(r'<button id="everyone"[^>]* hidden', answer), "nobody else is left but one"


def test_a_row_says_who_said_they_are_coming(cast):
    sign_up_as_player(cast.entry(0), cast.event.rounds.get(number=1))
    said = cast.browser("secretary").get(page(cast, "round_check_in"), follow=True).text
    rows = [said.split(f'id="player-{cast.entry(number).pk}"')[1].split("</form>")[0] for number in (0, 1)]
    assert ["coming" in row for row in rows] == [True, False]
