"""``integrator new`` makes an integration of a ROM; ``import`` imports ROMs of known games."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn

from integrator import paths
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.domain.errors import SessionError
from integrator.domain.integration.directory import create_integration
from integrator.domain.integration.naming import with_system
from integrator.session.library import rom_import
from integrator.session.library.rom_import import ImportOutcome
from integrator.session.opening import named_system
from integrator.session.setup.content import prepare_content
from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import begins_otherwise


def new_integration(
    rom: Path, *, name: str | None, root: Path | None, system: str | None = None
) -> dict[str, Any]:
    """Make ``<root>/<Name>-<System>`` unless it exists. Raises IntegratorError."""
    if not rom.is_file():
        raise SessionError(f"{rom}: there is no such file; check the spelling")
    descriptors = systems()
    named = named_system(descriptors, system)
    content = prepare_content(rom, descriptors, paths.user_cache_dir() / "content", named)
    descriptor = content.system
    if begins_otherwise(content.path, descriptor):
        raise SessionError(content.doubts[-1])
    root = root or paths.user_integrations_dir()
    directory_name = None if name is None else with_system(name, descriptor.name)
    extension = descriptor.extension_of(content.path)
    created = create_integration(content.path, root, directory_name, descriptor.name, extension)
    return {
        "directory": str(created.directory),
        "name": created.name,
        "system": descriptor.name,
        "files": sorted(path.name for path in created.directory.iterdir()),
    }


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
        **{outcome.name.lower(): outcomes[outcome] for outcome in ImportOutcome},
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
