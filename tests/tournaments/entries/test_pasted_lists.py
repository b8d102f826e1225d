"""Pasted lists of players."""

from __future__ import annotations

import pytest

from tests.factories import make_event, make_member
from tournaments.entries.enrolment import enter_pasted_list, preview_pasted_list
from tournaments.entries.player_rows import RowOutcome
from tournaments.models import Entry
from tournaments.problems import ArbiterProblem


@pytest.fixture
def event(club):
    return make_event(club)


def only_row(event, line):
    (row,) = preview_pasted_list(event, line).rows
    return row


# -- What is wrong, and where --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("; 1875", 1),
        ("1875", 1),
        ("Kot, Ala; 9999", 11),
        ("Kot, Ala; 1875; wat", 17),
        ("Kot, Ala; 1875; 1900; 1910", 23),
        ("Kot, Ala; FM; GM", 15),
        ("Kot, Ala; 1875; 31/02", 17),
        ("\tKot\t1875", 1),
        ('"Kot, Ala; 1875', 1),
        ("3. Kot, Ala; 1875; ???", 20),
        ("x" * 161, 1),
    ],
)
def test_what_is_wrong_is_named_with_its_place(line, column, event):
    preview = preview_pasted_list(event, "Pies, Azor; 1500\n\n" + line)
    assert [(problem.line, problem.column) for problem in preview.problems] == [(3, column)]
    assert not preview.can_enter_all_rows
    with pytest.raises(ArbiterProblem) as problem:
        enter_pasted_list(event, preview.text, by=None)
    assert "3" in problem.value.message
    assert not Entry.objects.exists(), "one wrong line, and nothing is entered"


def test_an_empty_list_enters_nothing(event):
    preview = preview_pasted_list(event, " \n\t\n;;\n")
    assert preview.rows == ()
    assert not preview.can_enter_all_rows
    assert enter_pasted_list(event, preview.text, by=None) == []


def test_a_player_does_not_stand_in_a_list_twice(event):
    preview = preview_pasted_list(event, "Łoś, Ala; 1500\nKot, Jan\nALA ŁOŚ; 1510")
    assert [row.outcome for row in preview.rows] == [RowOutcome.GUEST, RowOutcome.GUEST, RowOutcome.DUPLICATE]
    assert (preview.rows[2].twin, preview.duplicate_count, preview.can_enter_all_rows) == (1, 1, True)
    entered = enter_pasted_list(event, preview.text, by=None, edits={3: {"answer": "both"}})
    assert [entry.rating for entry in entered if entry.name != "Kot, Jan"] == [1500, 1510]


def test_two_of_one_name_are_told_apart_by_their_birth(event):
    preview = preview_pasted_list(event, "Łoś, Ala; 1500; 1990\nŁoś, Ala; 1510; 2001")
    assert preview.can_enter_all_rows
    assert len(preview.rows_to_enter) == 2


def test_two_members_of_one_name_are_not_guessed_at(event, club):
    make_member(club, "Kot, Jan", 1500, birth_year=1980)
    younger = make_member(club, "Kot, Jan", 1300, birth_year=2009)
    assert only_row(event, "Kot, Jan; 1300").outcome is RowOutcome.WRONG
    assert only_row(event, "Kot, Jan; 1300; 2009").member == younger


# -- What is read --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Kowalczyk-Łoś, Żaneta; 1875; FM; POL",
        "Kowalczyk-Łoś, Żaneta\t1875\tFM\tPOL",
        "Kowalczyk-Łoś\tŻaneta\tPOL\t1875\tfm",
        "Kowalczyk-Łoś, Żaneta, 1875, FM, POL",
        "  12.  Kowalczyk-Łoś,   Żaneta ;1875;; FM ;POL;",
        '"Kowalczyk-Łoś, Żaneta", 1875, POL, FM',
        "\ufeffKowalczyk-Łoś, Żaneta; POL; FM; 1875\r",
    ],
)
def test_one_player_written_in_many_ways(line, event):
    row = only_row(event, line)
    assert row.problems == ()
    assert (row.name, row.rating, row.title, row.federation) == ("Kowalczyk-Łoś, Żaneta", 1875, "FM", "POL")


