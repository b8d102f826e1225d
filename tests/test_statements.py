"""Which tests need not run on PostgreSQL again."""

from __future__ import annotations

from tests.statements import Sent, kind_of, sent_by_others


def test_no_statement_is_left_to_those_that_are_left_out():
    tests = {
        "alone": Sent(1, {"a"}),
        "both": Sent(2, {"b", "c"}),
        "dear": Sent(9, {"a", "b", "c"}),
        "first": Sent(1, {"b"}),
        "nothing": Sent(1),
    }
    assert sent_by_others(tests) == ["dear", "first", "nothing"]


def test_what_is_run_in_any_case_counts_and_is_not_left_out():
    tests = {"races": Sent(50, {"a"}, always=True), "same": Sent(1, {"a"}), "idle": Sent(1, set(), always=True)}
    assert sent_by_others(tests) == ["same"]


def test_a_statement_that_fails_is_another_one():
    assert sent_by_others({"works": Sent(1, {"a"}), "fails": Sent(1, {"a", "failed: a"})}) == ["works"]


def test_kinds_of_statements():
    one = 'SELECT "a" FROM "b" WHERE "c" IN (%s, %s) AND "d" = \'x\' LIMIT 21'
    assert kind_of(one) == kind_of(one.replace("%s, %s", "%s").replace("x", "").replace("21", "5"))
    assert kind_of(one) != kind_of(one.replace("LIMIT 21", "FOR UPDATE"))
    assert kind_of("INSERT INTO a VALUES (%s, %s), (%s, %s)") == kind_of("INSERT INTO a VALUES (%s, %s)")
    assert kind_of('SAVEPOINT "s1_x2"') == kind_of('SAVEPOINT "s1_x3"')
