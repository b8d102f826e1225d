"""Exports of an event: no formulas, no withheld names, no links out of the folder."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from clubs.models import Club, Member
from common.tabular.file_responses import render_csv, render_xlsx
from pairing.public.exports import views
from pairing.public.exports.event_tables import players_table
from pairing.public.exports.pgn_and_text import pgn_headers, round_as_text
from pairing.public.exports.public_names import PublicNames
from pairing.public.exports.static_site import build_static_site
from tests.factories import make_club, make_event, make_member, played, published, round_of
from tests.module_fixtures import make_module_fixtures
from tournaments.entries.enrolment import enter_members
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.models import Game, Tournament
from tournaments.problems import ArbiterProblem

pytestmark = pytest.mark.django_db


def make_outgoing() -> Tournament:
    """Five players: one round played, one in progress; one name is withheld, one looks like a formula."""
    club = make_club()
    event = make_event(club, players=3, rounds=3, system="dutch-2026", is_public=False)
    shy = make_member(
        club, "Skryta, Nina", 1950, publication_consent=Member.Consent.REFUSED, publication_consent_on="2026-01-01"
    )
    odd = make_member(club, '=1+1"\\, Zdzisław', 1900)
    enter_members(event, [shy, odd], by=None)
    event.entries.filter(member=shy).update(name="Skryta, Nina")
    played(event, 1)
    published(event, 2)
    return event


made_once, event = make_module_fixtures(make_outgoing)


@pytest.fixture
def club(event: Tournament) -> Club:
    return event.club


def rows_of(client, event, name: str) -> list[list[str]]:
    answer = client.get(reverse("event_table_export", args=[event.club.slug, event.slug, name, "csv"]))
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    return [*csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";")]


@pytest.mark.parametrize("path", ["players.exe", "nothing.csv", "round-3.csv", "round-1.exe", "round-99.pgn"])
def test_what_there_is_not(client, arbiter, event, path):
    client.force_login(arbiter)
    assert client.get(f"/{event.club.slug}/{event.slug}/files/{path}").status_code == 404


@pytest.mark.parametrize("name", ["players", "standings", "crosstable", "attendance"])
def test_tables_have_everyone_and_no_formulas(client, arbiter, event, name):
    client.force_login(arbiter)
    headings, *rows = rows_of(client, event, name)
    assert len(rows) == 5
    assert {len(row) for row in rows} == {len(headings)}
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if re.match(r"[=@+]|-(?!\d|½|$)", cell)]
    assert [cell for cell in cells if cell.startswith("'=1+1")]
    answer = client.get(reverse("event_table_export", args=[event.club.slug, event.slug, name, "xlsx"]))
    sheet = load_workbook(io.BytesIO(answer.content)).active
    assert not [cell.value for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert sheet.max_row == 6


def test_who_was_there(client, arbiter, event):
    client.force_login(arbiter)
    game = round_of(event, 2).games.order_by("board").first()
    Game.objects.filter(pk=game.pk).update(result=Game.Result.WHITE_WINS_FORFEIT)
    attendance = {row[2].lstrip("'"): row[3:] for row in rows_of(client, event, "attendance")[1:]}
    assert attendance[game.white.name][1] == "present"
    assert attendance[game.black.name][1] == "absent"
    bye = round_of(event, 1).byes.get()
    assert attendance[bye.entry.name][0] == "bye"
    assert attendance[game.black.name][2] == str(attendance[game.black.name].count("present"))


def test_the_crosstable_comes_back_as_the_same_event(client, arbiter, event, club):
    client.force_login(arbiter)
    answer = client.get(reverse("event_table_export", args=[club.slug, event.slug, "crosstable", "xlsx"]))
    preview = preview_import(club, answer.content, "x.xlsx")
    assert (preview.kind, preview.errors) == ("crosstable", ())
    again = apply_import(club, answer.content, "x.xlsx", by=None)
    games = [
        set(
            Game.objects.filter(round__tournament=each, result__gt="").values_list(
                "round__number", "white__tpn", "black__tpn", "result"
            )
        )
        for each in (event, again)
    ]
    assert games[0]
    assert games[0] == games[1]


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_the_starting_list_comes_back_as_the_same_players(language, event, club):
    """Its headings are in the reader's language, and another of our servers must recognise them."""
    event.entries.update(federation="POL", birth="1990/03/28", title="FM", sex="w", club_name="Pod Wieżą; Zamatowice")
    for number, entry in enumerate(event.entries.all(), start=4_600_000):
        type(entry).objects.filter(pk=entry.pk).update(fide_id=str(number))
    known = ("name", "title", "rating", "federation", "club_name", "fide_id", "sex", "birth")
    with override(language):
        table = players_table(event)
    files = {
        "players.csv": render_csv(table.headings, table.rows),
        "players.xlsx": render_xlsx(table.headings, table.rows, title=table.title),
    }
    for name, data in files.items():
        preview = preview_import(make_event(club), data, name)
        assert preview.errors == ()
        assert {tuple(getattr(row, each) for each in known) for row in preview.players} == set(
            event.entries.values_list(*known)
        )


