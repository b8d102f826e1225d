"""Fee classes: age limits and order."""

from __future__ import annotations

import pytest

from clubs.finance.dues.forms import FeeClassForm


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("from_age", "to_age", "is_taken"),
    [("18", "17", False), ("18", "18", True), ("10", "18", True), ("18", "", True), ("", "17", True), ("", "", True)],
)
def test_the_higher_age_comes_second(from_age: str, to_age: str, is_taken: bool):
    sent = {"place": "1", "name": "Juniorzy", "amount": "10.00", "status": "", "from_age": from_age, "to_age": to_age}
    form = FeeClassForm(sent)
    assert form.is_valid() == is_taken, form.errors
    assert set(form.errors) == (set() if is_taken else {"to_age"})
