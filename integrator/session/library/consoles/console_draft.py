"""Drafts the descriptor of a new console from a core and a game, and tries the descriptor."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.session.library.consoles.core_rows import core_folders
from integrator.session.opening import core_for
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import NO_STATES, POWER_ON_FRAMES
from integrator.session.setup.roots import systems
from libretro_host.errors import CoreCrashed, CoreHung, HostError, StateError
from libretro_host.host import CapturePlan, CoreHost, CoreInfo, CoreOption, Frame
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost
from libretro_host.request import CoreLimits, LoadRequest
from libretro_host.systems.axes import PLAYLIST
from libretro_host.systems.descriptor import SystemDescriptor, Systems, checked_descriptor
from libretro_host.systems.discovery import CORES_VARIABLE, core_name, wheel_core_dir

NO_MEMORY: Final = "the core shows no memory: games can be played, but no variable can be found"

_DEADLINE_MS: Final = 60_000
_HELD_FRAMES: Final = 12


@dataclass(frozen=True, slots=True)
class ConsoleTrial:
    """The facts of a game's trial on a console; ``answered`` is True for buttons with an effect."""

    info: CoreInfo
    changed_bytes: int
    state_remark: str
    answered: tuple[bool | None, ...]
    options: tuple[CoreOption, ...]


def try_here(value: Mapping[str, Any], game: Path, draw: Callable[[Frame], None]) -> ConsoleTrial:
    """Run a game by a descriptor's value. Raises DescriptorError, SessionError, HostError."""
    console = checked_console(value)
    core = core_for(console)
    cache = paths.user_cache_dir() / "content"
    content = prepare_content(game, {console.name: console}, cache, console).path
    with OwnedFolder() as saves, closing(RemoteHost(_DEADLINE_MS)) as host:
        request = console.load_request(
            console.cores[0], core.path, content, system_dir=paths.system_dir(), save_dir=saves
        )
        info = host.load(request)
        options = host.options()
        host.run(_rows((), POWER_ON_FRAMES), CapturePlan())
        before = host.read_ram()
        _trial_play(host, (), draw)
        changed = int(np.count_nonzero(before != host.read_ram()))
        remark = state_remark(host)
        answered: tuple[bool | None, ...] = (None,) * len(console.buttons)
        if not remark:
            answered = _answered(host, console.buttons, draw)
        return ConsoleTrial(info, changed, remark, answered, options)


def state_remark(host: CoreHost) -> str:
    """Return a remark on states that do not work; empty if play is the same after two loads."""
    lack = f"so {NO_STATES}"
    try:
        state = host.serialize()
        rams = []
        for load in (False, True, True):
            if load:
                host.unserialize(state)
            host.run(_rows((), 60), CapturePlan(picture=False))
            rams.append(host.read_ram())
    except (CoreCrashed, CoreHung) as error:
        return f"{error.fact}, {lack}"
    except StateError as error:
        return f"{str(error).partition('; ')[0]}, {lack}"
    except HostError as error:
        return str(error)
    if all(np.array_equal(rams[0], ram) for ram in rams):
        return ""
    return "RAM differs after a state was loaded, so going back may replay from further back"


def _answered(
    host: CoreHost, buttons: Sequence[str | None], draw: Callable[[Frame], None]
) -> tuple[bool | None, ...]:
    """Return, for each button, True if holding it changes RAM or the picture; None if unnamed."""

    def seen_after(mask: int) -> bytes:
        host.unserialize(state)
        result = host.run(_rows((mask,) * _HELD_FRAMES), CapturePlan())
        digest = hashlib.sha1(host.read_ram().tobytes(), usedforsecurity=False)
        if result.frame is not None:
            digest.update(result.frame.rgb().tobytes())
        return digest.digest()

    answered = [False if name else None for name in buttons]
    state = host.serialize()
    for moment in range(3):
        # Try after idle frames and after START, because most title screens react only to START.
        if moment:
            host.unserialize(state)
            _trial_play(host, (1 << PAD.index("START"),) * _HELD_FRAMES, draw)
            state = host.serialize()
        idle = seen_after(0)
        if idle == seen_after(0):
            for button, seen in enumerate(answered):
                if seen is False:
                    answered[button] = seen_after(1 << button) != idle
    return tuple(answered)


