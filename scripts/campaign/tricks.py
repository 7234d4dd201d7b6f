"""Lua tricks as a part of the campaign: each ends within its bound, and the game goes on.

The table of tricks and the program that runs them belong to the tests of the sandbox."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

from scripts.campaign.toys import ROOT

RUNNER: Final = ROOT / "tests" / "unit" / "lua_trick_runner.py"
TABLE: Final = RUNNER.with_name("lua_tricks.txt")
CPU_MS: Final = 400
"""Limits of a script's call in the window."""
LONGEST_S: Final = 1.0


def run(count: int, tell: Callable[[str], object]) -> dict[str, Any]:
    """Try the first ``count`` tricks, or all with 0; a trick that hangs is told and left out."""
    names = [line.partition("\t")[0] for line in _lines() if not line.startswith("#")]
    left = names[: count or None]
    ends: dict[str, dict[str, Any]] = {}
    faults: list[str] = []
    while left:
        done = _run(left)
        for line in done.splitlines():
            name, _, end = line.partition(" ")
            if end:
                ends[name] = json.loads(end)
        stuck = [name for name in left if name not in ends]
        if stuck:
            faults.append(f"hung: {stuck[0]}")
        left = stuck[1:]
        tell(f"{len(ends)} of {len(names)} tricks, {faults[-1:]}")
    slow = [name for name, end in ends.items() if end["seconds"] > LONGEST_S]
    wrong = [name for name, end in ends.items() if not end["again"]]
    return {
        "tricks": len(ends) + len(faults),
        "slowest_s": max((end["seconds"] for end in ends.values()), default=0.0),
        "hung": len(faults) + len(slow),
        "untyped": len(wrong),
        "faults": [*faults, *(f"slow: {name}" for name in slow), *(f"end: {n}" for n in wrong)],
    }


def _lines() -> list[str]:
    return TABLE.read_text(encoding="utf-8").splitlines()


def _run(names: list[str]) -> str:
    command = [sys.executable, str(RUNNER), str(CPU_MS), *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout
