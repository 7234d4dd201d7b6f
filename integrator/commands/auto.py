"""``integrator auto``: integrations of many ROMs without a person, each in a process of its own."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.text import Text

from integrator import paths
from integrator.commands.shared.console import plain_console
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import require_path
from integrator.session.setup.roots import systems
from integrator.unattended.job import AutoJob, AutoResult, lost, run_job

_STYLES = {"made": "green", "updated": "green", "kept": "dim", "failed": "red"}


def make_all(
    places: Sequence[Path],
    *,
    root: Path | None,
    minutes: float,
    seed: int,
    update: bool,
    jobs: int,
    cluster: str | None,
) -> Iterator[AutoResult]:
    """The result for each ROM, in order, as soon as it is there; stderr says which is next.

    In folders, extensions say which files are games. Raises SessionError for a missing path.
    """
    root = (root or paths.user_integrations_dir()).absolute()
    known = {f".{each}" for system in systems().values() for each in system.extensions}
    roms: list[Path] = []
    for place in places:
        require_path(place)
        below = [place] if place.is_file() else sorted(place.rglob("*"))
        roms += (each for each in below if each.suffix.lower() in known or each == place)
    games = [AutoJob(rom.absolute(), root, minutes, seed, update) for rom in roms if rom.is_file()]
    for number, result in enumerate(fan_out(run_job, games, jobs, cluster, lost), start=1):
        sys.stderr.write(f"{number} of {len(games)}: {result.rom}: {result.outcome}\n")
        yield result


def print_result(result: AutoResult) -> None:
    """Print a row: outcome, game, and each part with its confidence, or the reason."""
    outcome = (f"{result.outcome:8}", _STYLES[result.outcome])
    row = Text.assemble(outcome, result.directory or result.rom)
    if result.reason:
        row.append(f": {result.reason}")
    elif result.report is not None:
        parts = result.report.parts.items()
        row.append("  " + "  ".join(f"{name} {part.confidence:.2f}" for name, part in parts))
        for trap in result.report.traps:
            row.append(f"\n         {trap}", "yellow")
    plain_console(soft_wrap=True).print(row)


def to_json(results: Sequence[AutoResult]) -> dict[str, Any]:
    return {"games": [asdict(each) for each in results]}
