"""The order of the starting list."""

from __future__ import annotations

import random

import pytest

from common.text.name_order import name_sort_key
from tournaments.entries.starting_list import sort_by_starting_order
from tournaments.models import Entry, PairingSystem, Tournament


@pytest.mark.parametrize(
    "names",
    [
        # Polish alphabet: a ą b c ć ... l ł ... s ś ... z ź ż.
        ["Lis", "Luk", "Łabędź", "Łoś", "Mak"],
        ["Bazyl", "Bąk", "Cap"],
        ["Zając", "Zuch", "Źrebak", "Żaba"],
        ["Sowa", "Szpak", "Śledź"],
        # Czech: č, ř, š, ž are letters; á, ů, ď only marks.
        ["Cvrček", "Czerny", "Čáp", "Dub"],
        ["Řepa", "Sova"],
        ["Dub", "Důl", "Dum"],
        # Bulgarian, after all Latin letters; й is a letter of its own after и.
        ["Żuk", "Айдемирска", "Белка", "Ива", "Йова", "Яма"],
        # A short name comes before its extensions, and a gap before any letter.
        ["Kot", "Kot, Ala", "Kot, Ola", "Kot-Mruk", "Kotek"],
        ["Muller", "Müller", "Mullera"],
    ],
)
def test_names_in_alphabetical_order(names):
    shuffled = list(names)
    random.Random(3).shuffle(shuffled)
    assert sorted(shuffled, key=name_sort_key) == names


def test_composed_and_decomposed_letters_are_the_same():
    assert name_sort_key("Łoś")[0] == name_sort_key("Łos\u0301")[0]


def test_rating_then_title_then_name():
    entries = [
        Entry(pk=1, name="Ćma", rating=2000),
        Entry(pk=2, name="Cis", rating=2000),
        Entry(pk=3, name="Zebra", rating=2000, title="WCM"),
        Entry(pk=4, name="Zorza", rating=2000, title="FM"),
        Entry(pk=5, name="Zima", rating=2000, title="WGM"),
        Entry(pk=6, name="Żubr", rating=2001),
        Entry(pk=7, name="Adept", rating=0),
    ]
    random.Random(1).shuffle(entries)
    assert [entry.name for entry in sort_by_starting_order(entries)] == [
        "Żubr",
        "Zima",
        "Zorza",
        "Zebra",
        "Cis",
        "Ćma",
        "Adept",
    ]


def test_equal_in_everything_the_first_entered_is_first():
    entries = [Entry(pk=pk, name="Jan", rating=1500) for pk in (3, 1, 2)]
    assert [entry.pk for entry in sort_by_starting_order(entries)] == [1, 2, 3]


TITLED = ["WCM", "IM", "", "FM", "GM", "WFM", "CM", "WGM", "WIM"]


@pytest.mark.parametrize(
    ("event", "titles"),
    [
        (Tournament(pk=1, system=PairingSystem.FIDE_1989), ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", ""]),
        (Tournament(pk=1, system=PairingSystem.DUBOV_1997), ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", ""]),
        # The document does not mention CM and WCM: they come with the players without a title, by name.
        (Tournament(pk=1, system=PairingSystem.DUTCH_1992), ["GM", "WGM", "IM", "WIM", "FM", "WFM", "WCM", "", "CM"]),
        (
            Tournament(pk=1, system=PairingSystem.JAHR, procedure=PairingSystem.DUTCH_1992),
            ["GM", "WGM", "IM", "WIM", "FM", "WFM", "WCM", "", "CM"],
        ),
        (
            Tournament(pk=1, system=PairingSystem.DUTCH_1992, readings={"dutch-1992:A2c": "modern"}),
            ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", ""],
        ),
    ],
)
def test_titles_in_the_order_of_the_event(event, titles):
    entries = [
        Entry(pk=place, tournament=event, name=f"Name {place}", rating=2000, title=title)
        for place, title in enumerate(TITLED)
    ]
    assert [entry.title for entry in sort_by_starting_order(entries)] == titles
