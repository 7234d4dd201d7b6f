"""``python -m scripts.bench_pointers``: pointer chains in 4 MiB, survivors by moments and time.

Memory is made up: random bytes, and aligned pointers to anywhere in a tenth of the words. A number
lies behind one, two or three pointers to structures that move from moment to moment; the pointers
beside them lead elsewhere each time. Times are processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final, TypedDict

import numpy as np

from integrator.commands.shared.console import plain_console
from integrator.domain.query.pointers import (
    NumberPlace,
    PointerChain,
    PointerForm,
    pointer_chains,
    pointer_form,
)
from integrator.domain.values.memory import AddressSpace, DataType, Region
from scripts.reporting import report, show_table

_RAM_BYTES: Final = 4 << 20
_POINTERS: Final = _RAM_BYTES // 40
_SPACE: Final = AddressSpace([Region(0, _RAM_BYTES)])
_FORM: Final = PointerForm(DataType.parse(">u4"), 0x80000000)
_BASE: Final = 0x1200
_OFFSETS: Final = (0x24, 0x1A0, 0x5C)
_MOMENTS: Final = 4
_EVERYTHING: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Row:
    """A scan: ``place`` is the rank of the true chain, 0 if it is not listed."""

    depth: int
    moments: int
    survivors: int
    place: int
    seconds: float


class PointersReport(TypedDict):
    """The document of ``--json``. ``form_seconds`` is the time that telling the form takes."""

    form_seconds: float
    rows: list[dict[str, object]]


def run_bench(*, quiet: bool) -> PointersReport:  # noqa: ARG001 - as all benchmarks
    """Scan for chains of each depth, with one moment more each time."""
    began = time.process_time()
    pointer_form(_SPACE, _moment(1, 0).ram)
    seconds = time.process_time() - began
    rows = [asdict(row) for depth in (1, 2, 3) for row in _scans(depth)]
    return {"form_seconds": round(seconds, 3), "rows": rows}


def _scans(depth: int) -> Iterator[Row]:
    true = PointerChain(_BASE, _OFFSETS[:depth], _FORM)
    moments = [_moment(depth, seed) for seed in range(_MOMENTS)]
    for count in range(1, _MOMENTS + 1):
        began = time.process_time()
        chains = pointer_chains(_SPACE, moments[:count], _FORM, depth=depth, limit=_EVERYTHING)
        seconds = time.process_time() - began
        place = chains.index(true) + 1 if true in chains else 0
        yield Row(depth, count, len(chains), place, round(seconds, 3))


def _moment(depth: int, seed: int) -> NumberPlace:
    rng = np.random.default_rng(seed)
    ram = rng.integers(0, 256, _RAM_BYTES, dtype=np.uint8)
    words = ram.view(">u4")
    words[rng.integers(0, len(words), _POINTERS)] = _FORM.shift + rng.integers(
        0, _RAM_BYTES, _POINTERS
    )
    at = _BASE
    for offset in _OFFSETS[:depth]:
        structure = int(rng.integers(_RAM_BYTES // 8, _RAM_BYTES // 4 - 0x400)) * 4
        words[at // 4] = _FORM.shift + structure
        at = structure + offset
    return NumberPlace(ram, at)


def print_bench(measured: PointersReport) -> None:
    """Print a row for each depth and number of moments."""
    title = f"Pointer chains in 4 MiB with {_POINTERS:,} pointers"
    columns = ("depth", "moments", "survivors", "true chain", "seconds")
    show_table(title, columns, (row.values() for row in measured["rows"]))
    plain_console().print(f"The form of pointers was told in {measured['form_seconds']} s.")


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_bench(quiet=quiet), print_bench)
