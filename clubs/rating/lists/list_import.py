"""Rating lists into the register, without anybody waiting for it.

A list has a million and a half players, and SQLite has one writer at a time. So players are written in short
transactions with a pause after each, in which others write; the next players are read outside of any transaction. The
line reached is written with the players, so that an import that was killed goes on from it. The databases themselves
keep the index of names (`clubs.models.trigram_index`).
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
from clubs.rating.lists.player_lines import ListedPlayerLine, NotARatingList, RatingListLine, UnusableListLine
from common.jobs.heartbeat import StopReason
from common.jobs.queue import JobFailed, JobStopped, report_progress
from common.models import Job
from common.signals import ChangeKind, publish
from common.text.name_search import name_search_words, phonetic_form

TRANSACTION_SECONDS = {"sqlite": 0.015, "postgresql": 0.2}
"""While one writes, nobody else does in SQLite. In PostgreSQL nobody waits, and the end of a transaction is dear."""

MIN_BATCH_LINES, MAX_BATCH_LINES = 100, 5_000
MAX_PROBLEMS_STORED = 100
MAX_PROBLEMS = 10_000
"""With more bad lines than these, the file is something else than was said."""

MIN_SHARE_OF_PREVIOUS_LIST = 0.9
MAX_SEARCH_TEXT_LENGTH = 240
LINES_PER_MERGED_PAGE = 8


@dataclass(slots=True)
class BatchPacer:
    """How many lines go into a transaction: as many as could be written in the time it may take."""

    batch_size: int = 100

    def adjust_and_pause(self, seconds: float) -> None:
        """Fit to what the last transaction took, then leave the database to others for as long.

        Reading the next lines, which follows, is a pause for them too.
        """
        fitting = int(self.batch_size * TRANSACTION_SECONDS[connection.vendor] / max(seconds, 0.001))
        self.batch_size = max(MIN_BATCH_LINES, min(MAX_BATCH_LINES, fitting, 2 * self.batch_size))
        time.sleep(max(seconds, 0.004))


def run_list_import(job: Job) -> None:
    """Bring the job's list into its register; JobFailed where the file is none. The file goes when it is done with."""
    listed = RatingListImport.objects.select_related("register").get(job=job)
    kept = stored_list_file(listed)
    if is_older_than_current_list(listed) and not (listed.replaces_newer or listed.history_only):
        kept.delete_file()
        raise JobFailed(_("A newer list is there already: nothing was changed."))
    try:
        with open_list_file(kept) as (file, size):
            try:
                kinds = _write_players(job, listed, file, size)
            finally:
                # Of one that was stopped, too, what it has said of members so far stays.
                publish(ChangeKind.LISTINGS, listed.pk)
        if not listed.history_only:
            _clear_those_gone(job, listed, kinds)
            _note_month(listed, kinds)
        _tidy_index()
    except NotARatingList as other:
        kept.delete_file()
        said = {"line": other.line, "expected": other.expected}
        raise JobFailed(_("Line %(line)s: here should stand %(expected)s.") % said) from other
    except FileNotFoundError as gone:
        raise JobFailed(_("The file is not on the server any more.")) from gone
    kept.delete_file()


def _write_players(job: Job, listed: RatingListImport, file: BufferedReader, size: int) -> tuple[str, ...]:
    """All lines behind the one reached; returns the kinds of ratings that the list has."""
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
        pace.adjust_and_pause(time.perf_counter() - begun)
        said_of |= {member.pk for player in players for member in members.get(player.number, ())}
        report_progress(job, done=file.tell(), total=size)
        if listed.skipped > MAX_PROBLEMS:
            raise JobFailed(_("More than %(most)s lines are without a player.") % {"most": MAX_PROBLEMS})
    # One that went on where another process was killed has not seen whom that one had.
    if is_whole and _is_no_part(listed):
        for kind in kinds:
            with transaction.atomic():
                delete_outdated_listings(listed, kind, said_of)
    return kinds


def _is_no_part(listed: RatingListImport) -> bool:
    """About as long as the list that is here: a part of one says nothing of those whom it leaves out."""
    known = RatingListPlayer.objects.filter(register=listed.register).count()
    return listed.players >= MIN_SHARE_OF_PREVIOUS_LIST * known


def _tidy_index() -> None:
    """PostgreSQL gathers new entries in a list that each search reads whole, several times, until it is tidied away."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('listed_player_parts')")


def _kinds_before(listed: RatingListImport) -> tuple[str, ...]:
    """The kinds of an import that goes on: those already written for a player of it."""
    if not listed.line:
        return ()
    kinds = ("blitz", "rapid", "standard")
    return tuple(
        kind
        for kind in kinds
        if RatingListPlayer.objects.filter(register=listed.register, **{f"{kind}_seen": listed.pk})[:1].exists()
    )


_JOIN_PIECES = "INSERT INTO listed_player_parts (listed_player_parts, rank) VALUES ('merge', %s)"
"""Each transaction adds a piece to SQLite's index. Joined when SQLite likes, the pieces would make one transaction
take most of a second; so some pages of them are joined with each, more than the transaction itself adds."""

_SAID_OF_ALL = ("name", "searched", "federation", "sex", "title", "birth_year", "is_inactive")


def _upsert(kinds: tuple[str, ...]) -> str:
    """One player in, or changed: the same sentence for SQLite and PostgreSQL; other kinds' ratings stay."""
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
    """The words of a name, and after them as they sound where that is another word; a space around each."""
    words = name_search_words(name)
    alike = [other for word in words if (other := phonetic_form(word)) not in words]
    return f" {' '.join((*words, *alike))} "[:MAX_SEARCH_TEXT_LENGTH]


def is_older_than_current_list(listed: RatingListImport) -> bool:
    """A list of a later month has been brought in, of any kind that this one may be."""
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
    """How far the import is, with the players and in their transaction.

    Raises JobStopped when somebody else has got further: this process was silent so long that it was taken for dead.
    """
    bad = [line for line in batch if isinstance(line, UnusableListLine)]
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
    """Players who had a rating and are no longer on the list have none any more.

    Not where the list is much shorter than the one before: then it is rather a part of one.
    """
    everyone = RatingListPlayer.objects.filter(register=listed.register)
    for kind in kinds:
        # Looked up outside of any transaction: to find them, all players are read.
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
            pace.adjust_and_pause(time.perf_counter() - begun)
            report_progress(job)
