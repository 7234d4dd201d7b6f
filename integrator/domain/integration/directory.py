"""Loads, lists and creates integration directories, and compares their files with the disk."""

import contextlib
import difflib
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, starmap, zip_longest
from pathlib import Path

from integrator.domain.errors import MISSING, DocumentError, SaveError
from integrator.domain.files import reading as disk
from integrator.domain.files.atomic import remove_leftovers, saving
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonPath, JsonValue, same, show_path
from integrator.domain.integration import json_files, naming
from integrator.domain.integration.files import ROOM_CURE, Integration
from integrator.domain.integration.naming import LIST_SUFFIX, SubsystemList
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES, STATE_SUFFIX, state_stamp
from libretro_host.processes.temporary import made_whole


@dataclass(frozen=True, slots=True)
class IntegrationInfo:
    """Facts about a directory of a root, found without opening any file in it."""

    directory: Path
    name: str
    system: str
    rom: Path | None
    states: tuple[str, ...]


def load_integration(directory: Path | str) -> Integration:
    """Load the documents of a directory, but neither ROM nor core. Raises DocumentError."""
    directory = Path(directory)
    with disk.reading(directory, "; check that it is yours"):
        if not directory.is_dir():
            what = "it is a file; give the directory of an integration"
            raise DocumentError(f"{directory}: {what if directory.exists() else MISSING}")
        # This raises without the right to enter; Path.is_file() does not, since Python 3.14.
        os.stat(f"{directory}/.")  # noqa: PTH116 - a Path drops the dot
        if not naming.is_integration(directory):
            *files, last = naming.OWN_FILES
            text = "so it is no integration; make one from a ROM with 'integrator new ROM'"
            raise DocumentError(f"{directory} holds none of {', '.join(files)} and {last}, {text}")
        remove_leftovers(directory)
        return Integration(directory)


def list_integrations(root: Path | str) -> tuple[IntegrationInfo, ...]:
    """Return the integrations directly under ``root``, sorted by name. Raises DocumentError."""
    return tuple(iterate_integrations(root))


def iterate_integrations(root: Path | str) -> Iterator[IntegrationInfo]:
    """Yield what :func:`list_integrations` returns, one by one, for folders of a thousand."""
    try:
        with os.scandir(root) as entries:
            folders = [e for e in entries if e.is_dir() and not e.name.startswith((".", "_"))]
        for entry in sorted(folders, key=lambda e: e.name):
            # A directory that is unreadable, or was removed meanwhile, must not hide the others.
            with contextlib.suppress(PermissionError, FileNotFoundError):
                status = entry.stat()
                # Programs that copy folders set st_mtime back after adding files, but not st_ctime.
                changed_ns = max(status.st_mtime_ns, status.st_ctime_ns)
                # Two changes within one tick of the file system's clock have the same time.
                is_settled = time.time_ns() - changed_ns > 5_000_000_000
                read = _read_info if is_settled else _read_info.__wrapped__
                info = read(entry.path, changed_ns)
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
    """Create ``root/name`` for a ROM, completely or not at all. Raises SaveError, DocumentError."""
    rom, root = Path(rom), Path(root)
    if rom.suffix.lower() == LIST_SUFFIX:
        extension = LIST_SUFFIX
    known = rom.suffix.lower() == f".{extension.lstrip('.')}".lower()
    name = name or naming.clean_name(f"{rom.stem}.rom" if known else rom.name, system)
    if not naming.is_valid_name(name):
        raise DocumentError(f"{name!r} cannot be the name of an integration; {naming.NAME_CURE}")
    target = root / name
    if target.exists():
        raise SaveError(
            f"{target} exists already and was not changed; open it, or choose another name"
        )
    # Training opens the disc itself, so lists of files and programs without discs are refused.
    if rom.suffix.lower() in disk.DISC_LISTS:
        cure = f"make a .{extension} of a disc first (chdman of MAME's tools makes .chd)"
        raise DocumentError(f"{rom} names other files, and an integration has one; {cure}")
    if rom.suffix.lower() == ".elf":
        cure = f"make a .{extension} of a disc with it first"
        raise DocumentError(f"{rom} is a program without a disc, and training opens discs; {cure}")
    parts: dict[str, bytes] = {}
    data = disk.read_rom(rom)
    if not data:
        raise DocumentError(f"{rom} is empty; choose another file")
    if extension == LIST_SUFFIX:
        data, parts = _with_parts(SubsystemList.read(rom))
    sha1 = hashlib.sha1(disk.rom_bytes(data, rom.suffix), usedforsecurity=False).hexdigest()
    if rom.suffix.lower() == ".smd":
        data = disk.deinterleave_smd(data)
    with saving(f"{target} could not be made", ROOM_CURE):
        root.mkdir(parents=True, exist_ok=True)
        files = {f"rom.{extension.lstrip('.')}": data, naming.SHA_FILE: f"{sha1}\n".encode()}
        _build(target, {**files, **parts})
    return load_integration(target)


