"""Records the episodes of an environment as movies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from gymnasium.logger import warn

from integrator.domain.errors import SaveError
from integrator.domain.files.atomic import writing
from integrator.domain.movies.model import ram_hash
from integrator.domain.movies.writer import GROW_ROWS, MovieWriter
from integrator.env.emulator import Emulator
from integrator.session.movies import HASH_EVERY_FRAMES, begin_episode
from integrator.session.setup.game import file_stem
from integrator.session.setup.plan import fingerprint


class EpisodeRecording:
    """Writes each episode into a folder, named as stable-retro's ``record=`` names movies.

    The file gets its name after the episode's first frame, and grows as the episode is played."""

    def __init__(self, emulator: Emulator, folder: Path) -> None:
        self._emulator, self._folder = emulator, folder
        self._rows: list[tuple[tuple[int, ...], int | None]] = []  # masks, and the hash of RAM
        self._writer: MovieWriter | None = None
        self._pid = os.getpid()
        self._count = self._missing = self._moment = 0
        self._lacks = False  # True if the present episode has no movie
        self.path: Path | None = None
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        plan, own = emulator.plan, emulator.plan.identity(emulator.core)
        self._identity = replace(own, axes={}, fingerprint=fingerprint(plan))  # no axis is moved

    def begin(self, state: bytes, name: str) -> None:
        """Begin a movie with its idle frame. A full disk causes a warning, not an error."""
        identity = self._identity
        writer = identity.writer(self._folder, state)
        writer.append([(0,) * identity.players], [None])
        try:
            with writing(self._folder):
                begin_episode(self._folder, f"{identity.game}-{file_stem(name)}", writer)
        except SaveError as error:
            writer.abandon()
            self._missing += 1
            self._lacks = True
            warn("this episode is not recorded: %s", error)
            return
        self._pid, self._writer = os.getpid(), writer
        self._rows, self._count = [], 1

    def add(self, masks: tuple[int, ...], *, done: bool) -> None:
        if self._writer is None:
            return
        self._rows.append((masks, None))
        self._moment = self._emulator.moments
        if done or self._count % HASH_EVERY_FRAMES == 0:
            self._hash_last()
        self._count += 1
        if len(self._rows) >= GROW_ROWS:
            self._pass_on()

    def _hash_last(self) -> None:
        """Hash RAM for the last row, unless an interrupted step or a load came after it."""
        emulator = self._emulator
        is_last = self._rows and self._moment == emulator.moments
        if self._writer and is_last and emulator.core.sees_all_memory:
            self._rows[-1] = (self._rows[-1][0], ram_hash(emulator.ram()))

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Complete the movie, with a warning, if the core's own state changes RAM when loaded."""
        self._hash_last()
        before = self._emulator.ram()
        yield
        if self._writer is not None and not np.array_equal(before, self._emulator.ram()):
            self.finish_or_warn()
            fact = "clone_state() changed the core's memory, which no movie can repeat"
            warn(f"{fact}; the movie of this episode ends here")

    def finish(self) -> None:
        """Complete the present episode's movie; may be repeated after Ctrl+C. Raises SaveError."""
        self._hash_last()
        self._pass_on()
        if (writer := self._writer) is None:
            if self._lacks:
                self.path, self._lacks = None, False
            return
        self.path = None
        try:
            writer.close()
        except SaveError as error:
            self._writer = None
            rows = f"{writer.grown_rows:,} of {writer.rows:,}"
            writer.abandon()
            fact = f"a movie is not complete, {rows} frames without hashes of RAM"
            raise SaveError(f"{fact}: {error}") from error
        self.path, self._writer = writer.path, None

    def finish_or_warn(self) -> None:
        """Do as :meth:`finish`, but warn of an error, which nobody could handle."""
        try:
            self.finish()
        except SaveError as error:
            warn("%s", error)  # a path may contain a percent sign

    def end(self) -> None:
        """Do as :meth:`finish_or_warn`, and warn of the number of episodes without a movie."""
        self.finish_or_warn()
        if self._missing > 1:
            warn("%s: %s episodes are not recorded", self._folder, f"{self._missing:,}")
        self._missing = 0

    def _pass_on(self) -> None:
        if self._pid != os.getpid():
            # In a fork, the file belongs to the parent, which goes on writing it.
            self._writer = None
        if self._writer is not None and self._rows:
            rows, self._rows = self._rows, []
            self._writer.append(*zip(*rows, strict=True))
