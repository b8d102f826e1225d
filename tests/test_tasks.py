"""Each task of the queue does its own work for the job whose key it was given."""

from __future__ import annotations

import pytest
from django.utils.module_loading import import_string

WORK = {
    "clubs.tasks.import_rating_list": "clubs.rating.lists.importing.import_list",
    "clubs.tasks.fetch_rating_lists": "clubs.rating.lists.fetching.fetch_lists",
    "clubs.tasks.send_reminders": "clubs.finance.dues.reminding.send_letters",
    "common.tasks.clear_sessions": "common.schedule.sessions.delete_ended_sessions",
    "clubs.tasks.let_members_go": "clubs.membership.members.leaving.let_members_go",
    "pairing.tasks.pair_round_task": "pairing.rounds.lifecycle.background.pair",
    "pairing.tasks.propose_task": "pairing.rounds.proposals.background.proposed",
    "pairing.tasks.pair_again_task": "pairing.rounds.comparison.background.paired_again",
    "pairing.tasks.set_paper_task": "pairing.printing.pdf.setting.set_paper_of",
    "operations.tasks.back_up_task": "operations.backups.nightly.back_up",
    "tournaments.tasks.seal_logs": "tournaments.audit_log.sealing.seal_every_log",
    "tournaments.tasks.erase_old_data": "tournaments.events.erasing.erase_in_every_club",
    "tournaments.tasks.tell_players": "tournaments.notifications.telling.tell_players",
    "tournaments.tasks.count_ratings": "tournaments.club_ratings.keeping.count_ratings",
}


@pytest.mark.parametrize(("task", "work"), WORK.items())
def test_a_task_does_its_own_work_for_its_job(task, work, monkeypatch):
    done = []
    monkeypatch.setattr(f"{task.rpartition('.')[0]}.run", lambda job, what: done.append((job, what)))
    import_string(task)(7)
    assert done == [(7, import_string(work))]
