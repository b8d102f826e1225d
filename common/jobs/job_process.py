"""A process for one job: `python -m common.jobs.job_process TASK JOB`.

Without a queue, the server starts it for jobs that would slow its pages down. Its processor time and memory are
limited.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

MAX_CPU_SECONDS = 180
MAX_MEMORY_BYTES = 1024**3


def main() -> None:
    """Run a job. If its work takes too long, it fails like any job that reaches its time limit."""
    task, job = sys.argv[1:]
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from celery.exceptions import SoftTimeLimitExceeded
    from django.utils.module_loading import import_string

    from common.jobs.queue import wait_for_job_threads

    def stop(_signal: int, _frame: object) -> None:
        raise SoftTimeLimitExceeded

    with suppress(ImportError):  # not on Windows
        import resource

        signal.signal(signal.SIGXCPU, stop)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS + 10))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    import_string(task).apply(args=[int(job)])
    wait_for_job_threads()


if __name__ == "__main__":
    main()
