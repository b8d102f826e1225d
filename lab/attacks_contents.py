"""Attacks by the contents of requests, and by repeating them. Each yields what succeeded."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from urllib.parse import urlsplit
from zipfile import ZipFile

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.utils import DatabaseError
from openpyxl import load_workbook

from lab.attacks_target import FORMULA, MARKUP, Answer, Target, marks_in
from pairing.rounds.lifecycle.transitions import publish_round, unpublish_round
from pairing.rounds.manual.arrangement import swap_colours
from pairing.rounds.manual.changes import change_draft_manually
from tests.full_scenario import address_of
from tests.routes import ROUTES
from tests.test_fuzzed_forms import Form, Forms
from tournaments.models import Game

Tries = Iterator[str]

# -- Texts ------------------------------------------------------------------------------------------------------------

NOT_TEXT = {
    *("slug", "system", "language", "time_zone", "colour", "password", "username", "look", "key", "state", "task"),
    *("iban", "bank_account", "creditor_id", "federation", "session_key", "path", "tie_breaks", "email", "kind"),
}
"""Columns that no one writes freely, or that everything is found by."""


def spoil() -> int:
    """Put markup and a formula into every free text of the database; return the number of columns."""
    done = 0
    for model in apps.get_models():
        if model._meta.app_label not in ("clubs", "common", "tournaments", "pairing") or not model._meta.managed:
            continue
        for column in model._meta.concrete_fields:
            is_text = isinstance(column, models.CharField | models.TextField) and not column.choices
            if is_text and column.name not in NOT_TEXT and "hash" not in column.name and not column.is_relation:
                done += _spoil_column(model, column)
    return done


def _spoil_column(model: type[models.Model], column: models.Field) -> bool:
    room = (column.max_length or 1000) - len(MARKUP) - len(FORMULA)
    if room < 4:
        return False
    for row in model._base_manager.only("pk", column.name):
        said = str(getattr(row, column.name) or "")
        text = f"{FORMULA}{said[:room]}{MARKUP}"
        try:
            with transaction.atomic():
                model._base_manager.filter(pk=row.pk).update(**{column.name: text})
        except (IntegrityError, DatabaseError):
            # The database has constraints that nobody can break, so nothing was written.
            return False
    return True


PEOPLE = ("officer", "member", "visitor")
AS = ("", "?as=page")


def markup(target: Target) -> Tries:
    """Every page, paper, picture, feed and API response, with markup in every text of the database."""
    spoil()
    for name, route in ROUTES.items():
        if "GET" not in route.methods:
            continue
        address = address_of(name, target.places)
        for who in PEOPLE:
            for way in AS if "print" in name or "pdf" in address else AS[:1]:
                answer = target.ask("GET", f"{address}{way}", who=who)
                what = f"{name}{way} as {who}"
                if answer.status >= 500:
                    yield f"{what}: {answer.status}"
                elif answer.kind in ("text/html", "image/svg+xml", "application/zip"):
                    for page in _pages(answer):
                        found = marks_in(page)
                        yield f"{what}: {found[0]}" if found else ""
                else:
                    is_read = "nosniff" in answer.headers.get("x-content-type-options", "")
                    yield "" if is_read or answer.status in (302, 304, 401, 404, 429) else f"{what}: may be sniffed"
                if answer.kind == "text/html" and "script-src" in answer.headers.get("content-security-policy", ""):
                    continue
                has_policy = "content-security-policy" in answer.headers or answer.kind != "text/html"
                yield "" if has_policy else f"{what}: no policy"


def _pages(answer: Answer) -> Iterator[str]:
    """The page, or the pages in a folder."""
    if answer.kind != "application/zip":
        yield answer.text
        return
    with ZipFile(io.BytesIO(answer.body)) as folder:
        for name in folder.namelist():
            if name.endswith((".html", ".svg")):
                yield folder.read(name).decode()


def formulas(target: Target) -> Tries:
    """Every exported table, with a formula at the start of every text: no cell may begin with one."""
    spoil()
    tables = [
        "members_export",
        "member_statistics_export",
        "ledger_export",
        "accounting_year_export",
        "ratings_of_month_export",
    ]
    addresses = [address_of(name, target.places) for name in tables]
    of_event = address_of("event_table_export", target.places | {"kind": "KIND", "table": "TABLE"})
    for table in ("players", "standings", "crosstable", "pairings", "prizes", "attendance", "rounds", "results"):
        addresses += [of_event.replace("TABLE", table).replace("KIND", kind) for kind in ("csv", "xlsx")]
    addresses += [
        address_of(name, target.places) for name in ("member_duplicates", "tournament_log_file", "own_data_download")
    ]
    for address in addresses:
        for way in ("", "?format=xlsx", "?format=csv"):
            answer = target.ask("GET", f"{address}{way}", who="officer")
            if answer.status == 200:
                yield from (f"{address}{way}: {cell}" if cell else "" for cell in _cells(answer.body, answer.kind))


def _cells(body: bytes, kind: str) -> Iterator[str]:
    """Each cell of a table: empty, or the formula in it."""
    if "spreadsheet" in kind:
        for sheet in load_workbook(io.BytesIO(body)):
            for row in sheet.iter_rows():
                for cell in row:
                    yield str(cell.value) if cell.data_type == "f" else ""
    elif kind == "text/csv":
        text = body.decode("utf-8-sig")
        for row in csv.reader(io.StringIO(text), delimiter=";" if text.count(";") > text.count(",") else ","):
            for cell in row:
                yield cell if cell.lstrip("\t\r\n \xa0\u3000").startswith(("=", "+", "@", "\uff1d")) else ""


# -- Files and addresses ----------------------------------------------------------------------------------------------

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
HTML = b"<!DOCTYPE html><script>alert(1)</script>"
ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&f;&b;</svg>'
)
FILES = {
    "logo.svg": (SVG, "image/svg+xml"),
    "logo.png": (SVG, "image/png"),
    "page.html": (HTML, "text/html"),
    "page.png": (HTML, "image/png"),
    "gif.png": (b"GIF89a/*<script>alert(1)</script>*/=1;", "image/png"),
    "../../../tmp/attack.py": (b"import os", "text/x-python"),
    "entities.xml": (ENTITIES, "application/xml"),
    "zip.xlsx": (b"PK\x03\x04" + bytes(100), "application/zip"),
    "nothing": (b"", ""),
    "long.csv": (b"a;" * 2_000_000, "text/csv"),
    "deep.json": (b"[" * 100_000, "application/json"),
}
BOUNDARY = "attackattackattack"


def uploads(target: Target) -> Tries:
    """Unsuitable files sent to every upload form: refused, or returned with their true type."""
    for form in forms(target, "officer"):
        if "file" in form.types.values():
            for filename, (content, kind) in FILES.items():
                body = _multipart(form, filename, content, kind)
                headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
                answer = target.ask("POST", form.action, who="officer", sent=body, headers=headers)
                is_shown = b"alert(1)" in answer.body and b"&lt;script" not in answer.body
                wrong = answer.status >= 500 or is_shown or marks_in(answer.text)
                yield f"{form.action} {filename}: {answer.status}" if wrong else ""
    for name in (
        "letterhead_logo",
        "club_logo_image",
        "voucher_download",
        "rating_list_import_progress",
        "print_members",
    ):
        answer = target.ask("GET", address_of(name, target.places), who="officer")
        is_run = answer.kind in ("text/html", "image/svg+xml") and b"alert(1)" in answer.body
        yield f"{name} is {answer.kind}" if is_run else ""


def _multipart(form: Form, filename: str, content: bytes, content_type: str) -> bytes:
    parts = []
    for name, values in form.fields.items():
        parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n{values[0] or "1"}'.encode())
    for name in (name for name, kind in form.types.items() if kind == "file"):
        head = f'Content-Disposition: form-data; name="{name}"; filename="{filename}"'
        parts.append(f"{head}\r\nContent-Type: {content_type}\r\n\r\n".encode() + content)
    edge = f"--{BOUNDARY}".encode()
    return b"".join(edge + b"\r\n" + part + b"\r\n" for part in parts) + edge + b"--\r\n"


PLACES = (
    *("http://127.0.0.1/", "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://0/"),
    *("https://169.254.169.254/latest/meta-data/", "https://2130706433/", "https://0x7f.1/", "https://10.0.0.1/"),
    *("file:///etc/passwd", "gopher://127.0.0.1:6379/_", "https://user@localhost/", "https://chess.example.org:6379/"),
    *("https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "ftp://chess.example.org/", "https://127.1/"),
)


def asked_places(target: Target) -> Tries:
    """URLs that the server would request itself: no address in its own network, and no scheme except HTTP."""
    from common.tabular.public_download import DownloadFailed, open_download
    from tournaments.notifications.web_push import is_push_service

    for place in PLACES:
        try:
            with open_download(place, largest=1000) as found:
                yield f"{place} was fetched: {found.filename}"
        except DownloadFailed:
            yield ""
        yield f"{place} is taken for a push service" if is_push_service(place) else ""
    written = {"register_fetch": "fetched_from"}
    for name, column in written.items():
        for form in (each for each in forms(target, "officer", names=(name,)) if column in each.fields):
            sent = {key: _filled(form, key) for key in form.fields}
            for place in PLACES:
                answer = target.ask("POST", form.action, who="officer", sent=sent | {column: place})
                yield f"{name} {place}: {answer.status}" if answer.status == 302 else ""


# -- Forms sent late, and twice ---------------------------------------------------------------------------------------


def forms(target: Target, who: str, names: tuple[str, ...] = tuple(ROUTES)) -> Iterator[Form]:
    """One form of each kind from all pages, by target and fields."""
    seen = set()
    for name in names:
        if "GET" not in ROUTES[name].methods:
            continue
        address = address_of(name, target.places)
        answer = target.ask("GET", address, who=who)
        if answer.status != 200 or answer.kind != "text/html":
            continue
        parser = Forms(address)
        parser.feed(answer.text)
        for form in parser.found:
            kind = (urlsplit(form.action).path, *sorted(form.fields))
            if kind not in seen and not form.action.startswith(("http", "/sign-out/")):
                seen.add(kind)
                # It belongs to another cookie than ours: with it the server would refuse every post, whatever it
                # contains.
                form.fields.pop("csrfmiddlewaretoken", None)
                yield form


def late_forms(target: Target) -> Tries:
    """Every form of an event and of a player, sent after its round was unpublished and published with other colours."""
    event = target.cast.event
    people = [("officer", form) for form in forms(target, "officer") if f"/{event.slug}/" in form.action]
    people += [("visitor", form) for form in forms(target, "visitor") if form.action.startswith("/p/")]
    this_round = target.cast.round(2)
    secretary = target.cast.secretary
    unpublish_round(this_round, by=secretary, reason="attack")
    draft = target.cast.round(2)
    for board in draft.games.values_list("board", flat=True):
        # An old page may submit a result that does not change the game.
        draft = target.cast.round(2)
        change_draft_manually(draft, swap_colours(board), by=secretary, version=draft.version)
    publish_round(draft, by=secretary, version=target.cast.round(2).version)
    before = _games(target)
    for who, form in people:
        sent = {name: values[0] for name, values in form.fields.items()}
        for result in ("1-0", "0-1"):
            sent |= {name: result for name in sent if name.startswith("result")}
            answer = target.ask("POST", form.action, who=who, sent=sent)
            after = _games(target)
            yield f"{form.action}: {answer.status}, {set(after) - set(before)}" if after != before else ""
            before = after


def _games(target: Target) -> list[tuple[object, ...]]:
    """The round as everybody sees it: pairings and results."""
    games = Game.objects.filter(round__tournament=target.cast.event, round__number=2).order_by("pk")
    return list(games.values_list("board", "white", "black", "result", "round__state"))


FILLED = {
    "date": "2026-11-20",
    "number": "1",
    "email": "nikt@poczta.example",
    "time": "18:30",
    "datetime-local": "2026-11-20T18:30",
    "url": "https://chess.example.org/list.csv",
}
FILLED_BY_NAME = {"amount": "10,00", "fee": "10,00", "price": "10,00", "iban": "DE89370400440532013000"}
NOT_ROWS = {"LogEntry", "Session", "Job", "ChoreRun", "Viewing", "SignInTries", "UserSession"}
"""What is written down of each sending."""
MAY_BE_ANEW = {"Invitation", "Proposal"}
"""An invitation to oneself, and a round paired on trial: each is asked for anew, and binds nobody."""


def forms_sent_twice(target: Target) -> Tries:
    """Every form filled in plausibly and sent twice: the second time creates nothing.

    Only those count by which something is made.
    """
    for form in list(forms(target, "officer")):
        sent = {name: _filled(form, name) for name in form.fields}
        before = _rows()
        first = target.ask("POST", form.action, who="officer", sent=sent)
        between = _rows()
        if all(between[name] <= before[name] for name in before):
            continue
        second = target.ask("POST", form.action, who="officer", sent=sent)
        after = _rows()
        made = {name: after[name] - between[name] for name in after if after[name] > between[name]}
        made = {name: count for name, count in made.items() if name not in MAY_BE_ANEW}
        yield f"{form.action}: {first.status}, {second.status}, made again {made}" if made else ""


def _filled(form: Form, name: str) -> str:
    """A value that a user might enter."""
    of_select = next(filter(None, form.options.get(name, ())), "")
    by_name = next((text for word, text in FILLED_BY_NAME.items() if word in name), "")
    return form.fields[name][0] or of_select or by_name or FILLED.get(form.types[name], "Nikt, Nowy")


def _rows() -> dict[str, int]:
    kept = [model for model in apps.get_models() if model.__name__ not in NOT_ROWS and model._meta.managed]
    return {model.__name__: model._base_manager.count() for model in kept}
