"""Import of rating lists into their register, without blocking others.

A list has a million and a half players, and SQLite has one writer at a time. So players are written in short
transactions, each followed by a pause for other writers. The next players are read outside any transaction. The line
reached is saved with the players, so that an import that was killed continues from it. The databases keep the index of
names themselves (`clubs.models.custom_constraints`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from io import BufferedReader
from itertools import islice

from django.db import connection, transaction
from django.utils.translation import gettext as _

from clubs.models import RatingListImport, RatingListPlayer, RatingRegister
from clubs.rating.lists.import_jobs import stored_list_file
from clubs.rating.lists.list_files import open_list_file, read_list_players
from clubs.rating.lists.member_listings import delete_outdated_listings, members_by_list_id, save_listings
from clubs.rating.lists.player_lines import ListedPlayerLine, NotARatingList, RatingListLine, UnusableRatingListLine
from common.jobs.heartbeat import StopReason
from common.jobs.queue import JobFailed, JobStopped, report_progress
from common.models import Job
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words, phonetic_form

TRANSACTION_SECONDS = {"sqlite": 0.015, "postgresql": 0.2}
"""In SQLite a writer blocks all others. In PostgreSQL it blocks nobody, and commits are expensive."""

MIN_BATCH_LINES, MAX_BATCH_LINES = 100, 5_000
MAX_PROBLEMS_STORED = 100
MAX_PROBLEMS = 10_000
"""With more bad lines than this, the file isn't the list it is said to be."""

MIN_SHARE_OF_PREVIOUS_LIST = 0.9
MAX_SEARCH_TEXT_LENGTH = 240
LINES_PER_MERGED_PAGE = 8


@dataclass(slots=True)
class BatchPacer:
    """The number of lines per transaction, adjusted to keep transactions close to a set time."""

    batch_size: int = 100

    def adjust_batch_size_and_pause(self, seconds: float) -> None:
        """Adjust the batch size to the last transaction's time, then pause that long so others can use the database.

        Reading the next lines, which follows, is a pause for them too.
        """
        fitting = int(self.batch_size * TRANSACTION_SECONDS[connection.vendor] / max(seconds, 0.001))
        self.batch_size = max(MIN_BATCH_LINES, min(MAX_BATCH_LINES, fitting, 2 * self.batch_size))
        time.sleep(max(seconds, 0.004))


def run_list_import(job: Job) -> None:
    """Import the job's list into its register, then delete the file.

    Raises JobFailed if the file isn't a rating list or is gone, or a newer list has already been imported.
    """
    listed = RatingListImport.objects.select_related("register").get(job=job)
    kept = stored_list_file(listed)
    if is_older_than_current_list(listed) and not (listed.replaces_newer or listed.history_only):
        kept.delete_file()
        raise JobFailed(_("A newer list already exists. Nothing was changed."))
    try:
        with open_list_file(kept) as (file, size):
            try:
                kinds = _write_players(job, listed, file, size)
            finally:
                # Even if the import stopped, its data on members so far is kept.
                publish(ChangeKind.LISTINGS, listed.pk)
        if not listed.history_only:
            _clear_those_gone(job, listed, kinds)
            _note_month(listed, kinds)
        _tidy_index()
    except NotARatingList as other:
        kept.delete_file()
        said = {"line": other.line, "expected": other.expected}
        raise JobFailed(_("Line %(line)s: we expected %(expected)s.") % said) from other
    except FileNotFoundError as gone:
        raise JobFailed(_("The file is no longer on the server.")) from gone
    kept.delete_file()


