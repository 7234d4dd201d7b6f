"""Movies of an agent's episodes, one ``.bk2`` each."""

from __future__ import annotations

from pathlib import Path

from integrator.domain.movies.model import CoreStamp, ram_hash
from integrator.domain.movies.writer import MovieWriter
from integrator.env.emulator import Emulator
from integrator.session.movies.recording import HASH_EVERY_FRAMES, MovieIdentity, next_episode
from integrator.session.setup.start_states import file_stem


class EpisodeRecording:
    """Writes each episode into a folder, named as stable-retro's ``record=`` names movies."""

    def __init__(self, emulator: Emulator, folder: Path) -> None:
        self._emulator, self._folder = emulator, folder
        self._rows: list[tuple[int, ...]] = []
        self._hashes: list[int | None] = []
        self._writer: MovieWriter | None = None
        self.path: Path | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @classmethod
    def of(cls, emulator: Emulator, record: bool | str | Path | None) -> EpisodeRecording | None:
        """The recording that ``make_env(record=...)`` asks for; True is the working directory."""
        if record is None or record is False:
            return None
        return cls(emulator, Path.cwd() if record is True else Path(record))

    def begin(self, state: bytes, name: str) -> None:
        """Complete the movie of the episode before, and begin one with its idle frame."""
        self.finish()
        identity = _identity(self._emulator)
        path = next_episode(self._folder, f"{identity.game}-{file_stem(name)}")
        self._writer = identity.writer(path, state)
        self._rows, self._hashes = [(0,) * identity.players], [None]

    def add(self, masks: tuple[int, ...]) -> None:
        """Take a frame that was just run."""
        hashed = len(self._rows) % HASH_EVERY_FRAMES == 0 and self._emulator.core.sees_all_memory
        self._rows.append(masks)
        self._hashes.append(ram_hash(self._emulator.ram()) if hashed else None)

    def finish(self) -> None:
        """Write the movie of the present episode. Raises SaveError."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.append(self._rows, self._hashes)
            writer.close()
            self.path = writer.path


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
    )
