"""Labels of the benchmark of suggestions: the true addresses of a game's variables.

Scores, lives and timers are documented in stable-retro's data. Positions are not, so they come from
two other sources, neither of which looks at recorded play as suggestions do: addresses published
with the annotations of the Atari RAM (AtariARI), and an experiment in the core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.suggestion import Kind
from integrator.domain.values.memory import DataType
from integrator.session.session import Session
from libretro_host.host import CapturePlan, CoreHost

BASE: Final = 0x80
"""The address of the console's first byte of RAM."""
FORK_FRAMES: Final = 24
_POKED_BY: Final = 6
_PROBES: Final = 6
_FARTHEST_STEP: Final = 16

PUBLISHED: Final[Mapping[str, tuple[int | None, int | None]]] = {
    "Asteroids": (73, 74),
    "Berzerk": (19, 11),
    "Bowling": (29, 40),
    "Boxing": (32, 34),
    "Breakout": (72, None),
    "DemonAttack": (22, None),
    "Freeway": (None, 14),
    "Frostbite": (102, 100),
    "Hero": (27, 31),
    "Kangaroo": (17, 16),
    "MontezumaRevenge": (42, 43),
    "MsPacman": (10, 16),
    "Pitfall": (97, 105),
    "Pong": (None, 51),
    "PrivateEye": (63, 86),
    "Qbert": (43, 67),
    "Riverraid": (51, None),
    "Seaquest": (70, 97),
    "Skiing": (25, None),
    "SpaceInvaders": (28, None),
    "Tennis": (26, 24),
    "Venture": (85, 26),
    "YarsRevenge": (32, 31),
}
"""Offsets of the player's x and y in RAM; None where the player does not move that way."""

_SCORES: Final = ("deadtanks", "carsremaining")
_LIVES: Final = ("lives", "deadsquads")
_TIMERS: Final = ("seconds", "minutes", "time", "centiseconds")
_LEAST_CHANGES: Final[Mapping[Kind, int]] = {"score": 2, "lives": 1, "timer": 4, "level": 1}


@dataclass(frozen=True, slots=True)
class Label:
    """A variable's true kind and bytes."""

    kind: Kind
    address: int
    width: int


def documented(session: Session) -> list[Label]:
    """Labels out of data.json, of numbers that changed in what was played."""
    labels = []
    for spec in session.integration.variables.values():
        kind = _kind(spec.name.lower())
        if kind is None:
            continue
        if _changes(session, spec.address, spec.type) >= _LEAST_CHANGES[kind]:
            labels.append(Label(kind, spec.address, spec.type.width))
    return labels


def _kind(name: str) -> Kind | None:
    if (name.startswith(("score", "opponent")) and "match" not in name) or name in _SCORES:
        return "score"
    if name in _LIVES:
        return "lives"
    if name in _TIMERS:
        return "timer"
    return "level" if name in ("level", "round") else None


def _changes(session: Session, address: int, data_type: DataType) -> int:
    offsets = session.memory.space.offsets(address, data_type.width)
    ranges = [(int(offset), 1) for offset in offsets]
    values = data_type.decode_array(session.timeline.log.ram_ranges(ranges, 1))
    return int(np.count_nonzero(np.diff(values)))


# -- positions ------------------------------------------------------------------------------


def positions(game: str, session: Session, states: Sequence[bytes]) -> list[Label]:
    """Labels of the player's x and y: published ones, and those that the experiment finds."""
    probe = _Probe(session.host, session.system.buttons, states)
    labels = []
    axes: tuple[tuple[Kind, tuple[str, str]], ...] = (
        ("player-x", ("LEFT", "RIGHT")),
        ("player-y", ("UP", "DOWN")),
    )
    for number, (kind, buttons) in enumerate(axes):
        found = set(probe.movers(*buttons))
        known = PUBLISHED.get(game, (None, None))[number]
        if known is not None:
            found.add(known)
        labels += [Label(kind, BASE + offset, 1) for offset in sorted(found)]
    return labels


class _Probe:
    """Runs moments of a game with one direction held, and with a byte poked."""

    def __init__(
        self, host: CoreHost, buttons: Sequence[str | None], states: Sequence[bytes]
    ) -> None:
        self._host = host
        self._buttons = buttons
        self._states = states

    def movers(self, back: str, forth: str) -> list[int]:
        """Offsets of bytes that the two buttons move apart, and which move the picture if poked."""
        apart = np.stack(
            [
                _difference(self._held(state, forth), self._held(state, back))
                for state in self._states
            ]
        )
        walks = np.abs(np.diff(apart, axis=1)).max(axis=1) <= _FARTHEST_STEP
        distinct = (np.diff(np.sort(apart, axis=1), axis=1) != 0).sum(axis=1) >= 3
        signs = np.sign(apart[:, -1]) * walks * distinct
        net = np.abs(signs.sum(axis=0))
        sure = np.flatnonzero(net >= np.maximum(8, 0.8 * np.abs(signs).sum(axis=0)))
        drawn = [k for k in sure.tolist() if self._moves_picture(k, np.flatnonzero(signs[:, k]))]
        most = max((net[k] for k in drawn), default=0)
        return [k for k in drawn if net[k] >= 0.6 * most]

    def _held(self, state: bytes, button: str) -> NDArray[np.uint8]:
        """RAM of the frames with a button held, uint8 (frames, bytes)."""
        self._host.unserialize(state)
        rows = np.full((FORK_FRAMES, 1), 1 << self._buttons.index(button), np.uint16)
        ram = self._host.run(rows, CapturePlan(ram=True, picture=False)).ram
        assert ram is not None
        return ram

    def _moves_picture(self, offset: int, moments: NDArray[np.intp]) -> bool:
        """True for a byte that keeps a poke, and changes the picture by it, most times."""
        kept = moved = tried = 0
        idle = np.zeros((4, 1), np.uint16)
        plan = CapturePlan(ram=True, picture_every=1)
        for moment in moments[:_PROBES].tolist():
            self._host.unserialize(self._states[moment])
            number = int(self._host.read_ram()[offset])
            base = self._host.run(idle, plan)
            for by in (_POKED_BY, -_POKED_BY):
                self._host.unserialize(self._states[moment])
                self._host.write_ram(offset, bytes([(number + by) % 256]))
                poked = self._host.run(idle, plan)
                assert poked.ram is not None
                assert base.ram is not None
                tried += 1
                step = int(_difference(poked.ram, base.ram)[-1, offset])
                keeps = abs(step - by) <= 2
                kept += keeps
                after, before = poked.pictures[2].pixels, base.pictures[2].pixels
                moved += keeps and not np.array_equal(after, before)
        return tried >= 4 and min(kept, moved) >= tried / 2


def _difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The difference of bytes, the shorter way round."""
    return np.subtract(one, other).view(np.int8).astype(np.int16)
