"""Each task of the queue does its own work for the job with the given key."""

from __future__ import annotations

import pytest
from django.utils.module_loading import import_string

WORK = {
    "clubs.tasks.import_rating_list": "clubs.rating.lists.list_import.run_list_import",
    "clubs.tasks.fetch_rating_lists": "clubs.rating.lists.scheduled_download.fetch_due_lists",
    "clubs.tasks.send_reminders": "clubs.finance.dues.reminders.send_reminder_emails",
    "common.tasks.delete_expired_sessions": "common.schedule.session_cleanup.delete_ended_sessions",
    "clubs.tasks.end_memberships": "clubs.membership.members.membership_periods.end_memberships_job",
    "pairing.tasks.pair_round_task": "pairing.rounds.lifecycle.jobs.run_pairing_job",
    "pairing.tasks.create_proposal_task": "pairing.rounds.proposals.jobs.run_proposal_job",
    "pairing.tasks.pair_what_if_task": "pairing.rounds.comparison.jobs.run_what_if_job",
    "pairing.tasks.render_paper_task": "pairing.printing.pdf.paper_jobs.run_paper_job",
    "operations.tasks.delete_old_files_task": "operations.club_transfer.file_cleanup.delete_files_in_progress",
    "operations.tasks.make_backup_task": "operations.backups.nightly_job.run_backup_job",
    "tournaments.tasks.erase_old_data": "tournaments.events.data_retention.erase_expired_data_in_all_clubs",
    "tournaments.tasks.notify_players": "tournaments.notifications.notification_job.notify_players",
    "tournaments.tasks.recalculate_ratings": "tournaments.club_ratings.recalculation.recalculate_ratings",
}


@pytest.mark.parametrize(("task", "work"), WORK.items())
def test_a_task_does_its_own_work_for_its_job(task, work, monkeypatch):
    done = []
    monkeypatch.setattr(f"{task.rpartition('.')[0]}.run_job", lambda job, what: done.append((job, what)))
    import_string(task)(7)
    assert done == [(7, import_string(work))]
