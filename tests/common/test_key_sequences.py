"""Keys that are skipped, on both databases."""

from __future__ import annotations

import pytest

from clubs.models import ExpectedPayment
from common.key_sequences import skip_keys
from tests.factories import make_club

pytestmark = pytest.mark.django_db


def new_key() -> int:
    club = make_club() if ExpectedPayment.objects.count() == 0 else ExpectedPayment.objects.all()[0].club
    return ExpectedPayment.objects.create(club=club, amount=1, purpose="Wpisowe", payer="Gość").pk


def test_new_keys_begin_after_the_skipped_ones():
    wanted = new_key() + 1000
    skip_keys(ExpectedPayment, up_to=wanted)
    assert new_key() > wanted


def test_keys_are_skipped_before_the_first_row():
    skip_keys(ExpectedPayment, up_to=900_000)
    assert new_key() > 900_000


def test_a_sequence_is_never_set_back():
    last = [new_key(), new_key()][1]
    ExpectedPayment.objects.filter(pk=last).delete()
    skip_keys(ExpectedPayment, up_to=1)
    assert new_key() > last
