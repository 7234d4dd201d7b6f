"""Prepares the user's file for a core: unpacks it, and puts its bytes in plain order."""

import hashlib
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from integrator.domain.errors import SessionError
from integrator.domain.files import reading
from integrator.domain.files.atomic import write_with_folder
from integrator.domain.files.reading import decoding, read_head
from integrator.domain.integration.naming import LIST_SUFFIX, SubsystemList, fits_file_system
from integrator.domain.movies.reading import other_movie
from integrator.domain.roms import ROM_HEAD_BYTES, cut_off, plain_rom
from libretro_host.systems.axes import PLAYLIST
from libretro_host.systems.descriptor import SystemDescriptor, Systems, begins_otherwise, system_for

MAX_DEPTH = 4  # of zips inside zips
PACKED = frozenset({".7z", ".rar", ".gz", ".xz", ".tar", ".bz2"})
"""Archives that are not opened. Cores of arcade machines read some of them by themselves."""
_ARCHIVES = {  # by their first bytes, whatever a file is called
    b"7z\xbc\xaf\x27\x1c": ".7z",
    b"Rar!\x1a\x07": ".rar",
    b"\x1f\x8b\x08": ".gz",
    b"\xfd7zXZ": ".xz",
    b"PK\x03\x04": ".zip",
}
_ALONGSIDE = frozenset({".txt", ".nfo", ".diz", ".md5", ".sfv", ".xml", ".jpg", ".png", ".url"})
_MAX_PLAIN_BYTES = 33 << 20


@dataclass(frozen=True, slots=True)
class Content:
    """A game ready for a core. ``path`` is the file for the core; it is in the cache if the user's
    file had to be unpacked or put in order. ``name`` is the file name that the game goes by.
    ``doubts`` are sentences about a file that is not what its name or header says. For a
    subsystem's game, ``path`` is a list of files, and ``listed`` its content."""

    path: Path
    name: str
    system: SystemDescriptor
    doubts: tuple[str, ...] = ()
    listed: SubsystemList | None = None


def prepare_content(
    source: Path, descriptors: Systems, cache: Path, system: SystemDescriptor | None = None
) -> Content:
    """Make ``source`` fit for a core, unpacked in ``cache``. Raises SessionError."""
    with decoding(SessionError, f"{source}: cannot be opened", "choose another file"):
        head = read_head(source, 8)
        if not head:
            raise SessionError(f"{source} is empty; choose another file")
        if other := other_movie(source):
            raise SessionError(f"{source}: {other}")
        suffix = source.suffix.lower()
        begun = next((kind for magic, kind in _ARCHIVES.items() if head.startswith(magic)), "")
        archive = suffix if suffix in PACKED else begun
        own = {*system.extensions, *system.aliases} if system else set()
        if archive in PACKED and archive[1:] not in own:
            arcade = "an arcade machine's core may read it: name the console"
            cure = f"unpack it, or pack the game as .zip ({arcade})"
            raise SessionError(f"{source}: a {archive} archive is not opened here; {cure}")
        if ".zip" in (suffix, archive) and not (system and "zip" in system.extensions):
            return _from_zip(source, descriptors, cache, system)
        if suffix == LIST_SUFFIX:
            listed = SubsystemList.read(source)
            if listed.system not in descriptors:
                known = " ".join(descriptors)
                raise SessionError(f"{source}: no system {listed.system}; there are {known}")
            return Content(source, source.name, descriptors[listed.system], listed=listed)
        content = Content(source, source.name, system or system_for(source, descriptors))
        return _for_core(content, cache, named=system is not None)


def list_files(
    system: SystemDescriptor, subsystem: str, files: Sequence[Path | None], cache: Path
) -> Path:
    """Write a list of the files of one game into the cache. Raises SessionError."""
    whole = tuple(None if file is None else file.absolute() for file in files)
    name = next((file.stem for file in whole if file is not None), subsystem)
    data = SubsystemList(system.name, subsystem, whole).to_bytes()
    cure = "give yourself the right to write there, and make room"
    with decoding(SessionError, f"{cache}: no list of files can be kept there", cure):
        return _cached(cache, f"{name}{LIST_SUFFIX}", data)


def _from_zip(
    source: Path, descriptors: Systems, cache: Path, system: SystemDescriptor | None
) -> Content:
    with (
        decoding(SessionError, f"{source}: cannot be unpacked", "unpack it yourself"),
        reading.open_file(source, limit_bytes=4 << 30) as file,
        zipfile.ZipFile(file) as archive,
    ):
        unpacked = _unpacked(source, archive, descriptors)
    if unpacked is None:
        # The zip holds no cartridge, so it may be a ROM set of an arcade machine.
        return Content(source, source.name, system or system_for(source, descriptors))
    name, data = unpacked
    if not fits_file_system(name):
        name = f"game{Path(name).suffix}"
    path = _cached(cache, name, data)
    content = Content(path, name, system or system_for(path, descriptors))
    return _for_core(content, cache, named=system is not None)


