"""Finds the cores and the BIOS files of a system on this computer."""

import contextlib
import hashlib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from filecmp import cmp
from pathlib import Path
from string import Template

from libretro_host.content_file import read_file
from libretro_host.errors import CoreNotFoundError
from libretro_host.systems.descriptor import BiosFile, SystemDescriptor, missing_bios

CORES_VARIABLE = "INTEGRATOR_CORES"  # environment variable: folders as in PATH

_LIBRARY_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
INSTALL_HINT = 'pip install "retro-integrator[cores]"'  # installs stable-retro's cores


@dataclass(frozen=True, slots=True)
class CoreChoice:
    """The core that runs a system: its file, its name, and the reason."""

    path: Path
    core: str
    reason: str


@dataclass(frozen=True, slots=True)
class CoreListing:
    """The core of one system, or the reason why there is none. ``choice`` is None if no core was
    found; then ``problem`` is the message with a fix, and ``wanted`` names the files that were
    searched for. ``missing_bios`` are the files of which the system folder needs any one before
    content runs; empty if it has one."""

    system: SystemDescriptor
    choice: CoreChoice | None
    problem: str
    missing_bios: tuple[BiosFile, ...]
    wanted: tuple[str, ...] = ()


Places = Sequence[tuple[Path, str]]  # folders of cores in search order, each described


def core_places(user_dirs: Sequence[Path], environment: Mapping[str, str]) -> Places:
    """Return the folders of cores, each once, whether or not they exist.

    In order: ``user_dirs`` and the folders in INTEGRATOR_CORES, the stable-retro package (its cores
    are those that training uses), RetroArch's folders, the system's library folders."""
    entries = filter(None, environment.get(CORES_VARIABLE, "").split(os.pathsep))
    wheel, libraries = wheel_core_dir(), ["lib", "lib64", "local/lib"]
    if triplet := sysconfig.get_config_var("MULTIARCH"):
        libraries.insert(0, f"lib/{triplet}")
    unix = [] if sys.platform in {"win32", "darwin"} else libraries
    every = {
        "the user's core folder": user_dirs,
        f"a folder of {CORES_VARIABLE}": map(Path, entries),
        "the stable-retro package: the core that training uses": [wheel] if wheel else [],
        "RetroArch's core folder": _retroarch_dirs(environment),
        "the system's libretro folder": [Path("/usr", each, "libretro") for each in unix],
    }
    found: dict[Path, str] = {}
    for place, folders in every.items():
        for folder in folders:
            found.setdefault(folder, place)
    return list(found.items())


def find_core(system: SystemDescriptor, places: Places, explicit: Path | None = None) -> CoreChoice:
    """Find a system's core in ``places``, or in ``explicit``, a core file or a folder of cores.

    Within one place the order of ``descriptor.cores`` decides. Raises CoreNotFoundError, which
    names the files and folders that were searched. No other core replaces ``explicit``."""
    if explicit is not None and not explicit.is_dir():
        if not explicit.is_file():
            cure = f"give the path of a *_libretro{_LIBRARY_SUFFIX} file or of a folder that has it"
            raise CoreNotFoundError(f"{explicit}: no such core; {cure}")
        return CoreChoice(explicit, core_name(explicit), "named by the user")
    places = [(explicit, "the folder that was named")] if explicit else places
    if (choice := next(_choices(system, places), None)) is not None:
        return choice
    files = " ".join(_file_names(system))
    folders = " ".join(str(folder) for folder, _ in places)
    packages = [name for core in system.cores if (name := system.packages.get(core))]
    debian = f", or the Debian package {packages[0]}" if packages else ""
    lacking = wheel_core_dir() is not None and training_core(system) is None
    source = "from RetroArch's list of cores" if lacking else f"with {INSTALL_HINT}"
    raise CoreNotFoundError(
        f"no core for {system.name} ({system.title}): looked for {files} in {folders}; "
        f"get one {source}{debian}, or name a folder with {CORES_VARIABLE}"
    )


def _choices(descriptor: SystemDescriptor, places: Places) -> Iterator[CoreChoice]:
    """Yield the system's cores that exist, in the order of :func:`find_core`."""
    for folder, place in places:
        for core, name in zip(descriptor.cores, _file_names(descriptor), strict=True):
            if (folder / name).is_file():
                yield CoreChoice(folder / name, core, f"found in {place}")


def other_cores(descriptor: SystemDescriptor, used: Path, places: Places) -> tuple[CoreChoice, ...]:
    """Return the system's cores in all folders, without copies of ``used`` or of each other."""
    found = list[CoreChoice]()
    for choice in _choices(descriptor, places):
        known = (used, *(each.path for each in found))
        if not any(cmp(choice.path, each, shallow=False) for each in known):
            found.append(choice)
    return tuple(found)


