"""Checks that a console works here: its core runs a proof ROM, whose values are known."""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator import paths
from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.frame.result import first_difference
from integrator.session.setup.plan import POWER_ON_FRAMES, address_space
from libretro_host.host import CapturePlan, CoreHost, LoadRequest
from libretro_host.inprocess import without_chip
from libretro_host.systems.descriptor import SystemDescriptor

BOOT_FRAMES = 60
HOLD_FRAMES = 4
LIVES = 3


@dataclass(frozen=True, slots=True)
class ProofRom:
    """An entry of proof.json; the README next to that file explains the fields. ``input_bits`` map
    a button to its bit of ``input``, ``switched_bits`` to its bit of ``input_more`` once
    ``switch_id`` was pressed. ``counted`` buttons raise a variable, ``unread`` buttons have no
    effect, and ``with_button`` names another button to hold, too. ``system_dir`` has our own BIOS
    files, ``options`` are added to training's, and ``note`` has peculiarities."""

    system: str
    path: Path
    variables: Mapping[str, VariableSpec]
    score_button: str
    lives_button: str
    reset_button: str | None
    input_bits: Mapping[str, int]
    constants: Mapping[str, int] = field(default_factory=dict)
    counted: Mapping[str, str] = field(default_factory=dict)
    switch_id: int | None = None
    switched_bits: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    with_button: Mapping[str, str] = field(default_factory=dict)
    system_dir: Path | None = None
    note: str = ""
    by_option: Any = None


@dataclass(frozen=True, slots=True)
class ConsoleReport:
    """The result of a console's check. ``faults`` are sentences; without any, the console works."""

    library: str
    ram_bytes: int
    fps: float
    state_bytes: int
    deterministic: bool
    buttons: bool
    variables: bool
    faults: tuple[str, ...]
    state_faults: tuple[str, ...]


def proof_roms() -> Mapping[str, ProofRom]:
    folder, roms = paths.shipped("resources") / "proof-roms", {}
    for system, entry in json.loads(read_text(folder / "proof.json", SMALL_BYTES)).items():
        variables = {
            name: VariableSpec(name, value["address"], DataType.parse(value["type"]))
            for name, value in entry.pop("variables").items()
        }
        if "system_dir" in entry:
            entry["system_dir"] = folder / entry["system_dir"]
        roms[system] = ProofRom(system, folder / entry.pop("rom"), variables, **entry)
    return roms


