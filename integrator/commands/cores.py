"""``integrator cores``: the systems and their cores as a table."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from integrator import paths
from integrator.session.core_rows import CoreRow


def print_core_table(rows: list[CoreRow]) -> None:
    """Print the rows as a table, and below it where the cores come from and what is missing."""
    table = Table(box=None, pad_edge=False)
    for column in ("system", "extensions", "core", "version"):
        table.add_column(column, no_wrap=column != "extensions")
    notes: dict[str, list[str]] = {}
    for row in rows:
        extensions = " ".join(row["extensions"])
        table.add_row(row["system"], extensions, row["core"] or "none", row["version"] or "")
        notes.setdefault(row["reason"], []).append(row["system"])
        if row["missing_bios"]:
            missing = f"needs a BIOS file: {' or '.join(row['missing_bios'])}"
            notes.setdefault(missing, []).append(row["system"])
        for bios in row["bios"]:
            if bios["state"] in {"other", "misnamed"}:
                notes.setdefault(bios["text"], []).append(row["system"])
    console = Console()
    console.print(table)
    for note, named in notes.items():
        console.print(f"\n{', '.join(named)}: {note}", highlight=False)
    console.print(f"\nBIOS files belong into {paths.system_dir()}", highlight=False)
