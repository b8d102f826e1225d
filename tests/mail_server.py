"""A mail server that keeps all emails, can be slow, and can be unreachable for a while."""

from __future__ import annotations

import email
import socketserver
import threading
import time
from email.message import Message
from typing import Any


class MailServer:
    """Listens on its own port from `open` to `close`. `letters` are the complete emails, in order."""

    def __init__(self, port: int, *, pause: float = 0.0) -> None:
        self.port, self.pause = port, pause
        self.letters: list[tuple[str, Message]] = []
        self._server: socketserver.ThreadingTCPServer | None = None

    def open(self) -> None:
        mail = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                to = ""
                self._say("220 mail.example")
                while line := self.rfile.readline().decode(errors="replace").strip():
                    word = line.upper()
                    if word.startswith("RCPT"):
                        to = line.partition("<")[2].partition(">")[0]
                    if word == "DATA":
                        self._say("354 go on")
                        text = self._text()
                        if text is None:
                            return
                        time.sleep(mail.pause)
                        mail.letters.append((to, email.message_from_bytes(text)))
                        time.sleep(mail.pause)
                    self._say("221 bye" if word == "QUIT" else "250 mail.example")

            def _text(self) -> bytes | None:
                """Read up to the final dot; None for an email that breaks off."""
                found = b""
                while line := self.rfile.readline():
                    if line == b".\r\n":
                        return found
                    found += line
                return None

            def _say(self, words: str) -> None:
                self.wfile.write(f"{words}\r\n".encode())

            def handle_error(self, *_arguments: Any) -> None:
                """A killed client does not say goodbye."""

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True

            def handle_error(self, *_arguments: Any) -> None:
                """A killed client does not say goodbye."""

        self._server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
