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

from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.files import Integration
from integrator.session.journal.drafts import DraftKeeper, pending_drafts

FILLER = "x" * 20_000
LONGEST_S = 0.015


def write_version(integration: Integration, version: int, keeper: DraftKeeper) -> None:
    """Edit every kind of file to say ``version`` twice, at both ends; keep a draft, save."""
    for document in (integration.variables, integration.scenario, integration.metadata):
        document.value = {"version": version, "filler": FILLER, "again": version}
    integration.scripts["script.lua"] = f"-- {version}\n-- {FILLER}\n-- {version}\n"
    integration.write_state("Level1", str(version).encode() * 5000)
    keeper.keep(integration)
    integration.save()


def save_forever(directory: Path, ready: int) -> None:
    integration = load_integration(directory)
    version = max(versions(directory).values())
    keeper = DraftKeeper()
    os.write(ready, b"!")
    while True:
        version += 1
        write_version(integration, version, keeper)


def versions(directory: Path) -> dict[str, int]:
    """What each file says; raises when one is torn."""
    integration = load_integration(directory)
    found: dict[str, int] = {}
    for document in (integration.variables, integration.scenario, integration.metadata):
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
    return found


def drafts(directory: Path) -> dict[str, int]:
    """What the draft of the killed process says, if it has more than the files; it is given up."""
    left = pending_drafts(directory)
    if len(left) > 1:
        raise AssertionError("one process left several drafts")
    found = [json.loads(draft.files["data.json"].text or "")["version"] for draft in left]
    for draft in left:
        draft.discard()
    return {"draft": found[0]} if found else {}


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
    with DraftKeeper() as keeper:
        write_version(load_integration(directory), 0, keeper)
        keeper.discard()
    rng = random.Random(rounds)
    left_behind = mixed = drafted = 0
    last: dict[str, int] = {}
    for _ in range(rounds):
        kill_once(directory, rng.uniform(0, LONGEST_S))
        temporary = [path for path in directory.iterdir() if path.suffix == ".tmp"]
        left_behind += bool(temporary)
        now = versions(directory)  # loads, and so clears temporary files away
        if any(path.suffix == ".tmp" for path in directory.iterdir()):
            raise AssertionError("temporary files stay")
        now |= drafts(directory)
        drafted += "draft" in now
        for name, version in now.items():
            if version < last.get(name, 0):
                raise AssertionError(f"{name} went back from {last[name]} to {version}")
        mixed += len(set(now.values())) > 1
        last = now
    integration = load_integration(directory)
    with DraftKeeper() as keeper:
        write_version(integration, max(last.values()) + 1, keeper)
        keeper.keep(integration)  # which finds nothing unsaved
    last = versions(directory)
    counts = {"left_behind": left_behind, "mixed": mixed, "drafted": drafted}
    report = {"rounds": rounds, **counts, "last": last}
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
