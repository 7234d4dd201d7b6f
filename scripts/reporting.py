"""The command line that all benchmarks share: a table, or with ``--json`` one document."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from rich.table import Table

from integrator.commands.shared.console import plain_console

Report = TypeVar("Report")


def report(
    about: str | None, measure: Callable[[bool], Report], show: Callable[[Report], None]
) -> None:
    """Parse the command line, measure (True: quietly), and print the report."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=about, formatter_class=formatter)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    as_json = parser.parse_args().json
    measured = measure(as_json)
    if as_json:
        sys.stdout.write(json.dumps(measured, indent=2) + "\n")
    else:
        show(measured)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table; cells that are too long for the terminal are folded."""
    table = Table(title=title)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(str, row))
    plain_console().print(table)


def show_missing(missing: Mapping[str, str]) -> None:
    """Print the games that could not be measured, each with the cause."""
    for name, reason in missing.items():
        plain_console().print(f"{name} was left out: {reason}")
