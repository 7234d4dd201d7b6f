"""The folders of integrations, and the consoles that are known."""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.integration.naming import find_rom, is_integration
from libretro_host.systems import discovery
from libretro_host.systems.descriptor import Systems, load_descriptors

if TYPE_CHECKING:
    from integrator.domain.integration.files import Integration


class RootKind(StrEnum):
    """The owner of the integrations in a root folder."""

    MINE = "mine"
    SHIPPED = "shipped"
    STABLE = "stable"
    EXPERIMENTAL = "experimental"
    CONTRIB = "contrib"


@dataclass(frozen=True, slots=True)
class LibraryRoot:
    """A folder of integrations; only MINE is written to."""

    path: Path
    kind: RootKind


def library_roots() -> tuple[LibraryRoot, ...]:
    """Return the folders of :func:`integration_roots` with their owners."""
    roots = {RootKind.MINE: paths.user_integrations_dir(), RootKind.SHIPPED: paths.shipped("data")}
    if (cores := discovery.wheel_core_dir()) is not None:
        for kind in (RootKind.STABLE, RootKind.EXPERIMENTAL, RootKind.CONTRIB):
            roots[kind] = cores.parent / "data" / kind.value
    return tuple(LibraryRoot(path, kind) for kind, path in roots.items() if path.is_dir())


def is_shared(directory: Path) -> bool:
    """Return True if a directory came with a package, whose next version replaces its files."""
    parents = directory.resolve().parents
    kinds = {root.kind for root in library_roots() if root.path.resolve() in parents}
    return bool(kinds) and RootKind.MINE not in kinds


def integration_roots() -> tuple[Path, ...]:
    """Folders of integration directories, the user's first; only existing ones."""
    return tuple(root.path for root in library_roots())


def list_integrations() -> tuple[str, ...]:
    """Return the sorted names of all integrations: the user's, shipped and stable-retro's."""
    places = (place for root in integration_roots() for place in root.glob("[!._]*"))
    return tuple(sorted({place.name for place in places if is_integration(place)}))


def game_at(path: str | Path) -> Path:
    """Return ``path`` if it exists, or else the directory of the integration of that name."""
    # os.path returns False where pathlib raises, as for a NUL.
    if not os.path.exists(path):  # noqa: PTH110 - see above
        with contextlib.suppress(SessionError):
            return find_integration(str(path))
    return Path(path)


def load_integration(directory: str | Path) -> "Integration":
    """Load the documents of a directory or name, without core and ROM. Raises DocumentError."""
    from integrator.domain.integration import directory as directories  # noqa: PLC0415 - numpy

    return directories.load_integration(game_at(directory))


def find_integration(name: str, near: Path | None = None) -> Path:
    """Find a directory, first around ``near``, preferably with a ROM. Raises SessionError."""
    around = [near.parent, near.parent.parent] if near is not None else []
    places = [*around, *integration_roots()]
    if Path(name).name == name and name not in ("", "..") and "\0" not in name:
        found = [place / name for place in places if (place / name).is_dir()]
        playable = [place for place in found if find_rom(place) is not None]
        if found and (playable or near is None):
            return (playable or found)[0]
        if found:
            cure = f"name your own {name} with --game DIR, or import the ROM"
            raise SessionError(f"{found[0]}: no ROM in it; {cure}")
    looked = ", ".join(str(place) for place in places)
    raise SessionError(f"no integration named {name!r} in {looked}; name it with --game DIR")


def core_places() -> discovery.Places:
    """Return the folders of cores on this computer, in the order of search."""
    return discovery.core_places([paths.user_data_dir() / "cores"], os.environ)


def systems() -> Systems:
    """Return all consoles by name, the shipped ones first; see :func:`skipped_systems`."""
    return _load_systems({})


def skipped_systems() -> Mapping[Path, str]:
    """Return the faults and cures of the user's invalid descriptors, by file."""
    skipped: dict[Path, str] = {}
    _load_systems(skipped)
    return skipped


def _load_systems(skipped: dict[Path, str]) -> Systems:
    schema = paths.shipped("resources") / "schemas" / "system.schema.json"
    shipped, own = paths.shipped("cores") / "systems", paths.user_systems_dir()
    return load_descriptors(shipped, own, schema=schema, shipped=shipped, skipped=skipped)
