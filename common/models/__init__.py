"""Models of jobs, scheduled tasks, seals, stored files and emails, to import from here."""

from common.models.email_outbox import ConfirmedByEmailRow, EmailOutboxRow
from common.models.jobs import Job
from common.models.scheduled_tasks import ScheduledTaskRun
from common.models.seals import SealedChain, SealedRow, save_chain, set_null_and_seal
from common.models.stored_files import StoredFile, StoredFileChunk

__all__ = [
    "ConfirmedByEmailRow",
    "EmailOutboxRow",
    "Job",
    "ScheduledTaskRun",
    "SealedChain",
    "SealedRow",
    "StoredFile",
    "StoredFileChunk",
    "save_chain",
    "set_null_and_seal",
]
