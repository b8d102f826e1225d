"""Names are found and sorted in every alphabet."""

from __future__ import annotations

import pytest

from clubs.models import Member
from common.text.name_order import name_sort_key, name_sort_text, split_name_particles
from common.text.name_search import matches_search_words, normalise_name, split_search_words
from tests.factories import make_member


@pytest.mark.parametrize(("name", "query"), [("Nowak, Jan", "kowal"), ("Жечев", "shechev"), ("Łoś", "łosoś")])
def test_not_found(name, query):
    assert not matches_search_words(name, split_search_words(query))


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Šťastný, Jiří", "stastny"),
        ("Stastny, Jiri", "Šťastný"),
        ("Жечев, Петър", "zhechev petar"),
        ("Zhechev, Petar", "Жечев"),
        ("Цонева, Мария", "tsoneva maria"),
        ("Tsoneva, Mariya", "мария"),
        ("Щерев, Юлиян", "shterev yuliyan"),
        ("Łęcki, Żóraw", "lecki zoraw"),
        ("Řeháček, Ďuro", "rehacek duro"),
        ("Groß, Søren", "gross soren"),
        ("Šťastny\u0301", "šťastný"),
        ("van den Berg, Jan", "van berg"),
    ],
)
def test_found(name, query):
    assert matches_search_words(name, split_search_words(query))


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    # From the tables of the Bulgarian law on transliteration (2009): letters, and the endings -ия.
    [("Стара Загора", "stara zagora"), ("София", "sofia"), ("Ъгърчин", "agarchin"), ("Щръклево", "shtraklevo")],
)
def test_bulgarian_is_spelt_by_law(cyrillic, latin):
    assert normalise_name(cyrillic) == latin


@pytest.mark.parametrize(
    ("name", "parted"),
    [
        ("De Vries", ("De Vries", "")),
        ("van", ("van", "")),
        ("van den Berg", ("Berg", "van den")),
        ("de la Cruz Romero", ("Cruz Romero", "de la")),
        ("von Bülow", ("Bülow", "von")),
    ],
)
def test_particles(name, parted):
    assert split_name_particles(name) == parted


def test_stored_order_is_the_order_of_names():
    names = ["Adamek", "Ąbek", "Berg", "Cabek", "Ćwik", "Łoś", "Zenek", "Źrebak", "Żuk", "Абаджиев", "Яков"]
    assert sorted(names, key=lambda name: name_sort_text(name, "")) == sorted(names, key=name_sort_key) == names


def test_the_member_list_is_ordered_and_searched_by_the_database(club):
    for name in ("van den Berg, Jan", "Adamek, Ola", "Cabek, Iga", "Жечев, Петър"):
        make_member(club, name)
    assert [member.family_name for member in club.members.all()] == ["Adamek", "van den Berg", "Cabek", "Жечев"]
    assert [found.family_name for found in club.members.filter_by_name(split_search_words("ZHECHEV"))] == ["Жечев"]


@pytest.mark.every_database
def test_a_new_name_is_found_at_once(club):
    member = make_member(club, "Stara, Ola")
    member.family_name = "Новак"
    member.save()
    assert club.members.filter_by_name(["novak"]).get() == member


def test_renaming_part_of_a_row_is_the_callers_business(club):
    """`update` skips folded columns, as it does `auto_now`: code must not rely on more."""
    make_member(club, "Stara, Ola")
    Member.objects.update(family_name="Nowa")
    assert club.members.filter_by_name(["stara"]).exists()
