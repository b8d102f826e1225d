"""The rows of background work and working files. Import them from here: `from common.models import Job`."""

from common.models.chores import ChoreRun
from common.models.jobs import Job
from common.models.working_files import WorkingFile, WorkingPiece

__all__ = ["ChoreRun", "Job", "WorkingFile", "WorkingPiece"]
