"""Movies of an agent's episodes, one ``.bk2`` each."""

import os
from pathlib import Path

from gymnasium.logger import warn

from integrator.domain.errors import SaveError
from integrator.domain.files.atomic import writing
from integrator.domain.movies.model import CoreStamp, ram_hash
from integrator.domain.movies.writer import GROW_ROWS, MovieWriter
from integrator.env.emulator import Emulator
from integrator.session.library.fingerprint import fingerprint
from integrator.session.movies import HASH_EVERY_FRAMES, MovieIdentity, begin_episode
from integrator.session.setup.game import file_stem


class EpisodeRecording:
    """Writes each episode into a folder, named as stable-retro's ``record=`` names movies.

    The file has its name from the episode's first frame on, and grows as the episode is played.
    """

    def __init__(self, emulator: Emulator, folder: Path) -> None:
        self._emulator, self._folder = emulator, folder
        self._rows: list[tuple[int, ...]] = []
        self._hashes: list[int | None] = []
        self._writer: MovieWriter | None = None
        self._pid = os.getpid()
        self._count = 0
        self.path: Path | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._identity = _identity(emulator)

    @classmethod
    def of(cls, emulator: Emulator, record: bool | str | Path | None) -> "EpisodeRecording | None":
        """The recording that ``make_env(record=...)`` asks for; True is the working directory."""
        if record is None or record is False:
            return None
        return cls(emulator, Path.cwd() if record is True else Path(record))

    def begin(self, state: bytes, name: str) -> None:
        """Complete the movie and begin another. A full disk is a warning: training goes on."""
        self.finish_or_warn()
        identity = self._identity
        writer = identity.writer(self._folder, state)
        writer.append([(0,) * identity.players], [None])
        try:
            with writing(self._folder):
                begin_episode(self._folder, f"{identity.game}-{file_stem(name)}", writer)
        except SaveError as error:
            writer.abandon()
            warn(f"this episode is not recorded: {error}")
            return
        self._pid = os.getpid()
        self._writer = writer
        self._rows, self._hashes, self._count = [], [], 1

    def add(self, masks: tuple[int, ...]) -> None:
        if self._writer is None:
            return
        hashed = self._count % HASH_EVERY_FRAMES == 0 and self._emulator.core.sees_all_memory
        self._rows.append(masks)
        self._hashes.append(ram_hash(self._emulator.ram()) if hashed else None)
        self._count += 1
        if len(self._rows) >= GROW_ROWS:
            self._pass_on()

    def finish(self) -> None:
        """Write the movie of the present episode; after Ctrl+C again. Raises SaveError."""
        self._pass_on()
        if (writer := self._writer) is None:
            return
        try:
            writer.close()
        except SaveError:
            writer.abandon()
            self._writer = None
            raise
        self.path, self._writer = writer.path, None

    def finish_or_warn(self) -> None:
        """As :meth:`finish`, where nobody could handle an error."""
        try:
            self.finish()
        except SaveError as error:
            warn(f"a movie is not complete: {error}")

    def _pass_on(self) -> None:
        if self._pid != os.getpid():
            # The file is the parent's, which goes on writing it.
            self._writer = None
        if self._writer is not None and self._rows:
            rows, hashes, self._rows, self._hashes = self._rows, self._hashes, [], []
            self._writer.append(rows, hashes)


def _identity(emulator: Emulator) -> MovieIdentity:
    plan, core = emulator.plan, emulator.core
    return MovieIdentity(
        game=plan.integration.name,
        system=plan.descriptor.name,
        buttons=plan.descriptor.buttons,
        players=plan.players,
        core=CoreStamp(core.library_name, core.library_version),
        sees_all_memory=core.sees_all_memory,
        platform=plan.descriptor.platform,
        characters=plan.descriptor.characters,
        rom=plan.request.content,
        fingerprint=fingerprint(plan),
    )
