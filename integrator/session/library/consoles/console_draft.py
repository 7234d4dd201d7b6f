"""Drafts the descriptor of a new console from core and game, and tries it."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from integrator.domain.errors import SessionError
from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import NO_STATES, POWER_ON_FRAMES
from libretro_host.errors import CoreCrashed, CoreHung, HostError, StateError
from libretro_host.host import (
    CapturePlan,
    CoreHost,
    CoreInfo,
    CoreLimits,
    CoreOption,
    Frame,
    LoadRequest,
)
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.systems.axes import PLAYLIST
from libretro_host.systems.descriptor import SystemDescriptor
from libretro_host.systems.discovery import CORES_VARIABLE, core_name, wheel_core_dir

NO_MEMORY: Final = "the core shows no memory: games can be played, but no variable can be found"

_STATE_FRAMES: Final = 60
_IDLE_FRAMES: Final = 180
_PICTURE_FRAMES: Final = 30
_HELD_FRAMES: Final = 12
_MOMENTS: Final = 3
"""Moments at which buttons are tried: after idle frames, and after presses of START, because most
title screens heed only START."""
_START: Final = 1 << 3


@dataclass(frozen=True, slots=True)
class ConsoleTrial:
    """The facts of a game that ran on a console; ``answered``: buttons that made a difference."""

    info: CoreInfo
    frame: Frame | None
    changed_bytes: int
    state_remark: str
    answered: tuple[bool | None, ...]
    options: tuple[CoreOption, ...]


def try_console(
    console: SystemDescriptor,
    core: Path,
    game: Path,
    *,
    system_dir: Path,
    cache: Path,
    new_host: Callable[[], CoreHost],
    draw: Callable[[Frame], None] = lambda _frame: None,
) -> ConsoleTrial:
    """Run ``game`` as ``console`` says, showing pictures. Raises SessionError, HostError."""
    content = prepare_content(game, {console.name: console}, cache, console)
    with OwnedFolder() as saves:
        host = new_host()
        try:
            name = console.cores[0]
            info = host.load(
                console.load_request(
                    name, core, content.path, system_dir=system_dir, save_dir=saves
                )
            )
            options = host.options()
            host.run(_masks(0, POWER_ON_FRAMES), CapturePlan())
            before = host.read_ram()
            frame = _trial_play(host, (), _IDLE_FRAMES, draw)
            changed = int(np.count_nonzero(before != host.read_ram()))
            remark = state_remark(host)
            answered: tuple[bool | None, ...] = (None,) * len(console.buttons)
            if not remark:
                answered = _answered(host, console.buttons, draw)
            return ConsoleTrial(info, frame, changed, remark, answered, options)
        finally:
            host.close()


def state_remark(host: CoreHost) -> str:
    """Words about states that do not work; empty when play goes on alike after two loads."""
    lack = f"so {NO_STATES}"
    try:
        state = host.serialize()
        rams = []
        for load in (False, True, True):
            if load:
                host.unserialize(state)
            host.run(_masks(0, _STATE_FRAMES), CapturePlan(picture=False))
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
    """For each button, True when holding it makes RAM or picture come out otherwise."""
    answered = [False if name else None for name in buttons]
    for state in _moments(host, draw):
        idle = _fingerprint(host, state, 0)
        if idle != _fingerprint(host, state, 0):
            continue
        for button, seen in enumerate(answered):
            if seen is False:
                answered[button] = _fingerprint(host, state, 1 << button) != idle
    return tuple(answered)


def _moments(host: CoreHost, draw: Callable[[Frame], None]) -> Iterator[bytes]:
    state = host.serialize()
    yield state
    for _ in range(_MOMENTS - 1):
        host.unserialize(state)
        _trial_play(host, (_START,) * _HELD_FRAMES, _IDLE_FRAMES, draw)
        state = host.serialize()
        yield state


def _fingerprint(host: CoreHost, state: bytes, mask: int) -> bytes:
    host.unserialize(state)
    result = host.run(_masks(mask, _HELD_FRAMES), CapturePlan())
    digest = hashlib.sha1(host.read_ram().tobytes(), usedforsecurity=False)
    if result.frame is not None:
        digest.update(result.frame.rgb().tobytes())
    return digest.digest()


def _trial_play(
    host: CoreHost, masks: Sequence[int], idle: int, draw: Callable[[Frame], None]
) -> Frame | None:
    rows = _masks(0, len(masks) + idle)
    rows[: len(masks), 0] = masks
    frame = None
    for at in range(0, len(rows), _PICTURE_FRAMES):
        frame = host.run(rows[at : at + _PICTURE_FRAMES], CapturePlan()).frame
        if frame is not None:
            draw(frame)
    return frame


def _masks(mask: int, frames: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint16]]:
    rows = np.zeros((frames, 2), np.uint16)
    rows[:, 0] = mask
    return rows


_INFO_FOLDERS: Final = (Path("/usr/share/libretro/info"),)
_JOYPAD: Final = 1
PAD: Final = (
    *("B", "Y", "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT"),
    *("A", "X", "L", "R", "L2", "R2", "L3", "R3"),
)
"""libretro's buttons by id."""
_KEYS: Final = (
    *("Z", "A", "TAB", "ENTER", "UP", "DOWN", "LEFT", "RIGHT"),
    *("X", "S", "Q", "W", "E", "R", "T", "Y"),
)
_FIXED: Final = frozenset({2, 3, 4, 5, 6, 7})
"""Ids of SELECT, START and the directions, whose names players know."""
_HOTKEY: Final = re.compile(
    r"turbo|hotkey|toggle|swap|switch|change|insert|eject|screen|\blid\b|layout|rotate|sensor",
    re.IGNORECASE,
)
"""Words of a core's own functions, which no pad has: mGBA, Nestopia, DeSmuME, Beetle, melonDS."""
_ROOM: Final = CoreLimits(
    1 << 24, 1 << 30, 1 << 30, memory_bytes=8 << 30, address_space_bytes=64 << 30
)
_USUAL: Final = CoreLimits()
_WORD: Final = re.compile(r"[^0-9A-Za-z]+")


