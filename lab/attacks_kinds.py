"""Attacks by user, and by what a request claims about itself. Each yields what succeeded."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import quote, urlencode, urlsplit

from django.contrib.auth.hashers import make_password

from clubs.models import SignInAttempts, User
from lab.attacks_target import HOST, TOKEN, Answer, Target
from tests.full_scenario import address_of, make_neighbour_event, url_patterns
from tests.routes import EVERYONE, ROUTES
from tests.test_routes import NAMED_BY_KEY, refused

Tries = Iterator[str]
EVIL = "attacker.example"
PEOPLE = sorted(EVERYONE)
EXEMPT = {"notification_channel_stop", "evening_answer", "colour_scheme_set", "language_set"}
"""Their own token, or the browser's word where a form comes from, is all that they need."""


# -- Who asks ---------------------------------------------------------------------------------------------------------


def others_pages(target: Target) -> Tries:
    """Every URL with every method, as everybody who has no right to it."""
    for name, route in ROUTES.items():
        for who in PEOPLE:
            if who in route.who:
                continue
            for method in sorted(route.methods):
                answer = target.ask(method, address_of(name, target.places), who=who)
                yield "" if refused(name, who, answer.status) else f"{method} {name} as {who}: {answer.status}"


def others_keys(target: Target) -> Tries:
    """One club's objects under another club's URL, requested by somebody with every role there."""
    own = make_neighbour_event(target.cast.event.slug)
    places = target.places | {"club": own.slug}
    for address, pattern in url_patterns():
        name = pattern.name or ""
        # A user who restores an event that is not among their deleted events gets a message on the list of deleted
        # events.
        if "<slug:club>" in address and NAMED_BY_KEY.search(address) and name != "deleted_event_restore":
            for method in sorted(ROUTES[name].methods):
                status = target.ask(method, address_of(name, places), who="neighbour").status
                yield "" if status == 404 else f"{method} {name}: {status}"


def forged_forms(target: Target) -> Tries:
    """Every action, sent from another site in an authorised user's browser."""
    for name, route in ROUTES.items():
        if "POST" not in route.methods or name in EXEMPT:
            continue
        for headers in ({"Origin": f"https://{EVIL}"}, {"Origin": "null"}, {"Referer": f"https://{EVIL}/"}, {}):
            status = target.ask(
                "POST", address_of(name, target.places), who="officer", headers=headers, has_token=False
            ).status
            yield "" if status in (403, 404) else f"{name} {headers}: {status}"


def sessions(target: Target) -> Tries:
    """An attacker's cookie, and cookies from before sign-in, sign-out and a new password."""
    User.objects.filter(username="outsider").update(password=make_password("a long password of nobody's"))
    given = "attackersowncookie0000000000000a"
    made = _signed_in(target, f"sessionid={given}")
    yield "" if made and made != given else "the cookie that was given is signed in"
    other = _signed_in(target, "")
    again = _signed_in(target, f"sessionid={made}")
    yield "" if again != made else "the session's key stays as it was"
    for old in (made, given):
        yield "" if not _is_signed_in(target, old) else f"{old} is signed in"
    target.sessions["leaver"] = again
    target.ask("POST", "/sign-out/", who="leaver")
    yield "" if not _is_signed_in(target, again) else "a session goes on after signing out"
    User.objects.filter(username="outsider").update(password=make_password("another one"))
    yield "" if not _is_signed_in(target, other) else "a session goes on after a new password"


def _signed_in(target: Target, cookie: str) -> str:
    """The session key that a browser with a cookie gets at sign-in."""
    SignInAttempts.objects.all().delete()
    cookies = {"Cookie": f"csrftoken={TOKEN[:32]}; {cookie}"}
    answer = target.ask(
        "POST",
        "/sign-in/",
        sent={"login": "outsider", "password": "a long password of nobody's"},
        headers=cookies,
    )
    found = re.search(r"sessionid=(\w+)", answer.headers.get("set-cookie", ""))
    return found[1] if found else ""


def _is_signed_in(target: Target, key: str) -> bool:
    target.sessions["asked"] = key
    return target.ask("GET", "/me/log-in/", who="asked").status == 200