def _write_players(job: Job, listed: RatingListImport, file: BufferedReader, size: int) -> tuple[str, ...]:
    """Save all lines after the one reached, and return the list's kinds of ratings."""
    lines = read_list_players(listed, file)
    members = members_by_list_id(listed.register, month=listed.month)
    pace, kinds = BatchPacer(), _kinds_before(listed)
    said_of, is_whole = set[int](), listed.line == 0
    while batch := list(islice(lines, pace.batch_size)):
        players = [line for line in batch if isinstance(line, ListedPlayerLine)]
        if players and not kinds:
            kinds = tuple(sorted(players[0].ratings))
        rows = [] if listed.history_only else [_values(listed, player, kinds) for player in players]
        begun = time.perf_counter()
        with transaction.atomic(), connection.cursor() as cursor:
            _note(listed, batch, players)
            save_listings(listed, (player for player in players if player.number in members), members)
            if rows:
                cursor.executemany(_upsert(kinds), rows)
            if connection.vendor == "sqlite":
                cursor.execute(_JOIN_PIECES, [1 + len(rows) // LINES_PER_MERGED_PAGE])
        pace.adjust_batch_size_and_pause(time.perf_counter() - begun)
        said_of |= {member.pk for player in players for member in members.get(player.number, ())}
        report_progress(job, done=file.tell(), total=size)
        if listed.skipped > MAX_PROBLEMS:
            raise JobFailed(_("More than %(most)s lines have no player.") % {"most": MAX_PROBLEMS})
    # An import that continues a killed one hasn't seen that one's members.
    if is_whole and _is_no_part(listed):
        for kind in kinds:
            with transaction.atomic():
                delete_outdated_listings(listed, kind, said_of)
    return kinds


def _is_no_part(listed: RatingListImport) -> bool:
    """Return True if the list is about as long as the current one. A partial list doesn't show who is missing."""
    known = RatingListPlayer.objects.filter(register=listed.register).count()
    return listed.players >= MIN_SHARE_OF_PREVIOUS_LIST * known


def _tidy_index() -> None:
    """Merge PostgreSQL's pending index entries, which every search would otherwise scan in full."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('listed_player_parts')")


def _kinds_before(listed: RatingListImport) -> tuple[str, ...]:
    """Return the kinds of an import that continues: those already saved for one of its players."""
    if not listed.line:
        return ()
    kinds = ("blitz", "rapid", "standard")
    return tuple(
        kind
        for kind in kinds
        if RatingListPlayer.objects.filter(register=listed.register, **{f"{kind}_seen": listed.pk})[:1].exists()
    )


_JOIN_PIECES = "INSERT INTO listed_player_parts (listed_player_parts, rank) VALUES ('merge', %s)"
"""Each transaction adds a segment to SQLite's index. Left to SQLite, merging them would make one transaction take most
of a second. So each transaction merges some pages, more than it adds."""

_SAID_OF_ALL = ("name", "searched", "federation", "sex", "title", "birth_year", "is_inactive")


def _upsert(kinds: tuple[str, ...]) -> str:
    """Return SQL, for both databases, to insert or update a player. Ratings of other kinds are kept."""
    said = [*_SAID_OF_ALL, *kinds, *(f"{kind}_k" for kind in kinds), *(f"{kind}_seen" for kind in kinds)]
    others = [kind for kind in ("standard", "rapid", "blitz") if kind not in kinds]
    columns = ["register_id", "number", *said]
    columns += [f"{kind}{suffix}" for kind in others for suffix in ("", "_k", "_seen")]
    places = ", ".join([*["%s"] * (2 + len(said)), *["0"] * (3 * len(others))])
    changes = ", ".join(f"{column} = excluded.{column}" for column in said)
    return (
        f"INSERT INTO {RatingListPlayer._meta.db_table} ({', '.join(columns)}) VALUES ({places}) "  # noqa: S608
        f"ON CONFLICT (register_id, number) DO UPDATE SET {changes}"
    )


def _values(listed: RatingListImport, player: ListedPlayerLine, kinds: tuple[str, ...]) -> list[str | int | None]:
    return [
        listed.register_id,
        player.number,
        player.name,
        name_search_text(player.name),
        player.federation,
        player.sex,
        player.title,
        player.birth_year,
        player.is_inactive,
        *(player.ratings.get(kind, 0) for kind in kinds),
        *(player.factors.get(kind, 0) for kind in kinds),
        *(listed.pk for _kind in kinds),
    ]


def name_search_text(name: str) -> str:
    """Return the words of a name, then their phonetic forms if they differ, with a space before and after each."""
    words = name_search_words(name)
    alike = [other for word in words if (other := phonetic_form(word)) not in words]
    return f" {' '.join((*words, *alike))} "[:MAX_SEARCH_TEXT_LENGTH]


def is_older_than_current_list(listed: RatingListImport) -> bool:
    """Return True if a list of this kind (or of any kind, if this kind is new) for a later month was imported."""
    months = listed.register.months
    kinds = [listed.kind] if listed.kind in months else list(months)
    return listed.month is not None and any(months[kind] > listed.month.isoformat() for kind in kinds)


def _note_month(listed: RatingListImport, kinds: tuple[str, ...]) -> None:
    if listed.month is None:
        return
    with transaction.atomic():
        register = RatingRegister.objects.select_for_update(no_key=True).get(pk=listed.register_id)
        register.months |= {kind: listed.month.isoformat() for kind in kinds}
        register.save(update_fields=["months"])


def _note(listed: RatingListImport, batch: Sequence[RatingListLine], players: Sequence[ListedPlayerLine]) -> None:
    """Save the import's progress, in the transaction of its players.

    Raises JobStopped if another process has got further, because this one seemed dead.
    """
    bad = [line for line in batch if isinstance(line, UnusableRatingListLine)]
    before = RatingListImport.objects.filter(pk=listed.pk, line=listed.line)
    listed.line = batch[-1].line
    listed.players += len(players)
    listed.skipped += len(bad)
    listed.problems += [[line.line, line.problem, line.text] for line in bad][
        : MAX_PROBLEMS_STORED - len(listed.problems)
    ]
    noted = {name: getattr(listed, name) for name in ("line", "players", "skipped", "problems")}
    if not before.update(**noted):
        raise JobStopped(StopReason.TAKEN)


def _clear_those_gone(job: Job, listed: RatingListImport, kinds: tuple[str, ...]) -> None:
    """Set ratings to 0 for players who are no longer on the list.

    Does nothing if the list is much shorter than the one before, because then it is probably partial.
    """
    everyone = RatingListPlayer.objects.filter(register=listed.register)
    for kind in kinds:
        # Looked up outside any transaction, because it reads all players.
        rated = everyone.filter(**{f"{kind}__gt": 0})
        gone = list(rated.exclude(**{f"{kind}_seen": listed.pk}).values_list("pk", flat=True))
        if len(gone) > (1 - MIN_SHARE_OF_PREVIOUS_LIST) * listed.players:
            continue
        pace = BatchPacer()
        while gone:
            some, gone = gone[: pace.batch_size], gone[pace.batch_size :]
            begun = time.perf_counter()
            with transaction.atomic():
                RatingListPlayer.objects.filter(pk__in=some).update(**{kind: 0})
            pace.adjust_batch_size_and_pause(time.perf_counter() - begun)
            report_progress(job)