def list_cores(
    descriptors: Iterable[SystemDescriptor], places: Places, system_dir: Path | None = None
) -> tuple[CoreListing, ...]:
    """Return each system's core, or the reason why there is none, and its missing BIOS files."""
    listing = []
    for descriptor in descriptors:
        lacks = missing_bios(descriptor, system_dir)
        try:
            listing.append(CoreListing(descriptor, find_core(descriptor, places), "", lacks))
        except CoreNotFoundError as error:
            wanted = _file_names(descriptor)
            listing.append(CoreListing(descriptor, None, str(error), lacks, wanted))
    return tuple(listing)


def every_core(places: Places) -> tuple[tuple[Path, str], ...]:
    """Return the first core file of each name in all folders, with its place, sorted by name."""
    found: dict[str, tuple[Path, str]] = {}
    for folder, place in places:
        for path in folder.glob(f"*_libretro{_LIBRARY_SUFFIX}"):
            if path.is_file():
                found.setdefault(core_name(path), (path, place))
    return tuple(found[name] for name in sorted(found))


def core_name(path: Path) -> str:
    """Return a core file's name in descriptors: ``fceumm`` for ``fceumm_libretro.so``."""
    return path.stem.removesuffix("_libretro")


def wheel_core_dir() -> Path | None:
    """Return the folder of cores in the installed stable-retro package, without importing it."""
    try:
        spec = importlib.util.find_spec("stable_retro")
    except (ImportError, ValueError):  # ValueError: the module was made by hand, without a spec
        return None
    for location in (spec and spec.submodule_search_locations) or ():
        folder = Path(location) / "cores"
        if folder.is_dir():
            return folder
    return None


def training_core(descriptor: SystemDescriptor) -> Path | None:
    """Return the system's core in the installed stable-retro package, or None."""
    places = [(folder, "")] if (folder := wheel_core_dir()) else []
    return next((choice.path for choice in _choices(descriptor, places)), None)


def _retroarch_dirs(environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders of RetroArch's downloaded cores, for each way of installing RetroArch."""
    flatpak = "$HOME/.var/app/org.libretro.RetroArch/config/retroarch"
    unix = ("$HOME/.config/retroarch", flatpak, "$HOME/snap/retroarch/current/.config/retroarch")
    folders = {
        "win32": ("$APPDATA/RetroArch", "C:/RetroArch-Win64", "C:/RetroArch"),
        "darwin": ("$XDG_CONFIG_HOME/retroarch", "$HOME/Library/Application Support/RetroArch"),
    }.get(sys.platform, ("$XDG_CONFIG_HOME/retroarch", *unix))
    for folder in folders:
        with contextlib.suppress(KeyError):
            yield Path(Template(folder).substitute(environment), "cores")


def _file_names(descriptor: SystemDescriptor) -> tuple[str, ...]:
    return tuple(f"{core}_libretro{_LIBRARY_SUFFIX}" for core in descriptor.cores)


class BiosState(StrEnum):
    """The result of the check of one BIOS file; the values are shown to users."""

    RIGHT = "right"
    UNCHECKED = "there, its correct hash is unknown"
    OTHER = "there, but with another hash"
    MISNAMED = "there under another name"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class BiosCheck:
    """The check of one BIOS file; ``found`` is the file, perhaps misnamed, or None if missing."""

    bios: BiosFile
    state: BiosState
    found: Path | None = None

    @property
    def text(self) -> str:
        """One line that names the file and, if something is wrong, a fix."""
        bios, problem = self.bios, self.state.value
        if self.state is BiosState.MISSING:
            problem = f"missing, {'needed' if bios.required else 'optional'}"
        elif self.state is BiosState.MISNAMED and self.found:
            problem = f"{self.found.name} is this file; rename it"
        elif self.state is BiosState.OTHER:
            problem = f"its MD5 is not {bios.md5}; it is damaged or of another version"
        return f"{bios.file}{bios.note and f' ({bios.note})'}: {problem}"


def check_bios(descriptor: SystemDescriptor, system_dir: Path) -> tuple[BiosCheck, ...]:
    """Check each BIOS file by name and MD5; search other names for the MD5 of a missing file."""
    others: dict[str | None, Path] = {}
    checks = []
    for bios in descriptor.bios:
        found: Path | None = system_dir / bios.file
        if (digest := _md5(system_dir / bios.file)) is not None:
            same = BiosState.RIGHT if digest == bios.md5.lower() else BiosState.OTHER
            state = same if bios.md5 else BiosState.UNCHECKED
        else:
            if bios.md5 and not others and system_dir.is_dir():
                others = {_md5(path): path for path in sorted(system_dir.iterdir())}
            found = others.get(bios.md5.lower()) if bios.md5 else None
            state = BiosState.MISNAMED if found else BiosState.MISSING
        checks.append(BiosCheck(bios, state, found))
    return tuple(checks)


def _md5(path: Path) -> str | None:
    try:
        # No BIOS is larger than 8 MiB.
        return hashlib.md5(read_file(path, 8 << 20), usedforsecurity=False).hexdigest()
    except OSError:
        return None