def guessed_secrets(target: Target) -> Tries:
    """Guessed links and passwords with forged client addresses: no link opens, and passwords are throttled."""
    SignInAttempts.objects.all().delete()
    for name, part in (
        ("personal", "personal"),
        ("invitation_accept", "joining"),
        ("notification_channel_edit", "way"),
        ("self_check_in", "self_check_in"),
    ):
        token = str(target.places[part])
        guesses = [f"{token[:-2]}{number:02}" for number in range(40)]
        guesses += [
            token[:-1],
            f"{token}0",
            token.swapcase(),
            f"9{token}",
            token.replace(".", ".."),
            token.split(".")[0],
        ]
        for guess in guesses:
            if guess != token:
                address = address_of(name, target.places).replace(token, quote(guess))
                status = _tried(target, address, len(guess)).status
                yield f"{name} {guess}: {status}" if status == 200 else ""
    said = [
        _tried(target, "/sign-in/", number, {"login": "secretary", "password": f"wrong {number}"}).text
        for number in range(40)
    ]
    yield "" if "Too many tries" in said[-1] else "a password may be tried on and on"


def _tried(target: Target, address: str, number: int, sent: dict[str, str] | None = None) -> Answer:
    # The web server in front of ours appends the address it received the request from.
    heard = {"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.7"}
    return target.ask("POST" if sent else "GET", address, sent=sent, headers=heard)


# -- What is asked for ------------------------------------------------------------------------------------------------

FORGED = (
    {"Host": EVIL},
    {"Host": f"{HOST}.{EVIL}"},
    {"Host": f"{HOST}@{EVIL}"},
    {"X-Forwarded-Host": EVIL},
    {"X-Host": EVIL},
    {"Forwarded": f"host={EVIL}"},
    {"X-Original-URL": f"//{EVIL}/"},
    {"X-Rewrite-URL": f"//{EVIL}/"},
    {"X-Forwarded-Prefix": f"//{EVIL}"},
    {"Script-Name": f"//{EVIL}"},
    {"SCRIPT_NAME": "/pod-goncem"},
    {"PATH_INFO": "/admin/"},
    {"X-HTTP-Method-Override": "POST"},
    {"X-Forwarded-Port": "1"},
    {"Referer": f"https://{EVIL}/"},
    {"HX-Current-URL": f"https://{EVIL}/"},
    {"X-Request-ID": f"{EVIL}"},
)


def forged_headers(target: Target) -> Tries:
    """Forged host and forwarding headers: never used in a page or a redirect."""
    for name in (
        "home",
        "club",
        "tournament",
        "round",
        "standings",
        "account_login",
        "personal",
        "account_reset_password",
    ):
        address = address_of(name, target.places)
        usual = target.ask("GET", address)
        for headers in FORGED:
            answer = target.ask("GET", address, headers=headers)
            refused = answer.status in (400, 404, 500) if "Host" in headers else False
            if "Host" in headers:
                yield "" if answer.status == 400 else f"{name} {headers}: {answer.status}"
            elif EVIL in answer.text.replace("X-Request-ID", "") or EVIL in answer.headers.get("location", ""):
                yield f"{name} {headers}: it stands in the answer"
            else:
                is_same = answer.status == usual.status or answer.status == 400
                yield "" if is_same or refused else f"{name} {headers}: {usual.status} became {answer.status}"


AWAY = (f"//{EVIL}/", f"https://{EVIL}/", f"/\\{EVIL}/", f"\\\\{EVIL}", f"https:{EVIL}", f"/%09/{EVIL}", f"///{EVIL}")
WAYS_BACK = ("next", "back", "from", "to", "return", "url", "page", "redirect", "address", "q")


