"""Tools that a worker's readers share, made once: schemas, consoles, seeds, the test core."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from integrator.domain.lint.lint import LintOptions
from integrator.domain.values.memory import AddressSpace, Region
from integrator.session.library.checks.checking import lint_options
from integrator.session.opening import open_session
from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import SystemDescriptor
from scripts.campaign import seeds, toys
from scripts.campaign.archives import gzip_bomb

GAME = "Fuzz-Nes"
"""Name of the integration directory of every input."""


class Workshop:
    """Tools of one worker, whose inputs lie in ``case`` one after the other."""

    def __init__(self, case: Path, cores: Path) -> None:
        self.case = case
        self.home = case / "home"
        self.cores = cores
        self.shaped: Any = None
        toys.use_home(self.home, cores)

    @property
    def game(self) -> Path:
        """The integration directory of the input at hand."""
        return self.case / "games" / GAME

    @property
    def toy_game(self) -> Path:
        """The game that journals are about; it lies outside of the inputs and is not changed."""
        return self.cores / "Fuzz-Toy"

    @cached_property
    def descriptors(self) -> Mapping[str, SystemDescriptor]:
        """The consoles that ship with the program."""
        return systems()

    @cached_property
    def options(self) -> LintOptions:
        """Options of the lint."""
        return lint_options()

    @cached_property
    def bomb(self) -> bytes:
        """A gzip file of 300 KB that unpacks to more than any state may hold."""
        return gzip_bomb(300 << 20)

    @cached_property
    def roms(self) -> list[tuple[str, bytes]]:
        """Name and bytes of a game of each console."""
        return seeds.roms()

    @cached_property
    def space(self) -> AddressSpace:
        """The memory that saved searches are of."""
        return AddressSpace([Region(256, 256)])

    @cached_property
    def toy_state(self) -> bytes:
        """A raw state of the test core."""
        toys.describe_toy()
        with open_session(self.toy_game, isolated=False) as session:
            session.reset()
            return session.save_state()


def prepare(folder: Path) -> Path:
    """Build the parts that all workers share; returns the folder of cores.

    Needed once a campaign."""
    cores = folder / "cores"
    toys.build_toycore(cores)
    toys.make_game(cores / "Fuzz-Toy")
    return cores


def write_shape(rng: Random, path: Path, data: bytes) -> None:
    """Put a folder, pipe or other odd file in the place of a file."""
    match rng.randrange(7):
        case 0:
            path.mkdir()
        case 1:
            os.mkfifo(path)
        case 2:
            path.symlink_to(path.with_name("nowhere"))
        case 3:
            path.symlink_to(path)
        case 4:
            path.symlink_to("/dev/zero")
        case 5:
            path.write_bytes(data)
            os.truncate(path, 3 << 30)
        case _:
            path.write_bytes(data)
            path.chmod(0)
