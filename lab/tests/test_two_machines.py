"""What `lab.two_machines` measures: a phone or form that is still waiting is not counted as one that answers."""

from __future__ import annotations

import math

from lab.two_machines import AWAY, BACK, SERVICES, Phone, _command, answered_in, reopened_in


def test_a_stream_is_back_when_a_new_one_says_something():
    untouched = Phone(began=[1.0])
    back = Phone(began=[1.0, 17.0, 18.0], ended=[14.0, 17.5])
    silent = Phone(began=[1.0], ended=[3.0, 14.0])
    later = Phone(began=[1.0, 99.0], ended=[10.0 + AWAY + BACK])
    assert list(reopened_in([untouched, back, silent, later], 10.0)) == [7.0, math.inf]


def test_a_form_is_stored_again_after_the_failure():
    assert list(answered_in([8.0, 12.5, 13.0], 10.0)) == [2.5]
    assert list(answered_in([8.0], 10.0)) == [math.inf]


def test_the_services_are_those_of_the_server_guide():
    commands = {service: _command(service, "one", "10.0.0.1") for service in SERVICES}
    assert "10.0.0.1:8001" in commands["pages"]
    assert commands["officers"][:3] == ["nice", "-n", "-5"]
    assert {"rounds", "rounds@one"} <= set(commands["worker@rounds"])
    assert not [part for command in commands.values() for part in command if "%" in part or "$" in part]
