"""Prove the bundle where there is no Python: ``sudo python3 -m scripts.prove_bundle``.

For each release: an empty system that has the X libraries and no Python, and in it, as a user, the
bundle of ``make bundle``: its version, the scripted demo, and the window with the demo game in it.
The X server and ``xwininfo`` (packages xvfb and x11-utils) run outside."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tarfile
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from scripts import ROOT
from scripts.chroot import USER, Chroot, add_options, own_mounts

RELEASES = ("bookworm", "trixie")
# Libraries that every desktop has, and a font; the bundle brings the others.
X_LIBRARIES = (
    *("libegl1", "libgl1", "libdbus-1-3", "libfontconfig1", "libxkbcommon-x11-0"),
    *("libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0"),
    *("libxcb-render-util0", "libxcb-shape0", "libxcb-xinerama0", "libxcb-xkb1"),
    "fonts-dejavu-core",
)
PROGRAM = "/opt/integrator/integrator"
GAME = "/opt/integrator/_internal/integrator/_shipped/data/EmberMoth-Nes-v0"
TITLE = "EmberMoth"
WINDOW_PATIENCE_S = 120


def prove(release: str, options: Namespace) -> None:
    """Make the chroot and run the bundle in it. Exits when something fails."""
    with Chroot(release, options, X_LIBRARIES) as chroot:
        _expect(chroot.run("! command -v python3 && ! command -v gcc"), "there is no Python")
        with tarfile.open(options.bundle) as archive:
            archive.extractall(chroot.root / "opt", filter="data")
        for command in (f"{PROGRAM} --version", f"{PROGRAM} demo --out ~/demo"):
            print(_expect(chroot.run(command, user=USER), f"{release}: {command}"))
        with _screen(chroot) as number:
            _open_window(chroot, number)
        print(f"ok: {release}: a window with {TITLE!r}", flush=True)


def _open_window(chroot: Chroot, number: str) -> None:
    """Open the demo game and wait for its window."""
    command = f"echo $$ >/var/tmp/pid; DISPLAY=:{number} exec {PROGRAM} {GAME}"
    ended: list[str] = []
    user = threading.Thread(target=lambda: ended.append(chroot.run(command, user=USER).stdout))
    user.start()
    try:
        deadline = time.monotonic() + WINDOW_PATIENCE_S
        while TITLE not in (windows := _windows(number)):
            if ended or time.monotonic() > deadline:
                raise SystemExit(f"FAILED: no window\n{windows}\n{''.join(ended)}")
            time.sleep(0.5)
    finally:
        pid = chroot.root / "var/tmp/pid"
        if user.is_alive() and pid.exists():
            os.kill(int(pid.read_text()), 15)
        user.join()


@contextlib.contextmanager
def _screen(chroot: Chroot) -> Iterator[str]:
    """Number of an X server whose socket the chroot sees in /tmp."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-ac", "-screen", "0", "1680x1050x24"]
    log = (chroot.root / "var/tmp/xvfb.log").open("wb")
    server = subprocess.Popen(command, pass_fds=[writing], stderr=log)
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            yield answer.readline().strip()
    finally:
        server.terminate()
        server.wait()
        log.close()


def _windows(number: str) -> str:
    command = ["xwininfo", "-root", "-tree", "-display", f":{number}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _expect(done: subprocess.CompletedProcess[str], what: str) -> str:
    if done.returncode != 0:
        raise SystemExit(f"FAILED: {what}\n{done.stdout[-3000:]}")
    print(f"ok: {what}", flush=True)
    return done.stdout


def main() -> None:
    """Prove each release that is named."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="*", default=RELEASES, help=f"default: {RELEASES}")
    parser.add_argument("--bundle", type=Path, help="default: the one in dist/")
    add_options(parser)
    options = parser.parse_args()
    options.bundle = options.bundle or next(iter((ROOT / "dist").glob("integrator-*.tar.xz")), None)
    if options.bundle is None:
        sys.exit("there is no bundle in dist/: run make bundle")
    own_mounts()
    for release in options.releases:
        prove(release, options)


if __name__ == "__main__":
    main()
