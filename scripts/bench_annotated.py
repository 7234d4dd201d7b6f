"""Atari games without an integration in stable-retro, on which no rule was tuned.

The addresses of their scores and lives are those that the Arcade Learning Environment reads
(``src/ale/games`` of its sources). A score in bytes that do not touch has a variable for each byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from integrator.session.session import Session

SCORES: Final[Mapping[str, tuple[tuple[int, str], ...]]] = {
    "atlantis2": ((0xA1, "<d3"),),
    "basic_math": ((0x84, "|d1"),),
    "crossbow": ((0x8B, ">d3"),),
    "darkchambers": ((0xCC, "|d1"), (0xCF, "|d1")),
    "donkey_kong": ((0x87, ">d2"),),
    "earthworld": ((0xA7, "|d1"),),
    "entombed": ((0xE3, "|u1"),),
    "et": ((0xDF, ">d3"),),
    "flag_capture": ((0xEA, "|d1"),),
    "frogger": ((0xCE, "|d1"), (0xCC, "|d1")),
    "galaxian": ((0xAC, ">d3"),),
    "haunted_house": ((0x82, "|d1"),),
    "human_cannonball": ((0xB6, "|d1"),),
    "keystone_kapers": ((0x9B, ">d2"),),
    "king_kong": ((0x82, ">d2"),),
    "koolaid": ((0x80, ">d2"),),
    "laser_gates": ((0x80, ">d3"),),
    "lost_luggage": ((0x94, ">d3"),),
    "mario_bros": ((0x89, ">d2"),),
    "mr_do": ((0x82, "<d2"),),
    "othello": ((0xCE, "|d1"), (0xD0, "|d1")),
    "pacman": ((0xCC, "|d1"), (0xCE, "|d1"), (0xD0, "|d1")),
    "pitfall2": ((0xC7, ">d3"),),
    "sir_lancelot": ((0x9E, ">d3"),),
    "space_war": ((0xA7, "|d1"),),
    "surround": ((0xF6, "|d1"), (0xF7, "|d1")),
    "tetris": ((0xF1, "<d2"),),
    "trondead": ((0xBD, ">d3"),),
    "turmoil": ((0x89, "<d2"),),
}
"""ROMs of ale-py, with address and type of each part of the score."""

LIVES: Final[Mapping[str, int]] = {
    "atlantis2": 0xF1,
    "donkey_kong": 0xA3,
    "entombed": 0xC7,
    "et": 0xE5,
    "frogger": 0xD0,
    "galaxian": 0xB9,
    "haunted_house": 0x96,
    "keystone_kapers": 0x96,
    "king_kong": 0xEE,
    "lost_luggage": 0xCA,
    "mario_bros": 0x87,
    "mr_do": 0xDB,
    "pacman": 0x98,
    "sir_lancelot": 0xA9,
    "turmoil": 0xB9,
}
"""Addresses of the bytes that keep the lives left."""

BOOT_FRAMES: Final = 60
_PRESSED_FRAMES: Final = 6


def annotated_games(roms: Path, folder: Path) -> Iterator[Path]:
    """Integrations of these games, made in ``folder``, by name."""
    for name, scores in SCORES.items():
        game = folder / f"{name.title().replace('_', '')}-Atari2600-v0"
        game.mkdir()
        (game / "rom.a26").write_bytes((roms / f"{name}.bin").read_bytes())
        info = {
            f"score{number}" if len(scores) > 1 else "score": {"address": address, "type": kind}
            for number, (address, kind) in enumerate(scores)
        }
        if name in LIVES:
            info["lives"] = {"address": LIVES[name], "type": "|u1"}
        (game / "data.json").write_text(json.dumps({"info": info}))
        (game / "scenario.json").write_text("{}")
        (game / "metadata.json").write_text("{}")
        yield game


def start_game(session: Session) -> None:
    """Press the console's reset switch, which starts the game after power-on."""
    switch = 1 << session.system.buttons.index("RESET")
    rows = np.zeros((BOOT_FRAMES + _PRESSED_FRAMES, 1), np.uint16)
    rows[BOOT_FRAMES:] = switch
    session.run(rows)
