"""Prometheus metrics, read from the database and the disk on request, the same in every process."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Max, Min
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest, multiprocess
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import REGISTRY, Collector

from common.models import Job
from common.schedule.due_tasks import overdue_tasks
from operations.backups.backup_folder import list_backups
from tournaments.models import LogEntry, Round


def render_metrics() -> bytes:
    """Return all metrics in Prometheus' text format. Under gunicorn, requests to all processes are counted."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)
        registry.register(_Now())
        return generate_latest(registry)
    registry.register(_Now())
    return generate_latest(REGISTRY) + generate_latest(registry)


class _Now(Collector):
    """Collects the current values for each response."""

    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        yield CounterMetricFamily(
            "clubnight_log_lines",
            "Lines written in event logs",
            LogEntry.objects.aggregate(n=Max("pk"))["n"] or 0,
        )
        unfinished = Job.objects.filter(state__in=[Job.State.WAITING, Job.State.RUNNING])
        counted = dict(unfinished.order_by().values_list("state").annotate(n=Count("pk")))
        jobs = GaugeMetricFamily("clubnight_jobs", "Unfinished jobs", labels=["state"])
        for state in (Job.State.WAITING, Job.State.RUNNING):
            jobs.add_metric([state.value], counted.get(state, 0))
        yield jobs
        oldest = unfinished.filter(state=Job.State.WAITING).aggregate(at=Min("created_at"))["at"]
        waits = (now - oldest).total_seconds() if oldest else 0
        yield GaugeMetricFamily("clubnight_job_waits_seconds", "Waiting time of the oldest job", waits)
        playing = Round.objects.filter(state=Round.State.PUBLISHED).count()
        yield GaugeMetricFamily("clubnight_rounds_playing", "Rounds that are published and not finished", playing)
        yield GaugeMetricFamily("clubnight_chores_overdue", "Overdue scheduled tasks", len(overdue_tasks()))
        latest = next(iter(list_backups()), None)
        made_at = latest.made_at.timestamp() if latest else 0
        yield GaugeMetricFamily("clubnight_backup_timestamp_seconds", "Time of the last good backup", made_at)
        free = shutil.disk_usage(next(each for each in _upwards(Path(settings.VAR_DIR)) if each.exists())).free
        yield GaugeMetricFamily("clubnight_disk_free_bytes", "Free disk space", free)


def _upwards(path: Path) -> Iterator[Path]:
    yield path
    yield from path.parents