def _trial_play(host: CoreHost, masks: Sequence[int], draw: Callable[[Frame], None]) -> None:
    rows = _rows(masks, 180)  # three seconds without a button follow the masks
    shown_every = 30  # frames: half a second
    for at in range(0, len(rows), shown_every):
        frame = host.run(rows[at : at + shown_every], CapturePlan()).frame
        if frame is not None:
            draw(frame)


def _rows(masks: Sequence[int], idle: int = 0) -> NDArray[np.uint16]:
    """Return a row for each mask, and then idle rows."""
    rows = np.zeros((len(masks) + idle, 2), np.uint16)
    rows[: len(masks), 0] = masks
    return rows


PAD: Final = (  # libretro's buttons by id
    *("B", "Y", "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT"),
    *("A", "X", "L", "R", "L2", "R2", "L3", "R3"),
)
_KEYS: Final = (
    *("Z", "A", "TAB", "ENTER", "UP", "DOWN", "LEFT", "RIGHT"),
    *("X", "S", "Q", "W", "E", "R", "T", "Y"),
)
_FIXED: Final = frozenset({2, 3, 4, 5, 6, 7})
"""Ids of SELECT, START and the directions, which keep their names because players know them."""
_WORD: Final = re.compile(r"[^0-9A-Za-z]+")


@dataclass(frozen=True, slots=True)
class ConsoleDraft:
    """A descriptor's JSON value. ``remarks`` are sentences about everything that will not work."""

    value: Mapping[str, Any]
    remarks: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.value["system"])


def draft_here(core: Path, game: Path | None, name: str | None = None) -> ConsoleDraft:
    """Draft the console that ``core`` runs. Raises SessionError, HostError."""
    known = systems()
    facts, info = dict[str, str](), None
    for folder in (core.parent, core.parent.parent / "info", Path("/usr/share/libretro/info")):
        if not facts and (file := folder / f"{core.stem}.info").is_file():
            text = read_text(file, SMALL_BYTES, errors="replace")
            facts = dict(re.findall(r'^\s*(\w+)\s*=\s*"([^"\n]*)"', text, re.MULTILINE))
    remarks = ["no game was tried: buttons are libretro's, and memory and states are unknown"]
    if game is not None:
        info, remarks = _play(core, game)
    title = facts.get("systemname") or (info.library_name if info else core_name(core))
    name = name or "".join(part[:1].upper() + part[1:] for part in _WORD.split(title))
    if name in known:
        raise SessionError(f"there is a console {name} already; choose another name with --name")
    # Extensions without a dot; the game's is the first, because it names rom.<extension>.
    own, known_to_core = [game.suffix] if game else [], info.valid_extensions if info else ()
    every = [*own, *known_to_core, *facts.get("supported_extensions", "").split("|")]
    plain = (one.lower().removeprefix(".") for one in every)
    extensions = list(dict.fromkeys(one for one in plain if re.fullmatch("[0-9a-z]+", one)))
    if not extensions:
        raise SessionError(f"{core}: neither it nor an .info file names extensions; add a --game")
    joypad = _joypad(info)
    # The disc drive, for a core that reads playlists; the axes are named as BizHawk's columns.
    columns = enumerate((("Open Tray", 0, 1), ("Close Tray", 0, 1), ("Disk Index", -1, 15)))
    drive = [
        {"axis": each, "device": "disc", "id": number, "least": least, "most": most, "port": 0}
        for number, (each, least, most) in columns
    ]
    opengl = facts.get("hw_render") == "true" and "OpenGL" in facts.get("required_hw_api", "OpenGL")
    value = {
        "system": name,
        "title": title,
        "content": {"extensions": extensions},
        "joypad": joypad,
        "actions": usual_actions([entry["button"] for entry in joypad if entry]),
        **({"axes": drive} if PLAYLIST[1:] in extensions else {}),
        "memory": {"base": "0x0"},
        "cores": [{"core": core_name(core), **({"opengl": True} if opengl else {})}],
        **_limits(info),
    }
    return ConsoleDraft(value, (*remarks, *_about_files(core, extensions, known)))