def _with_parts(listed: SubsystemList) -> tuple[bytes, dict[str, bytes]]:
    parts: dict[str, bytes] = {}
    names: list[Path | None] = []
    for number, file in enumerate(listed.files, 1):
        names.append(None if file is None else Path(f"part{number}{file.suffix}"))
        if file is not None:
            parts[f"part{number}{file.suffix}"] = disk.read_rom(file)
    return replace(listed, files=tuple(names)).to_bytes(), parts


def _build(target: Path, files: dict[str, bytes]) -> None:
    with made_whole(target) as draft:
        draft.mkdir()
        for file, data in files.items():
            (draft / file).write_bytes(data)
        json_files.VariablesDocument.create(draft / naming.DATA_FILE, {"info": {}}).save()
        json_files.ScenarioDocument.create(
            draft / naming.SCENARIO_FILE, json_files.scenario_skeleton()
        ).save()
        json_files.MetadataDocument.create(draft / naming.METADATA_FILE, {}).save()


@lru_cache(10_000)  # each scan finds the same thousands of folders, of which few have changed
def _read_info(path: str, _changed_ns: int) -> IntegrationInfo | None:
    directory = Path(path)
    with os.scandir(path) as entries:
        names = sorted(entry.name for entry in entries)
    if not set(naming.OWN_FILES) & set(names):
        return None
    roms = (name for name in names if name.startswith("rom."))
    rom = next((directory / n for n in roms if Path(n).suffix.lower() not in naming.NOT_ROMS), None)
    files = [n for n in names if n.endswith(STATE_SUFFIX) and not n.startswith(("_", "."))]
    # Sort without the suffix, so that "A" comes before "A-2" although a dash precedes a dot.
    states = tuple(sorted(file.removesuffix(STATE_SUFFIX) for file in files))
    return IntegrationInfo(directory, directory.name, naming.system_of(directory.name), rom, states)


@dataclass(frozen=True, slots=True)
class LinePair:
    """A line on disk (``theirs``) and in the editor (``ours``); None if a side has no line."""

    theirs: str | None
    ours: str | None

    @property
    def differs(self) -> bool:
        return self.theirs != self.ours


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file on disk and as saving would write it; for documents, the ``places`` that differ."""

    file: Path
    theirs: str
    ours: str
    places: tuple[str, ...] | None = None

    @property
    def line_pairs(self) -> tuple[LinePair, ...]:
        theirs, ours = self.theirs.splitlines(), self.ours.splitlines()
        blocks = difflib.SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes()
        both = (zip_longest(theirs[a:b], ours[c:d]) for _, a, b, c, d in blocks)
        return tuple(starmap(LinePair, chain.from_iterable(both)))


def compare(integration: Integration, path: Path) -> FileDifference:
    """Compare one of an integration's files with the disk. Raises DocumentError."""
    if path.suffix == STATE_SUFFIX:
        # States are compared by a description, because their bytes say nothing to a reader.
        with disk.reading(path):
            on_disk = disk.read_file(path, MAX_STATE_FILE_BYTES) if path.exists() else None
        ours = _state_text(integration.content(path.name))
        return FileDifference(path, _state_text(on_disk), ours)
    document = integration.document_at(path)
    if document is None and path.name not in integration.scripts.files:
        raise DocumentError(f"{path} is no file of {integration.directory}")
    with disk.reading(path):
        theirs = disk.read_text(path, disk.TEXT_BYTES, "surrogateescape") if path.exists() else ""
    if document is None:
        return FileDifference(path, theirs, integration.scripts.get(path.name, ""))
    places = None
    with suppress(DocumentError):
        places = tuple(differing_places(JsonDocument.load(document.path).value, document.value))
    return FileDifference(path, theirs, document.text, places)


def _state_text(data: object) -> str:
    if not isinstance(data, bytes):
        return ""
    digest = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    return (
        f"a start state of {len(data)} bytes\n"
        f"saved by {state_stamp(data) or 'a core that it does not name'}\n"
        f"SHA-1 {digest}\n"
    )


def differing_places(theirs: JsonValue, ours: JsonValue, path: JsonPath = ()) -> Iterator[str]:
    """Yield the deepest places where two JSON values differ; the order of keys is ignored."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys([*theirs, *ours]):
            if key in theirs and key in ours:
                yield from differing_places(theirs[key], ours[key], (*path, key))
            else:
                yield show_path((*path, key))
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (left, right) in enumerate(zip(theirs, ours, strict=True)):
            yield from differing_places(left, right, (*path, index))
    elif not same(theirs, ours):
        yield show_path(path)
