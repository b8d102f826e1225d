"""Rating lists by month: inspected before anything is written, never an older one over a newer one, history kept."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from clubs.models import Member, MemberRatingListing, RatingListImport, RatingListPlayer, RatingRegister
from clubs.rating.lists import list_import
from clubs.rating.lists.import_jobs import get_fide_register, store_list_for_import
from clubs.rating.lists.list_inspection import inspect_list, month_of_list_file
from clubs.rating.lists.member_changes import apply_member_changes, find_member_changes
from clubs.rating.lists.player_search import find_listed_players
from common.jobs.queue import run_job
from common.models import Job
from common.tabular.file_responses import render_xlsx
from lab.made_up_list import HEADER
from tests.clubs.rating.lists.test_reading import text_line
from tests.common.tabular.test_other_tables import dbf
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.every_database]

OCTOBER, NOVEMBER = date(2026, 10, 1), date(2026, 11, 1)


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


@pytest.fixture
def national(club) -> RatingRegister:
    columns = {"number": 0, "name": 1, "standard": 2, "separator": ";", "encoding": "utf-8-sig", "headings": 1}
    return RatingRegister.objects.create(club=club, name="PZSzach", columns=columns)


def brought_in(register: RatingRegister, text: str, month: date, **more: object) -> RatingListImport:
    data = text.encode("utf-8" if register.club_id else "latin-1")
    listed = store_list_for_import(register, [data], "list.csv", kind="", by=None, month=month, **more)
    run_job(listed.job_id, list_import.run_list_import)
    listed.refresh_from_db()
    return listed


def looked(register: RatingRegister, data: bytes, tmp_path: Path, name: str = "list.csv"):
    path = tmp_path / name
    path.write_bytes(data)
    return inspect_list(register, path, name, kind="", month=NOVEMBER)


GOOD = "ID;Name;Elo\n1;Łoś, Jan;1500\n2;Żeglarz, Ewa;1600\n3;Wąż, Ola;1700\n4;Ryś, Ewa;1800\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (GOOD.encode("cp1250").replace(b";", b","), "separated by commas"),
        (GOOD.replace(";", "\t").encode(), "separated by tabs"),
        (("Lista, listopad 2026, wszyscy\n" + GOOD.replace(";", "\t")).encode(), "separated by tabs"),
        (b"ID;Name;Elo\n;Nikt, Jan;1500\n;Nikt, Ola;1500\n", "ID column is empty"),
        (b"ID;Name;Elo\n", "no players"),
        (b"ID;Name;Elo\n1;A;x\n2;B;y\n3;C;1\n", "Too many lines"),
        (b"ID;Name;Elo\n1;A, B;1500\n1;B, C;1500\n", "same ID"),
        (GOOD.encode("cp1250"), "garbled"),
        (GOOD.encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_read_the_wrong_way_is_refused_with_examples(national, tmp_path, data, said):
    look = looked(national, data, tmp_path)
    assert [said in fault.message for fault in look.refusals] == [True]
    assert look.refusals[0].examples or said == "no players"
    assert not any("Name" in example for example in look.refusals[0].examples) or "separated" in said


def test_letters_described_as_another_encoding_are_seen(national, tmp_path):
    national.columns |= {"encoding": "cp1252"}
    assert "UTF-8" in looked(national, GOOD.encode(), tmp_path).refusals[0].message


def test_a_good_list_has_no_fault_and_doubts_are_told(national, tmp_path):
    look = looked(national, GOOD.encode(), tmp_path)
    assert (look.refusals, look.doubts, look.month, look.is_older) == ((), (), NOVEMBER, False)
    look = looked(national, (GOOD + "4;Ryś, Iza;1800\n5;Bad;x\n").encode(), tmp_path)
    assert look.refusals == ()
    assert [fault.examples for fault in look.doubts] == [
        ("4: Ryś, Ewa 1800 / Ryś, Iza 1800",),
        ("7: 5; Bad; x (rating is not a number up to 3500)",),
    ]


@pytest.mark.parametrize("kind", ["xlsx", "dbf", "html", "zipped dbf"])
def test_a_national_list_that_is_no_text_is_brought_in_like_one(national, club, client, secretary, tmp_path, kind):
    """Encoding and separator come from the text, whatever its description says."""
    national.columns |= {"encoding": "cp1250", "separator": "\t"}
    national.save()
    rows = [("ID", "Name", "Elo"), ("1", "Łoś; Jan", "1500"), ("2", "Żeglarz, Ewa", "1600")]
    page = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows)
    files = {
        "xlsx": lambda: render_xlsx(rows[0], rows[1:], title="x"),
        "html": lambda: f"<table>{page}</table>".encode(),
        "dbf": lambda: dbf(rows),
        "zipped dbf": lambda: zipped(dbf(rows)),
    }
    client.force_login(secretary)
    file = SimpleUploadedFile("list-2026-11.dat", files[kind]())
    client.post(reverse("rating_list_upload", args=[club.slug]), {"register": national.pk, "kind": "", "file": file})
    listed = RatingListImport.objects.get()
    run_job(listed.job_id, list_import.run_list_import)
    assert list(RatingListPlayer.objects.order_by("number").values_list("number", "name", "standard")) == [
        ("1", "Łoś; Jan", 1500),
        ("2", "Żeglarz, Ewa", 1600),
    ]


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("LIST.DBF", data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("filename", "month"),
    [
        ("standard_nov26frl.zip", NOVEMBER),
        ("blitz_oct26frl_xml.zip", OCTOBER),
        ("list-2026-11.csv", NOVEMBER),
        ("elo202611.csv", NOVEMBER),
        ("players_list_foa.txt", None),
        ("marek12.csv", None),
        ("20261.csv", None),
    ],
)
def test_the_month_in_a_files_name(filename, month):
    assert month_of_list_file(filename) == month


def test_the_month_in_the_heading_of_a_list_of_one_kind(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text(
        "ID Number      Name                     Fed Sex Tit  WTit OTit           FOA NOV26 Gms K  B-day Flag\n"
    )
    assert month_of_list_file(path.name, path) == NOVEMBER


def test_an_older_list_replaces_no_newer_one_unless_told_to(national):
    brought_in(national, "ID;Name;Elo\n1;Nikt, Jan;1600\n", NOVEMBER)
    older = brought_in(national, "ID;Name;Elo\n1;Nikt, Jan;1500\n", OCTOBER)
    assert older.job.state == Job.State.FAILED
    assert "newer list" in older.job.error
    assert RatingListPlayer.objects.get().standard == 1600
    brought_in(national, "ID;Name;Elo\n1;Nikt, Jan;1500\n", OCTOBER, replaces_newer=True)
    assert RatingListPlayer.objects.get().standard == 1500


def test_history_is_kept_for_members_and_an_older_list_can_fill_it_alone(national, club):
    jan = make_member(club, "Nikt, Jan", national_id="1")
    make_member(club, "Inny, Jan", national_id="2", status="former")
    brought_in(national, "ID;Name;Elo\n1;Nikt, Jan;1600\n2;Inny, Jan;1\n", NOVEMBER)
    brought_in(national, "ID;Name;Elo\n1;Nikt, Jan;1500\n9;Obcy;1\n", OCTOBER, history_only=True)
    assert RatingListPlayer.objects.get(number="1").standard == 1600
    assert not RatingListPlayer.objects.filter(number="9").exists()
    kept = list(MemberRatingListing.objects.order_by("month").values_list("member", "month", "rating"))
    assert kept == [(jan.pk, OCTOBER, 1500), (jan.pk, NOVEMBER, 1600)]
    brought_in(national, "ID;Name;Elo\n1;Nikt, Jan;1610\n", NOVEMBER)
    assert list(MemberRatingListing.objects.order_by("month").values_list("rating", flat=True)) == [1500, 1610]


def test_fides_factors_and_flags_are_kept(club):
    make_member(club, "Pionek, Jan", fide_id=1100)
    texts = [HEADER, text_line(), text_line(number="1101")[:-4] + "wi  "]
    text = "".join(f"{line}\r\n" for line in texts)
    brought_in(get_fide_register(), text, NOVEMBER)
    players = RatingListPlayer.objects.order_by("number").values_list("standard_k", "blitz_k", "is_inactive")
    assert list(players) == [(20, 20, False), (20, 20, True)]
    assert set(MemberRatingListing.objects.values_list("kind", "rating", "factor")) == {
        ("standard", 1850, 20),
        ("rapid", 1850, 20),
        ("blitz", 1850, 20),
    }


def test_the_command_replaces_no_newer_list(tmp_path):
    for name in ("standard_nov26frl.txt", "standard_oct26frl.txt"):
        (tmp_path / name).write_text(f"{HEADER}\r\n{text_line()}\r\n")
    call_command("import_rating_list", str(tmp_path / "standard_nov26frl.txt"))
    with pytest.raises(CommandError, match="newer list"):
        call_command("import_rating_list", str(tmp_path / "standard_oct26frl.txt"))
    call_command("import_rating_list", str(tmp_path / "standard_oct26frl.txt"), "--replace-newer")


# -- What a list changes for members ---------------------------------------------------------------------------------


def test_names_federations_and_titles_are_offered_and_other_spellings_are_not(club, secretary):
    bozena = make_member(club, "Mróz, Bożena", fide_id=1100, rating=1850, birth_year=1990)
    other = make_member(club, "Panna, Ewa", fide_id=1101, rating=1850, federation="POL", title="WFM", birth_year=1990)
    same = make_member(club, "Müller, Jörg", fide_id=1102, rating=1850, federation="POL", title="WFM", birth_year=1990)
    texts = [text_line(name="Mroz, Bozena"), text_line(number="1101", name="Mezatka, Ewa")]
    texts += [text_line(number="1102", name="Mueller, Joerg")]
    brought_in(get_fide_register(), "".join(f"{line}\r\n" for line in (HEADER, *texts)), NOVEMBER)
    found = find_member_changes(club, get_fide_register(), "standard")
    assert {(change.member, change.field, change.new, change.is_preselected) for change in found} == {
        (bozena, "federation", "POL", True),
        (bozena, "title", "WFM", True),
        (other, "name", "Mezatka, Ewa", False),
    }
    changed = apply_member_changes(
        club, get_fide_register(), "standard", {change.form_value for change in found}, by=secretary
    )
    assert changed == 3
    other.refresh_from_db()
    assert (other.name, other.search_name[:7]) == ("Mezatka, Ewa", "mezatka")
    assert not find_member_changes(club, get_fide_register(), "standard")
    same.refresh_from_db()
    assert same.name == "Müller, Jörg"


# -- Names written another way ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "queries"),
    [
        ("Mueller, Joerg", "Müller|Mueller|Muller, Jörg|jorg muller|Joerg Müller|Muler"),
        ("Müller, Jörg", "Mueller|Muller|Joerg Mueller"),
        ("Soerensen, Soren", "Sørensen|Sorensen|Søren Sørensen|Soeren|Sorenson|Sorense"),
        ("Shevchenko, Kirill", "Shevtchenko|Schewtschenko|Ševčenko|Шевченко|Kiril Shevchenko|Sevcenko"),
        ("Carvsen, Matnus", "Carvson|Cavrsen|Matnus Carvson|Carvzen Matnsu|Karvsen Matnus|Crvsen|Carrvsen"),
        ("Wisniewski, Zbigniew", "Wiśniewski|Vishnevski Zbigniew|Wisnewski|Wisniewsky, Zbignew"),
        ("Aagaard, Paal", "Ågård|Aagard Pål"),
    ],
)
def test_names_are_found_as_others_write_them_and_with_a_typo_or_two(listed, queries):
    texts = [text_line(number="7", name=listed), text_line(number="8", name="Zupelnie, Inna")]
    brought_in(get_fide_register(), "".join(f"{line}\r\n" for line in (HEADER, *texts)), NOVEMBER)
    for query in queries.split("|"):
        found = find_listed_players([get_fide_register()], query).players
        assert [player.number for player in found] == ["7"], query


@pytest.mark.parametrize("query", ["Carv", "Matnum Opus", "Larsson", "Mtn", "Xy", "Jan Carvsen"])
def test_what_is_too_far_off_is_not_found(query):
    brought_in(get_fide_register(), f"{HEADER}\r\n{text_line(number='7', name='Carstensen, Matnus')}\r\n", NOVEMBER)
    assert not find_listed_players([get_fide_register()], query).players


def posted(client, club, register: RatingRegister, data: bytes):
    file = SimpleUploadedFile("lista_2026-11.csv", data, "text/csv")
    return client.post(reverse("rating_list_upload", args=[club.slug]), {"register": register.pk, "file": file})


def test_a_list_that_nobody_has_described_is_read_by_its_headings_or_refused(national, club, client, secretary):
    client.force_login(secretary)
    national.columns = {}
    national.save()
    for unsaid in ("x;y\n1;Nikt, Jan\n", "ID;Elo\n1;1500\n", ""):
        answer = posted(client, club, national, unsaid.encode())
        assert answer.status_code == 422
        if unsaid:
            assert reverse("rating_register_edit", args=[club.slug, national.pk]) in answer.text
    titled = "Lista PZSzach;;;;\nNr lic.;Nazwisko i imię;Płeć;Ranking krajowy;Rok ur.\n"
    refused = posted(client, club, national, (titled + ";Nikt, Jan;M;1500;1980\n").encode())
    national.refresh_from_db()
    assert (refused.status_code, national.columns) == (422, {}), "nothing is kept of a file that is refused"
    named = titled.replace("Nr lic.", "Numer licencji")
    data = (named + "7;Ścibor, Ewa;K;b/r;1990\n8;Śląska, Ola;k;1 850;2001\n9;Źrebak, Jan;M;unrated;1999\n").encode(
        "iso8859-2"
    )
    assert posted(client, club, national, data).status_code == 302
    run_job(Job.objects.get(rating_list__register=national).pk, list_import.run_list_import)
    players = RatingListPlayer.objects.filter(register=national).order_by("number")
    assert [(player.name, player.sex, player.standard) for player in players] == [
        ("Ścibor, Ewa", "w", 0),
        ("Śląska, Ola", "w", 1850),
        ("Źrebak, Jan", "m", 0),
    ]


def test_letters_of_iso_8859_2_described_as_windows_are_seen(national, tmp_path):
    national.columns |= {"encoding": "cp1250"}
    (fault,) = looked(national, GOOD.replace("Ewa", "Śląska").encode("iso8859-2"), tmp_path).refusals
    assert "garbled" in fault.message


def test_an_older_list_keeps_the_history_of_who_has_left_since(national, club):
    left = make_member(club, "Łoś, Jan", national_id="1", status="former", left_on=date(2026, 10, 31))
    gone = make_member(club, "Ryś, Ewa", national_id="2", status="former", left_on=date(2026, 9, 30))
    brought_in(national, GOOD, OCTOBER)
    brought_in(national, GOOD, NOVEMBER)
    assert list(MemberRatingListing.objects.filter(member=left).values_list("month", flat=True)) == [OCTOBER]
    assert not MemberRatingListing.objects.filter(member=gone).exists()


def test_a_year_of_birth_is_taken_where_the_book_has_none(national, club, client, secretary):
    national.columns |= {"birth_year": 3}
    national.save()
    brought_in(national, "ID;Name;Elo;Born\n1;Łoś, Jan;0;1980\n2;Ryś, Ewa;0;1990\n3;Wąż, Ola;0;\n", NOVEMBER)
    jan = make_member(club, "Łoś, Jan", national_id="1")
    make_member(club, "Ryś, Ewa", national_id="2", birth_year=1991)
    make_member(club, "Wąż, Ola", national_id="3")
    client.force_login(secretary)
    address = reverse("rating_list_changes", args=[club.slug, national.pk])
    (change,) = client.get(address).context["changes"]
    assert (change.member, change.field, change.new, change.is_preselected) == (jan, "birth_year", 1980, True)
    Member.objects.filter(pk=jan.pk).update(birth_year=1981)
    client.post(address, {"change": [change.form_value]})
    jan.refresh_from_db()
    assert jan.birth_year == 1981, "said by somebody meanwhile"
    Member.objects.filter(pk=jan.pk).update(birth_year=None)
    client.post(address, {"change": [change.form_value]})
    jan.refresh_from_db()
    assert jan.birth_year == 1980


def test_members_without_an_id_are_found_by_name_and_year_and_nobody_is_mistaken(national, club, client, secretary):
    """Two Ewas born in one year cannot be told apart; an ID belongs to one member; a year of birth is needed."""
    national.columns |= {"birth_year": 3}
    national.save()
    rows = [
        ("1", "Łoś, Jan", 1980),
        ("2", "Ryś, Ewa", 1990),
        ("3", "Ryś, Ewa", 1990),
        ("4", "Wąż, Ola", 2001),
        ("5", "Sum, Iza", 1970),
        ("6", "Nowak, Jan", 1970),
        ("7", "Novak, Jan", 1970),
    ]
    brought_in(
        national, "ID;Name;Elo;Born\n" + "".join(f"{n};{name};1500;{year}\n" for n, name, year in rows), NOVEMBER
    )
    jan = make_member(club, "Łoś, Jan", birth_year=1980)
    for name, year in (("Ryś, Ewa", 1990), ("Wąż, Ola", 1999), ("Sum, Iza", None)):
        make_member(club, name, birth_year=year)
    make_member(club, "Kto, Inny", national_id="4")
    nowak = make_member(club, "Nowak, Jan", birth_year=1970)
    client.force_login(secretary)
    address = reverse("rating_list_changes", args=[club.slug, national.pk])
    shown = client.get(address).context
    ids = [change for change in shown["changes"] if change.field == "national_id"]
    assert [(change.member, change.new, change.is_preselected) for change in ids] == [
        (jan, "1", True),
        (nowak, "6", True),
    ]
    assert len(shown["without"]) == 3
    client.post(address, {"change": [ids[0].form_value]})
    jan.refresh_from_db()
    assert jan.national_id == "1"
    found = RatingListPlayer.objects.get(number="5")
    form = client.get(reverse("member_add_from_rating_list", args=[club.slug, found.pk]) + "?new=1").context["form"]
    assert [form[name].value() for name in ("family_name", "given_name", "national_id", "born")] == [
        "Sum",
        "Iza",
        "5",
        "1970",
    ]
    RatingListPlayer.objects.filter(pk=found.pk).update(name=f"{'S' * 35}, {'I' * 81}")
    too_long = client.get(reverse("member_add_from_rating_list", args=[club.slug, found.pk])).context["form"]
    assert too_long["given_name"].value() == "I" * 80
    assert (
        reverse("member_add_from_rating_list", args=[club.slug, found.pk])
        in client.get(reverse("rating_list_overview", args=[club.slug]), {"q": "Sum"}).text
    )
    already = RatingListPlayer.objects.get(number="1")
    answer = client.get(reverse("member_add_from_rating_list", args=[club.slug, already.pk]))
    assert answer.url == reverse("member_detail", args=[club.slug, jan.pk])
