"""Kills a process at random moments of saving, again and again, and looks at what is left.

Run as ``python kill_rig.py DIRECTORY ROUNDS``; prints one JSON document. A process of its own,
without threads, so that it may fork: starting Python anew for each round would take most of the
time.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from integrator.domain.integration import load_integration
from integrator.domain.integration_files import Integration
from integrator.session.drafts import draft_path, keep_draft

FILLER = "x" * 20_000
LONGEST_S = 0.015


def write_version(integration: Integration, version: int) -> None:
    """Edit every kind of file to say ``version`` twice, at both ends; keep a draft, save."""
    for document in (integration.variables, integration.scenario, integration.metadata):
        document.value = {"version": version, "filler": FILLER, "again": version}
    integration.scripts["script.lua"] = f"-- {version}\n-- {FILLER}\n-- {version}\n"
    keep_draft(integration)
    integration.save()
    integration.write_state("Level1", str(version).encode() * 5000)


def save_forever(directory: Path, ready: int) -> None:
    integration = load_integration(directory)
    version = max(versions(directory).values())
    os.write(ready, b"!")
    while True:
        version += 1
        write_version(integration, version)


def versions(directory: Path) -> dict[str, int]:
    """What each file says; raises when one is torn."""
    integration = load_integration(directory)
    found: dict[str, int] = {}
    for document in integration.documents:
        value: dict[str, Any] = document.value
        if value != {"version": value["version"], "filler": FILLER, "again": value["version"]}:
            raise AssertionError(f"{document.path} is torn")
        found[document.path.name] = value["version"]
    first, filler, last = integration.scripts["script.lua"].splitlines()
    if first != last or filler != f"-- {FILLER}":
        raise AssertionError("script.lua is torn")
    found["script.lua"] = int(first.removeprefix("-- "))
    state = integration.read_state("Level1").decode()
    number = state[: len(state) // 5000]
    if state != number * 5000:
        raise AssertionError("Level1.state is torn")
    found["Level1.state"] = int(number)
    draft = draft_path(directory)
    if draft.exists():
        texts = json.loads(draft.read_text())["files"]
        found["draft"] = json.loads(texts["data.json"]["text"])["version"]
    return found


def kill_once(directory: Path, delay_s: float) -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        save_forever(directory, writer)
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)
    time.sleep(delay_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(directory: Path, rounds: int) -> None:
    directory.mkdir()
    (directory / "data.json").write_text("{}")
    write_version(load_integration(directory), 0)
    rng = random.Random(rounds)
    left_behind = mixed = 0
    last: dict[str, int] = {}
    for _ in range(rounds):
        kill_once(directory, rng.uniform(0, LONGEST_S))
        temporary = [path for path in directory.iterdir() if path.suffix == ".tmp"]
        left_behind += bool(temporary)
        now = versions(directory)  # loads, and so clears temporary files away
        if any(path.suffix == ".tmp" for path in directory.iterdir()):
            raise AssertionError("temporary files stay")
        for name, version in now.items():
            if version < last.get(name, 0):
                raise AssertionError(f"{name} went back from {last[name]} to {version}")
        mixed += len(set(now.values())) > 1
        last = now
    write_version(load_integration(directory), max(last.values()) + 1)
    last = versions(directory)
    report = {"rounds": rounds, "left_behind": left_behind, "mixed": mixed, "last": last}
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
