"""Games for the audit's benchmark: Ember Moth from source, honest or with one planted trap."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator import paths
from integrator.session.opening import open_session
from integrator.session.session import Session

B, START, UP, DOWN, LEFT, RIGHT, A = 1, 8, 16, 32, 64, 128, 256
"""Bits of the pad, in the order of the console's buttons."""
_MOTH_X, _MOTH_Y, _STATE = 0x340, 0x350, 0x3A0
_EMBERS = range(5, 11)
_LAST_MOMENT = {0x302: 0, 0x304: 1, 0x305: 1}
"""The last life, with a frame of its last second left."""
_BOOT_FRAMES, _BEGIN_FRAMES, _FALL_FRAMES = 90, 120, 70
_SOURCES = ("Makefile", "artwork.py", "nrom.cfg", "ram.inc")

PAY_TEN = """
    jsr clear_points
    lda #1
    sta points + 4
    jsr add_points
"""
PAY_HUNDRED = PAY_TEN.replace("points + 4", "points + 3")
OVER = {"game_over": {"op": "equal", "reference": 1}}
SCORE = {"score": {"reward": 1.0}}

Player = Callable[[Session, np.random.Generator], int]
"""The mask of the next steps in a session."""


@dataclass(frozen=True, slots=True)
class AuditGame:
    """A variant of the game. ``trap`` is the kind that the audit must name; empty: it is honest.

    ``also`` are kinds that are true of it, too, and ``told`` is a text that the evidence must
    hold. ``patches`` replace text of the source, (file, old, new); ``without`` are variables that
    the integration does not have; the functions of ``script``, its Lua, replace ``reward`` and
    ``done``. ``farms`` is a player that falls into the trap, beside random and able ones. ``state``
    is the start: in ``play``, on the ``title``, ``ready`` for a level, in a ``pause``, ``doomed``
    to lose the last life, ``over``, or just before a ``catch``."""

    name: str
    trap: str = ""
    patches: Sequence[tuple[str, str, str]] = ()
    also: frozenset[str] = frozenset()
    told: str = ""
    done: Mapping[str, Any] = field(default_factory=lambda: OVER)
    reward: Mapping[str, Any] = field(default_factory=lambda: SCORE)
    types: Mapping[str, str] = field(default_factory=dict)
    without: Sequence[str] = ()
    script: str = ""
    farms: Player | None = None
    state: str = "play"


def build(game: AuditGame, folder: Path) -> Path:
    """Build the ROM, write the integration, and save its start state; returns its directory."""
    source, directory = folder / "source", folder / "EmberMoth-Nes-v0"
    source.mkdir(parents=True)
    shipped = paths.shipped("resources") / "demo-game"
    for file in (*(shipped / name for name in _SOURCES), *shipped.glob("*.s")):
        shutil.copy(file, source)
    for name, old, new in game.patches:
        text = (source / name).read_text()
        if text.count(old) != 1:
            raise AssertionError(f"{game.name}: {name} has {text.count(old)} of {old!r}, not one")
        (source / name).write_text(text.replace(old, new))
    make = ["make", "-s", "BUILD=build"]
    subprocess.run(make, cwd=source, check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(paths.shipped("data") / directory.name, directory)
    rom = (source / "build" / "ember-moth.nes").read_bytes()
    (directory / "rom.nes").write_bytes(rom)
    (directory / "rom.sha").write_text(hashlib.sha1(rom[16:], usedforsecurity=False).hexdigest())
    for state in directory.glob("*.state"):
        state.unlink()
    _write_documents(game, directory)
    (directory / "Start.state").write_bytes(gzip.compress(_start_state(game, directory)))
    (directory / "metadata.json").write_text(json.dumps({"default_state": "Start"}))
    return directory


def _write_documents(game: AuditGame, directory: Path) -> None:
    scenario: dict[str, Any] = {
        "done": {"variables": game.done},
        "reward": {"variables": game.reward},
    }
    if game.script:
        (directory / "script.lua").write_text(game.script)
        names = [name for name in scenario if f"function {name}(" in game.script]
        scenario |= {name: {"script": f"lua:{name}"} for name in names}
        scenario["scripts"] = ["script.lua"]
    (directory / "scenario.json").write_text(json.dumps(scenario))
    (directory / "metadata.json").write_text("{}")
    data = json.loads((directory / "data.json").read_text())
    for name, told in game.types.items():
        address, kind = told.split()
        data["info"][name] = {"address": int(address, 16), "type": kind}
    for name in game.without:
        del data["info"][name]
    (directory / "data.json").write_text(json.dumps(data))


def _start_state(game: AuditGame, directory: Path) -> bytes:
    with open_session(directory) as session:
        session.advance((0,), frames=_BOOT_FRAMES)
        if game.state == "title":
            return session.save_state()
        session.advance((START,), frames=4)
        if game.state == "ready":
            return session.save_state()
        session.advance((0,), frames=_BEGIN_FRAMES)
        if game.state in ("doomed", "over"):
            for address, value in _LAST_MOMENT.items():
                session.memory.write(address, "|u1", value)
            session.advance((0,), frames=_FALL_FRAMES if game.state == "over" else 3)
            return session.save_state()
        if game.state == "pause":
            session.advance((START,), frames=4)
            session.advance((0,), frames=4)
        if game.state in ("play", "pause"):
            return session.save_state()
        return _before_a_catch(session)


def _before_a_catch(session: Session) -> bytes:
    """A state two frames before the score rises."""
    random = np.random.default_rng(0)
    while True:
        state = session.save_state()
        before = session.memory.read(0x312, "<u2")
        mask = able(session, random)
        if _pays_idle(session, state, before):
            return state
        session.load_state(state)
        session.advance((mask,))


def _pays_idle(session: Session, state: bytes, embers: int) -> bool:
    """True when the frame after the idle one of a reset pays, and not that one."""
    session.load_state(state)
    session.advance((0,))
    first = session.memory.read(0x312, "<u2")
    session.advance((0,))
    return first == embers < session.memory.read(0x312, "<u2")


def able(session: Session, random: np.random.Generator) -> int:
    """A player that flies to the nearest ember, and strays at times."""
    ram = session.memory
    x, y = ram.read(_MOTH_X, "|u1"), ram.read(_MOTH_Y, "|u1")
    there = [
        (ram.read(_MOTH_X + each, "|u1"), ram.read(_MOTH_Y + each, "|u1"))
        for each in _EMBERS
        if ram.read(_STATE + each, "|u1")
    ]
    if not there or random.random() < 0.1:
        return int(random.choice([0, UP, DOWN, LEFT, RIGHT]))
    to_x, to_y = min(there, key=lambda place: abs(place[0] - x) + abs(place[1] - y))
    mask = LEFT if to_x < x - 4 else RIGHT if to_x > x + 4 else 0
    return mask | (UP if to_y < y - 4 else DOWN if to_y > y + 4 else 0)


def at_random(_: Session, random: np.random.Generator) -> int:
    """A player of random buttons."""
    return int(random.choice([0, UP, DOWN, LEFT, RIGHT, A, UP | LEFT, UP | RIGHT, DOWN | LEFT]))


def record(directory: Path, movie: Path, player: Player, seed: int, frames: int) -> None:
    """A movie of ``frames`` frames of a player, who decides every eight frames."""
    random = np.random.default_rng(seed)
    with open_session(directory) as session:
        session.reset()
        session.record(movie)
        for _ in range(frames // 8):
            rows: NDArray[np.uint16] = np.full((8, 1), player(session, random), np.uint16)
            session.run(rows)
        session.stop_recording()
