"""The campaign's command line: runs a part, whose counts are kept with those of the others.

A part ends with status 1 when it found a fault. ``report`` writes docs/reliability.md from the
counts in ``--out`` alone."""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from scripts.campaign import (
    commands,
    crashes,
    disks,
    kills,
    mutants,
    report,
    soaking,
    training,
    tricks,
)
from scripts.campaign.toys import ROOT

Part = Callable[[argparse.Namespace], dict[str, Any]]


def _mutants(options: argparse.Namespace) -> dict[str, Any]:
    log = options.out / f"mutants-{options.seed}.jsonl"
    count = _count(options, 1_000_000, 4_000)
    return mutants.run(count, options.seed, log, jobs=options.jobs, until=_until(options))


def _crashes(options: argparse.Namespace) -> dict[str, Any]:
    count = _count(options, 1_000, 20)
    seed, until = options.seed, _until(options)
    return crashes.run(count, count // 10, seed, lambda tally: _say(str(tally)[:200]), until)


def _kills(options: argparse.Namespace) -> dict[str, Any]:
    return kills.run(_count(options, 1_000, 20), options.seed, _say, _until(options))


def _disks(options: argparse.Namespace) -> dict[str, Any]:
    return disks.run(_count(options, 100, 3), options.seed, _say, _until(options))


def _lua(options: argparse.Namespace) -> dict[str, Any]:
    return tricks.run(_count(options, 0, 20), _say)


def _training(options: argparse.Namespace) -> dict[str, Any]:
    return _faults(training.run, options, 23)


def _commands(options: argparse.Namespace) -> dict[str, Any]:
    return _faults(commands.run, options, 6)


def _faults(
    run: Callable[..., dict[str, Any]], options: argparse.Namespace, quick: int
) -> dict[str, Any]:
    """Make faults in several processes, which mostly wait, and add up what they found."""
    count = _count(options, 1_000, quick)
    jobs = min(options.jobs, count)
    edges = [count * job // jobs for job in range(jobs + 1)]
    ranges = [range(*edge) for edge in pairwise(edges)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        made = [pool.submit(run, each, options.seed, _say, _until(options)) for each in ranges]
        parts = [each.result() for each in made]
    doings: Counter[str] = sum((Counter(part["doings"]) for part in parts), Counter())
    sorts = ("lost", "untyped", "hung", "leaked")
    return {
        "seed": options.seed,
        "faults_made": doings.total(),
        "doings": dict(doings),
        **{sort: sum(part[sort] for part in parts) for sort in sorts},
        "faults": [fault for part in parts for fault in part["faults"]],
    }


def _soak(options: argparse.Namespace) -> dict[str, Any]:
    return soaking.run(_count(options, 60, 0), options.out)


PARTS: Final[Mapping[str, Part]] = {
    "mutants": _mutants,
    "crashes": _crashes,
    "kills": _kills,
    "disks": _disks,
    "lua": _lua,
    "soak": _soak,
    "training": _training,
    "commands": _commands,
}


def main(arguments: list[str]) -> int:
    """Parse the command line, and run a part or all of them."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.campaign",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", choices=[*PARTS, "all", "report"])
    parser.add_argument("--quick", action="store_true", help="seconds instead of hours")
    parser.add_argument(
        "--count",
        type=int,
        help="inputs, crashes and so on; minutes of the soak",
    )
    parser.add_argument("--minutes", type=float, help="stop a part after so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--jobs",
        type=int,
        default=mutants.jobs(),
        help="processes of mutants, training and commands",
    )
    parser.add_argument("--out", type=Path, default=ROOT / "campaign-out")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.part == "report":
        report.write(options.out, ROOT / "docs" / "reliability.md")
        return 0
    chosen = PARTS if options.part == "all" else {options.part: PARTS[options.part]}
    failed = 0
    for name, part in chosen.items():
        found = part(options)
        found |= {"part": name, "commit": commit(), "command": _command(name, options)}
        text = json.dumps(found, indent=1)
        (options.out / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        _say(text)
        failed += bool(report.faults(found))
    return 1 if failed else 0


def _until(options: argparse.Namespace) -> float:
    return math.inf if options.minutes is None else time.monotonic() + options.minutes * 60


def _count(options: argparse.Namespace, full: int, quick: int) -> int:
    count = options.count if options.count is not None else quick if options.quick else full
    return int(count)


def _command(name: str, options: argparse.Namespace) -> str:
    words = ["python -m scripts.campaign", name, f"--seed {options.seed}"]
    words += ["--quick"] * options.quick
    words += [f"--count {options.count}"] if options.count is not None else []
    words += [f"--minutes {options.minutes:g}"] if options.minutes is not None else []
    return " ".join(words)


def commit() -> str:
    """The commit of this tree, as git or the file COMMIT next to it says."""
    kept = ROOT / "COMMIT"
    if kept.is_file():
        return kept.read_text("ascii").strip()
    command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
