"""Checks of the server after each part of the guide, as its users and its web server."""

from __future__ import annotations

import json
import re
import shlex
import ssl
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.guide.browser import Browser, Page

Shell = Callable[[str], str]
"""Runs a command of the machine as root: what it prints. Raises AssertionError where it fails."""

PASSWORD = "rooks on open files"
PLAYERS = "\n".join(f"Player, Nr{number:02}; {2300 - 17 * number}" for number in range(1, 25))
MEGABYTE = b"x" * 1024**2


@dataclass(slots=True)
class Asked:
    """The server as seen from outside, and the successful checks."""

    root: Path
    name: str
    shell: Shell
    began: float
    holds: list[str] = field(default_factory=list)
    secretary: Browser | None = None
    event: str = ""

    @property
    def site(self) -> str:
        return f"https://{self.name}"

    def certificates(self) -> Path:
        return self.root / "etc" / "letsencrypt" / "live" / self.name / "fullchain.pem"

    def note(self, what: str) -> None:
        self.holds.append(what)


def after_start(asked: Asked) -> None:
    """Everything necessary is running, and only on this machine."""
    checks = _until_ready(asked)
    asked.note(f"/readyz: {checks}")
    assert checks == {"database": "ok", "migrations": "ok", "queue": "ok"}
    listening = asked.shell("ss -Hltn | awk '{print $4}'").split()
    open_to_all = [each for each in listening if not each.startswith(("127.", "[::1]")) and not each.endswith(":80")]
    assert not open_to_all, open_to_all
    key = asked.shell("stat -c '%U %a' /var/lib/clubnight/secret-key")
    assert key.split() == ["clubnight", "600"]
    asked.note("nothing but the web server listens to others; the secret key is its owner's alone")
    verified = asked.shell(
        "cd /usr/local/lib/systemd/system && systemd-analyze verify *.service *.timer *.target 2>&1 || true"
    )
    # Litestream isn't a Debian package: who uses its unit installs it.
    wrong = [line for line in verified.splitlines() if "clubnight" in line and "Command litestream is not" not in line]
    assert not wrong, wrong
    asked.note("systemd-analyze verify finds nothing wrong with the units")
    pids = "$(ps -o pid= -u clubnight)"
    held = asked.shell(f"for each in {pids}; do grep ^Pss: /proc/$each/smaps_rollup; done")
    kilobytes = sum(int(line.split()[1]) for line in held.splitlines() if line.startswith("Pss:"))
    asked.note(f"the processes of the user clubnight hold {kilobytes // 1024} MB (PSS)")


