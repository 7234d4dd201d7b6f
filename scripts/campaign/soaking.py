"""The window's soak as a part of the campaign."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from scripts.soak import Held, faults


def run(minutes: int, out: Path) -> dict[str, Any]:
    """Let the window work for so long, at least one round; returns its resources at the end."""
    log = out / "soak.jsonl"
    log.unlink(missing_ok=True)
    rounds = max(1, minutes * 200 // 60)
    command = [sys.executable, "-m", "scripts.soak", "--minutes", str(minutes)]
    command += ["--rounds", str(rounds), "--log", str(log)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return summary(log, minutes, done.returncode)


def summary(log: Path, minutes: float, status: int) -> dict[str, Any]:
    """Summary of a soak's log."""
    held = [Held(**json.loads(line)) for line in log.read_text("utf-8").splitlines()]
    last = held[-1]
    found = faults(held) if status in {0, 1} else [f"the soak ended with {status}"]
    return {
        "minutes": minutes,
        "rounds": len(held),
        "leaked": len(found),
        "faults": found,
        "memory_mb": [held[len(held) // 6].rss_mb, last.rss_mb],
        "none_references": [held[len(held) // 6].none_references, last.none_references],
        "held": {
            name: getattr(last, name) for name in ("processes", "threads", "shared_memory", "files")
        },
    }
