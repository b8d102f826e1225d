"""A long read sees the database as it was when it began."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from common.locking import read_one_snapshot


@pytest.mark.django_db(transaction=True)
def test_all_statements_read_one_snapshot():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite always reads one snapshot")
    with transaction.atomic():
        read_one_snapshot()
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            assert cursor.fetchone() == ("repeatable read",)
