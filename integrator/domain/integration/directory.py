"""Integration directories: loading one, listing a root folder of them, making one from a ROM."""

import contextlib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from integrator.domain.errors import MISSING, DocumentError, SaveError
from integrator.domain.files.atomic import remove_leftovers, saving
from integrator.domain.files.reading import (
    DISC_LISTS,
    deinterleave_smd,
    read_rom,
    reading,
    rom_bytes,
)
from integrator.domain.integration.files import ROOM_CURE, Integration
from integrator.domain.integration.metadata import (
    MetadataDocument,
    ScenarioDocument,
    VariablesDocument,
    scenario_skeleton,
)
from integrator.domain.integration.naming import (
    DATA_FILE,
    LIST_SUFFIX,
    METADATA_FILE,
    NAME_CURE,
    NOT_ROMS,
    SCENARIO_FILE,
    SHA_FILE,
    SubsystemList,
    clean_name,
    is_integration,
    is_valid_name,
    system_of,
)
from integrator.domain.integration.states import STATE_SUFFIX
from libretro_host.processes.temporary import OwnedFolder


@dataclass(frozen=True, slots=True)
class IntegrationInfo:
    """One directory of a root, seen without opening any file in it."""

    directory: Path
    name: str
    system: str
    rom: Path | None
    states: tuple[str, ...]


def load_integration(directory: Path | str) -> Integration:
    """Load the documents of a directory, without ROM and core. Raises DocumentError."""
    directory = Path(directory)
    with reading(directory, "; check that it is yours"):
        if not directory.is_dir():
            what = "it is a file; give the directory of an integration"
            raise DocumentError(f"{directory}: {what if directory.exists() else MISSING}")
        # Without the right to enter, Path.is_file() raises no error from Python 3.14 on.
        os.stat(f"{directory}/.")  # noqa: PTH116 - a Path drops the dot
        if not is_integration(directory):
            raise DocumentError(
                f"{directory} holds none of {DATA_FILE}, {SCENARIO_FILE}, {METADATA_FILE} and "
                f"{SHA_FILE}, so it is no integration; make one from a ROM with "
                "'integrator new ROM'"
            )
        remove_leftovers(directory)
        return Integration(directory)


def list_integrations(root: Path | str) -> tuple[IntegrationInfo, ...]:
    """Integrations directly under ``root``, sorted by name. Raises DocumentError."""
    return tuple(iterate_integrations(root))


def iterate_integrations(root: Path | str) -> Iterator[IntegrationInfo]:
    """As :func:`list_integrations`, one by one, for folders of a thousand of them."""
    try:
        with os.scandir(root) as entries:
            folders = [e for e in entries if e.is_dir() and not e.name.startswith((".", "_"))]
        for entry in sorted(folders, key=lambda e: e.name):
            # A directory that we may not read is no reason to hide the others.
            with contextlib.suppress(PermissionError):
                info = _info(Path(entry.path))
                if info is not None:
                    yield info
    except FileNotFoundError:
        return
    except OSError as error:
        raise DocumentError(
            f"{root} could not be listed ({error.strerror}); choose a folder of integrations"
        ) from error


def create_integration(
    rom: Path | str, root: Path | str, name: str | None, system: str, extension: str
) -> Integration:
    """Make ``root/name`` for a ROM, whole or not at all. Raises SaveError, DocumentError."""
    rom, root = Path(rom), Path(root)
    if rom.suffix.lower() == LIST_SUFFIX:
        extension = LIST_SUFFIX
    known = rom.suffix.lower() == f".{extension.lstrip('.')}".lower()
    name = name or clean_name(f"{rom.stem}.rom" if known else rom.name, system)
    if not is_valid_name(name):
        raise DocumentError(f"{name!r} cannot be the name of an integration; {NAME_CURE}")
    target = root / name
    if target.exists():
        raise SaveError(
            f"{target} exists already and was not changed; open it, or choose another name"
        )
    # Training opens the disc itself, so lists of discs, and a stand-in for one, are refused.
    if rom.suffix.lower() in DISC_LISTS:
        cure = f"make a .{extension} of a disc first (chdman of MAME's tools makes .chd)"
        raise DocumentError(f"{rom} names other files, and an integration has one; {cure}")
    if rom.suffix.lower() == ".elf":
        cure = f"make a .{extension} of a disc with it first"
        raise DocumentError(f"{rom} is a program without a disc, and training opens discs; {cure}")
    parts: dict[str, bytes] = {}
    data = read_rom(rom)
    if not data:
        raise DocumentError(f"{rom} is empty; choose another file")
    if extension == LIST_SUFFIX:
        data, parts = _with_parts(SubsystemList.read(rom))
    sha1 = hashlib.sha1(rom_bytes(data, rom.suffix), usedforsecurity=False).hexdigest()
    if rom.suffix.lower() == ".smd":
        data = deinterleave_smd(data)
    with saving(f"{target} could not be made", ROOM_CURE):
        root.mkdir(parents=True, exist_ok=True)
        files = {f"rom.{extension.lstrip('.')}": data, SHA_FILE: f"{sha1}\n".encode()}
        _build(target, {**files, **parts})
    return load_integration(target)


def _with_parts(listed: SubsystemList) -> tuple[bytes, dict[str, bytes]]:
    parts: dict[str, bytes] = {}
    names: list[Path | None] = []
    for number, file in enumerate(listed.files, 1):
        names.append(None if file is None else Path(f"part{number}{file.suffix}"))
        if file is not None:
            parts[f"part{number}{file.suffix}"] = read_rom(file)
    return replace(listed, files=tuple(names)).to_bytes(), parts


def _build(target: Path, files: dict[str, bytes]) -> None:
    with OwnedFolder(target.parent) as folder:
        draft = folder / target.name
        draft.mkdir()
        for file, data in files.items():
            (draft / file).write_bytes(data)
        VariablesDocument.create(draft / DATA_FILE, {"info": {}}).save()
        ScenarioDocument.create(draft / SCENARIO_FILE, scenario_skeleton()).save()
        MetadataDocument.create(draft / METADATA_FILE, {}).save()
        draft.rename(target)


def _info(directory: Path) -> IntegrationInfo | None:
    with os.scandir(directory) as entries:
        names = sorted(entry.name for entry in entries)
    if not {DATA_FILE, SCENARIO_FILE, METADATA_FILE, SHA_FILE} & set(names):
        return None
    roms = (n for n in names if n.startswith("rom.") and Path(n).suffix.lower() not in NOT_ROMS)
    rom = next((directory / name for name in roms), None)
    files = [n for n in names if n.endswith(STATE_SUFFIX) and not n.startswith(("_", "."))]
    # Sorted without the suffix: "A" goes before "A-2", whose dash sorts before a dot.
    states = tuple(sorted(file.removesuffix(STATE_SUFFIX) for file in files))
    return IntegrationInfo(directory, directory.name, system_of(directory.name), rom, states)