@pytest.mark.parametrize(
    ("line", "birth", "fide_id", "sex"),
    [
        ("Пешков, Ясен; 1800; 1990", "1990", "", ""),
        ("Пешков, Ясен; *2001", "2001", "", ""),
        ("Пешков, Ясен; 7.3.2001; m", "2001/03/07", "", "m"),
        ("Пешкова, Яна; 2001-03-07; 2912345; w", "2001/03/07", "2912345", "w"),
    ],
)
def test_fields_are_known_by_their_look(line, birth, fide_id, sex, event):
    row = only_row(event, line)
    assert (row.problems, row.birth, row.fide_id, row.sex) == ((), birth, fide_id, sex)


def test_a_name_alone_is_enough(event):
    assert only_row(event, "Kot").outcome is RowOutcome.GUEST


@pytest.mark.every_database
@pytest.mark.parametrize("name", ["Łoś, Żaneta", "ŻANETA ŁOŚ", "los zaneta", "Łoś Żaneta"])
def test_members_are_found_however_they_are_written(name, event, club):
    member = make_member(club, "Łoś, Żaneta", 1800, title="WCM")
    row = only_row(event, f"{name}; 1850")
    assert (row.outcome, row.member) == (RowOutcome.MEMBER, member)
    (entry,) = enter_pasted_list(event, f"{name}; 1850", by=None)
    assert (entry.member, entry.name, entry.rating, entry.title) == (member, "Łoś, Żaneta", 1850, "WCM")


def test_a_fide_id_finds_a_member_under_another_name(event, club):
    member = make_member(club, "Łoś, Żaneta", fide_id=1234567)
    assert only_row(event, "Nowe-Nazwisko, Żaneta; 1234567").member == member


def test_the_same_list_twice_enters_nobody_twice(event, club):
    make_member(club, "Kot, Jan", 1500)
    text = "Kot, Jan\nPies, Azor; 1400"
    assert len(enter_pasted_list(event, text, by=None)) == 2
    preview = preview_pasted_list(event, text)
    assert [row.outcome for row in preview.rows] == [RowOutcome.ALREADY_ENTERED] * 2
    assert not preview.can_enter_all_rows
    assert enter_pasted_list(event, text, by=None) == []


def test_a_long_list_asks_no_more_than_a_short_one(event, django_assert_num_queries):
    with django_assert_num_queries(2):
        preview_pasted_list(event, "\n".join(f"Pionek, Nr{number}; 1500" for number in range(500)))


# -- No rating, remarks, commas ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Kot, Ala unrated",
        "Kot, Ala; Unrated",
        "Kot, Ala, unrated",
        "Kot, Ala\t-",
        "Kot, Ala -",
        "Kot, Ala 0",
        "Kot, Ala; 0",
        "Kot, Ala n/a",
        "Kot, Ala bez rankingu",
        "Kot, Ala (bez rankingu)",
        "Kot, Ala; brak",
        "Kot, Ala unbewertet",
        "Kot, Ala ohne",
        "Kot, Ala nehodnocená",
        "Kot, Ala няма",
        "Kot, Ala sans classement",
        "Kot, Ala non classificata",
        "Kot, Ala sin rating",
        "Kot, Ala без рейтингу",
    ],
)
def test_a_rating_that_is_said_to_be_missing_is_no_mistake(line, event):
    row = only_row(event, line)
    assert (row.name, row.rating, row.remark, row.problems, row.warnings) == ("Kot, Ala", 0, "", (), ())


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Brak, Jan", "Brak, Jan"),
        ("Sans, Jean 1500", "Sans, Jean"),
        ("Kot, Brak", "Kot, Brak"),
        ("Jean Sans 1500", "Jean Sans"),
        ("Maria bez Ziemi", "Maria bez Ziemi"),
        ("Wieża - Kot, Anna", "Wieża - Kot, Anna"),
    ],
)
def test_a_name_that_is_such_a_word_stays_a_name(line, name, event):
    row = only_row(event, line)
    assert (row.name, row.remark, row.problems) == (name, "", ())