@dataclass(frozen=True, slots=True)
class ConsoleDraft:
    """A descriptor's JSON value. ``remarks`` are sentences about all that will not work."""

    value: Mapping[str, Any]
    remarks: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.value["system"])


@dataclass(frozen=True, slots=True)
class _Seen:
    """The facts of a game that ran: the core's own, and words about states."""

    info: CoreInfo
    state_remark: str


def draft_console(
    core: Path,
    game: Path | None,
    known: Mapping[str, SystemDescriptor],
    *,
    name: str | None,
    system_dir: Path,
    core_folders: Collection[Path],
    new_host: Callable[[], CoreHost],
) -> ConsoleDraft:
    """A draft of the console that ``core`` runs. Raises SessionError, HostError."""
    facts = _core_facts(core)
    seen = None if game is None else _play(core, game, system_dir, new_host)
    title = facts.get("systemname") or (seen.info.library_name if seen else core_name(core))
    name = name or "".join(part[:1].upper() + part[1:] for part in _WORD.split(title))
    if name in known:
        raise SessionError(f"there is a console {name} already; choose another name with --name")
    extensions = _extensions(facts, seen, game)
    if not extensions:
        raise SessionError(f"{core}: neither it nor an .info file tells its files; name a --game")
    joypad = _joypad(seen.info if seen else None)
    value = {
        "system": name,
        "title": title,
        "content": {"extensions": extensions},
        "joypad": joypad,
        "actions": usual_actions([entry["button"] for entry in joypad if entry]),
        **_discs(extensions),
        "memory": {"base": "0x0"},
        "cores": [{"core": core_name(core), **_drawing(facts)}],
        **_limits(seen),
    }
    remarks = (*_about_game(seen), *_about_files(core, extensions, known, core_folders))
    return ConsoleDraft(value, remarks)


def _discs(extensions: Sequence[str]) -> Mapping[str, list[Mapping[str, object]]]:
    """The drive of a console whose core reads lists of discs, by BizHawk's names of its columns."""
    if PLAYLIST[1:] not in extensions:
        return {}
    names = (("Open Tray", 0, 1), ("Close Tray", 0, 1), ("Disk Index", -1, 15))
    return {
        "axes": [
            {"axis": name, "device": "disc", "id": number, "least": least, "most": most, "port": 0}
            for number, (name, least, most) in enumerate(names)
        ]
    }


def _drawing(facts: Mapping[str, str]) -> Mapping[str, bool]:
    opengl = facts.get("hw_render") == "true" and "OpenGL" in facts.get("required_hw_api", "OpenGL")
    return {"opengl": True} if opengl else {}


