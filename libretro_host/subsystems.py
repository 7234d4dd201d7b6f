"""Subsystems: kinds of games that a core loads from several files, or in an unusual way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libretro_host.errors import ContentError
from libretro_host.request import LoadRequest
from libretro_host.shims import Shim, text


@dataclass(frozen=True, slots=True)
class SubsystemFile:
    """One file of a subsystem's game. With ``need_fullpath``, the core opens the file itself."""

    title: str
    extensions: tuple[str, ...]
    need_fullpath: bool
    required: bool

    def takes(self, file: Path | None) -> bool:
        """Return True for a file with one of the extensions, and for None if none is required."""
        return not self.required if file is None else file.suffix.lower()[1:] in self.extensions

    def __str__(self) -> str:
        endings = " ".join(f".{one}" for one in self.extensions)
        return f"{self.title} ({endings})" if endings else self.title


@dataclass(frozen=True, slots=True)
class Subsystem:
    """A kind of game, with its files in the order in which the core takes them."""

    name: str
    title: str
    id: int
    files: tuple[SubsystemFile, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Subsystem":
        files = [{**one, "extensions": tuple(one["extensions"])} for one in values["files"]]
        return cls(**{**values, "files": tuple(SubsystemFile(**one) for one in files)})


def subsystems(shim: Shim) -> tuple[Subsystem, ...]:
    found = []
    for one in shim.listed("lh_subsystem"):
        files = []
        for rom in (one.roms[at] for at in range(one.rom_count)):
            extensions = tuple(filter(None, text(rom.extensions).split("|")))
            by_path, required = bool(rom.need_fullpath), bool(rom.required)
            files.append(SubsystemFile(text(rom.title), extensions, by_path, required))
        found.append(Subsystem(text(one.name), text(one.title), one.id, tuple(files)))
    return tuple(found)


def chosen_subsystem(known: Sequence[Subsystem], request: LoadRequest, library: str) -> Subsystem:
    """Return the subsystem that a request names. Raises ContentError, which names a fix."""
    at, named = request.content, f"subsystem {request.subsystem}"
    chosen = next((one for one in known if one.name == request.subsystem), None)
    if chosen is None:
        names = ", ".join(one.name for one in known)
        cure = f"it has {names}" if names else "it has none; choose another console or core"
        raise ContentError(f"{at}: {library} has no {named}; {cure}")
    takes, count = f"it takes {', '.join(map(str, chosen.files))}", len(request.files)
    if count > len(chosen.files):
        fault = f"{count} files are too many for the {named} of {library}; {takes}"
        raise ContentError(f"{at}: {fault}")
    for each, file in zip(chosen.files, padded(chosen, request.files), strict=True):
        if each.required and file is None:
            raise ContentError(f"{at}: the {named} of {library} needs a file for {each}; {takes}")
    return chosen


def padded(subsystem: Subsystem, files: Sequence[Path | None]) -> tuple[Path | None, ...]:
    """Return the files, plus None for each file of the subsystem that is left out at the end."""
    return (*files, *(None,) * (len(subsystem.files) - len(files)))
