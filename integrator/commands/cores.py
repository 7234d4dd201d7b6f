"""``integrator cores``: the systems and their cores as a table."""

from collections.abc import Iterator

from rich.table import Column, Table

from integrator import paths
from integrator.commands.shared.console import plain_console
from integrator.session.library.consoles.core_rows import CoreRow
from libretro_host.systems.discovery import CORES_VARIABLE, INSTALL_HINT


def print_core_table(rows: list[CoreRow], folders: list[str]) -> None:
    """Print the rows as a table, then notes, and the searched ``folders`` if a core is missing."""
    system, core, version = (Column(name, no_wrap=True) for name in ("system", "core", "version"))
    table = Table(system, "extensions", core, version, box=None, pad_edge=False)
    for row in rows:
        extensions = " ".join(row["extensions"])
        table.add_row(row["system"], extensions, row["core"] or "none", row["version"] or "")
    console = plain_console()
    console.print(table)
    notes: dict[str, list[str]] = {}
    for row in rows:
        for note in _notes(row):
            notes.setdefault(note, []).append(row["system"])
    for note, named in notes.items():
        console.print(f"\n{', '.join(named)}: {note}")
    if any(row["core"] is None for row in rows):
        console.print("\nCores were looked for in these folders:")
        for folder in folders:
            console.print(f"  {folder}", soft_wrap=True)
        console.print(
            f"Get those that training uses with {INSTALL_HINT}, others from RetroArch's list of "
            f"cores, or name a folder that has some in the environment variable {CORES_VARIABLE}."
        )
    console.print(f"\nBIOS files belong into {paths.system_dir()}")


def _notes(row: CoreRow) -> Iterator[str]:
    yield f"no core; looked for {' '.join(row['wanted'])}" if row["wanted"] else row["reason"]
    if row["missing_bios"]:
        yield f"needs a BIOS file: {' or '.join(row['missing_bios'])}"
    yield from (one["text"] for one in row["bios"] if one["state"] in {"other", "misnamed"})
    if row["inexact_states"]:
        yield (
            "states of this core leave something out, so seeks compare memory and picture, and "
            "replay from further back where they differ"
        )
    if row["subsystems"]:
        subsystems = [f"{each['name']} of {', '.join(each['files'])}" for each in row["subsystems"]]
        yield f"has --subsystem {'; '.join(subsystems)}"
