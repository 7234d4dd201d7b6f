"""An empty Debian system in a folder, for trying the program where nothing of ours is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

_INSIDE = "INTEGRATOR_CHROOT_MOUNTS"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
USER = "newcomer"


def add_options(parser: ArgumentParser) -> None:
    """Options for machines that reach the internet through something of their own."""
    parser.add_argument("--mirror", help="Debian's archive; default: debootstrap's own")
    parser.add_argument(
        "--ca-file",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a certificate (PEM) that the system trusts as well; can be given again",
    )
    parser.add_argument("--pip-conf", type=Path, metavar="FILE", help="becomes /etc/pip.conf")
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME",
        help="a variable that is passed on, like https_proxy; all others are cleared",
    )


def own_mounts() -> None:
    """Start this program again with mounts that no other process sees and that end with it."""
    if os.geteuid() != 0:
        sys.exit("only root can make a chroot: run this with sudo")
    for program, package in (("debootstrap", "debootstrap"), ("unshare", "util-linux")):
        if shutil.which(program) is None:
            sys.exit(f"{program} is missing: apt-get install {package}")
    if os.environ.pop(_INSIDE, None) is None:
        os.environ[_INSIDE] = "1"
        command = [
            "unshare",
            "--mount",
            "--propagation",
            "private",
            sys.executable,
            *sys.orig_argv[1:],
        ]
        os.execvp("unshare", command)


class Chroot:
    """A minimal Debian of ``release``; a context manager that removes the folder again."""

    def __init__(self, release: str, options: Namespace, packages: Sequence[str]) -> None:
        self._release = release
        self._options = options
        self._packages = ["ca-certificates", *packages]
        self.root = Path(tempfile.mkdtemp(prefix=f"integrator-{release}-", dir="/var/tmp"))

    def __enter__(self) -> Self:
        try:
            self._install()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self, command: str, folder: str = "/", user: str = "root", log: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a shell command with a cleared environment; its output goes to ``log`` as well."""
        home = "/root" if user == "root" else f"/home/{user}"
        # X servers of one machine share their numbers, and so the folder in which they lock them.
        environment = {"PATH": _PATH, "HOME": home, "LANG": "C.UTF-8", "TMPDIR": "/var/tmp"}
        passed = {name: os.environ[name] for name in self._options.env if name in os.environ}
        done = subprocess.run(
            ["chroot", f"--userspec={user}", self.root, "sh", "-c", f"cd {folder} && {command}"],
            env={**environment, "USER": user, **passed},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if log is not None:
            log.write_text(done.stdout, encoding="utf-8")
        return done

    def close(self) -> None:
        """Unmount all and remove the folder."""
        mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
        for mount in reversed(mounts):
            if mount.startswith(f"{self.root}/"):
                # Programs of the chroot that just ended may hold a mount for a moment.
                subprocess.run(["umount", "--lazy", mount], check=True)
        shutil.rmtree(self.root)

    def _install(self) -> None:
        include = ",".join(self._packages)
        done = subprocess.run(
            [
                *("debootstrap", "--variant=minbase", f"--include={include}", self._release),
                self.root,
                *filter(None, [self._options.mirror]),
            ],
            env=_cleared(os.environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"debootstrap {self._release} failed:\n{done.stdout[-2000:]}")
        self.root.chmod(0o755)  # mkdtemp's folders are for their owner alone
        for name in ("resolv.conf", "hosts"):
            shutil.copyfile(f"/etc/{name}", self.root / "etc" / name)
        for name, target in (("/proc", "proc"), ("/dev", "dev"), ("/tmp", "tmp")):
            subprocess.run(["mount", "--bind", name, self.root / target], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", self.root / "dev/shm"], check=True)
        for number, certificate in enumerate(self._options.ca_file):
            trusted = self.root / "usr/local/share/ca-certificates" / f"given-{number}.crt"
            shutil.copyfile(certificate, trusted)
        if self._options.pip_conf:
            shutil.copyfile(self._options.pip_conf, self.root / "etc/pip.conf")
        self.run("update-ca-certificates").check_returncode()
        self.run(f"useradd --create-home {USER}").check_returncode()


def _cleared(environment: Mapping[str, str]) -> dict[str, str]:
    """Environment of debootstrap, whose programs of the new system need no more than a proxy."""
    kept = {name: value for name, value in environment.items() if name.lower().endswith("_proxy")}
    return {"PATH": _PATH, "LANG": "C.UTF-8", **kept}
