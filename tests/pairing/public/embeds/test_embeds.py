"""A club on other sites: preview images of links, frames, search engines."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from PIL import Image

from clubs.models import Club, Member
from pairing.public.embeds import share_cards, views
from pairing.public.embeds.forms import MAX_ORIGINS, parse_origin
from pairing.public.embeds.share_cards import (
    ShareCard,
    ShareCardLine,
    board_share_card,
    round_share_card,
    standings_share_card,
)
from tests.factories import draft_of, make_event, make_member, played
from tests.module_fixtures import make_module_fixtures
from tests.scenario import Cast, make_cast
from tournaments.entries.enrolment import enter_members

SITE = "https://www.example.org"


def make_rows() -> Cast:
    cast = make_cast()
    played(cast.event, 1)
    return cast


made_once, cast = make_module_fixtures(make_rows)


def at(cast: Cast, name: str, *more: object) -> str:
    return reverse(name, args=[cast.club.slug, cast.event.slug, *more])


def names_in(cast: Cast, text: str) -> set[str]:
    return {member.family_name for member in cast.members if member.family_name in text}


# -- Pictures of shared links ----------------------------------------------------------------------------------------


def test_nothing_of_a_draft_or_of_a_private_event_goes_out(cast):
    draft_of(cast.event, 2)
    for name, *more in (("round_share_image", 2), ("board_share_image", 2, 1), ("board_share_image", 1, 9)):
        assert Client().get(at(cast, name, *more)).status_code == 404
    assert Client().get(at(cast, "standings_share_image_after", 2)).status_code == 404
    secretary = cast.browser("secretary")
    assert "og:" not in secretary.get(at(cast, "round", 2)).content.decode()
    cast.event.is_public = False
    cast.event.save()
    for name, *more in (
        ("round_share_image", 1),
        ("board_share_image", 1, 1),
        ("standings_share_image",),
        ("standings_share_image_after", 1),
    ):
        for browser in (Client(), secretary):
            assert browser.get(at(cast, name, *more)).status_code == 404
    for name, *more in (("round", 1), ("board", 1, 1), ("standings",), ("tournament",)):
        assert "og:" not in secretary.get(at(cast, name, *more)).content.decode()


def test_members_who_refuse_publication_are_exported_with_initials(club):
    refuses = make_member(
        club, "Tajna, Aniela", publication_consent=Member.Consent.REFUSED, publication_consent_on="2026-01-02"
    )
    other = make_member(club, "Nikt, Jan")
    event = make_event(club)
    enter_members(event, [refuses, other], by=None)
    this_round = played(event, 1)
    for card in (round_share_card(this_round), board_share_card(this_round, 1), standings_share_card(event)):
        assert "Nikt, Jan" in repr(card)
        assert "T., A." in repr(card)
        assert "Tajna" not in repr(card)


@pytest.mark.parametrize(
    ("page", "picture", "more"),
    [
        ("round", "round_share_image", [1]),
        ("board", "board_share_image", [1, 1]),
        ("standings", "standings_share_image", []),
        ("standings_after", "standings_share_image_after", [1]),
        ("tournament", "standings_share_image", []),
    ],
)
def test_a_shared_link_has_its_own_address_and_a_picture(cast, page, picture, more):
    html = Client().get(f"{at(cast, page, *more)}?utm_source=mail").content.decode()
    told = dict(re.findall(r'<meta (?:property|name)="(og:[\w:]+|twitter:\w+)" content="([^"]*)"', html))
    assert f'<link rel="canonical" href="http://testserver{at(cast, page, *more)}">' in html
    assert told["og:url"] == f"http://testserver{at(cast, page, *more)}"
    assert cast.event.name in told["og:title"]
    assert names_in(cast, " ".join(told.values())) == set()
    shown = told["og:image"].removeprefix("http://testserver")
    assert shown.partition("?")[0] == at(cast, picture, *more)
    answer = Client().get(shown)
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=600"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    with Image.open(BytesIO(answer.content)) as found:
        assert found.size == (1200, 630)
        assert len(found.convert("RGB").getcolors() or ()) > 8, "something is drawn"
    assert len(answer.content) < 60_000
    again = Client().get(shown, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_a_picture_speaks_the_clubs_language_and_is_made_once(cast, monkeypatch):
    Club.objects.filter(pk=cast.club.pk).update(language="pl")
    caches["pictures"].clear()
    made = []
    monkeypatch.setattr(views, "draw_share_card", lambda card: made.append(card) or b"png")
    for language in ("de", "cs"):
        Client(headers={"Accept-Language": language}).get(at(cast, "round_share_image", 1))
    assert [card.title for card in made] == ["Runda 1 z 3"]
    assert "Runda 1 z 3" in Client(headers={"Accept-Language": "de"}).get(at(cast, "round", 1)).content.decode()


def test_long_names_stay_within_the_picture_and_without_fonts_there_is_none(cast, monkeypatch):
    pen = share_cards.ImageDraw.Draw(Image.new("RGB", share_cards.SIZE))
    written = []
    monkeypatch.setattr(pen, "text", lambda at, text, font, **_more: written.append((text, font.getlength(text))))
    share_cards._write(pen, (0, 0), "Nikt, Jan", share_cards._LINE, 400)
    share_cards._write(pen, (0, 0), "Niebyłowicz-Fikcyjska, " * 9, share_cards._LINE, 400)
    assert written[0][0] == "Nikt, Jan"
    assert written[1][0].endswith("…")
    assert all(length <= 400 for _text, length in written)
    share_cards._font.cache_clear()
    caches["pictures"].clear()
    monkeypatch.setattr(share_cards, "_FACES", dict.fromkeys(share_cards._FACES, ("no-such-font.ttf",)))
    assert Client().get(at(cast, "round_share_image", 1)).status_code == 404
    html = Client().get(at(cast, "round", 1)).content.decode()
    assert "og:title" in html
    assert "og:image" not in html
    share_cards._font.cache_clear()


def test_what_is_drawn(monkeypatch):
    card = ShareCard(
        club="Pod Wieżą", event="Środa", title="Runda 1", about="x", colour="#aa3300", is_one_board=False, lines=()
    )
    drawn = Image.open(BytesIO(share_cards.draw_share_card(card))).convert("RGB").getpixel((600, 8))
    assert all(abs(have - want) < 12 for have, want in zip(drawn, (0xAA, 0x33, 0x00), strict=True)), "a bar on top"
    board = ShareCardLine(number="1", white="Nikt, Jan", black="Łoś, Ewa", result="1 : 0")
    place = ShareCardLine(number="1.", white="Figura, Ewa", result="3½")
    written: list[str] = []
    monkeypatch.setattr(share_cards, "_write", lambda _pen, _at, text, *_more, **_colours: written.append(text))
    for is_one_board, lines in ((True, (board,)), (False, (board, place))):
        share_cards.draw_share_card(replace(card, is_one_board=is_one_board, lines=lines))
    assert all(written)
    assert [text for text in written if ", " in text] == [*["Nikt, Jan", "Łoś, Ewa"] * 2, "Figura, Ewa"]


# -- Frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        *("http://www.example.org", "www.example.org", "https://*.example.org", "*", "'self'", "javascript:alert(1)"),
        *("https://", "https://user@example.org", "https://example.org;script-src", "https://exa mple.org", "data:"),
        *("https://example.org:99999", "https://exa\nmple.org,https:", "https://-.org"),
    ],
)
def test_what_is_no_web_site_may_frame_nothing(address):
    with pytest.raises(ValidationError):
        parse_origin(address)


def test_of_a_web_site_its_origin_is_kept():
    assert parse_origin(" https://WWW.Example.org/szachy/?a=1#b ") == SITE
    assert parse_origin("https://example.org:8443/") == "https://example.org:8443"
    assert parse_origin("https://bücher.example") == "https://xn--bcher-kva.example"
    assert parse_origin("http://localhost:8000/x") == "http://localhost:8000"


def test_without_a_site_there_is_no_frame_and_other_pages_stay_closed(cast):
    framed = [at(cast, "event_embed"), reverse("club_embed", args=[cast.club.slug])]
    assert [Client().get(path).status_code for path in framed] == [404, 404]
    Club.objects.filter(pk=cast.club.pk).update(frame_origins=[SITE])
    for path in (at(cast, "round", 1), reverse("club", args=[cast.club.slug]), reverse("account_login")):
        answer = Client().get(path)
        assert answer.headers["Content-Security-Policy"].split("; ")[-1] == "frame-ancestors 'self'"
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_frame_shows_strangers_what_is_public_and_sets_no_cookie(cast):
    Club.objects.filter(pk=cast.club.pk).update(frame_origins=[SITE], language="pl")
    draft_of(cast.event, 2)
    secretary = cast.browser("secretary")
    for browser in (Client(), secretary):
        answer = browser.get(at(cast, "event_embed"), headers={"Accept-Language": "de"})
        html = answer.content.decode()
        assert answer.headers["Content-Security-Policy"].split("; ")[-1] == f"frame-ancestors 'self' {SITE}"
        assert "X-Frame-Options" not in answer.headers
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert not answer.cookies
        assert '<html lang="pl">' in html
        assert "<form" not in html
        assert len(names_in(cast, html)) == 6
        assert '<tr id="board-1">' in html
    tables = Client().get(f"{at(cast, 'event_embed')}?show=standings&lang=de&look=light").content.decode()
    assert '<html lang="de">' in tables
    assert '<tr id="line-1">' in tables
    assert "dark.css" not in tables
    part = {"HX-Request": "true", "HX-Target": "live"}
    assert "<html" not in Client().get(at(cast, "event_embed"), headers=part).content.decode()
    assert '<html lang="pl">' in Client().get(f"{at(cast, 'event_embed')}?lang=xx").content.decode()
    cast.event.is_public = False
    cast.event.save()
    assert secretary.get(at(cast, "event_embed")).status_code == 404


def test_the_clubs_frame_leads_to_what_is_played(cast):
    Club.objects.filter(pk=cast.club.pk).update(frame_origins=[SITE])
    path = reverse("club_embed", args=[cast.club.slug])
    make_event(cast.club)
    led = Client().get(f"{path}?look=dark")
    assert led.headers["Location"] == f"{at(cast, 'event_embed')}?look=dark"
    cast.club.tournaments.update(is_public=False)
    empty = Client().get(path)
    assert empty.status_code == 200
    assert cast.event.name not in empty.content.decode()
    assert SITE in empty.headers["Content-Security-Policy"]


def test_the_secretary_names_the_sites_and_lets_search_engines_in(cast):
    secretary, page = cast.browser("secretary"), reverse("club_website_settings", args=[cast.club.slug])
    refused = secretary.post(page, {"sites": f"{SITE}\nhttp://evil.example"})
    assert refused.status_code == 422
    assert "http://evil.example" in refused.content.decode()
    many = "\n".join(f"https://site{number}.example" for number in range(MAX_ORIGINS + 1))
    assert secretary.post(page, {"sites": many}).status_code == 422
    cast.club.refresh_from_db()
    assert cast.club.frame_origins == []
    assert "noindex" in Client().get(at(cast, "round", 1)).headers["X-Robots-Tag"]
    secretary.post(page, {"sites": f"{SITE}/chess\n{SITE}", "in_search_engines": "on"})
    cast.club.refresh_from_db()
    assert (cast.club.frame_origins, cast.club.in_search_engines) == ([SITE], True)
    html = secretary.get(page).content.decode()
    assert f'&lt;iframe src="http://testserver{reverse("club_embed", args=[cast.club.slug])}"' in html
    assert "X-Robots-Tag" not in Client().get(at(cast, "round", 1)).headers
    assert "X-Robots-Tag" in Client().get(f"{at(cast, 'round', 1)}?name=Nikt").headers
    assert "X-Robots-Tag" in Client().get(at(cast, "print_pairings", 1)).headers
    cast.event.is_public = False
    cast.event.save()
    assert "X-Robots-Tag" in secretary.get(at(cast, "round", 1)).headers


def test_personal_addresses_are_left_alone(db):
    answer = Client().get("/robots.txt")
    assert answer.headers["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /p/", "Disallow: /me/", "Disallow: /join/"} <= set(lines)


def test_the_list_of_addresses_has_only_what_may_be_listed(cast: Cast):
    def listed() -> list[str]:
        answer = Client().get("/sitemap.xml")
        assert answer.headers["Content-Type"].startswith("application/xml")
        places = re.findall(r"<loc>([^<]*)</loc>", answer.content.decode())
        assert all(place.startswith("http://testserver/") for place in places)
        return [place.removeprefix("http://testserver") for place in places]

    assert listed() == ["/", reverse("pairing_help_list")]
    Club.objects.update(in_search_engines=True)
    draft_of(cast.event, 2)
    assert set(listed()[2:]) == {
        reverse("club", args=[cast.club.slug]),
        *(at(cast, name) for name in ("tournament", "standings")),
        at(cast, "round", 1),
    }
    for address in listed():
        assert "X-Robots-Tag" not in Client().get(address).headers, address
    cast.event.is_public = False
    cast.event.save()
    assert len(listed()) == 2
    assert "Sitemap: http://testserver/sitemap.xml" in Client().get("/robots.txt").content.decode().splitlines()
