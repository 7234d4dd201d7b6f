"""``integrator import``: ROMs of known games out of folders and zips; a reason for each miss."""

from pathlib import Path
from typing import TypedDict

from rich.progress import BarColumn, MofNCompleteColumn

from integrator import paths
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.session.library.rom_import import (
    ImportOutcome,
    ImportResult,
    list_files,
    prepare_import,
)
from integrator.session.setup.roots import systems


class ImportJson(TypedDict):
    """The document of ``--json``."""

    root: str
    known_games: int
    files: int
    imported: int
    already_there: int
    missed: int
    no_game: int
    results: list[dict[str, str]]


def import_roms(
    places: list[Path], *, root: Path | None, quiet: bool, follow_links: bool = False
) -> ImportJson:
    """Import ROMs of known games into ``root``. Raises SessionError, SaveError."""
    root = root or paths.user_integrations_dir()
    games, importer = prepare_import(root, systems(), follow_links=follow_links)
    files = list_files(places)
    results: list[ImportResult] = []
    with plain_progress(BarColumn(), MofNCompleteColumn(), quiet=quiet) as progress:
        task = progress.add_task("import", total=len(files))
        for path in files:
            progress.update(task, description=path.name[-40:])
            results += importer.take(path)
            progress.advance(task)
    return _report(results, root, games, len(files))


def _report(results: list[ImportResult], root: Path, games: int, files: int) -> ImportJson:
    def count(outcome: ImportOutcome) -> int:
        return sum(result.outcome is outcome for result in results)

    return {
        "root": str(root),
        "known_games": games,
        "files": files,
        "imported": count(ImportOutcome.IMPORTED),
        "already_there": count(ImportOutcome.ALREADY_THERE),
        "missed": count(ImportOutcome.MISSED),
        "no_game": count(ImportOutcome.NO_GAME),
        "results": [
            {
                "source": result.source,
                "outcome": result.outcome.value,
                "game": result.game,
                "target": result.target,
                "reason": result.reason,
            }
            for result in results
        ],
    }


def print_import(report: ImportJson) -> None:
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
