"""A core file's own statements, asked for in a child process: some cores crash when opened."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from libretro_host._shim import ffi, lib
from libretro_host.capture import text
from libretro_host.errors import CoreLoadError
from libretro_host.processes import children
from libretro_host.shims import ORIGINAL
from libretro_host.subsystems import Subsystem, subsystems

_DEADLINE_S = 30.0


@dataclass(frozen=True, slots=True)
class CoreIdentity:
    """``retro_get_system_info`` of a core, and its subsystems; ``extensions`` carry no dot."""

    name: str
    version: str
    extensions: tuple[str, ...]
    need_fullpath: bool
    subsystems: tuple[Subsystem, ...] = ()


def core_identities(paths: Sequence[Path]) -> dict[Path, CoreIdentity | CoreLoadError]:
    """Identities of several core files, or an error in place of one; one child process for each."""
    return {path: _asked(path) for path in dict.fromkeys(paths)}


def _asked(path: Path) -> CoreIdentity | CoreLoadError:
    command = children.module_command("libretro_host.systems.identity", path)
    try:
        done = children.run(command, deadline_s=_DEADLINE_S)
    except subprocess.TimeoutExpired:
        return CoreLoadError(f"{path}: hung when it was opened; install it again")
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return CoreLoadError(f"{path}: can not be opened as a libretro core: {reason}")
    # A core may print on stdout too, so only the last line is ours.
    told = json.loads(done.stdout.splitlines()[-1])
    known = tuple(Subsystem.of(one) for one in told["subsystems"])
    extensions = tuple(told["extensions"])
    return CoreIdentity(**{**told, "extensions": extensions, "subsystems": known})


def main(path: str) -> None:
    """Open the core at ``path`` and print its identity as JSON."""
    if lib.lh_prepare(b".", ffi.NULL) != lib.LH_OK or lib.lh_open(path.encode()) != lib.LH_OK:
        sys.exit(text(lib.lh_error()))
    system = ffi.new("lh_system_info *")
    lib.lh_system(system)
    identity = CoreIdentity(
        name=text(system.library_name),
        version=text(system.library_version),
        extensions=tuple(filter(None, text(system.valid_extensions).split("|"))),
        need_fullpath=bool(system.need_fullpath),
        subsystems=subsystems(ORIGINAL),
    )
    sys.stdout.write(json.dumps(asdict(identity)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