def _core_facts(core: Path) -> Mapping[str, str]:
    name = f"{core.stem}.info"
    folders = (core.parent, core.parent.parent / "info", *_INFO_FOLDERS)
    for folder in folders:
        if (folder / name).is_file():
            text = read_text(folder / name, SMALL_BYTES, errors="replace")
            return dict(re.findall(r'^\s*(\w+)\s*=\s*"([^"\n]*)"', text, re.MULTILINE))
    return {}


def _play(core: Path, game: Path, system_dir: Path, new_host: Callable[[], CoreHost]) -> _Seen:
    with OwnedFolder() as saves:
        host = new_host()
        try:
            request = LoadRequest(core, game, system_dir=system_dir, save_dir=saves, limits=_ROOM)
            info = host.load(request)
            # As many as before a game's first state.
            host.run(np.zeros((POWER_ON_FRAMES, 2), np.uint16), CapturePlan())
            return _Seen(info, state_remark(host))
        finally:
            host.close()


def _extensions(facts: Mapping[str, str], seen: _Seen | None, game: Path | None) -> list[str]:
    """Extensions without a dot; that of the game leads, since it names rom.<extension>."""
    told = facts.get("supported_extensions", "").split("|")
    own = [game.suffix] if game else []
    every = [*own, *(seen.info.valid_extensions if seen else ()), *told]
    plain = (one.lower().removeprefix(".") for one in every)
    return list(dict.fromkeys(one for one in plain if re.fullmatch("[0-9a-z]+", one)))


def _joypad(info: CoreInfo | None) -> list[dict[str, str] | None]:
    """Entry i is libretro's button i, by the core's word; keys of its own functions left out."""
    told = {
        one.id: one.text
        for one in (info.inputs if info else ())
        if (one.port, one.device, one.index) == (0, _JOYPAD, 0) and one.id < len(PAD)
        if one.id in _FIXED or not _HOTKEY.search(one.text)
    }
    names: list[str] = []
    for button, usual in enumerate(PAD):
        word = "-".join(_WORD.split(told.get(button, ""))).strip("-").upper()
        taken = word in names or word in PAD
        names.append(usual if button in _FIXED or not word or taken else word)
    pad: list[dict[str, str] | None] = [
        {"button": name, "key": key} if not told or button in told else None
        for button, (name, key) in enumerate(zip(names, _KEYS, strict=True))
    ]
    while pad[-1] is None:
        pad.pop()
    return pad


def usual_actions(buttons: list[str]) -> list[list[list[str]]]:
    """Directions, and each other button alone; START and SELECT are left out, as in training."""
    groups = [["UP", "DOWN"], ["LEFT", "RIGHT"]]
    left_out = {"START", "SELECT", *groups[0], *groups[1]}
    groups.append([name for name in buttons if name not in left_out])
    present = [[name for name in group if name in buttons] for group in groups]
    return [[[], *([name] for name in group)] for group in present if group]


def _limits(seen: _Seen | None) -> dict[str, dict[str, int]]:
    if seen is None:
        return {}
    limits = {}
    pixels = seen.info.av.max_width * seen.info.av.max_height
    if pixels > _USUAL.picture_pixels:
        limits["picture_pixels"] = pixels
    if seen.info.state_bytes > _USUAL.state_bytes // 2:
        limits["state_mib"] = (seen.info.state_bytes >> 19) + 1
    return {"limits": limits} if limits else {}


def _about_game(seen: _Seen | None) -> Iterator[str]:
    if seen is None:
        yield "no game was tried: buttons are libretro's, and memory and states are unknown"
        return
    if not seen.info.whole_ram_bytes:
        yield NO_MEMORY
    if seen.state_remark:
        yield seen.state_remark
    if not seen.info.inputs:
        yield "the core describes no buttons, so all of libretro's are listed; try them"


def _about_files(
    core: Path,
    extensions: list[str],
    known: Mapping[str, SystemDescriptor],
    core_folders: Collection[Path],
) -> Iterator[str]:
    shared: dict[str, list[str]] = {}
    for extension in extensions:
        others = [
            name for name, one in known.items() if extension in {*one.extensions, *one.aliases}
        ]
        if others:
            shared.setdefault(" ".join(others), []).append(f".{extension}")
    for others_told, files in shared.items():
        yield f"{' '.join(files)} files may be {others_told} too: choose with --system"
    if core.parent not in core_folders:
        yield f"cores are not looked for in {core.parent}: name it in {CORES_VARIABLE}"
    folder = wheel_core_dir()
    if folder is None or not (folder / core.name).is_file():
        yield "stable-retro does not ship this core, so training needs it put there with a JSON"
