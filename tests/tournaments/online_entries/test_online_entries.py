"""Strangers enter by a link: nobody without a confirmed address, nobody twice, and never more than there are places."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connections
from django.test import Client
from django.utils import timezone

from clubs.models import RatingListPlayer, RatingRegister
from common.emails.confirmation import MAX_CONFIRMATIONS_A_DAY
from common.emails.smtp_delivery import MailServerConnection
from tests.factories import make_event, make_member, player, published
from tests.tournaments.online_entries.conftest import SENT, address, links, process
from tournaments.check_in.personal_links import event_link_url
from tournaments.entries.enrolment import enter_pasted_list
from tournaments.entries.member_linking import link_member
from tournaments.models import Entry, OnlineEntry, OnlineEntrySettings
from tournaments.online_entries.places import (
    approve_online_entry,
    confirm_online_entry,
    move_to_front,
    move_waiting_list_up,
    refuse_online_entry,
    withdraw_online_entry,
)
from tournaments.privacy.personal_data import (
    collect_personal_data,
    delete_old_online_entries,
    erase_person,
    full_names_behind_initials,
)

ANNA = SENT["email"]


def states(event) -> list[tuple[str, str]]:
    return list(event.online_entries.values_list("name", "state"))


def names(event) -> set[str]:
    return set(event.entries.values_list("name", flat=True))


# -- Confirmation ----------------------------------------------------------------------------------------------------


def test_an_entry_counts_only_after_its_address_is_confirmed_and_the_link_works_once(client, event, form):
    client.post(address(event), SENT)
    process()
    (link,) = links(ANNA)
    token = link.split("/")[-2]
    assert OnlineEntry.objects.get().token_hash not in ("", token)
    assert client.get(link).status_code == 200
    assert names(event) == set()
    client.post(link)
    assert names(event) == {"Nowak, Anna"}
    assert client.post(link).status_code == client.get(link).status_code == 410
    assert client.get(link[:-5] + "abcd/").status_code == 410


def test_a_link_expires(client, event, form):
    client.post(address(event), SENT)
    process()
    OnlineEntry.objects.update(token_ends_at=timezone.now())
    assert client.post(links(ANNA)[0]).status_code == 410
    assert names(event) == set()


def test_the_players_own_page_leads_on_and_another_number_opens_nothing(client, event, enter):
    own = links(enter().email)[-1]
    page = client.get(own).content.decode()
    assert "/p/" in page
    assert client.get(own.replace("/enter/", "/enter/1")).status_code == 404


def test_while_the_mail_server_is_down_emails_wait_and_go_once(client, event, form, monkeypatch):
    def refuse(_server: object) -> None:
        raise ConnectionRefusedError("no")

    with monkeypatch.context() as down:
        down.setattr(MailServerConnection, "open_connection", refuse)
        for number in range(3):
            client.post(
                address(event), SENT | {"name": f"Gość, {'ABCDEFGHIJ'[number]}", "email": f"nr{number}@poczta.example"}
            )
        process()
    assert mail.outbox == []
    OnlineEntry.objects.update(email_due_at=timezone.now())
    process()
    process()
    assert sorted(each.to[0] for each in mail.outbox) == [f"nr{number}@poczta.example" for number in range(3)]


# -- Abuse -----------------------------------------------------------------------------------------------------------


def test_programs_are_told_that_it_worked_and_nothing_is_sent(client, event, form):
    answer = client.post(address(event), SENT | {"website": "https://spam.example"})
    assert (answer.status_code, OnlineEntry.objects.count()) == (302, 0)


def test_an_address_gets_few_emails_a_day_and_the_answer_is_always_the_same(client, event, form):
    make_member(event.club, "Inna, Osoba", email="inna@poczta.example")
    answers = {
        client.post(address(event), SENT | {"name": f"Gość, {'ABCDEFGHIJ'[number]}"}).headers["Location"]
        for number in range(MAX_CONFIRMATIONS_A_DAY + 2)
    }
    answers.add(client.post(address(event), SENT | {"email": "inna@poczta.example"}).headers["Location"])
    process()
    assert len(answers) == 1
    assert sum(each.to == [ANNA] for each in mail.outbox) == MAX_CONFIRMATIONS_A_DAY


def test_a_network_that_sends_many_forms_has_to_wait(client, event, form, no_time_passes, monkeypatch):
    monkeypatch.setattr("tournaments.online_entries.views.players.FREE_SUBMISSIONS", 2)
    sent = [
        client.post(address(event), SENT | {"name": f"Gość, {'ABCDEFGHIJ'[number]}"}).status_code for number in range(4)
    ]
    assert sent == [302, 302, 429, 429]


def test_many_networks_of_one_site_count_together(client, event, form, no_time_passes, monkeypatch):
    """A provider gives each customer thousands of /64 networks."""
    monkeypatch.setattr("tournaments.online_entries.views.players.FREE_SUBMISSIONS", 2)

    def send(number: int, site: str = "1") -> int:
        sent = SENT | {"name": f"Gość, {'ABCDEFGHIJ'[number]}", "email": f"nr{number}@poczta.example"}
        return client.post(address(event), sent, REMOTE_ADDR=f"2001:db8:{site}:{number}::1").status_code

    assert [send(number) for number in range(6)] == [302] * 4 + [429] * 2
    assert send(7, site="2") == 302


def test_an_address_with_a_tag_is_the_same_mailbox(client, event, form):
    tags = ["", "+a", "+b", "+c", "+d", "+e", "+f"]
    for number, tag in enumerate(tags):
        sent = {"name": f"Gość, {'ABCDEFGHIJ'[number]}", "email": f"anna{tag}@poczta.example"}
        client.post(address(event), SENT | sent)
    client.post(address(event), SENT | {"email": "annabella@poczta.example"})
    process()
    assert len(mail.outbox) == MAX_CONFIRMATIONS_A_DAY + 1
    assert mail.outbox[-1].to == ["annabella@poczta.example"]


def test_nobody_gets_a_members_page_by_entering_their_name(client, event, enter):
    jan = make_member(event.club, "Nikt, Jan", birth_year=1990, email="jan@poczta.example")
    online = enter("Nikt, Jan")
    assert (online.member, online.entry.member) == (jan, None)
    link_member(online.entry, jan, by=None)
    mail.outbox.clear()
    OnlineEntry.objects.update(email_due="state", email_due_at=timezone.now())
    process()
    assert "/p/" not in "".join(str(each.body) for each in mail.outbox)
    assert "/p/" not in client.get(links(online.email)[-1]).content.decode()


def test_minors_need_a_guardian_who_confirms(client, event, form):
    young = SENT | {"birth_year": str(timezone.localdate().year - 12)}
    assert client.post(address(event), young).status_code == 422
    client.post(address(event), young | {"guardian_name": "Nowak, Ewa", "guardian_email": "EWA@poczta.example"})
    process()
    assert [each.to for each in mail.outbox] == [["ewa@poczta.example"]]


def test_a_form_that_is_closed_or_of_a_private_event_takes_nothing(client, event, form):
    form.closes_at = timezone.now()
    form.save()
    client.post(address(event), SENT)
    form.closes_at, event.is_public = None, False
    form.save()
    event.save()
    assert client.post(address(event), SENT).status_code == 404
    assert OnlineEntry.objects.count() == 0


def test_closed_entries_lead_to_the_club_and_to_its_events_that_are_open(client, event, form):
    event.club.email = "club@poczta.example"
    event.club.save()
    others = [make_event(event.club, slug=slug, is_public=is_public) for slug, is_public in (("x", True), ("y", False))]
    for other in others:
        OnlineEntrySettings.objects.create(tournament=other, is_open=True)
    assert "club@poczta.example" not in client.get(address(event)).content.decode()
    form.closes_at = timezone.now()
    form.save()
    page = client.get(address(event)).content.decode()
    assert "Online entry is closed" in page
    assert "mailto:club@poczta.example" in page
    assert address(others[0]) in page
    assert address(others[1]) not in page
    OnlineEntrySettings.objects.filter(tournament=others[0]).update(closes_at=timezone.now())
    assert address(others[0]) not in client.get(address(event)).content.decode()


# -- Who it is -------------------------------------------------------------------------------------------------------


def test_nobody_is_entered_twice(client, event, enter):
    enter("Nowak, Anna")
    enter_pasted_list(event, "Pionek, Ola; 1500", by=None)
    for email, again in (("a@poczta.example", "nowak, ANNA"), ("b@poczta.example", "Pionek, Ola")):
        # Only who confirms learns it.
        assert client.post(address(event), SENT | {"name": again, "email": email}).status_code == 302
        process()
        answer = client.post(links(email)[0])
        assert answer.status_code == 422
        assert "nowak@poczta.example" not in answer.content.decode()
    enter("Nowak, Anna", birth_year="1991")
    assert event.entries.count() == 3


def test_two_confirmations_of_one_player_enter_them_once(client, event, form):
    for email in ("a@poczta.example", "b@poczta.example"):
        client.post(address(event), SENT | {"email": email})
    process()
    confirmed = [client.post(links(email)[0]).status_code for email in ("a@poczta.example", "b@poczta.example")]
    assert confirmed == [302, 422]
    assert event.entries.count() == 1


def test_a_player_of_the_rating_list_is_asked_for_and_comes_with_their_data(client, event, enter, listed):
    sent = SENT | {"name": "Wisniewska, Ewa", "birth_year": "1988"}
    asked = client.post(address(event), sent)
    assert asked.status_code == 422
    assert "1100012" in asked.content.decode()
    found = client.get(address(event), {"name": "wisniewska"}, headers={"HX-Request": "true", "HX-Target": "listed"})
    assert "1100012" in found.content.decode()
    entry = enter("Wisniewska, Ewa", listed=str(listed.pk), birth_year="1988").entry
    assert (entry.name, entry.rating, entry.fide_id, entry.federation) == ("Wiśniewska, Ewa", 1850, "1100012", "POL")


def test_the_id_of_somebody_else_is_refused_and_limits_apply(client, event, form, listed):
    by_id = SENT | {"name": "Wiśniewska, Ewa", "player_id": "1100012", "birth_year": "1988"}
    assert client.post(address(event), by_id | {"name": "Nowak, Anna"}).status_code == 422
    assert client.post(address(event), by_id | {"birth_year": "1987"}).status_code == 422
    for limit in ({"rating_from": 1900}, {"rating_to": 1800}, {"born_from": 1990}, {"born_to": 1980}):
        type(form).objects.update(**limit)
        assert client.post(address(event), by_id).status_code == 422, limit
        type(form).objects.update(**dict.fromkeys(limit))
    assert client.post(address(event), by_id).status_code == 302


def test_strangers_learn_no_birth_year_from_the_clubs_own_list_and_the_secretary_sees_another_one(
    client, event, form, listed, enter, secretary
):
    own = RatingRegister.objects.create(club=event.club, name="Krajowa")
    RatingListPlayer.objects.update(register=own, birth_year=2015)
    ewa = {"name": "Wiśniewska, Ewa", "listed": str(listed.pk)}
    answers = {
        client.post(address(event), SENT | ewa | {"birth_year": year, "email": f"nr{year}@poczta.example"}).status_code
        for year in ("1988", "1989", "2000")
    }
    assert answers == {302}
    online = enter(**ewa, email="ewa@poczta.example", birth_year="1989")
    assert (online.birth_year, online.national_id) == (1989, listed.number)
    client.force_login(secretary)
    review = f"/{event.club.slug}/{event.slug}/online-entries/"
    assert "born 2015 in the rating list" in client.get(review).text
    OnlineEntry.objects.filter(pk=online.pk).update(birth_year=2015)
    assert "in the rating list" not in client.get(review).text
    type(form).objects.update(guardian_under=0)
    client.logout()
    client.post(address(event), ewa | {"email": "x@poczta.example"})
    process()
    assert "2015" not in client.get(links("x@poczta.example")[0]).text


def test_who_does_not_agree_to_their_name_is_shown_with_initials(client, event, enter):
    entry = enter("Nowak, Anna", shows_name="").entry
    assert entry.name == "N., A."
    assert full_names_behind_initials(event) == {entry.pk: "Nowak, Anna"}
    assert "Nowak" not in client.get(address(event, "list/")).content.decode()


def test_the_log_has_the_initials_of_a_guest_who_wanted_them(event, enter):
    enter("Nowak, Anna", shows_name="")
    assert "Nowak" not in str(list(event.log.values_list("details", flat=True)))


def test_a_waiting_list_does_not_say_who_is_a_member(client, event, form, enter):
    form.places = 1
    form.save()
    enter("Alfa, A")
    make_member(
        event.club, "Nowak, Anna", birth_year=1990, publication_consent="no", publication_consent_on="2020-01-01"
    )
    online = enter("Nowak, Anna")
    assert (online.state, online.is_member_certain) == ("waiting", False)
    assert "Nowak, Anna" in client.get(address(event, "list/")).text


def test_the_guardian_of_a_childhood_does_not_enter_an_adult_as_a_member(event, enter):
    make_member(event.club, "Nowak, Anna", birth_year=1990, guardian_email="nowak@poczta.example")
    assert not enter("Nowak, Anna").is_member_certain


def test_a_member_is_linked_by_their_address(event, enter):
    anna = make_member(event.club, "Nowak, Anna", rating=1700, birth_year=1990, email="NOWAK@poczta.example")
    make_member(event.club, "Nowak, Anna", rating=1600, birth_year=1990)
    online = enter()
    assert (online.entry.member, online.entry.rating, online.entry.club_name) == (anna, 1700, event.club.name)
    assert collect_personal_data(anna)["online_entries"][0]["email"] == online.email


def test_the_link_of_somebody_who_used_a_members_name_does_not_become_the_members(event, enter):
    online = enter()
    before = event_link_url(online.entry)
    anna = make_member(event.club, "Nowak, Anna", email="anna@klub.example")
    link_member(online.entry, anna, by=None)
    assert event_link_url(Entry.objects.get(pk=online.entry.pk)) != before


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Read https://evil.example"},
        {"email": f"a@{'ü' * 60}.example"},
        {"email": "a@\ue000.example"},
        {"birth_year": "201"},
    ],
)
def test_names_and_addresses_are_plain(client, event, form, wrong):
    assert client.post(address(event), SENT | wrong).status_code == 422
    assert OnlineEntry.objects.count() == 0


def test_an_email_that_cannot_be_written_does_not_stop_the_others(client, event, form):
    for number in range(2):
        client.post(address(event), SENT | {"name": f"Gość, {'AB'[number]}", "email": f"nr{number}@poczta.example"})
    mail.outbox.clear()
    OnlineEntry.objects.update(email_due=OnlineEntry.EmailKind.CONFIRM, email_due_at=timezone.now())
    OnlineEntry.objects.filter(email="nr0@poczta.example").update(email="a@\ue000.example")
    process()
    assert [each.to for each in mail.outbox] == [["nr1@poczta.example"]]
    assert not OnlineEntry.objects.exclude(email_due="").exists()


# -- Places and the waiting list -------------------------------------------------------------------------------------


def test_the_waiting_list_moves_up_when_somebody_withdraws_and_when_an_offer_is_over(client, event, form, enter):
    form.places = 1
    form.save()
    first, second, third = (enter(name) for name in ("Alfa, A", "Beta, B", "Gamma, G"))
    assert states(event) == [("Alfa, A", "entered"), ("Beta, B", "waiting"), ("Gamma, G", "waiting")]
    assert "Beta, B" in client.get(address(event, "list/")).content.decode()
    process()
    client.post(links(first.email)[-1], {"do": "withdraw"})
    assert states(event) == [("Alfa, A", "withdrawn"), ("Beta, B", "offered"), ("Gamma, G", "waiting")]
    OnlineEntry.objects.filter(pk=second.pk).update(offer_ends_at=timezone.now() - timedelta(seconds=1))
    process()
    assert client.post(links(second.email)[-1], {"do": "accept"}).status_code == 422
    assert states(event)[1:] == [("Beta, B", "lapsed"), ("Gamma, G", "offered")]
    client.post(links(third.email)[-1], {"do": "accept"})
    assert names(event) == {"Gamma, G"}


def test_more_places_move_it_up_in_order_and_a_newcomer_does_not_jump_the_queue(client, event, form, enter):
    form.places = 1
    form.save()
    for name in ("Alfa, A", "Beta, B", "Gamma, G"):
        enter(name)
    move_to_front(event.online_entries.get(name="Gamma, G"), by=None)
    client.post(address(event), SENT | {"name": "Delta, D"})
    process()
    form.places = 2
    form.save()
    client.post(links(ANNA)[0])
    assert dict(states(event)) == {
        "Alfa, A": "entered",
        "Beta, B": "waiting",
        "Gamma, G": "offered",
        "Delta, D": "waiting",
    }
    assert move_waiting_list_up(event.pk) == 0


def test_a_player_whom_the_arbiter_withdraws_frees_a_place(event, form, enter):
    form.places = 1
    form.save()
    first, second = enter("Alfa, A"), enter("Beta, B")
    type(first.entry).objects.filter(pk=first.entry_id).update(withdrawn_from_round=1)
    process()
    second.refresh_from_db()
    assert second.state == "offered"


def test_the_secretary_approves_and_refuses(event, form, enter):
    form.needs_approval, form.places = True, 2
    form.save()
    first, second, third = (enter(name) for name in ("Alfa, A", "Beta, B", "Gamma, G"))
    assert [each.state for each in (first, second, third)] == ["approval", "approval", "waiting"]
    approve_online_entry(first, by=None)
    refuse_online_entry(second, by=None)
    assert [state for _name, state in states(event)] == ["entered", "refused", "offered"]
    assert names(event) == {"Alfa, A"}


def test_who_is_refused_reads_the_reason(client, event, form, enter, secretary):
    form.needs_approval = True
    form.save()
    online = enter("Alfa, A")
    process()
    own = links(online.email)[-1]
    officer = Client()
    officer.force_login(secretary)
    review = f"/{event.club.slug}/{event.slug}/online-entries/"
    officer.post(f"{review}{online.pk}/", {"do": "refuse", "reason": "Only <b>players</b> of the league."})
    process()
    assert "Reason: Only <b>players</b> of the league." in str(mail.outbox[-1].body)
    assert "Only &lt;b&gt;players&lt;/b&gt; of the league." in client.get(own).text
    assert "of the league" in officer.get(review).text


def test_the_button_to_enter_goes_when_entries_close_without_any_other_change(client, event, form, monkeypatch):
    form.closes_at = timezone.now() + timedelta(hours=1)
    form.save()
    overview, club_page = f"/{event.club.slug}/{event.slug}/", f"/{event.club.slug}/"
    event.rounds.filter(number=1).update(starts_at=timezone.now() + timedelta(days=1))
    for page in (overview, club_page):
        assert address(event) in client.get(page).text
    kept = client.get(overview)
    later = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert address(event) not in client.get(overview).text
    again = client.get(overview, headers={"If-None-Match": kept.headers["ETag"]})
    assert again.status_code == 200
    assert "ETag" not in client.get(club_page).headers or address(event) not in client.get(club_page).text


def test_after_the_first_game_who_withdraws_leaves_the_coming_rounds(event, enter):
    enter_pasted_list(event, "Pionek, Nr001; 1500\nPionek, Nr002; 1400\nPionek, Nr003; 1300", by=None)
    online = enter()
    published(event, 1)
    withdraw_online_entry(online, by=None)
    online.refresh_from_db()
    assert online.entry.withdrawn_from_round == 2
    assert player(event, 1).withdrawn_from_round is None


# -- The secretary ---------------------------------------------------------------------------------------------------


def test_the_secretary_sets_up_the_form_with_fees_and_questions_and_gets_a_table(client, event, secretary):
    client.force_login(secretary)
    base = f"/{event.club.slug}/{event.slug}/online-entries/"
    rows = {"fees-TOTAL_FORMS": "2", "fees-INITIAL_FORMS": "0", "fees-0-name": "All", "fees-0-amount": "12.50"}
    sent = {"is_open": "on", "places": "20", "guardian_under": "16", "question_0": "Wegetarianin?", **rows}
    assert client.post(f"{base}settings/", sent | {"rating_from": "2000", "rating_to": "1000"}).status_code == 422
    assert client.post(f"{base}settings/", sent).status_code == 302
    assert list(event.entry_form.fees.values_list("name", "amount")) == [("All", 1250)]
    stranger = Client()
    assert address(event) in stranger.get(f"/{event.club.slug}/{event.slug}/").content.decode()
    stranger.post(address(event), SENT | {"question_0": "=tak"})
    process()
    stranger.post(links(ANNA)[0])
    assert "=tak" in client.get(base).content.decode()
    table = client.get(f"{base}export/").content.decode("utf-8-sig")
    assert [cell in table for cell in ("Nowak, Anna", ANNA, "'=tak", "12.50")] == [True] * 4
    assert client.get(f"{base}settings/").status_code == 200


# -- Races -----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_many_who_confirm_at_once_as_many_as_there_are_places_get_in(event, form):
    """All others wait, each with their own number."""
    form.places = 3
    form.save()
    later = timezone.now() + timedelta(hours=1)
    sent = [
        OnlineEntry.objects.create(tournament=event, name=f"Gość, Nr{n}", birth_year=1990, token_ends_at=later)
        for n in range(12)
    ]

    def confirm(online: OnlineEntry) -> None:
        try:
            confirm_online_entry(online)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(confirm, sent))
    rows = list(event.online_entries.order_by("queue_number"))
    assert [row.queue_number for row in rows] == list(range(1, 13))
    assert [row.state for row in rows] == ["entered"] * 3 + ["waiting"] * 9
    assert event.entries.count() == 3


# -- Privacy ---------------------------------------------------------------------------------------------------------


def test_data_is_erased_with_the_person_and_some_time_after_the_event(event, enter):
    anna = make_member(event.club, "Nowak, Anna", birth_year=1990)
    enter()
    enter("Alfa, A")
    event.rounds.update(state="finished")
    erase_person(anna, in_results=True, by=None)
    assert states(event) == [("Alfa, A", "entered")]
    today = timezone.localdate()
    type(event).objects.update(starts_on=today, ends_on=today)
    assert delete_old_online_entries(event.club, today=today + timedelta(days=90)) == 0
    assert delete_old_online_entries(event.club, today=today + timedelta(days=91)) == 1
    assert event.entries.filter(name="Alfa, A").exists()


def test_unconfirmed_entries_are_deleted(client, event, form):
    client.post(address(event), SENT)
    process()
    OnlineEntry.objects.update(sent_at=timezone.now() - timedelta(days=4))
    process()
    assert OnlineEntry.objects.count() == 0
