"""Subsystems: kinds of games that a core loads out of several files, or not as its other games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libretro_host.capture import text
from libretro_host.errors import ContentError
from libretro_host.host import LoadRequest
from libretro_host.shims import Shim


@dataclass(frozen=True, slots=True)
class SubsystemFile:
    """One file of such a game. A core opens it itself when it has a ``need_fullpath``."""

    title: str
    extensions: tuple[str, ...]
    need_fullpath: bool
    required: bool

    def __str__(self) -> str:
        endings = " ".join(f".{one}" for one in self.extensions)
        return f"{self.title} ({endings})" if endings else self.title


@dataclass(frozen=True, slots=True)
class Subsystem:
    """A kind of game with its files in the order in which the core takes them."""

    name: str
    title: str
    id: int
    files: tuple[SubsystemFile, ...]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Subsystem":
        files = (
            SubsystemFile(**{**one, "extensions": tuple(one["extensions"])})
            for one in told["files"]
        )
        return cls(**{**told, "files": tuple(files)})


def subsystems(shim: Shim) -> tuple[Subsystem, ...]:
    return tuple(
        Subsystem(
            text(one.name),
            text(one.title),
            one.id,
            tuple(
                SubsystemFile(
                    text(rom.title),
                    tuple(filter(None, text(rom.extensions).split("|"))),
                    bool(rom.need_fullpath),
                    bool(rom.required),
                )
                for rom in (one.roms[at] for at in range(one.rom_count))
            ),
        )
        for one in shim.listed("lh_subsystem")
    )


def chosen_subsystem(known: Sequence[Subsystem], request: LoadRequest, library: str) -> Subsystem:
    """The subsystem that a request names. Raises ContentError, which names the cure."""
    chosen = next((one for one in known if one.name == request.subsystem), None)
    if chosen is None:
        names = ", ".join(one.name for one in known)
        cure = f"it has {names}" if names else "it has none; choose another console or core"
        raise ContentError(
            f"{request.content}: {library} has no subsystem {request.subsystem}; {cure}"
        )
    wanted = ", ".join(map(str, chosen.files))
    if len(request.files) > len(chosen.files):
        raise ContentError(
            f"{request.content}: {len(request.files)} files are too many for the subsystem "
            f"{chosen.name} of {library}; it takes {wanted}"
        )
    for each, file in zip(chosen.files, padded(chosen, request.files), strict=True):
        if each.required and file is None:
            raise ContentError(
                f"{request.content}: the subsystem {chosen.name} of {library} needs a file for "
                f"{each}; it takes {wanted}"
            )
    return chosen


def padded(subsystem: Subsystem, files: Sequence[Path | None]) -> tuple[Path | None, ...]:
    """The files, with None for those that are left out behind them."""
    return (*files, *(None,) * (len(subsystem.files) - len(files)))