def redirects(target: Target) -> Tries:
    """Every URL with every parameter for a return page: no redirect to another site."""
    for name, route in ROUTES.items():
        address = address_of(name, target.places)
        for way in AWAY:
            asked = urlencode(dict.fromkeys(WAYS_BACK, way))
            if "GET" in route.methods:
                answer = target.ask("GET", f"{address}?{asked}", who="officer")
                yield _leads_away(f"GET {name} {way}", answer.headers.get("location", ""), answer.text)
            if name in (
                "colour_scheme_set",
                "language_set",
                "account_login",
                "account_logout",
                "own_account",
                "deferred_posts",
            ):
                sent = dict.fromkeys(WAYS_BACK, way) | {"look": "dark", "language": "de"}
                answer = target.ask("POST", address, who="visitor", sent=sent, headers={"Referer": f"https:{way}"})
                yield _leads_away(f"POST {name} {way}", answer.headers.get("location", ""), answer.text)


def _leads_away(what: str, location: str, page: str) -> str:
    found = location if urlsplit(location.replace("\\", "/")).netloc not in ("", HOST) else ""
    links = [link for link in re.findall(r'(?:href|action|src|content)="([^"]+)"', page) if _is_away(link)]
    return f"{what}: {found or links[0]}" if found or links else ""


def _is_away(link: str) -> bool:
    try:
        return urlsplit(link.replace("\\", "/").strip()).netloc.endswith(EVIL)
    except ValueError:
        return True


POISONS: tuple[dict[str, str], ...] = (
    *({"HX-Target": part} for part in ("live", "boards", "found", "mine")),
    {"HX-Request": "true"},
    {"HX-Request": "false", "HX-Target": "live"},
    {"HX-Request": "true", "HX-Target": "live"},
    {"HX-Request": "true", "HX-Target": "%6Cive", "HX-Target-URI-AutoEncoded": "true"},
    {"HX-Target": "%6Cive", "HX-Target-URI-AutoEncoded": "true"},
    {"HX-Boosted": "true"},
    {"HX-History-Restore-Request": "true"},
    {"Live-Changes": "1"},
    {"Live-Changes": "1", "If-None-Match": '"invented"'},
    {"If-None-Match": "*"},
    {"Range": "bytes=0-3"},
    {"Accept": "application/json"},
    {"Accept-Encoding": "gzip;q=0"},
    {"Accept-Language": "pl;q=0.1, xx"},
    {"Cookie": f"look={EVIL}; django_language={EVIL}; csrftoken={EVIL}"},
    {"Cookie": "look=dark; django_language=pl"},
    {"Cookie": "messages=invented; sessionid=invented"},
    {"Authorization": "Bearer x"},
    {"X-Forwarded-Proto": "https"},
    {"X-Forwarded-Host": EVIL},
    {"SCRIPT_NAME": "/pod-goncem"},
)


def poisoned_pages(target: Target) -> Tries:
    """Forged headers of the first visitor change no page for later ones; nor does an officer's visit."""
    for name, route in ROUTES.items():
        if "GET" not in route.methods or "visitor" not in route.who:
            continue
        address = address_of(name, target.places)
        usual = _page(target, f"{address}?x=usual")
        for number, headers in enumerate(POISONS):
            # Each with a URL of its own that nobody has requested before.
            target.ask("GET", f"{address}?x={number}", headers=headers)
            is_same = _page(target, f"{address}?x={number}") == usual
            yield "" if is_same else f"{name} {headers}"
        for who in ("officer", "member", "neighbour"):
            target.ask("GET", f"{address}?x={who}", who=who)
            is_same = _page(target, f"{address}?x={who}") == usual
            yield "" if is_same else f"{name} after {who}"


def _page(target: Target, address: str) -> str:
    """As a visitor; if the API's rate limit is reached, wait as told."""
    while (answer := target.ask("GET", address)).status == HTTPStatus.TOO_MANY_REQUESTS:
        time.sleep(int(answer.headers.get("retry-after", "1")) + 1)
    return _plain(answer.text)


def _plain(page: str) -> str:
    """Without tokens, which differ each time, and without the URL itself."""
    page = re.sub(r'(csrfmiddlewaretoken" value=|x-csrftoken&quot;: |x-csrftoken": )"[^"]*"', "", page)
    return re.sub(r"x(=|%3D)\w+|data-stream=\"[^\"]*\"|\d\d:\d\d:\d\d|\"kept\" value=\"[^\"]*\"", "", page)
