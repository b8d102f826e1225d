"""Models of jobs, scheduled tasks, seals and stored files. Import them from here: `from common.models import Job`."""

from common.models.jobs import Job
from common.models.scheduled_tasks import ScheduledTaskRun
from common.models.seals import SealedChain, SealedRow, set_null_and_seal, write_chain
from common.models.stored_files import StoredFile, StoredFileChunk

__all__ = [
    "Job",
    "ScheduledTaskRun",
    "SealedChain",
    "SealedRow",
    "StoredFile",
    "StoredFileChunk",
    "set_null_and_seal",
    "write_chain",
]