@pytest.mark.parametrize(
    ("line", "rating", "birth"),
    [
        ("Kot, Ala; -; 1980", 0, "1980"),
        ("Kot, Ala; unrated; 1980", 0, "1980"),
        ("Kot, Ala; -; 1500", 1500, ""),
        ("Kot, Ala; 1500; -", 1500, ""),
    ],
)
def test_a_dash_stands_for_what_is_missing_beside_it(line, rating, birth, event):
    row = only_row(event, line)
    assert (row.rating, row.birth, row.problems) == (rating, birth, ())


@pytest.mark.parametrize(
    ("line", "rating", "remark"),
    [
        ("Kot, Ala (late)", 0, "late"),
        ("Kot, Ala (spóźni się) 1700", 1700, "spóźni się"),
        ("Kot, Ala 1700 [late]", 1700, "late"),
        ("Kot, Ala; 1700 (late); POL", 1700, "late"),
        ("Kot, Ala; 1700; (late, pays at the door)", 1700, "late, pays at the door"),
        ("Kot, Ala, 1700 (late, pays at the door)", 1700, "late, pays at the door"),
        ("Kot, Ala - comes at seven", 0, "comes at seven"),
        ("Kot, Ala (late", 0, "late"),
        ("Kot, Ala (junior) 1700 (late)", 1700, "junior; late"),
        ("Kot, Ala (1700)", 1700, ""),
    ],
)
def test_a_remark_is_taken_off_the_name_and_kept(line, rating, remark, event):
    row = only_row(event, line)
    assert (row.name, row.rating, row.remark, row.problems) == ("Kot, Ala", rating, remark, ())
    (entry,) = enter_pasted_list(event, line, by=None)
    assert (entry.name, entry.remark) == ("Kot, Ala", remark)


def test_remarks_under_a_heading_and_in_the_column_of_names(event):
    rows = preview_pasted_list(event, "Name\tRating\tUwagi\nKot, Ala (late)\tunrated\tsenior\nPies, Azor\t0\t").rows
    assert [(row.name, row.rating, row.remark) for row in rows] == [
        ("Kot, Ala", 0, "late; senior"),
        ("Pies, Azor", 0, ""),
    ]


def test_a_remark_in_brackets_may_be_said_to_be_the_club(event):
    (row,) = preview_pasted_list(event, "Kot, Ala (Hetman) 1500", {"remark-1": "club_name"}).rows
    assert (row.name, row.remark, row.club_name) == ("Kot, Ala", "", "Hetman")


def test_a_remark_that_has_no_place_is_not_cut(event):
    assert "too long" in str(only_row(event, f"Kot, Ala ({'x' * 161})").problems[0])


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Nowak Anna", "Nowak, Anna"),
        ("Jan Nowak", "Nowak, Jan"),
        ("NOWAK Ewa Maria", "NOWAK, Ewa Maria"),
        ("Ewa NOWAK", "NOWAK, Ewa"),
        ("Ala Nowak", "Nowak, Ala"),
        ("Nowak Kotowski Jan", "Nowak Kotowski, Jan"),
        ("Ludwig van Testhoven", "Ludwig van Testhoven"),
    ],
)
def test_a_name_without_a_comma_among_others_is_guessed_at_and_marked(written, name, event, club):
    make_member(club, "Pies, Ala")
    rows = preview_pasted_list(event, f"Kotek, Jan 1500\n{written} 1600").rows
    assert [(row.name, row.original_name, row.rating) for row in rows] == [
        ("Kotek, Jan", "", 1500),
        (name, written, 1600),
    ]


def test_where_nobody_has_a_comma_or_a_member_is_meant_nothing_is_guessed(event, club):
    make_member(club, "Nowak, Anna")
    assert [row.original_name for row in preview_pasted_list(event, "Kot Jan\nJan Pies").rows] == ["", ""]
    assert [row.original_name for row in preview_pasted_list(event, "Kot, Jan\nAnna Nowak\nPies").rows] == ["", "", ""]


