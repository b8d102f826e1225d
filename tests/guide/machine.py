"""A temporary fresh machine: this one's files under a disposable layer, with a network and processes of its own.

Needs root and Linux. What is written goes into memory; nothing of this machine is changed, and no port of it is taken.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.guide.guide_text import GUIDE

CHECKOUT = GUIDE.parents[2]
STAND_INS = Path(__file__).parent / "standins"
INSIDE = "CLUBNIGHT_GUIDE_MACHINE"
"""Set in the process that has namespaces of its own: the folder in which the machine is put up."""


def cannot_be_had() -> str:
    """Why such a machine is impossible here; empty if it is possible."""
    if sys.platform != "linux":
        return "the guide is for Linux"
    if os.getuid() != 0:
        return "run this as root: it makes a machine of its own and changes nothing of this one"
    tried = subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "true"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"this system lets nobody make namespaces: {tried.stderr.strip()}"


def enter(arguments: list[str]) -> int:
    """Run this program again in namespaces of its own; when it ends, everything in them ends."""
    with tempfile.TemporaryDirectory(prefix="clubnight-guide-") as folder:
        command = [
            "unshare",
            "--mount",
            "--net",
            "--pid",
            "--fork",
            "--kill-child",
            sys.executable,
            "-m",
            "tests.guide",
        ]
        # This machine's network, under a name, for programs that download packages.
        outside = Path(folder) / "network"
        outside.touch()
        subprocess.run(["mount", "--bind", "/proc/self/ns/net", outside], check=True)
        # When this program ends, the machine ends.
        signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(143))
        try:
            return subprocess.run([*command, *arguments], cwd=CHECKOUT, env=os.environ | {INSIDE: folder}).returncode
        finally:
            subprocess.run(["umount", outside], check=True)


def put_up(folder: Path, *, name: str, system: Path) -> Path:
    """The root of the machine: `system` below, an empty layer above, and substitutes for real hardware."""
    layers, root = folder / "layers", folder / "root"
    layers.mkdir()
    root.mkdir()
    _mount("-t", "tmpfs", "-o", "size=6g", "tmpfs", layers)
    for part in ("upper", "work"):
        (layers / part).mkdir()
    over = f"lowerdir={system},upperdir={layers / 'upper'},workdir={layers / 'work'}"
    _mount("-t", "overlay", "-o", over, "overlay", root)
    _mount("-t", "proc", "proc", root / "proc")
    for shared in ("dev", "sys"):
        _mount("--rbind", f"/{shared}", root / shared)
    for empty, mode in (("run", "755"), ("tmp", "1777")):
        _mount("-t", "tmpfs", "-o", f"mode={mode}", "tmpfs", root / empty)
    (root / "run" / "lock").mkdir()
    hosts = folder / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {name}\n::1 localhost\n")
    (root / "etc" / "hosts").write_text(hosts.read_text())
    _mount("--bind", hosts, "/etc/hosts")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (root / "run" / "network").touch()
    _mount("--bind", folder / "network", root / "run" / "network")
    for stand_in in STAND_INS.iterdir():
        if stand_in.name != "sudo" or not (root / "usr" / "bin" / "sudo").exists():
            shutil.copy(stand_in, root / "usr" / "local" / "sbin" / stand_in.name)
            (root / "usr" / "local" / "sbin" / stand_in.name).chmod(0o755)
    return root


def publish_sources(root: Path, address: str) -> Path:
    """The checkout with its uncommitted changes, at the URL that the guide clones."""
    origin = root / "srv" / "clubnight-origin"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (CHECKOUT / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, origin / name)
    _git(origin, "init", "--quiet", "--initial-branch", "main")
    key = _signing_key(origin)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signers = f"walker@example.org {key.with_suffix('.pub').read_text()}"
    (origin / "deploy" / "allowed_signers").write_text(signers)
    commit(origin, "As it is", tag="v0.1.0")
    config = f'[url "/srv/clubnight-origin"]\n\tinsteadOf = {address}\n[safe]\n\tdirectory = *\n'
    (root / "root" / ".gitconfig").write_text(config)
    return origin


def commit(origin: Path, message: str, *, tag: str) -> None:
    """Another version to upgrade to."""
    person = ("-c", "user.name=Walker", "-c", "user.email=walker@example.org")
    _git(origin, "add", "--all")
    _git(origin, *person, "commit", "--quiet", "-m", message)
    signing = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={_signing_key(origin)}")
    _git(origin, *person, *signing, "tag", "--sign", "--message", tag, tag)


def _signing_key(origin: Path) -> Path:
    return origin.with_name("signing-key")


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "safe.directory=*", *arguments], cwd=folder, check=True)


def _mount(*arguments: str | Path) -> None:
    subprocess.run(["mount", *arguments], check=True)
