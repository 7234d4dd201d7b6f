"""``integrator import``: ROMs of known games out of folders and zips; a reason for each miss."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn

from integrator import paths
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.session.library import rom_import
from integrator.session.library.rom_import import ImportOutcome
from integrator.session.setup.roots import systems


def import_roms(
    places: list[Path], *, root: Path | None, quiet: bool, follow_links: bool = False
) -> dict[str, Any]:
    """Import ROMs of known games into ``root``. Raises SessionError, SaveError."""
    root = root or paths.user_integrations_dir()
    games, importer = rom_import.prepare_import(root, systems(), follow_links=follow_links)
    files = rom_import.list_files(places)
    results: list[rom_import.ImportResult] = []
    with plain_progress(BarColumn(), MofNCompleteColumn(), quiet=quiet) as progress:
        task = progress.add_task("import", total=len(files))
        for path in files:
            progress.update(task, description=path.name[-40:])
            results += importer.take(path)
            progress.advance(task)
    outcomes = Counter(result.outcome for result in results)
    return {
        "root": str(root),
        "known_games": games,
        "files": len(files),
        "imported": outcomes[ImportOutcome.IMPORTED],
        "already_there": outcomes[ImportOutcome.ALREADY_THERE],
        "missed": outcomes[ImportOutcome.MISSED],
        "no_game": outcomes[ImportOutcome.NO_GAME],
        "results": [asdict(result) for result in results],
    }


def print_import(report: dict[str, Any]) -> None:
    """Print the imported ROMs and a reason for each other game; other files are only counted."""
    console = plain_console(soft_wrap=True)
    for result in report["results"]:
        if result["outcome"] == ImportOutcome.IMPORTED:
            how = f" ({result['reason']})" if result["reason"] else ""
            line = f"imported {result['source']} as {result['target']}{how}"
        elif result["outcome"] == ImportOutcome.NO_GAME:
            continue
        else:
            game = f" {result['game']}:" if result["game"] else ""
            line = f"{result['outcome']} {result['source']}:{game} {result['reason']}"
        console.print(line)
    console.print(
        f"{report['imported']} imported into {report['root']}, {report['already_there']} already "
        f"there, {report['missed']} missed, {report['no_game']} no games; "
        f"{report['known_games']} games are known"
    )
