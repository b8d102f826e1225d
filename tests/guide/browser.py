"""A very simple browser: requests pages, keeps cookies, submits the forms that it finds."""

from __future__ import annotations

import http.client
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urljoin

SECONDS = 60


@dataclass(slots=True, kw_only=True)
class Form:
    """A form of a page, with the values of its fields."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Page:
    """An answer."""

    address: str
    status: int
    headers: http.client.HTTPMessage
    text: str

    def form(self, action: str) -> Form:
        """The first form whose action ends like this; an empty one is the page's own URL."""
        for form in _forms(self.text):
            if urljoin(self.address, form.action).rstrip("/").endswith(action.rstrip("/")):
                return form
        raise AssertionError(f"no form for {action} at {self.address}: {self.text[:2000]}")


class Browser:
    """Trust the certificates in one file."""

    def __init__(self, certificates: Path | None = None) -> None:
        trusted = ssl.create_default_context(cafile=str(certificates) if certificates else None)
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=trusted), urllib.request.HTTPCookieProcessor(CookieJar())
        )

    def get(self, address: str, **headers: str) -> Page:
        return self._ask(urllib.request.Request(address, headers=headers))  # noqa: S310

    def send(self, page: Page, action: str, **fields: str) -> Page:
        """Send a form of the page with these fields filled in."""
        form = page.form(action)
        sent = [(name, value) for name, value in form.fields if name not in fields] + list(fields.items())
        where = urljoin(page.address, form.action)
        request = urllib.request.Request(where, urlencode(sent).encode(), headers={"Referer": page.address})  # noqa: S310
        return self._ask(request)

    def post(self, address: str, file: bytes, *, cookie: str = "") -> Page:
        """Send a file, with a `cookie` of your own if wanted."""
        head = b'--part\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n'
        kind = {"Content-Type": "multipart/form-data; boundary=part", "Referer": address}
        if cookie:
            kind["Cookie"] = cookie
        request = urllib.request.Request(address, head + file + b"\r\n--part--\r\n", headers=kind)  # noqa: S310
        return self._ask(request)

    def _ask(self, request: urllib.request.Request) -> Page:
        try:
            answer = self._opener.open(request, timeout=SECONDS)
        except urllib.error.HTTPError as error:
            answer = error
        except urllib.error.URLError as error:
            # The upload was refused before its end: some web servers then close the connection, and the answer is lost.
            if request.data is None or isinstance(error.reason, ConnectionRefusedError):
                raise
            return Page(address=request.full_url, status=0, headers=http.client.HTTPMessage(), text=str(error))
        with answer:
            text = answer.read().decode(errors="replace")
            return Page(address=answer.geturl(), status=answer.status, headers=answer.headers, text=text)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open: Form | None = None
        self._select = self._textarea = ""
        self._chosen: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post":
            self._open = Form(action=given.get("action", ""))
            self.found.append(self._open)
        elif self._open is None:
            return
        elif tag == "input":
            kind = given.get("type", "text")
            if kind not in ("submit", "button", "file") and (kind not in ("checkbox", "radio") or "checked" in given):
                self._add(given.get("name", ""), given.get("value", "on" if kind == "checkbox" else ""))
        elif tag == "select":
            self._select, self._chosen = given.get("name", ""), None
        elif tag == "option" and self._select and (self._chosen is None or "selected" in given):
            self._chosen = given.get("value", "")
        elif tag == "textarea":
            self._textarea = given.get("name", "")
            self._add(self._textarea, "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select" and self._open is not None:
            self._add(self._select, self._chosen or "")
            self._select = ""

    def _add(self, name: str, value: str) -> None:
        if self._open is not None and name:
            self._open.fields.append((name, value))


def _forms(text: str) -> list[Form]:
    parser = _Forms()
    parser.feed(text)
    return parser.found