def test_pgn_has_a_game_for_every_board_and_nothing_breaks_out_of_its_quotation_marks(event):
    text = pgn_headers(event, [round_of(event, 2)]).decode()
    assert text.count("[Event ") == 2
    assert '[Result "*"]' in text
    assert '=1+1\\"\\\\, Zdzisław' in text
    assert all(re.fullmatch(r'\[\w+ "(?:[^"\\]|\\.)*"\]|\*|', line) for line in text.splitlines())


def test_names_kept_back_stand_in_nothing_that_is_for_everybody(event):
    event.refresh_from_db()
    this_round = round_of(event, 1)
    with zipfile.ZipFile(io.BytesIO(build_static_site(event))) as folder:
        pages = [folder.read(name).decode() for name in folder.namelist()]
    for text in (round_as_text(this_round), pgn_headers(this_round.tournament, [this_round]).decode(), *pages):
        assert "Skryta" not in text
    assert "S., N." in "".join(pages)


def test_everyone_is_on_the_right_side_of_the_board(event):
    this_round = round_of(event, 2)
    game = this_round.games.select_related("white", "black").get(board=1)
    for number, entry in enumerate((game.white, game.black), start=1):
        event.entries.filter(pk=entry.pk).update(fide_id=f"110000{number}")
    text = pgn_headers(event, [round_of(event, 2)]).decode()
    assert '[WhiteFideId "1100001"]\n[BlackFideId "1100002"]' in text
    with zipfile.ZipFile(io.BytesIO(build_static_site(event))) as folder:
        page = unescape(folder.read(f"{event.slug}/round-2.html").decode())
    names = PublicNames(event)
    shown = [page.index(names.public_name_of_entry(entry.pk, entry.name)) for entry in (game.white, game.black)]
    assert shown == sorted(shown)
    assert f"1. {names.public_name_of_entry(game.white.pk, game.white.name)}" in round_as_text(this_round)


def test_a_round_as_text_says_when_it_begins_where_that_is_known(event):
    this_round = round_of(event, 2)
    assert round_as_text(this_round).splitlines()[1] == "Round 2 of 3"
    this_round.starts_at = datetime(2026, 3, 4, 17, 30, tzinfo=UTC)
    assert round_as_text(this_round).splitlines()[1].startswith("Round 2 of 3 · ")


def test_the_folder_stands_alone(event):
    with zipfile.ZipFile(io.BytesIO(build_static_site(event))) as folder:
        names = folder.namelist()
        pages = {name: folder.read(name).decode() for name in names if name.endswith(".html")}
    assert {f"{event.slug}/{name}" for name in ("index.html", "round-1.html", "round-2.html", "style.css")} <= set(
        names
    )
    assert f"{event.slug}/round-3.html" not in names
    for text in pages.values():
        links = re.findall(r'(?:href|src)="([^"]*)"', text)
        assert all(f"{event.slug}/{link}" in names for link in links)
        assert "<script" not in text
        assert '=1+1"' not in text


def test_the_pages_of_files(client, arbiter, event, club):
    client.force_login(arbiter)
    page = client.get(reverse("event_files", args=[club.slug, event.slug])).content.decode()
    assert reverse("event_static_site", args=[club.slug, event.slug]) in page
    assert "Runde" not in page
    assert round_as_text(round_of(event, 2)).splitlines()[-1] in unescape(page)
    for link in set(re.findall(r'href="(/[^"#?]*files/[^"#?]*)"', page)):
        assert client.get(link).status_code == 200, link
    assert client.get(reverse("club_files", args=[club.slug])).status_code == 200


@pytest.mark.parametrize("name", ["event_table_export", "event_static_site"])
def test_what_cannot_be_made_is_said_on_the_page_of_files(client, arbiter, event, monkeypatch, name):
    def refuse(_event):
        raise ArbiterProblem("Not with these points.")

    monkeypatch.setattr(views, "build_static_site", refuse)
    monkeypatch.setitem(views.EXPORT_TABLES, "players", replace(views.EXPORT_TABLES["players"], make=refuse))
    client.force_login(arbiter)
    more = ["players", "csv"] if name == "event_table_export" else []
    answer = client.get(reverse(name, args=[event.club.slug, event.slug, *more]), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("event_files", args=[event.club.slug, event.slug])
    assert "Not with these points." in answer.text
