"""Integrity rules of events that the database itself enforces, with triggers on SQLite and PostgreSQL.

They look into several tables, and SQLite can't rebuild a table while another table's trigger names it. So our `migrate`
command drops the triggers before it changes anything and creates them again at its end. Decision 0014 lists what is
refused, and the permitted exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connections, transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrityTrigger:
    """A trigger `on` changes to a `table` that raises IntegrityError if `refuses` is true.

    `refuses` is SQL for both databases, using NEW and OLD; `{differs}` is a comparison that handles NULL. `locks`
    selects a row to lock first, if rows of concurrent transactions matter.
    """

    name: str
    table: str
    on: tuple[str, ...]
    refuses: str
    says: str
    locks: str = ""


_SEATED = ("INSERT", "UPDATE OF round_id, white_id, black_id")
_AWAY = ("INSERT", "UPDATE OF round_id, entry_id")
_THE_ROUND = "SELECT 1 FROM tournaments_round WHERE id = NEW.round_id FOR NO KEY UPDATE"
_IS_FINISHED = "(SELECT state FROM tournaments_round WHERE id = {row}.round_id) = 'finished'"
_IS_DELETED = (
    "EXISTS (SELECT 1 FROM tournaments_tournament event WHERE event.id = {event} AND event.deleted_at IS NOT NULL)"
)
"""Its officers have deleted the event, so the rest may be erased."""
_EVENT_OF_OLD_ROUND = "(SELECT tournament_id FROM tournaments_round WHERE id = OLD.round_id)"
_IS_KEPT = f"NOT {_IS_DELETED.format(event=_EVENT_OF_OLD_ROUND)}"
_EVENT_OF_ROUND = "(SELECT tournament_id FROM tournaments_round WHERE id = NEW.round_id)"
_EVENT_OF = "(SELECT tournament_id FROM tournaments_entry WHERE id = NEW.{player}_id)"
_OF_ANOTHER_EVENT = f"{_EVENT_OF_ROUND} <> {_EVENT_OF}"
_BY_A_LINE = (
    "EXISTS (SELECT 1 FROM tournaments_logentry line WHERE line.id = NEW.{name}_id AND line.action = '{action}' AND"
)
_HAS_GAMES = """EXISTS (SELECT 1 FROM tournaments_game game JOIN tournaments_round round
                           ON round.id = game.round_id WHERE round.tournament_id = OLD.tournament_id)"""

INTEGRITY_TRIGGERS = (
    IntegrityTrigger(
        name="seated_once",
        table="tournaments_game",
        on=_SEATED,
        refuses="""EXISTS (SELECT 1 FROM tournaments_game other WHERE other.round_id = NEW.round_id
                           AND other.white_id = NEW.black_id AND other.id <> NEW.id)
                   OR EXISTS (SELECT 1 FROM tournaments_game other WHERE other.round_id = NEW.round_id
                              AND other.black_id = NEW.white_id AND other.id <> NEW.id)
                   OR EXISTS (SELECT 1 FROM tournaments_bye bye WHERE bye.round_id = NEW.round_id
                              AND bye.entry_id IN (NEW.white_id, NEW.black_id))""",
        says="a player stands in this round already",
        locks=_THE_ROUND,
    ),
    IntegrityTrigger(
        name="away_once",
        table="tournaments_bye",
        on=_AWAY,
        refuses="""EXISTS (SELECT 1 FROM tournaments_game game WHERE game.round_id = NEW.round_id
                           AND game.white_id = NEW.entry_id)
                   OR EXISTS (SELECT 1 FROM tournaments_game game WHERE game.round_id = NEW.round_id
                              AND game.black_id = NEW.entry_id)""",
        says="a player has a board in this round",
        locks=_THE_ROUND,
    ),
    IntegrityTrigger(
        name="seated_players_of_the_event",
        table="tournaments_game",
        on=_SEATED,
        refuses=f"{_OF_ANOTHER_EVENT.format(player='white')} OR {_OF_ANOTHER_EVENT.format(player='black')}",
        says="a player of another event",
    ),
    IntegrityTrigger(
        name="away_players_of_the_event",
        table="tournaments_bye",
        on=_AWAY,
        refuses=_OF_ANOTHER_EVENT.format(player="entry"),
        says="a player of another event",
    ),
    IntegrityTrigger(
        name="checked_in_players_of_the_event",
        table="tournaments_checkin",
        on=_AWAY,
        refuses=_OF_ANOTHER_EVENT.format(player="entry"),
        says="a player of another event",
    ),
    IntegrityTrigger(
        name="players_stay_in_their_event",
        table="tournaments_entry",
        on=("UPDATE OF tournament_id",),
        refuses="NEW.tournament_id <> OLD.tournament_id",
        says="a player never changes to another event",
    ),
    IntegrityTrigger(
        name="rounds_stay_in_their_event",
        table="tournaments_round",
        on=("UPDATE OF tournament_id, number",),
        refuses="NEW.tournament_id <> OLD.tournament_id OR (NEW.number <> OLD.number AND OLD.state <> 'waiting')",
        says="a round never changes its event, nor its number once it is paired",
    ),
    IntegrityTrigger(
        name="finished_rounds_stay",
        table="tournaments_round",
        on=("DELETE",),
        refuses=f"OLD.state = 'finished' AND NOT {_IS_DELETED.format(event='OLD.tournament_id')}",
        says="a finished round is never deleted, unless its event is",
    ),
    IntegrityTrigger(
        name="finished_rounds_are_reopened",
        table="tournaments_round",
        on=("UPDATE OF state",),
        refuses="""OLD.state = 'finished' AND NEW.state <> 'finished'
            AND COALESCE((SELECT line.action FROM tournaments_logentry line WHERE line.round_id = NEW.id
                          AND line.action IN ('round finished', 'round reopened') ORDER BY line.id DESC LIMIT 1), '')
                <> 'round reopened'""",
        says="a finished round is opened again only with the line of the log that says so",
    ),
    IntegrityTrigger(
        name="finished_boards_are_all",
        table="tournaments_game",
        on=("INSERT",),
        refuses=_IS_FINISHED.format(row="NEW"),
        says="a finished round gets no more boards",
    ),
    IntegrityTrigger(
        name="finished_boards_stay",
        table="tournaments_game",
        on=("DELETE",),
        refuses=f"{_IS_FINISHED.format(row='OLD')} AND {_IS_KEPT}",
        says="a board of a finished round is never deleted, unless its event is",
    ),
    IntegrityTrigger(
        name="finished_results_stay",
        table="tournaments_game",
        on=("UPDATE",),
        refuses=f"""{_IS_FINISHED.format(row="OLD")}
            AND (NEW.round_id <> OLD.round_id OR NEW.board <> OLD.board OR NEW.white_id <> OLD.white_id
                 OR NEW.black_id <> OLD.black_id
                 OR ((NEW.result <> OLD.result OR NEW.colours_drawn <> OLD.colours_drawn)
                     AND NOT (NEW.result <> '' AND NEW.revision = OLD.revision + 1
                              AND NEW.correction_id {{differs}} OLD.correction_id
                              AND {_BY_A_LINE.format(name="correction", action="result corrected")}
                              line.round_id = NEW.round_id))))""",
        says="a result of a finished round changes only with the line of the log that corrects it",
    ),
    IntegrityTrigger(
        name="finished_byes_stay",
        table="tournaments_bye",
        on=("UPDATE OF round_id, entry_id, kind",),
        refuses=f"""{_IS_FINISHED.format(row="OLD")}
            AND (NEW.round_id <> OLD.round_id OR NEW.entry_id <> OLD.entry_id OR NEW.kind <> OLD.kind)""",
        says="a bye of a finished round never changes",
    ),
    IntegrityTrigger(
        name="finished_byes_are_kept",
        table="tournaments_bye",
        on=("DELETE",),
        refuses=f"{_IS_FINISHED.format(row='OLD')} AND {_IS_KEPT}",
        says="a bye of a finished round is never deleted, unless its event is",
    ),
    IntegrityTrigger(
        name="log_lines_stay",
        table="tournaments_logentry",
        on=("UPDATE",),
        refuses=f"""NEW.tournament_id <> OLD.tournament_id OR NEW.at <> OLD.at OR NEW.action <> OLD.action
            OR (NEW.round_id {{differs}} OLD.round_id AND NEW.round_id IS NOT NULL)
            OR (NEW.actor_id {{differs}} OLD.actor_id AND NEW.actor_id IS NOT NULL)
            OR (NEW.details <> OLD.details
                AND NOT (NEW.erasure_id {{differs}} OLD.erasure_id
                         AND {_BY_A_LINE.format(name="erasure", action="name erased")}
                         line.tournament_id = NEW.tournament_id AND line.id > NEW.id)))""",
        says="a line of the log changes only when a name is erased, with the line that says so",
    ),
    IntegrityTrigger(
        name="log_lines_are_kept",
        table="tournaments_logentry",
        on=("DELETE",),
        refuses=_HAS_GAMES,
        says="the log of an event with games is never deleted",
    ),
)

_DIFFERS = {"sqlite": "IS NOT", "postgresql": "IS DISTINCT FROM"}


def drop_integrity_triggers(*, using: str = "default") -> None:
    """Drop the triggers, before tables are changed."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for guard in INTEGRITY_TRIGGERS:
            if guard.table in tables:
                for statement in _drops(guard, connection.vendor):
                    cursor.execute(statement)


