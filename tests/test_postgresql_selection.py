"""Which tests need not run again on PostgreSQL."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.factories import make_club
from tests.postgresql_selection import Sent, find_skippable, kinds_of, says_nothing_of_us, sent_by
from tournaments.events.event_setup import find_free_slug


def test_no_statement_is_left_to_those_that_are_left_out():
    tests = {
        "alone": Sent(1, {"a"}),
        "both": Sent(2, {"b", "c"}),
        "dear": Sent(9, {"a", "b", "c"}),
        "first": Sent(1, {"b"}),
        "nothing": Sent(1),
    }
    assert find_skippable(tests) == ["dear", "first", "nothing"]


def test_what_is_run_in_any_case_counts_and_is_not_left_out():
    tests = {"races": Sent(50, {"a"}, always=True), "same": Sent(1, {"a"}), "idle": Sent(1, set(), always=True)}
    assert find_skippable(tests) == ["same"]


def test_a_statement_that_fails_is_another_one():
    assert find_skippable({"works": Sent(1, {"a"}), "fails": Sent(1, {"a", "failed: a"})}) == ["works"]


def test_what_is_sent_by_those_chosen_later_is_not_chosen_for():
    """The test with three kinds is chosen first for its cost, then left out if the other two send the same."""
    tests = {"first": Sent(1, {"a", "b", "c"}), "one": Sent(2, {"a", "d", "e"}), "other": Sent(2, {"b", "c", "f"})}
    assert find_skippable(tests) == ["first"]


def test_kinds_of_statements():
    one = 'SELECT "a" FROM "b" WHERE "c" IN (%s, %s) AND "d" = \'x\' LIMIT 21'
    assert kinds_of(one) == kinds_of(one.replace("%s, %s", "%s").replace("x", "").replace("21", "5"))
    assert kinds_of(one) != kinds_of(one.replace("LIMIT 21", "FOR UPDATE"))
    assert kinds_of("INSERT INTO a VALUES (%s, %s), (%s, %s)") == kinds_of("INSERT INTO a VALUES (%s, %s)")
    assert kinds_of('SAVEPOINT "s1_x2"') == kinds_of('SAVEPOINT "s1_x3"')


def test_a_change_is_of_a_kind_a_column_and_one_for_whose():
    whole = kinds_of('UPDATE "a" SET "b" = %s, "c" = NULL, "d" = %s WHERE "a"."id" = %s')
    assert len(whole) == 4
    assert kinds_of('UPDATE "a" SET "d" = NULL, "c" = %s WHERE "a"."id" = %s') < whole
    assert not kinds_of('UPDATE "a" SET "d" = %s') <= whole
    assert len(kinds_of('UPDATE "a" SET "b" = CASE WHEN "c" = %s THEN %s ELSE "b" END WHERE "a"."id" = %s')) == 1


@pytest.mark.parametrize(
    ("statement", "sender", "says_nothing"),
    [
        ('SELECT "a"."b" AS "x" FROM "a" INNER JOIN "c" ON ("a"."c_id" = "c"."id") ORDER BY 1 ASC', "tests/a.py", True),
        ('SELECT "a"."b" AS "x" FROM "a"', "clubs/a.py", False),
        ('UPDATE "a" SET "b"', "tests/a.py", True),
        ('SELECT DISTINCT "a"."b" FROM "a"', "tests/a.py", False),
        ('SELECT "a"."b" FROM "a" WHERE UPPER("a"."b"::text) = UPPER(%s)', "tests/a.py", False),
        ('SELECT "a"."b" FROM "a" FOR UPDATE', "tests/a.py", False),
        ('SELECT "a"."b" FROM "a" WHERE ("a"."b" = %s OR "a"."c" = %s)', "tests/a.py", False),
        ("SAVEPOINT ", "", True),
    ],
)
def test_what_a_test_alone_sends_says_nothing_where_it_is_plain(statement, sender, says_nothing):
    assert says_nothing_of_us(statement, sender) is says_nothing


@pytest.mark.django_db
def test_who_sends_is_the_nearest_of_our_modules():
    found = []

    def note(send, *given):
        found.append(sent_by())
        return send(*given)

    with connection.execute_wrapper(note):
        club = make_club()
        club.refresh_from_db()
        find_free_slug(club, "Środa")
    assert found == ["tests/factories.py", "tests/test_postgresql_selection.py", "tournaments/events/event_setup.py"]
