"""Starting: a second start of a checkout prepares nothing again, and a free port is found."""

from __future__ import annotations

import socket

import launch


def test_what_has_not_changed_is_not_prepared_again(tmp_path, monkeypatch, capsys):
    database = tmp_path / "demo.sqlite3"
    done: list[str] = []

    def run(*command: str, environment: dict[str, str]) -> None:
        done.append(command[1])
        database.touch()

    def read(*command: str, environment: dict[str, str]) -> str:
        assert environment["CLUBNIGHT_DEBUG"] == "1"
        done.append(command[1])
        return "Sign in as: ..."

    monkeypatch.setattr(launch, "run_python", run)
    monkeypatch.setattr(launch, "read_python", read)
    monkeypatch.setattr(launch, "program_fingerprint", lambda: "one")
    for _start in range(2):
        launch.prepare(database, {}, is_demo=True)
        assert "Sign in as" in capsys.readouterr().out
    assert done == ["migrate", "demo", "collectstatic"]
    monkeypatch.setattr(launch, "program_fingerprint", lambda: "another")
    launch.prepare(database, {}, is_demo=True)
    assert len(done) == 6
    database.unlink()
    launch.prepare(database, {}, is_demo=True)
    assert len(done) == 9


def test_the_fingerprint_changes_with_the_program(tmp_path, monkeypatch):
    monkeypatch.setattr(launch, "ROOT", tmp_path)
    (tmp_path / "app").mkdir()
    (tmp_path / "var").mkdir()
    before = launch.program_fingerprint()
    (tmp_path / "var" / "x.py").touch()
    assert launch.program_fingerprint() == before
    (tmp_path / "app" / "x.py").touch()
    assert launch.program_fingerprint() != before


def test_a_port_is_free_as_soon_as_its_server_has_stopped():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert launch.find_free_port(port) != port
        with socket.create_connection(("127.0.0.1", port)) as visitor:
            server.accept()[0].close()
            visitor.recv(1)
    assert launch.find_free_port(port) == port