def test_clear_lines_are_entered_before_the_others_are_fixed(event):
    text = "Name;Rating\nKot, Ala;1500\nPies, Azor;many\nRyba, Iga;unrated"
    preview = preview_pasted_list(event, text)
    assert (preview.can_enter_all_rows, preview.can_enter_some_rows) == (False, True)
    assert [(row.line, row.unread) for row in preview.rows_to_answer] == [(3, ("many",))]
    assert len(enter_pasted_list(event, text, by=None, in_part=True)) == 2
    assert preview.text_of_unclear_lines == "Name;Rating\nPies, Azor;many"


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def many(count: int, *, comma: str = "") -> list[str]:
    """Invented lines with different names."""
    return [f"Kot{LETTERS[n // 26]}{LETTERS[n % 26]}ski{comma} Jan 1500" for n in range(count)]


def test_where_most_have_no_comma_one_that_has_makes_nobody_else_doubtful(event):
    preview = preview_pasted_list(
        event, "\n".join(["Nowak, Ewa 1600", *many(40), "Pies Azor 14??", "Sokół Leon? / brat"])
    )
    assert not any(row.original_name for row in preview.rows)
    assert preview.rows[1].name == "Kotaaski Jan"
    assert [row.line for row in preview.rows_to_answer] == [42, 43]
    assert preview.can_enter_all_rows


@pytest.mark.parametrize(
    ("line", "edit", "name", "rating", "remark"),
    [
        ("Kot, Ala; 1500; wat", {"answer": "note"}, "Kot, Ala", 1500, "wat"),
        ("Kot, Ala; 1500; wat", {"answer": "drop"}, "Kot, Ala", 1500, ""),
        ("Kot, Ala; many", {"rating": "1640"}, "Kot, Ala", 1640, ""),
        ("Kot, Ala? 1500", {"answer": "right"}, "Kot, Ala?", 1500, ""),
        ("Kot, Ala? 1500", {"name": "Kot, Ala"}, "Kot, Ala", 1500, ""),
        ("Kot Ala 1500", {"answer": "right"}, "Kot, Ala", 1500, ""),
        ("Kot Ala 1500", {"answer": "written"}, "Kot Ala", 1500, ""),
    ],
)
def test_a_row_is_answered_or_edited(line, edit, name, rating, remark, event):
    text = f"Pies, Azor 1400\nNowak, Jan 1300\n{line}"
    assert [row.line for row in preview_pasted_list(event, text).rows_to_answer] == [3]
    assert preview_pasted_list(event, text, edits={3: edit}).rows_to_answer == ()
    entered = enter_pasted_list(event, text, by=None, edits={3: edit}, in_part=True)
    assert [
        (each.name, each.rating, each.remark) for each in entered if each.name not in ("Pies, Azor", "Nowak, Jan")
    ] == [(name, rating, remark)]


def test_a_skipped_line_is_not_entered_and_a_wrong_edit_is_asked_about(event):
    text = "Pies, Azor 1400\nKot, Ala; wat"
    assert len(enter_pasted_list(event, text, by=None, edits={2: {"answer": "skip"}})) == 1
    preview = preview_pasted_list(event, text, edits={1: {"rating": "9999"}, 2: {"answer": "drop"}})
    assert [row.line for row in preview.rows_to_answer] == [1]


def test_which_of_two_members_is_meant_is_answered(event, club):
    make_member(club, "Kot, Jan", 1500, birth_year=1980)
    younger = make_member(club, "Kot, Jan", 1300, birth_year=2009)
    (row,) = preview_pasted_list(event, "Kot, Jan", edits={1: {"answer": str(younger.pk)}}).rows
    assert (row.outcome, row.member) == (RowOutcome.MEMBER, younger)
    (row,) = preview_pasted_list(event, "Kot, Jan", edits={1: {"answer": "guest"}}).rows
    assert (row.outcome, row.member) == (RowOutcome.GUEST, None)


def test_a_long_list_has_fields_only_for_what_is_asked_or_edited(event):
    text = "\n".join([*many(120, comma=","), "Sokół, Leon? 1500"])
    preview = preview_pasted_list(event, text, edits={120: {"rating": "1600"}})
    assert len(preview.editable_lines) == 100
    assert {120, 121} <= preview.editable_lines


