"""System descriptors: facts of a console, read from one JSON file each (cores/systems/*.json)."""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from libretro_host.content_file import open_file, read_file
from libretro_host.errors import AmbiguousContentError, DescriptorError
from libretro_host.request import CoreLimits, LoadRequest
from libretro_host.systems.axes import PLAYLIST, Axis, PluggedAxis, columns, plugged

DEFAULT_TYPES = (
    *("|u1", "|i1", "|d1"),
    *("<u2", ">u2", "<i2", ">i2", "<d2", ">d2"),
    *("<u4", ">u4", "><u4", "<>u4", "<i4", ">i4", "><i4", "<>i4"),
    *("<d4", ">d4", "><d4", "<>d4", "<n4", ">n4", "><n4", "<>n4"),
    *(">d6", ">n6", ">d8", ">n8"),
)
"""The data types that a search tries if the descriptor lists none.

stable-retro falls back to the same set, plus native-endian spellings, which decode like the
little-endian ones on every machine that cores are built for."""

_MAX_JSON_BYTES = 1 << 20
_SURE_BYTES = 4  # shorter signatures only choose among systems that share an extension
_HEADER_BYTES = 0x8000  # enough, because the schema limits the offsets of signatures to it


@dataclass(frozen=True, slots=True)
class BiosFile:
    """A firmware file of a console, which needs any one ``required`` file; ``md5`` may be empty."""

    file: str
    note: str = ""
    required: bool = False
    md5: str = ""


@dataclass(frozen=True, slots=True)
class WorkRam:
    """Work RAM as a console's cores map it; if ``is_all``, they map no other readable memory."""

    address: int
    size_bytes: int
    is_all: bool = False