def after_web_server(asked: Asked) -> None:
    """TLS, the redirect, sizes, compression, caching, and headers forwarded by the web server."""
    # A reload is complete when the last old process has ended.
    _eventually(lambda: Browser(asked.certificates()).get(f"http://{asked.name}/").address.startswith("https://"))
    page = Browser(asked.certificates()).get(f"{asked.site}/set-up/", **{"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
    asked.note("http leads to https; pages come compressed and with HSTS")
    spoken = asked.shell(
        f"curl --silent --insecure --output /dev/null --write-out '%{{http_version}}' {asked.site}/set-up/"
    )
    assert spoken.strip() == "2"
    asked.note("HTTP/2")
    page = Browser(asked.certificates()).get(f"{asked.site}/set-up/")
    style = next(iter(re.findall(r'href="(/static/css/[^"]+)"', page.text)))
    files = [Browser(asked.certificates()).get(asked.site + style) for _twice in range(2)]
    assert "immutable" in files[0].headers["Cache-Control"]
    asked.note(f"{style} may be kept for ever")
    _sizes(asked, Browser(asked.certificates()))
    Browser(asked.certificates()).get(f"{asked.site}/pod-wieza/wednesday/p/12.verysecretletters/")
    log = asked.shell("sleep 0.2; cat /var/log/nginx/clubnight.log")
    assert "/p/12...." in log, log
    assert "verysecret" not in log
    asked.note("a personal link stands in the web server's log without its secret half")


def _sizes(asked: Asked, browser: Browser, *, may_close: bool = False) -> None:
    """A file of 38 MB reaches Clubnight, which asks for sign-in. With a session cookie, so does a list of 60 MB."""
    for path, size, cookie, comes_through in (
        ("/set-up/", 38, "", True),
        ("/set-up/", 42, "", False),
        ("/a-club/ratings/lists/new/", 60, f"sessionid={'a' * 32}", True),
    ):
        answer = browser.post(asked.site + path, MEGABYTE * size, cookie=cookie)
        allowed = (401, 403) if comes_through else (413, 0)
        # Clubnight answers visitors before it has read the file. Caddy then closes the connection without an answer.
        assert answer.status in allowed or (answer.status == 0 and may_close), (path, size, answer)
    asked.note("files of 38 MB come through to Clubnight, of 42 MB they do not, but for rating lists")


def after_moving_in(asked: Asked) -> None:
    """From the code to the first published round, only with forms; then its stream, a job, a long paper."""
    code = asked.shell("deploy/manage setup_code")
    found = re.search(r"[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}", code)
    assert found, code
    browser = asked.secretary = Browser(asked.certificates())
    page = browser.get(f"{asked.site}/")
    page = browser.send(page, "set-up/", code=found.group())
    names = {"first_name": "Sabina", "last_name": "Kowal", "username": "sabina", "email": "sabina@poczta.example"}
    club = {"club-name": "Pod Wieza", "club-city": "Zamatowice"}
    page = browser.send(page, "set-up/", **names, password1=PASSWORD, password2=PASSWORD, **club)
    assert "/settings/welcome/" in page.address or page.status == 200, page.address
    slug = re.search(r'href="/([\w-]+)/events/new/"', page.text)
    assert slug, page.text[:3000]
    page = browser.get(f"{asked.site}/{slug[1]}/events/new/")
    page = browser.send(page, "events/new/", name="Wednesday", rounds_announced="5")
    event = re.search(rf'href="(/{slug[1]}/[\w-]+/)players/paste/"', page.text)
    assert event, page.address
    asked.event = asked.site + event[1]
    page = browser.get(f"{asked.event}players/paste/")
    page = browser.send(page, "players/paste/", text=PLAYERS)
    page = browser.send(page, "players/paste/", text=PLAYERS, enter="1")
    page = browser.send(browser.get(f"{asked.event}rounds/1/"), "rounds/1/pair/")
    page = _when_done(browser, page, f"{asked.event}rounds/1/", "publish/")
    page = browser.send(page, "rounds/1/publish/")
    public = Browser(asked.certificates()).get(f"{asked.event}rounds/1/")
    assert public.text.count("Player, Nr") >= 24, public.text[:2000]
    asked.note(
        f"first published round {time.monotonic() - asked.began:.0f} seconds after the first command, by a machine"
    )
    _stream(asked, public)
    _python(asked, "import config.celery; from common.schedule.due_tasks import start_due_tasks; start_due_tasks()")
    _eventually(lambda: ".zip" in asked.shell("ls /var/backups/clubnight"), seconds=180)
    asked.note("what is due every night is done by the worker of chores: a backup lies there")


def after_mail(asked: Asked) -> None:
    letters = asked.shell("cat /var/lib/clubnight/mail/*")
    assert "secretary@example.org" in letters
    asked.note("the letter was written")


def after_backups(asked: Asked) -> None:
    kept = asked.shell("ls /var/backups/clubnight").split()
    copied = asked.shell("ls /media/usb/clubnight").split()
    # Older ones were rotated away and stay there.
    assert any(name.endswith(".zip") for name in copied), (kept, copied)
    assert _until_ready(asked)["database"] == "ok"
    _still_there(asked)
    asked.note(f"{len(copied)} backups copied; restored over itself, the round is still there")


def signed_in(asked: Asked) -> None:
    """The secretary, signed out by a restored backup, signs in again."""
    browser = asked.secretary = Browser(asked.certificates())
    page = browser.get(f"{asked.site}/sign-in/")
    browser.send(page, "sign-in/", login="sabina", password=PASSWORD)
    page = browser.get(f"{asked.event}players/paste/")
    assert page.address.endswith("players/paste/"), page.address


def after_keys(asked: Asked) -> None:
    """A new key signs everybody out."""
    assert _until_ready(asked)["database"] == "ok"
    assert asked.secretary
    page = asked.secretary.get(f"{asked.event}players/paste/")
    assert "/sign-in/" in page.address, page.address
    assert asked.shell("stat -c '%U %a' /var/lib/clubnight/secret-key").split() == ["clubnight", "600"]
    _still_there(asked)
    asked.note("another secret key: the secretary is asked to sign in")


def after_looking(asked: Asked) -> None:
    assert asked.shell("journalctl --no-pager --unit 'clubnight*' --lines 20").strip()


def after_caddy(asked: Asked) -> None:
    """The same site behind the other web server, which makes its certificate itself."""
    root = (
        asked.root
        / "var"
        / "lib"
        / "caddy"
        / ".local"
        / "share"
        / "caddy"
        / "pki"
        / "authorities"
        / "local"
        / "root.crt"
    )
    _eventually(root.exists)
    browser = Browser(root)
    _eventually(lambda: browser.get(f"{asked.site}/readyz").status == 200)
    assert browser.get(f"http://{asked.name}/").address.startswith("https://")
    assert browser.get(f"{asked.event}rounds/1/").text.count("Player, Nr") >= 24
    _sizes(asked, browser, may_close=True)
    _stream(asked, browser.get(f"{asked.event}rounds/1/"), root)
    asked.note("Caddy: pages, the redirect, sizes, streams")


def after_small_server(asked: Asked) -> None:
    """With one SQLite file only: the same round, and the nightly tasks in the server's own thread."""
    checks = _until_ready(asked)
    assert checks["database"] == "ok"
    told = _python(asked, "from django.conf import settings as s; print(s.DATABASES, s.CELERY_BROKER_URL)")
    assert "clubnight.sqlite3" in told
    assert told.strip().endswith("None")
    running = asked.shell("systemctl list-units 'clubnight*'")
    assert "worker" not in running
    assert "beat" not in running
    root = asked.root / "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
    assert Browser(root).get(f"{asked.event}rounds/1/").text.count("Player, Nr") >= 24
    _python(asked, "from common.models import ScheduledTaskRun; ScheduledTaskRun.objects.all().delete()")
    begun = "from common.models import ScheduledTaskRun; print(ScheduledTaskRun.objects.count())"
    _eventually(lambda: int(_python(asked, begun).split()[-1]) >= 4, seconds=150)
    asked.note(
        "SQLite without Redis: what was entered on PostgreSQL is there; a thread of the server does the night's work"
    )


def _python(asked: Asked, script: str) -> str:
    """The output of a script in the program, run as the server's user."""
    return asked.shell(f"deploy/manage shell --verbosity 0 -c {shlex.quote(script)}")


def _stream(asked: Asked, page: Page, certificates: Path | None = None) -> None:
    """The stream sends its first line at once and stays open: no proxy buffers it."""
    address = re.search(r'data-stream="([^"]+)"', page.text)
    assert address, "the page has no stream"
    trusted = ssl.create_default_context(cafile=str(certificates or asked.certificates()))
    began = time.monotonic()
    with urllib.request.urlopen(address[1], timeout=20, context=trusted) as answer:  # noqa: S310
        lines = [answer.readline().decode() for _line in range(4)]
    assert any(line.startswith("data: ") for line in lines), lines
    asked.note(
        f"{address[1].split('/')[2]}: a stream's first news after {time.monotonic() - began:.2f} s, while it stays open"
    )


def _still_there(asked: Asked) -> None:
    assert Browser(asked.certificates()).get(f"{asked.event}rounds/1/").text.count("Player, Nr") >= 24


def _until_ready(asked: Asked) -> dict[str, str]:
    told = ""

    def is_ready() -> bool:
        nonlocal told
        told = asked.shell(f"curl --silent --header 'Host: {asked.name}' http://127.0.0.1:8001/readyz || true")
        return '"ready"' in told

    _eventually(is_ready, lambda: told)
    checks: dict[str, str] = json.loads(told)["checks"]
    return checks


def _when_done(browser: Browser, page: Page, address: str, wanted: str) -> Page:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        page = browser.get(address)
        if wanted in page.text:
            return page
        time.sleep(0.3)
    words = " ".join(re.sub(r"<[^>]*>", " ", page.text).split())
    raise AssertionError(f"{address} never had {wanted}: {words[:1500]}")


def _eventually(holds: Callable[[], bool], told: Callable[[], str] = str, *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if holds():
                return
        except (OSError, AssertionError):
            pass
        time.sleep(0.5)
    raise AssertionError(f"it never came: {told()}")