def _unpacked(
    source: Path, archive: zipfile.ZipFile, descriptors: Systems, depth: int = 1
) -> tuple[str, bytes] | None:
    """Return name and bytes of the only ROM in a zip or its inner zips; None for a ROM set."""
    if (member := _only_rom(source, archive, descriptors)) is None:
        return None
    name, data = Path(member.filename).name, archive.read(member)
    if Path(name).suffix.lower() != ".zip":
        return name, data
    if depth == MAX_DEPTH:
        raise SessionError(f"{source} holds zips more than {MAX_DEPTH} deep; unpack it yourself")
    with zipfile.ZipFile(io.BytesIO(data)) as inner:
        return _unpacked(source, inner, descriptors, depth + 1) or (name, data)


def _only_rom(source: Path, archive: zipfile.ZipFile, systems: Systems) -> zipfile.ZipInfo | None:
    """Return the only cartridge in a zip; None if it may be a ROM set. Raises SessionError."""
    extensions = {"zip"}
    for one in systems.values():
        if "zip" not in one.extensions:
            extensions |= {*one.extensions, *one.aliases}
    # Text files may end in .md, as Genesis games do.
    prose = {"readme", "license", "changelog", "manual"}
    members = [
        member
        for member in archive.infolist()
        if not member.filename.endswith("/")
        and Path(member.filename).suffix.lower() not in _ALONGSIDE
        and Path(member.filename).stem.lower() not in prose
    ]
    if not members:
        held = ", ".join(archive.namelist()[:4]) or "nothing"
        raise SessionError(f"{source} holds no game ({held}); choose another file")
    roms = [m for m in members if Path(m.filename).suffix.lower()[1:] in extensions]
    # Chips of arcade machines are often called .bin.
    sure = [m for m in roms if Path(m.filename).suffix.lower() != ".bin"]
    if len(sure) > 1:
        names = ", ".join(m.filename for m in sure[:4]) + (", ..." if len(sure) > 4 else "")
        raise SessionError(f"{source} holds {len(sure)} ROMs ({names}); unpack the one you want")
    packed = [m.filename for m in members if Path(m.filename).suffix.lower() in PACKED]
    if packed and not roms:
        raise SessionError(f"{source} holds the archive {packed[0]}; unpack that one yourself")
    chosen = sure or (roms if len(members) == 1 else [])
    if chosen and chosen[0].file_size > 512 << 20:  # a few KiB can claim terabytes
        raise SessionError(f"{source}: {chosen[0].filename} is too large; unpack it yourself")
    return chosen[0] if chosen else None


def _for_core(content: Content, cache: Path, *, named: bool) -> Content:
    """Return the content under a suffix that cores know, with doubts about the file. ``named`` is
    true if the user named the system."""
    system, file, doubts = content.system, content.path, []
    suffix = file.suffix.lower()
    coded = {".smd", ".sfc", ".smc", ".swc", ".fig", ".md", ".gen", ".bin"}
    if suffix in coded and file.stat().st_size <= _MAX_PLAIN_BYTES:
        data = reading.read_file(file, _MAX_PLAIN_BYTES)
        plain = plain_rom(data, suffix)
        if plain is not data:
            # The bytes are not in the console's order, so the cache gets a plain copy.
            name = f"{Path(content.name).stem}.{system.extensions[0]}"
            file = _cached(cache, name, plain)
            content = replace(content, path=file, name=name)
    kind = file.suffix.lower()[1:]
    wanted = system.core_suffixes.get(kind)
    if not named and kind not in {*system.extensions, *system.aliases}:
        doubts.append(f"{content.name} is a game of {system.title}, whatever its suffix says")
        wanted = system.extensions[0]
    if begins_otherwise(file, system):
        begun = f"{content.name} does not begin as a game of {system.title} does"
        doubts.append(f"{begun}; it may be damaged, or of another console")
    if missing := cut_off(read_head(file, ROM_HEAD_BYTES), file.stat().st_size):
        doubts.append(f"{content.name} is cut off: {missing}; find a whole dump")
    path = file if wanted is None else _linked(file, cache, wanted)
    return replace(content, path=path, doubts=tuple(doubts))


def _linked(file: Path, cache: Path, suffix: str) -> Path:
    file = file.resolve()
    folder = cache / hashlib.sha1(bytes(file), usedforsecurity=False).hexdigest()
    link = folder / f"{file.stem}.{suffix}"
    if not (link.is_symlink() and link.readlink() == file):
        folder.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(file)
    return link


def _cached(cache: Path, name: str, data: bytes) -> Path:
    path = cache / hashlib.sha1(data, usedforsecurity=False).hexdigest() / name
    if not path.is_file() or path.stat().st_size != len(data):
        write_with_folder(path, data)
    return path


def discs_of(content: Path) -> tuple[str, ...]:
    """Return the names of a playlist's discs in order; none for other content."""
    if content.suffix.lower() != PLAYLIST:
        return ()
    lines = (line.strip() for line in reading.read_text(content, reading.SMALL_BYTES).splitlines())
    return tuple(Path(line).stem for line in lines if line and not line.startswith("#"))
