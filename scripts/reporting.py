"""The command line that all benchmarks share: a table, or with ``--json`` one document."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import TypeVar

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