def check_console(
    rom: ProofRom, system: SystemDescriptor, request: LoadRequest, new_host: Callable[[], CoreHost]
) -> ConsoleReport:
    """Run the proof ROM of a system on two new hosts. Raises HostError."""
    request = replace(request, options={**request.options, **rom.options})
    if rom.system_dir:
        request = replace(request, system_dir=rom.system_dir)
    script, inputs = Script(rom, system), _random_inputs(system)
    with closing(new_host()) as host:
        info = host.load(request)
        reader = VariableReader(rom.variables, address_space(system, info))
        played = host.run(script.inputs, CapturePlan(ranges=reader.ranges, picture=False)).ranges
        assert played is not None  # noqa: S101 - for the type checker: the plan asked for them
        faults = list(script.faults(reader.read_ranges(played)))
        state = host.serialize()
        if info.ram_bytes > 1 << 20:  # checksums of a large RAM take long
            inputs = inputs[: len(inputs) // 4]
        first = checksums(host, inputs)
        host.unserialize(state)
        again = checksums(host, inputs)
    with closing(new_host()) as host:
        host.load(request)
        # melonds and parallel_n64 accept a state only after some frames, which sessions run, too.
        host.run(np.zeros((POWER_ON_FRAMES, 1), np.uint16), CapturePlan(picture=False))
        host.unserialize(state)
        restarted = checksums(host, inputs)
    state_faults = [*_compare(first, again, "after loading a state")]
    state_faults += _compare(first, restarted, "in a new core")
    return ConsoleReport(
        library=f"{info.library_name} {info.library_version}",
        ram_bytes=info.ram_bytes,
        fps=info.av.fps,
        state_bytes=len(without_chip(state)),
        deterministic=not state_faults,
        buttons=not any(is_button for _, is_button in faults),
        variables=all(is_button for _, is_button in faults),
        faults=tuple(text for text, _ in faults),
        state_faults=tuple(state_faults),
    )


class Script:
    """Presses every button, plays a game to its end, and predicts every value after each step."""

    def __init__(self, rom: ProofRom, descriptor: SystemDescriptor) -> None:
        self._rom = rom
        self._buttons = descriptor.buttons
        self._values = {
            **dict.fromkeys(("score", "game_over", "input"), 0),
            "lives": LIVES,
            **rom.constants,
            **dict.fromkeys(rom.counted.values(), 0),
        }
        self._switched = False
        # For each step: the buttons held, their mask, its frames, and the values at its end.
        self._steps: list[tuple[tuple[str, ...], int, int, dict[str, int]]] = []
        self._hold((), BOOT_FRAMES)
        for name in filter(None, self._buttons):
            self._press(name)
        for name in (*[rom.lives_button] * LIVES, rom.score_button):
            self._press(name)
        if rom.reset_button:
            self._press(rom.reset_button)
            self._press(rom.score_button)
        if rom.switch_id is not None:
            self._hold((), HOLD_FRAMES, extra=1 << rom.switch_id)
            self._switched = True
            for name in rom.switched_bits:
                self._press(name)
        _, masks, frames, _ = zip(*self._steps, strict=True)
        self.inputs = np.repeat(np.array(masks, np.uint16), frames)[:, None]

    def _press(self, name: str) -> None:
        also = self._rom.with_button.get(name)
        self._hold((name, also) if also else (name,), HOLD_FRAMES)
        self._hold((), HOLD_FRAMES)

    def _hold(self, names: tuple[str, ...], frames: int, extra: int = 0) -> None:
        mask = sum(1 << self._buttons.index(name) for name in names) | extra
        self._follow_rules(names)
        self._steps.append((names, mask, frames, dict(self._values)))

    def _follow_rules(self, names: Sequence[str]) -> None:
        rom, values = self._rom, self._values

        def bits_of(names: Sequence[str], bits: Mapping[str, int]) -> int:
            return sum({1 << bits[name] for name in names if name in bits})

        values["input"] = bits_of(names, rom.input_bits)
        if rom.switched_bits:
            values["input_more"] = bits_of(names if self._switched else (), rom.switched_bits)
        for name in names:
            if name in rom.counted:
                values[rom.counted[name]] += 1
        if rom.reset_button in names:
            values |= {"score": 0, "lives": LIVES, "game_over": 0}
        if values["game_over"]:
            return
        if rom.score_button in names:
            values["score"] += 10  # the rule of all proof ROMs
        if rom.lives_button in names:
            values["lives"] -= 1
            values["game_over"] = int(values["lives"] == 0)

    def faults(self, values: Mapping[str, NDArray[np.int64]]) -> Iterator[tuple[str, bool]]:
        """Yield differences of ``values``, int64 (frames,) each, from the rules.

        The second item is True if the value shows a button."""
        missing = {"frame_counter", *self._values} - values.keys()
        if missing:
            yield f"not in the core's memory: {', '.join(sorted(missing))}", False
            return
        if not np.all(np.diff(values["frame_counter"][BOOT_FRAMES - 1 :]) == 1):
            yield "frame_counter does not rise by 1 a frame", False
        end = 0
        for held, _, frames, expected in self._steps:
            end += frames
            for name, number in expected.items():
                found = int(values[name][end - 1])
                if found != number:
                    is_button = name.startswith("input") or name in self._rom.counted.values()
                    what = f"while {' '.join(held) or 'nothing'} is held"
                    yield f"{name} is {found}, not {number}, {what}", is_button


def _random_inputs(descriptor: SystemDescriptor) -> NDArray[np.uint16]:
    ids = np.flatnonzero([bool(name) for name in descriptor.buttons])
    frames = 200
    pressed = np.random.default_rng(1).random((frames // HOLD_FRAMES, len(ids))) < 0.3
    return np.repeat((pressed * (1 << ids)).sum(axis=1).astype(np.uint16), HOLD_FRAMES)[:, None]


Checksums = NDArray[np.int64]


def checksums(host: CoreHost, inputs: NDArray[np.uint16]) -> Checksums:
    """Return checksums of RAM and picture for each frame; the latter are 0 before any picture."""
    # As many frames per run as have 32 MiB of RAM in all.
    chunk = max(1, (32 << 20) // max(1, host.info.ram_bytes))
    seen: list[tuple[int, int]] = []
    for start in range(0, len(inputs), chunk):
        result = host.run(inputs[start : start + chunk], CapturePlan(ram=True, picture_every=1))
        assert result.ram is not None  # noqa: S101 - for the type checker: the plan asked for it
        drawn = [zlib.crc32(np.ascontiguousarray(each.rgb()).data) for each in result.pictures]
        pictures = [0] * (len(result.ram) - len(drawn)) + drawn
        seen += zip([zlib.crc32(row.data) for row in result.ram], pictures, strict=True)
    return np.array(seen, np.int64)


def _compare(first: Checksums, again: Checksums, when: str) -> Iterator[str]:
    for index, what in enumerate(("RAM", "the picture")):
        if wrong := first_difference(first[:, index], again[:, index]):
            yield f"{what} differs {when} from frame {wrong} on"