def test_lines_to_check_are_not_entered_with_the_clear_ones(event):
    text = "Kot, Ala 1500\nPies, Azor 1400\nSokół, Leon? 1500\nWilk Ewa 1300\nRyba, Iga; many"
    preview = preview_pasted_list(event, text)
    assert preview.can_enter_some_rows
    enter_pasted_list(event, text, by=None, in_part=True)
    assert {entry.name for entry in event.entries.all()} == {"Kot, Ala", "Pies, Azor"}
    assert preview.text_of_unclear_lines == "Sokół, Leon? 1500\nWilk, Ewa 1300\nRyba, Iga; many"


@pytest.mark.parametrize(
    ("line", "rating"),
    [
        ("Ivy Jay 1420*", 1420),
        ("Ivy Jay 1390P", 1390),
        ("Ivy Jay 1390 P", 1390),
        ("Ivy Jay 1390P12", 1390),
        ("Ivy Jay - 1400?", 1400),
        ("Ivy Jay 1500 ECF", 1500),
        ("Ivy Jay; ECF; 1500", 1500),
        ("Ivy Jay 1500 ivy@example.org", 1500),
        ("Ivy Jay <ivy@example.org>", 0),
        ("Ivy Jay, ivy@example.org, 1500", 1500),
    ],
)
def test_marks_of_ratings_and_email_addresses_are_no_part_of_a_name(line, rating, event):
    row = only_row(event, line)
    assert (row.name, row.rating, row.federation, row.problems, row.warnings) == ("Ivy Jay", rating, "", (), ())


def test_email_addresses_are_said_to_be_left_out(event):
    assert "email" in " ".join(preview_pasted_list(event, "Ivy Jay 1500 ivy@example.org").doubts)


def test_marks_of_ratings_under_a_heading(event):
    rows = preview_pasted_list(event, "Name;Rating\nJay, Ivy;1420*\nMay, Lou;1390P\nHay, Gus;14*0").rows
    assert [(row.rating, bool(row.problems)) for row in rows] == [(1420, False), (1390, False), (0, True)]


@pytest.mark.parametrize("born", ["born 1948", "b.1948", "b. 1948", "*1948", "* 1948", "(born 1948)", "ur. 1948"])
def test_a_birth_year_may_be_said_in_words(born, event):
    row = only_row(event, f"Ivy Jay {born} 1500")
    assert (row.name, row.rating, row.birth, row.problems) == ("Ivy Jay", 1500, "1948", ())


@pytest.mark.parametrize(
    "above", ["Lista na dziś wieczór:", "Lista na dziś, piątek:", "Turniej 2026:", "LISTA:", "Piątek 23.11.2026:"]
)
def test_a_first_line_that_ends_with_a_colon_is_passed_over_and_said(above, event):
    preview = preview_pasted_list(event, f"\n{above}\nKot, Ala 1500\nNowak, Ewa:")
    assert preview.passed_over == (2,)
    assert [row.line for row in preview.rows] == [3, 4]


def test_a_heading_may_stand_above_the_names_of_the_columns(event):
    preview = preview_pasted_list(event, "Lista na dziś:\nNazwisko Ranking\nKot, Ala 1500")
    assert (preview.passed_over, [row.name for row in preview.rows]) == ((1, 2), ["Kot, Ala"])


@pytest.mark.parametrize(
    "text", ["Kot, Ala 1500:\nPies, Azor 1600", "Kot Ala:\nPies Azor:", "Kot Ala:", "Kot Ala\nPies:"]
)
def test_a_player_with_a_colon_is_no_heading(text, event):
    preview = preview_pasted_list(event, text)
    assert (preview.passed_over, len(preview.rows)) == ((), len(text.splitlines()))


@pytest.mark.parametrize("sign", ["?", "/", "="])
def test_a_name_with_what_no_name_has_is_one_to_look_at(sign, event):
    preview = preview_pasted_list(event, f"Kot, Ala 1500\nSokół, Leon {sign} może brat")
    assert [(row.line, sign in str(row.warnings[0])) for row in preview.rows_to_answer] == [(2, True)]
    assert preview.can_enter_all_rows, "it is asked about, not refused"


def test_a_member_found_by_name_is_not_asked_about(event, club):
    make_member(club, "Kot/Nowak, Ala")
    preview = preview_pasted_list(event, "Kot/Nowak, Ala 1500")
    assert (preview.rows[0].outcome, preview.rows_to_answer) == (RowOutcome.MEMBER, ())
