"""Asks core files for version and subsystems, in a child process because some cores crash."""

import itertools
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from libretro_host._shim import ffi, lib
from libretro_host.errors import CoreLoadError
from libretro_host.processes import children
from libretro_host.shims import ORIGINAL, text
from libretro_host.subsystems import Subsystem, subsystems

_DEADLINE_S = 30.0


@dataclass(frozen=True, slots=True)
class CoreIdentity:
    """A core's version, from ``retro_get_system_info``, and its subsystems."""

    version: str
    subsystems: tuple[Subsystem, ...] = ()


def core_identities(paths: Sequence[Path]) -> dict[Path, CoreIdentity | CoreLoadError]:
    """Return each core file's identity or error; a child process opens each core in a fork."""
    paths = list(dict.fromkeys(paths))
    if sys.platform == "win32" and len(paths) > 1:  # Windows has no forks.
        return {path: one for each in paths for path, one in core_identities([each]).items()}
    command = children.module_command("libretro_host.systems.identity", *paths)
    found: dict[Path, CoreIdentity | CoreLoadError] = {}
    try:
        done = children.run(command, deadline_s=_DEADLINE_S * max(1, len(paths)))
    except subprocess.TimeoutExpired:
        return {path: CoreLoadError(f"{path}: hung when it was opened") for path in paths}
    ended = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    for path, line in itertools.zip_longest(paths, done.stdout.splitlines()[-len(paths) :]):
        answer = json.loads(line) if line else {"error": ended}
        if "error" in answer:
            reason = f"{path}: cannot be opened as a libretro core: {answer['error']}"
            found[path] = CoreLoadError(reason)
        else:
            kinds = tuple(map(Subsystem.of, answer.pop("subsystems")))
            found[path] = CoreIdentity(**answer, subsystems=kinds)
    return found


def main(paths: Sequence[str]) -> None:
    """Open the cores at ``paths``, and print the identity or error of each as a line of JSON."""
    for path in paths:
        try:
            answer = children.forked(partial(_identity, path), deadline_s=_DEADLINE_S)
        except ChildProcessError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")


def _identity(path: str) -> dict[str, Any]:
    if lib.lh_prepare(b".", ffi.NULL) != lib.LH_OK or lib.lh_open(path.encode()) != lib.LH_OK:
        return {"error": text(lib.lh_error())}
    system = ffi.new("lh_system_info *")
    lib.lh_system(system)
    return asdict(CoreIdentity(text(system.library_version), subsystems(ORIGINAL)))


if __name__ == "__main__":
    main(sys.argv[1:])
