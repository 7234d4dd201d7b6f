"""The Dreamcast's proof program obeys its rules, on an SH-4 of ours: no registry has a core for it.

This proves the program and its row of proof.json, and nothing about any core."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from sh4 import RAM, Dreamcast

from integrator.session.library.consoles.console_check import ProofRom, Script, proof_roms
from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import SystemDescriptor

# The pad's buttons by bit, and the one that Flycast presses for each joypad id.
PAD = ("C", "B", "A", "START", "UP", "DOWN", "LEFT", "RIGHT", "Z", "Y", "X", "D")
BY_ID = ("A", "X", None, "START", "UP", "DOWN", "LEFT", "RIGHT", "B", "Y", None)
DATA, CONTROLLER = 8, 1 << 24
NO_PAD = b"\xff" * 4


class Played(NamedTuple):
    """The values of the variables after each frame, and the colors of the corners."""

    script: Script
    values: dict[str, NDArray[np.int64]]
    corners: list[tuple[bytes, bytes]]


def answer(mask: int, *, right: int = 0, left: int = 0, x: int = 128, y: int = 128) -> bytes:
    pressed = [BY_ID[bit] for bit in range(16) if mask >> bit & 1]
    buttons = 0xFFFF - sum(1 << PAD.index(name) for name in pressed if name)
    words = (DATA | 3 << 24, CONTROLLER, buttons | right << 16 | left << 24)
    last = x | y << 8 | 128 << 16 | 128 << 24
    return b"".join(word.to_bytes(4, "little") for word in (*words, last))


def values(console: Dreamcast, rom: ProofRom) -> dict[str, int]:
    found = {}
    for name, variable in rom.variables.items():
        at = variable.address - RAM
        found[name] = int.from_bytes(console.ram[at : at + variable.type.width], "little")
    return found


@pytest.fixture(scope="module")
def rom() -> ProofRom:
    return proof_roms()["Dreamcast"]


@pytest.fixture(scope="module")
def descriptor() -> SystemDescriptor:
    return systems()["Dreamcast"]


@pytest.fixture(scope="module")
def played(rom: ProofRom, descriptor: SystemDescriptor) -> Played:
    script, console = Script(rom, descriptor), Dreamcast(rom.path)
    rows, corners = [], []
    for mask in script.inputs[:, 0]:
        console.frame(answer(int(mask)))
        rows.append(values(console, rom))
        corners.append((bytes(console.picture[:2]), bytes(console.picture[153598:153600])))
    arrays = {name: np.array([row[name] for row in rows], np.int64) for name in rom.variables}
    return Played(script, arrays, corners)


def test_every_value_is_as_the_rules_foretell(played: Played, descriptor: SystemDescriptor) -> None:
    assert descriptor.rambase == RAM
    assert list(played.script.faults(played.values)) == []


def test_the_whole_picture_shows_the_lives(played: Played) -> None:
    for lives, (first, last) in zip(played.values["lives"], played.corners, strict=True):
        assert int.from_bytes(first, "little") == lives * 8
        assert first == last


def test_stick_and_triggers_arrive(rom: ProofRom) -> None:
    console = Dreamcast(rom.path)
    console.frame(answer(0, right=1, left=255, x=0, y=200))
    found = values(console, rom)
    names = ("right_trigger", "left_trigger", "stick_x", "stick_y")
    assert [found[name] for name in names] == [1, 255, 0, 200]


def test_without_a_pad_frames_are_counted_and_nothing_is_pressed(rom: ProofRom) -> None:
    console = Dreamcast(rom.path)
    for _ in range(3):
        console.frame(NO_PAD)
    found = values(console, rom)
    assert (found["frame_counter"], found["input"], found["lives"]) == (3, 0, 3)
