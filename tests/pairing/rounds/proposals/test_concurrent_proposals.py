"""A proposal accepted by two users at once."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from pairing.models import PairingProposal
from pairing.rounds.proposals.proposal_actions import adopt_proposal, propose_pairing
from tests.factories import make_event, make_user, played, published


@pytest.mark.django_db(transaction=True)
def test_two_secretaries_take_over_at_once(club, secretary):
    other = make_user("other")
    event = make_event(club, players=12, system="dutch-1992")
    played(event, 1)
    shown = published(event, 2)
    proposal = propose_pairing(shown.pk, absent=[shown.games.get(board=6).white_id], by=None)
    together = threading.Barrier(2)
    versions = []

    def press(by):
        try:
            together.wait()
            versions.append(
                adopt_proposal(PairingProposal.objects.get(pk=proposal.pk), by=by, reason="Not here").version
            )
        finally:
            connections.close_all()

    threads = [threading.Thread(target=press, args=[by]) for by in (secretary, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert versions == [shown.version + 1] * 2
    assert event.log.filter(action="trial pairing adopted").count() == 1
