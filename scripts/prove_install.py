"""Prove the README's commands on empty Debian systems: ``sudo python3 -m scripts.prove_install``.

For each release: an empty system with python3, g++ and make, a copy of the last commit, and in it
``make run`` and ``make test``, twice each, as root and as a user; before that, a user without the
system packages must be told the line that installs them."""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path

from scripts import ROOT
from scripts.chroot import USER, Chroot, add_options, own_mounts

RELEASES = ("bookworm", "trixie")
COMMANDS = ("make run", "make test")


@dataclass(frozen=True)
class Step:
    """One command that was run in a chroot, and how it ended."""

    title: str
    seconds: float
    good: bool
    log: Path

    def __str__(self) -> str:
        verdict = "ok    " if self.good else "FAILED"
        return f"{verdict} {self.seconds:6.0f} s  {self.title}  ({self.log})"


class Proof:
    """The steps in the chroot of one release."""

    def __init__(self, chroot: Chroot, release: str, logs: Path) -> None:
        self._chroot = chroot
        self._release = release
        self._logs = logs
        self.steps: list[Step] = []

    def run(self, command: str, folder: str, user: str, refusal: str | None = None) -> str:
        """Run ``command``, note and print how it ended, and return its output.

        With ``refusal`` the command has to fail and to print that text."""
        title = f"{self._release}: {command}, as {user}"
        log = self._logs / f"{self._release}-{len(self.steps):02}-{user}.log"
        began = time.monotonic()
        done = self._chroot.run(command, folder, user, log)
        if refusal is None:
            good = done.returncode == 0
        else:
            good = done.returncode != 0 and refusal in done.stdout
        step = Step(title, time.monotonic() - began, good, log)
        self.steps.append(step)
        print(step, flush=True)
        if not step.good:
            print(done.stdout[-3000:], flush=True)
        return done.stdout

    def copy_tree(self, user: str) -> str:
        """Unpack the last commit in the home of ``user``."""
        folder = Path("/root/tree" if user == "root" else f"/home/{user}/tree")
        target = self._chroot.root / folder.relative_to("/")
        target.mkdir()
        archive = subprocess.run(
            ["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "x", "-C", target], input=archive.stdout, check=True)
        self._chroot.run(f"chown -R {user}: {folder}").check_returncode()
        return str(folder)


def prove(release: str, options: Namespace) -> list[Step]:
    """Make the chroot, run everything in it, and return the steps."""
    with Chroot(release, options, ["python3", "g++", "make", "git"]) as chroot:
        proof = Proof(chroot, release, options.logs)
        commands = options.command or COMMANDS
        users = options.user or ("root", USER)
        if USER in users:
            folder = proof.copy_tree(USER)
            told = proof.run(COMMANDS[-1], folder, USER, refusal="sudo apt-get install")
            line = next((line for line in told.splitlines() if "sudo apt-get" in line), "false")
            if "root" not in users:
                proof.run(line.replace("sudo", "apt-get update -q;"), "/", "root")
        for user in sorted(users, key="root".__ne__):
            folder = proof.copy_tree(user) if user == "root" else f"/home/{user}/tree"
            for command in commands:
                for _ in range(options.rounds):
                    proof.run(command, folder, user)
            proof.run("du -sh .venv", folder, user)
        return proof.steps


def main() -> None:
    """Prove each release that is named, and exit with 1 when a step failed."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="*", default=RELEASES, help=f"default: {RELEASES}")
    parser.add_argument("--user", action="append", choices=("root", USER), help="default: both")
    parser.add_argument("--rounds", type=int, default=2, help="how often each command is run")
    parser.add_argument(
        "--command",
        action="append",
        help=f"instead of {' and '.join(COMMANDS)}; can be given again",
    )
    parser.add_argument("--logs", type=Path, default=Path("build/install-logs"))
    add_options(parser)
    options = parser.parse_args()
    own_mounts()
    options.logs = options.logs.resolve()
    options.logs.mkdir(parents=True, exist_ok=True)
    steps = [step for release in options.releases for step in prove(release, options)]
    print("\n".join(["", *map(str, steps)]))
    sys.exit(0 if all(step.good for step in steps) else 1)


if __name__ == "__main__":
    main()