def _play(core: Path, game: Path) -> tuple[CoreInfo, list[str]]:
    """Run a game; return the core's facts, and remarks about everything that will not work."""
    with OwnedFolder() as saves, closing(RemoteHost(_DEADLINE_MS)) as host:
        gib, files = 1 << 30, paths.system_dir()
        room = CoreLimits(1 << 24, gib, gib, memory_bytes=8 * gib, address_space_bytes=64 * gib)
        info = host.load(LoadRequest(core, game, system_dir=files, save_dir=saves, limits=room))
        # Run as many frames as a session does before a game's first state.
        host.run(_rows((), POWER_ON_FRAMES), CapturePlan())
        remarks = [] if info.whole_ram_bytes else [NO_MEMORY]
        remarks += filter(None, [state_remark(host)])
    if not info.inputs:
        remarks.append("the core describes no buttons, so all of libretro's are listed; try them")
    return info, remarks


def _limits(info: CoreInfo | None) -> dict[str, dict[str, int]]:
    limits, usual = {}, CoreLimits()
    if info and (pixels := info.av.max_width * info.av.max_height) > usual.picture_pixels:
        limits["picture_pixels"] = pixels
    if info and info.state_bytes > usual.state_bytes // 2:
        limits["state_mib"] = (info.state_bytes >> 19) + 1
    return {"limits": limits} if limits else {}


def _joypad(info: CoreInfo | None) -> list[dict[str, str] | None]:
    """Return libretro's buttons with the core's names, without those for the core's functions."""
    # Words for functions that no pad has: those of mGBA, Nestopia, DeSmuME, Beetle and melonDS.
    hotkey = (
        r"turbo|hotkey|toggle|swap|switch|change|insert|eject|screen|\blid\b|layout|rotate|sensor"
    )
    labels = {
        one.id: one.text
        for one in (info.inputs if info else ())
        if (one.port, one.device, one.index) == (0, 1, 0) and one.id < len(PAD)  # the first joypad
        if one.id in _FIXED or not re.search(hotkey, one.text, re.IGNORECASE)
    }
    names: list[str] = []
    for button, usual in enumerate(PAD):
        word = "-".join(_WORD.split(labels.get(button, ""))).strip("-").upper()
        taken = word in names or word in PAD
        names.append(usual if button in _FIXED or not word or taken else word)
    pad: list[dict[str, str] | None] = [
        {"button": name, "key": key} if not labels or button in labels else None
        for button, (name, key) in enumerate(zip(names, _KEYS, strict=True))
    ]
    while pad[-1] is None:
        pad.pop()
    return pad


def usual_actions(buttons: list[str]) -> list[list[list[str]]]:
    """Return directions, and other buttons one by one; as in training, no START and SELECT."""
    ways = ["UP", "DOWN"], ["LEFT", "RIGHT"]
    left_out = {"START", "SELECT", *ways[0], *ways[1]}
    groups = (*ways, [name for name in buttons if name not in left_out])
    present = [[name for name in group if name in buttons] for group in groups]
    return [[[], *([name] for name in group)] for group in present if group]


def _about_files(core: Path, extensions: list[str], known: Systems) -> Iterator[str]:
    endings = {name: {*one.extensions, *one.aliases} for name, one in known.items()}
    shared: dict[str, list[str]] = {}
    for extension in extensions:
        others = " ".join(name for name, each in endings.items() if extension in each)
        shared.setdefault(others, []).append(f".{extension}")
    for others, files in shared.items():
        if others:
            yield f"{' '.join(files)} may be of {others} too: choose with 'integrator new --system'"
    if str(core.parent) not in core_folders():
        yield f"cores are not looked for in {core.parent}: name it in {CORES_VARIABLE}"
    folder = wheel_core_dir()
    if folder is None or not (folder / core.name).is_file():
        yield "stable-retro does not ship this core, so copy it there with its JSON to train"


def checked_console(value: Mapping[str, Any]) -> SystemDescriptor:
    """Return the console that a value describes. Raises DescriptorError with path and cure."""
    schema = paths.shipped("resources") / "schemas" / "system.schema.json"
    return checked_descriptor(own_path(str(value.get("system"))), value, schema)


def own_path(name: str) -> Path:
    return paths.user_systems_dir() / f"{name}.json"