def create_integrity_triggers(*, using: str = "default") -> None:
    """Create the triggers, or replace them, if all tables exist."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        if not {guard.table for guard in INTEGRITY_TRIGGERS} <= tables:
            return
        for guard in INTEGRITY_TRIGGERS:
            for statement in (*_drops(guard, connection.vendor), *_creates(guard, connection.vendor)):
                cursor.execute(statement)


def installed_integrity_triggers(*, using: str = "default") -> set[str]:
    """Return the names of the triggers installed in this database."""
    connection = connections[using]
    sql = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(sql)
        names = {name for (name,) in cursor.fetchall()}
    return {guard.name for guard in INTEGRITY_TRIGGERS if set(_triggers(guard, connection.vendor)) <= names}


def _triggers(guard: IntegrityTrigger, vendor: str) -> Mapping[str, str]:
    """Return a trigger's names with their changes. SQLite needs one for each kind of change."""
    if vendor == "sqlite":
        return {f"{guard.name}_{place}": change for place, change in enumerate(guard.on)}
    return {guard.name: " OR ".join(guard.on)}


def _drops(guard: IntegrityTrigger, vendor: str) -> list[str]:
    place = "" if vendor == "sqlite" else f" ON {guard.table}"
    return [f"DROP TRIGGER IF EXISTS {name}{place}" for name in _triggers(guard, vendor)]


def _creates(guard: IntegrityTrigger, vendor: str) -> list[str]:
    refuses, message = guard.refuses.format(differs=_DIFFERS[vendor]), f"{guard.name}: {guard.says}"
    if vendor == "sqlite":
        return [
            f"CREATE TRIGGER {name} AFTER {change} ON {guard.table} WHEN {refuses} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            for name, change in _triggers(guard, vendor).items()
        ]
    lock = f"PERFORM {guard.locks.removeprefix('SELECT ')};" if guard.locks else ""
    (changes,) = _triggers(guard, vendor).values()
    return [
        f"CREATE OR REPLACE FUNCTION {guard.name}() RETURNS trigger AS $$ BEGIN {lock} IF {refuses} THEN "
        f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NULL; "
        "END $$ LANGUAGE plpgsql",
        f"CREATE TRIGGER {guard.name} AFTER {changes} ON {guard.table} FOR EACH ROW EXECUTE FUNCTION {guard.name}()",
    ]
