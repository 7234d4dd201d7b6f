"""Labels of the benchmark of proofs: originals and their copies, told by an experiment.

The experiment pokes a documented variable at moments all over the play. A byte is its copy when
it follows the poke, is a function of the variable in recorded play, falls back when it is poked
itself, and then leaves the variable alone. Prove's rules are not asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.memory import DataType
from integrator.session.session import Session
from libretro_host.host import CapturePlan
from scripts.bench_labels import documented

Truth = Literal["original", "copy"]

FORK_FRAMES: Final = 8
_SETTLED: Final = 3
"""Rows of a fork by which a copy has followed."""
_MOMENTS: Final = 12
_POKES: Final = (1, 2, -1)
_KEPT_SHARE: Final = 0.7
_FOLLOWED_SHARE: Final = 0.7
_FUNCTION_SHARE: Final = 0.95
_MOST_COPIES: Final = 4
"""Of one variable, because games with many glyphs would else outweigh the others."""
_BYTE: Final = DataType.parse("|u1")


@dataclass(frozen=True, slots=True)
class ProofLabel:
    """A candidate and the truth about it; ``name`` tells its kind or the kind of its original."""

    name: str
    address: int
    type: DataType
    truth: Truth


def truths(session: Session, states: Sequence[bytes]) -> list[ProofLabel]:
    """Originals that are documented, and copies of them."""
    probe = _Probe(session, states)
    specs = {spec.address: spec for spec in session.integration.variables.values()}
    labels: dict[int, ProofLabel] = {}
    shown = [specs[label.address] for label in documented(session)]
    bytes_of = {
        place
        for spec in shown
        for place in session.memory.space.offsets(spec.address, spec.type.width).tolist()
    }
    for spec in shown:
        places = session.memory.space.offsets(spec.address, spec.type.width).tolist()
        moving = [place for place in places if probe.moves(place)]
        kept = [place for place in moving if probe.keeps(place)]
        if not moving or len(kept) < len(moving):
            continue
        labels[spec.address] = ProofLabel(spec.name, spec.address, spec.type, "original")
        for place in kept:
            for copy in list(probe.copies(place, bytes_of))[:_MOST_COPIES]:
                address = session.memory.space.address_of(copy)
                labels.setdefault(address, ProofLabel(f"of {spec.name}", address, _BYTE, "copy"))
    return list(labels.values())


class _Probe:
    """Forks from moments of a game, with a byte poked; places are offsets in flat RAM."""

    def __init__(self, session: Session, states: Sequence[bytes]) -> None:
        self._host = session.host
        self._states = states[:: max(1, len(states) // _MOMENTS)]
        self._recorded = session.timeline.log.ram_ranges([(0, session.memory.space.size_bytes)], 1)
        self._inputs = np.zeros((FORK_FRAMES, session.game.players), np.uint16)
        self._bases = [self._fork(state, {}) for state in self._states]
        self._pokes: dict[int, list[tuple[int, NDArray[np.uint8]]]] = {}

    def moves(self, place: int) -> bool:
        """True for a byte that changed in recorded play."""
        return bool((self._recorded[:, place] != self._recorded[0, place]).any())

    def keeps(self, place: int) -> bool:
        """True when most pokes of the byte last throughout the fork."""
        lasting = [self._lasts(place, *poke) for poke in self._poked(place)]
        return float(np.mean(lasting)) >= _KEPT_SHARE

    def copies(self, place: int, left_out: set[int]) -> Iterator[int]:
        """Bytes that show the one at ``place``."""
        pokes = [poke for poke in self._poked(place) if self._lasts(place, *poke)]
        # uint8 (pokes, frames, bytes): the end of each fork next to its base.
        ends = np.stack([ram[_SETTLED:] for _, ram in pokes])
        bases = np.stack([self._bases[moment][_SETTLED:] for moment, _ in pokes])
        followed = (ends != bases).all(axis=1).mean(axis=0)
        for other in np.flatnonzero(followed >= _FOLLOWED_SHARE).tolist():
            if (
                other not in left_out
                and self._shows(other, place)
                and self._falls_back(other, place)
            ):
                yield other

    def _shows(self, other: int, place: int) -> bool:
        """True when one number of ``place`` goes with one number of ``other``."""
        pairs, counts = np.unique(self._recorded[:, [place, other]], axis=0, return_counts=True)
        agreed = sum(
            int(counts[pairs[:, 0] == number].max()) for number in np.unique(pairs[:, 0]).tolist()
        )
        several = len(np.unique(pairs[:, 1])) > 1
        return several and agreed >= _FUNCTION_SHARE * len(self._recorded)

    def _falls_back(self, other: int, place: int) -> bool:
        """True when pokes of ``other`` are gone soon, and have not moved ``place``."""
        pokes = self._poked(other)
        gone = [bool(ram[-1, other] == self._bases[m][-1, other]) for m, ram in pokes]
        quiet = [bool((ram[:, place] == self._bases[m][:, place]).all()) for m, ram in pokes]
        return all(gone) and all(quiet)

    def _lasts(self, place: int, moment: int, ram: NDArray[np.uint8]) -> bool:
        return bool((ram[:, place] != self._bases[moment][:, place]).all())

    def _poked(self, place: int) -> list[tuple[int, NDArray[np.uint8]]]:
        if place not in self._pokes:
            self._pokes[place] = [
                (moment, self._fork(state, {place: (byte & 0xF0) | ((byte & 15) + by) % 10}))
                for moment, state in enumerate(self._states)
                for by in _POKES
                for byte in (int(self._bases[moment][0, place]),)
            ]
        return self._pokes[place]

    def _fork(self, state: bytes, writes: dict[int, int]) -> NDArray[np.uint8]:
        """RAM before the first frame (poked, if it was) and after each: uint8 (frames, bytes)."""
        self._host.unserialize(state)
        for place, value in writes.items():
            self._host.write_ram(place, bytes([value]))
        before = self._host.read_ram()
        ram = self._host.run(self._inputs, CapturePlan(ram=True, picture=False)).ram
        assert ram is not None
        return np.vstack([before, ram])