@dataclass(frozen=True, slots=True)
class SystemDescriptor:
    """The facts of one console.

    ``buttons[i]`` is the name of RETRO_DEVICE_ID_JOYPAD i and of bit i of an input mask (None: no
    such button); ``keys[i]`` is the button's default key. ``cores`` are in order of preference.
    ``actions`` are the default action groups: groups of combinations of button names. ``overlay``
    is (backing, real, width) if memory is byte-swapped within words. ``options`` map core -> option
    key -> value in training; ``packages`` map core -> Debian package. ``extensions`` (the first one
    names ``rom.<extension>``) and ``aliases`` have no dot. ``suffixes`` are other endings of
    integration directory names. ``signatures`` are (offset, bytes) pairs that only content of this
    system has; ``headers`` describe where its ROMs keep title and region (see the schema).
    ``limits`` bound its cores' use of the machine. ``floats`` is true if its games may store
    floating-point numbers. ``hue`` is the color of its games' tiles, in degrees. ``bizhawk`` is the
    console's name in BizHawk's movies; ``characters`` map buttons to characters in movies.
    ``observation`` is the size of the pictures that stable-retro hands to agents, 0 if it uses the
    core's base geometry. ``axes`` are sticks, touch screens and the like, which training cannot
    move. ``ports`` and ``multitap`` map core -> devices at its ports, for up to two players and for
    more. ``warm_up_frames`` map core -> frames before the first state. ``opengl`` are the cores
    that draw with OpenGL. ``core_suffixes`` map extensions that no core knows to extensions by
    which cores know such files."""

    name: str
    title: str
    extensions: tuple[str, ...]
    aliases: tuple[str, ...]
    cores: tuple[str, ...]
    buttons: tuple[str | None, ...]
    keys: tuple[str | None, ...]
    actions: tuple[tuple[tuple[str, ...], ...], ...]
    types: tuple[str, ...]
    rambase: int = 0
    overlay: tuple[str, str, int] | None = None
    platform: str = ""
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reload_on_restore: tuple[str, ...] = ()
    residue: tuple[str, ...] = ()
    bios: tuple[BiosFile, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ()
    signatures: tuple[tuple[int, bytes], ...] = ()
    headers: tuple[Mapping[str, Any], ...] = ()
    limits: CoreLimits = field(default_factory=CoreLimits)
    work_ram: WorkRam | None = None
    floats: bool = False
    hue: int | None = None
    bizhawk: str = ""
    characters: Mapping[str, str] = field(default_factory=dict)
    observation: tuple[int, int] = (0, 0)
    axes: tuple[Axis, ...] = ()
    ports: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    multitap: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    multitap_players: Mapping[str, int] = field(default_factory=dict)
    warm_up_frames: Mapping[str, int] = field(default_factory=dict)
    opengl: tuple[str, ...] = ()
    core_suffixes: Mapping[str, str] = field(default_factory=dict)

    def load_request(
        self,
        core: str,
        core_path: Path,
        content: Path,
        *,
        system_dir: Path | None = None,
        save_dir: Path | None = None,
        options: Mapping[str, str] | None = None,
    ) -> LoadRequest:
        """Return a request to start ``content`` as in training, except for single ``options``."""
        return LoadRequest(
            core=core_path,
            content=content,
            rambase=self.rambase,
            options={**self.options.get(core, {}), **(options or {})},
            system_dir=system_dir,
            save_dir=save_dir,
            reload_on_restore=core in self.reload_on_restore,
            limits=self.limits,
        )

    def plug_in(
        self, request: LoadRequest, core: str, players: int
    ) -> tuple[LoadRequest, tuple[PluggedAxis, ...]]:
        """Return the request with controllers for this many players, and the controllers' axes."""
        usual = self.ports.get(core, (1,) * max(players, 2))  # joypads
        devices = self.multitap.get(core, usual) if players > 2 else usual
        axes = plugged(self.axes, players, request.options, request.content)
        return replace(request, port_devices=devices, axes=columns(axes, players)), axes

    def extension_of(self, file: Path) -> str:
        """Return the extension, without the dot, that a game's file gets in its integration."""
        suffix = file.suffix.lower().lstrip(".")
        return suffix if suffix in self.extensions else self.extensions[0]


Systems: TypeAlias = Mapping[str, SystemDescriptor]  # by name


def load_descriptors(
    *roots: Path, schema: Path, shipped: Path | None = None, skipped: dict[Path, str] | None = None
) -> Systems:
    """Load all descriptors in ``roots`` by system name; a later folder replaces whole systems.

    ``schema`` is the JSON Schema that every file must satisfy. The program's tests check the files
    in the folder ``shipped``, so here these are checked only if no descriptor can be built. A
    folder that does not exist counts as empty. Raises DescriptorError, which names the file, the
    JSON path and a fix; but if ``skipped`` is given, an invalid file outside of ``shipped`` is left
    out, and ``skipped`` maps its path to the error message."""
    found: dict[str, SystemDescriptor] = {}
    for folder in roots:
        for path in sorted(folder.glob("*.json")):
            try:
                if folder == shipped:
                    descriptor = _shipped_descriptor(path, path.lstat().st_mtime_ns, schema)
                else:
                    descriptor = checked_descriptor(path, _read_json(path), schema)
            except DescriptorError as error:
                if skipped is None or folder == shipped:
                    raise
                skipped[path] = str(error)
            else:
                found[descriptor.name] = descriptor
    return dict(sorted(found.items()))


@cache
def _shipped_descriptor(path: Path, _mtime_ns: int, schema: Path) -> SystemDescriptor:
    """Read one of the program's own descriptors; cached until the file changes."""
    return checked_descriptor(path, _read_json(path), schema, trusted=True)


def checked_descriptor(
    path: Path, value: Any, schema: Path, *, trusted: bool = False
) -> SystemDescriptor:
    """Build a descriptor from the JSON that ``path`` holds or will hold. Raises DescriptorError."""
    if not trusted:
        _check(path, value, schema)
    try:
        return _build(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        _check(path, value, schema)
        raise


def system_for(path: Path, descriptors: Systems) -> SystemDescriptor:
    """Return a content file's system by its extension, or by its first bytes if systems share it.

    The first bytes also decide if the extension is unknown, or if they clearly belong to another
    system than the extension. A playlist has the system of its first disc.

    Raises DescriptorError if neither the extension nor the first bytes name one system."""
    extension = path.suffix.lower().removeprefix(".")
    candidates = [one for one in descriptors.values() if extension in one.extensions + one.aliases]
    header = _header(path) if path.is_file() else b""
    if not candidates and (found := _recognize(header, descriptors.values(), _SURE_BYTES)):
        return found
    if not candidates:
        known = sorted({f".{ext}" for one in descriptors.values() for ext in one.extensions})
        what = f"the extension .{extension}" if extension else "files without an extension"
        raise DescriptorError(f"{path}: no system uses {what}; known ones: {' '.join(known)}")
    if len(candidates) == 1:
        return _disguised(header, candidates[0], descriptors) or candidates[0]
    disc = _first_disc(path) if path.suffix.lower() == PLAYLIST else None
    if disc is not None:
        return system_for(disc, {each.name: each for each in candidates})
    header = header or _header(path)
    recognized = _recognize(header, candidates)
    if recognized is None and path.suffix.lower() != ".cue":
        recognized = _recognize(header, descriptors.values(), _SURE_BYTES)
    if recognized is None:
        cures = ", ".join(f".{one.extensions[0]} for {one.name}" for one in candidates)
        raise AmbiguousContentError(
            f"{path}: .{extension} can be several systems and the content does not show which; "
            f"rename it: {cures}; or choose with 'integrator new --system'"
        )
    return recognized


def system_from_directory_name(name: str, descriptors: Systems) -> SystemDescriptor | None:
    """Return the system at the end of a name such as ``Airstriker-Genesis-v0``, or None."""
    stem, _, version = name.rpartition("-")
    if stem and re.fullmatch(r"v\d+", version):
        name = stem
    _, _, suffix = name.rpartition("-")
    for descriptor in descriptors.values():
        if suffix == descriptor.name or suffix in descriptor.suffixes:
            return descriptor
    return None


def missing_bios(descriptor: SystemDescriptor, system_dir: Path | None) -> tuple[BiosFile, ...]:
    """Return the required files, any one of which would do; empty if ``system_dir`` has one."""
    required = tuple(bios for bios in descriptor.bios if bios.required)
    if system_dir is not None and any((system_dir / bios.file).is_file() for bios in required):
        return ()
    return required


def _first_disc(playlist: Path) -> Path | None:
    try:
        lines = read_file(playlist, _MAX_JSON_BYTES).decode("utf-8", "replace").splitlines()
    except OSError as error:
        raise DescriptorError(f"{playlist}: cannot be read: {error.strerror}") from error
    names = (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    disc = playlist.parent / next(names, playlist.name)
    return None if disc.suffix.lower() == PLAYLIST else disc


def _header(path: Path) -> bytes:
    """Return the first bytes of content or of a cue sheet's first track, or a CHD's first tag."""
    try:
        with open_file(path, None) as stream:
            head = stream.read(_HEADER_BYTES)
            if head.startswith(b"MComprHD"):
                # The header holds the offset of the first track's tag, at 48 since version 5.
                at = 48 if int.from_bytes(head[12:16]) >= 5 else 36
                stream.seek(min(int.from_bytes(head[at : at + 8]), (1 << 63) - 1))
                return stream.read(4)
        if path.suffix.lower() != ".cue":
            return head
        track = re.search(rb'^\s*FILE\s+"?([^"\r\n]+?)"?\s+\w+\s*$', head, re.MULTILINE)
        if track is None:
            return b""
        with open_file(path.parent / track[1].decode("utf-8", "replace"), None) as stream:
            return stream.read(_HEADER_BYTES)
    except OSError as error:
        file = error.filename or path
        raise DescriptorError(f"{file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise DescriptorError(f"{path}: the name of its first track is invalid: {error}") from error


def begins_otherwise(path: Path, system: SystemDescriptor) -> bool:
    """Return True if a file has the system's main extension but not its games' first bytes."""
    if path.suffix.lower() != f".{system.extensions[0]}" or not system.headers:
        return False
    header = _header(path)
    marks = [mark for sign in _header_signs(system) for mark in sign]
    # Homebrew may lack a mark further back, so only marks at 0 or beyond the file's end count.
    begins = any(offset == 0 or offset >= len(header) for offset, _ in marks)
    return begins and _recognize(header, [system]) is None


def lacks_header(path: Path, system: SystemDescriptor) -> bool:
    """Return True if a readable file has none of the headers of the system's games."""
    header_only = replace(system, signatures=())
    with contextlib.suppress(DescriptorError):
        return bool(system.headers) and _recognize(_header(path), [header_only]) is None
    return False


def _disguised(
    header: bytes, named: SystemDescriptor, descriptors: Systems
) -> SystemDescriptor | None:
    """Return the system that the first bytes show instead of ``named``, or None."""
    if _recognize(header, [named]):
        return None
    strangers = [each for each in descriptors.values() if each is not named]
    apart = [each for each in strangers if set(named.cores).isdisjoint(each.cores)]
    # Between systems that share a core, fewer than 8 bytes prove nothing.
    return _recognize(header, apart, _SURE_BYTES) or _recognize(header, strangers, 8)


def _header_signs(system: SystemDescriptor) -> list[tuple[tuple[int, bytes], ...]]:
    """Return the marks of each header; a ROM with a header has all marks of the header."""
    return [tuple(map(_signature, header.get("marks", ()))) for header in system.headers]


def _recognize(
    header: bytes, candidates: Iterable[SystemDescriptor], least_bytes: int = 1
) -> SystemDescriptor | None:
    """Return the only candidate with the longest matching sign: "SEGA 32X" beats "SEGA"."""
    longest, found = 0, list[SystemDescriptor]()
    for system in candidates:
        for marks in [*([one] for one in system.signatures), *_header_signs(system)]:
            length = sum(len(sign) for _, sign in marks)
            if all(header.startswith(sign, offset) for offset, sign in marks):
                if length > longest:
                    longest, found = length, []
                if length == longest and length and system not in found:
                    found.append(system)
    return found[0] if longest >= least_bytes and len(found) == 1 else None


def _read_json(path: Path) -> Any:
    try:
        return json.loads(read_file(path, _MAX_JSON_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise DescriptorError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise DescriptorError(f"{path}: not JSON: {error}; correct the file") from error


def _check(path: Path, value: Any, schema: Path) -> None:
    # This import takes longer than reading all descriptors, and few people have their own ones.
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - see above
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - see above

    fault = best_match(Draft202012Validator(_read_json(schema)).iter_errors(value))
    if fault is not None:
        raise DescriptorError(f"{path}: {fault.json_path}: {fault.message}; correct this value")
    for json_path, message in _contradictions(value, path):
        raise DescriptorError(f"{path}: {json_path}: {message}")


def _contradictions(value: Mapping[str, Any], path: Path) -> Iterator[tuple[str, str]]:
    if value["system"] != path.stem:
        yield "$.system", f"is {value['system']!r}; rename the file to {value['system']}.json"
    buttons = [entry["button"] for entry in value["joypad"] if entry]
    for index, entry in enumerate(value["joypad"]):
        if entry and buttons.count(entry["button"]) > 1:
            yield f"$.joypad[{index}].button", f"{entry['button']!r} is there twice; rename one"
    for row, group in enumerate(value["actions"]):
        for column, combination in enumerate(group):
            for button in combination:
                if button not in buttons:
                    cure = f"use one of {' '.join(buttons)}"
                    yield f"$.actions[{row}][{column}]", f"{button!r} is not in $.joypad; {cure}"


def _build(value: Mapping[str, Any]) -> SystemDescriptor:
    content, memory, cores = value["content"], value["memory"], value["cores"]
    overlay, work_ram, seen = (
        memory.get("overlay"), memory.get("work_ram"), value.get("observation", {}),
    )  # fmt: skip

    def of(key: str, of_each: Callable[[Any], Any] = lambda each: each) -> Mapping[str, Any]:
        """Map the name of each core that has the key to its value."""
        return {core["core"]: of_each(core[key]) for core in cores if core.get(key)}

    return SystemDescriptor(
        name=value["system"],
        title=value["title"],
        extensions=tuple(content["extensions"]),
        aliases=tuple(content.get("aliases", ())),
        cores=tuple(core["core"] for core in cores),
        buttons=tuple(entry and entry["button"] for entry in value["joypad"]),
        keys=tuple(entry and entry.get("key") for entry in value["joypad"]),
        actions=tuple(tuple(map(tuple, group)) for group in value["actions"]),
        types=tuple(memory.get("types", DEFAULT_TYPES)),
        rambase=int(memory["base"], 16),
        overlay=overlay and (overlay["backing"], overlay["real"], overlay["width"]),
        platform=value.get("platform", value["system"]),
        options=of("options"),
        reload_on_restore=tuple(of("reload_on_restore")),
        residue=tuple(of("residue")),
        opengl=tuple(of("opengl")),
        bios=tuple(BiosFile(**entry) for entry in value.get("bios", ())),
        packages=of("package"),
        suffixes=tuple(value.get("suffixes", ())),
        signatures=tuple(_signature(entry) for entry in content.get("signatures", ())),
        headers=tuple(content.get("headers", ())),
        core_suffixes=content.get("core_suffixes", {}),
        limits=_limits(value.get("limits", {})),
        work_ram=work_ram
        and WorkRam(int(work_ram["address"], 16), work_ram["bytes"], work_ram.get("all", False)),
        floats=memory.get("floats", False),
        hue=value.get("hue"),
        bizhawk=value.get("bizhawk", ""),
        characters={
            one["button"]: one["movie"] for one in value["joypad"] if one and "movie" in one
        },
        observation=(seen.get("width", 0), seen.get("height", 0)),
        axes=tuple(map(Axis.parse, value.get("axes", ()))),
        ports=of("ports", tuple),
        multitap=of("multitap", tuple),
        multitap_players=of("players"),
        warm_up_frames=of("warm_up_frames"),
    )


def _limits(entry: Mapping[str, int]) -> CoreLimits:
    """Convert a descriptor's limits from MiB to bytes; limits that it lacks get the defaults."""
    mib = {name: value for name, value in entry.items() if name.endswith("_mib")}
    limits = {f"{name.removesuffix('_mib')}_bytes": value << 20 for name, value in mib.items()}
    return CoreLimits(**limits, **{name: entry[name] for name in entry.keys() - mib.keys()})


def _signature(entry: Mapping[str, Any]) -> tuple[int, bytes]:
    text = entry.get("text")
    data = text.encode("ascii", "replace") if text is not None else bytes.fromhex(entry["hex"])
    return entry["offset"], data
