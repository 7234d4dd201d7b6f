"""FakeHost: toycore in pure Python, for tests that want a host without a core or a process.

It reads the same content files as cores/toycore/toycore.c (whose first comment describes them and
the layout of RAM) and evolves the same RAM, picture and sound. Instead of crashing or hanging it
raises CoreCrashed or CoreHung, as RemoteHost would, and is closed afterwards."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretro_host.errors import (
    ContentError,
    CoreCrashed,
    CoreHung,
    CoreNotFoundError,
    HostClosedError,
    HostError,
    MemoryAccessError,
    StateError,
    UnsupportedCoreError,
)
from libretro_host.host import (
    MAX_PORTS,
    AvInfo,
    CapturePlan,
    CoreInfo,
    CoreOption,
    Frame,
    LoadRequest,
    MemoryRegion,
    PixelFormat,
    RamChanges,
    RunResult,
)

SAMPLES = 735
NUMBERS = {
    "ram": 4096, "seed": 1, "width": 160, "height": 120, "pitch_extra": 0, "resize_at": 0,
    "width2": 320, "height2": 240, "av_at": 0, "rotate": 0, "dupe_every": 0, "dupe_unasked": 0,
    "state_grow": 0, "state": 1, "log_every": 0, "message_at": 0, "stdout": 0, "hw": 0,
    "refuse": 0, "move_at": 0, "layout_at": 0, "crash_at": 0, "hang_at": 0, "exit_at": 0,
    "shutdown_at": 0, "crash_mask": 0, "hang_mask": 0, "exit_mask": 0,
    "lag_every": 0,
}  # fmt: skip
WORDS = {"memory": "system", "format": "rgb565", "audio": "batch", "options": "2"}
FORMATS = {"0rgb1555": PixelFormat.RGB1555, "xrgb8888": PixelFormat.XRGB8888}
FONT = (0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71222, 0o75757, 0o75717)
SPEEDS = ("slow", "normal", "fast")


def _hash(frame: Frame | None) -> int:
    if frame is None or frame.duplicate:
        return 0
    return zlib.crc32(np.ascontiguousarray(frame.pixels).tobytes()) | 1


def parse_content(text: str) -> tuple[dict[str, int], dict[str, str]]:
    """Numbers and words of a toycore content file. Raises ContentError for unknown keys."""
    numbers, words = dict(NUMBERS), dict(WORDS)
    for full in text.splitlines():
        line = full.split("#")[0]
        key, _, value = line.partition("=")
        if key in numbers:
            numbers[key] = int(value, 0)
        elif key in words:
            words[key] = value
        elif line:
            raise ContentError(f'toycore: line "{key}" makes no sense')
    return numbers, words


class FakeHost:
    """A CoreHost over :class:`ToyMachine`."""

    def __init__(self) -> None:
        self._machine: ToyMachine | None = None
        self._log: list[str] = []

    def load(self, request: LoadRequest) -> CoreInfo:
        if self._machine is not None:
            raise HostError("toycore is still open in this host: close it first")
        if not request.core.is_file():
            raise CoreNotFoundError(f"no core at {request.core}")
        try:
            numbers, words = parse_content(request.content.read_text())
        except OSError as error:
            raise ContentError(f"cannot read {request.content}: {error.strerror}") from error
        if numbers["hw"] == 1:
            raise UnsupportedCoreError("toycore wants to draw with Vulkan")
        if numbers["refuse"] or numbers["ram"] < 64:
            raise ContentError(f"{request.content}: toycore refused it")
        self._log = []
        self._machine = ToyMachine(request, numbers, words, self._log)
        return self._machine.info()

    @property
    def info(self) -> CoreInfo:
        return self._loaded().info()

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        machine = self._loaded()
        if inputs.ndim != 2 or inputs.shape[1] > MAX_PORTS:
            raise HostError(f"inputs must be (frames, ports), not {inputs.shape}")
        size = len(machine.flat())
        if any(o < 0 or n < 0 or o + n > size for o, n in plan.ranges):
            raise MemoryAccessError(f"a range of {list(plan.ranges)} lies outside RAM")
        before = machine.flat()
        rams, pictures, sounds, lag, hashes = [], [], [], [], []
        machine.messages.clear()
        for index, masks in enumerate(np.asarray(inputs, np.uint16)):
            self._frame(machine, [int(mask) for mask in masks])
            if machine.lags(machine.number):
                lag.append(index)
            rams.append(machine.flat())
            sounds.append(machine.sound())
            hashes.append(_hash(machine.frame))
            if plan.picture_every and (index + 1) % plan.picture_every == 0:
                pictures.append(machine.frame)
        ram = np.array(rams, np.uint8).reshape(len(inputs), size)
        ranges = [ram[:, offset : offset + length] for offset, length in plan.ranges]
        return RunResult(
            frames=len(inputs),
            frame=machine.frame if plan.picture else None,
            pictures=tuple(picture for picture in pictures if picture is not None),
            ram=ram if plan.ram else None,
            changes=_changes(before, ram) if plan.changes else None,
            ranges=np.concatenate(ranges, axis=1) if ranges else None,
            audio=np.concatenate([np.empty((0, 2), np.int16), *sounds]) if plan.audio else None,
            messages=tuple(machine.messages),
            lag=tuple(lag),
            hashes=np.array(hashes, np.uint32) if plan.hashes else None,
        )

    def _frame(self, machine: ToyMachine, masks: list[int]) -> None:
        try:
            machine.run(masks)
        except HostError:
            self._machine = None
            raise

    def reset(self) -> None:
        self._loaded().reset()

    def serialize(self) -> bytes:
        return self._loaded().serialize()

    def unserialize(self, state: bytes, fresh: bool = True) -> None:  # noqa: ARG002 - no library
        self._loaded().unserialize(state)

    def read_ram(self) -> NDArray[np.uint8]:
        return self._loaded().flat()

    def write_ram(self, offset: int, data: bytes) -> None:
        ram = self._loaded().ram
        if not 0 <= offset <= len(ram) - len(data):
            raise MemoryAccessError(f"{len(data)} bytes at {offset} do not fit {len(ram)}")
        ram[offset : offset + len(data)] = data

    def options(self) -> tuple[CoreOption, ...]:
        return tuple(self._loaded().options.values())

    def set_option(self, key: str, value: str) -> None:
        options = self._loaded().options
        if key not in options or value not in options[key].values:
            raise HostError(f"toycore: {key} cannot be {value!r}")
        options[key] = replace(options[key], value=value)

    def log(self) -> tuple[str, ...]:
        return tuple(self._log)

    def close(self) -> None:
        self._machine = None

    def _loaded(self) -> ToyMachine:
        if self._machine is None:
            raise HostClosedError("no core is loaded: call load() first")
        return self._machine


class ToyMachine:
    """Toycore's memory between frames, and the change of it by a frame."""

    def __init__(
        self, request: LoadRequest, numbers: dict[str, int], words: dict[str, str], log: list[str]
    ) -> None:
        self.request, self.keys, self.words, self.log = request, numbers, words, log
        self.ram = bytearray(numbers["ram"])
        self.frame: Frame | None = None
        self.messages: list[str] = []
        self.options = _options(words["options"], request)
        self._power_on()
        self._read_options()
        answered = "toycore_undeclared" in request.options
        self.ram[23] = 2 if answered else 0

    def _power_on(self) -> None:
        self.ram[:] = bytes(len(self.ram))
        self.ram[12:16] = struct.pack("<I", self.keys["seed"])
        self.ram[20], self.ram[25] = 3, 80
        for port, device in enumerate(self.request.port_devices[:2]):
            self.ram[26 + port] = device

    def _read_options(self) -> None:
        option = self.options.get("toycore_speed")
        value = option.value if option else self.request.options.get("toycore_speed")
        self.ram[22] = SPEEDS.index(value) if value in SPEEDS else 1

    def reset(self) -> None:
        resets, kept = self.ram[21], self.ram[22:24]
        self._power_on()
        self.ram[21], self.ram[22:24] = (resets + 1) % 256, kept

    @property
    def number(self) -> int:
        return int(struct.unpack_from("<I", self.ram)[0])

    def flat(self) -> NDArray[np.uint8]:
        shown = b"" if self.words["memory"] == "none" else self.ram
        return np.frombuffer(bytes(shown), np.uint8).copy()

    def run(self, masks: list[int]) -> None:
        wanted = self.options.get("toycore_speed")
        if wanted is not None and wanted.value in SPEEDS:
            self.ram[22] = SPEEDS.index(wanted.value)
        before = struct.unpack_from("<H", self.ram, 4)[0]
        self._evolve(before, (masks + [0] * 4)[:4])
        self._misbehave()
        self._tell()
        self._draw()

    def lags(self, number: int) -> bool:
        every = self.keys["lag_every"]
        return bool(every) and number % every == 0

    def _evolve(self, before: int, masks: list[int]) -> None:
        ram, speed = self.ram, self.ram[22]
        number = (self.number + 1) & 0xFFFFFFFF
        if self.lags(number):
            masks = list(struct.unpack_from("<4H", ram, 4))
        mask = masks[0]
        random = (struct.unpack_from("<I", ram, 12)[0] * 1664525 + 1013904223) & 0xFFFFFFFF
        struct.pack_into("<I4HI", ram, 0, number, *masks, random)
        if mask >> 8 & 1:
            score = struct.unpack_from(">I", ram, 16)[0]
            struct.pack_into(">I", ram, 16, (score + speed) & 0xFFFFFFFF)
        if mask >> 2 & 1 and not before >> 2 & 1 and ram[20]:
            ram[20] -= 1
        x = struct.unpack_from(">H", ram, 24)[0] + speed * ((mask >> 7 & 1) - (mask >> 6 & 1))
        struct.pack_into(">H", ram, 24, min(max(x, 0), 319))
        ram[32 + number % (len(ram) - 32)] ^= random >> 24

    def _due(self, name: str) -> bool:
        mask = self.keys.get(f"{name}_mask", 0)
        at = self.keys[f"{name}_at"]
        return bool(at and at == self.number) or bool(
            mask and mask == struct.unpack_from("<H", self.ram, 4)[0]
        )

    def _misbehave(self) -> None:
        log = tuple(self.log)
        if self._due("crash"):
            line = f"[ERROR] toycore: about to crash on frame {self.number}"
            raise CoreCrashed("toycore crashed (SIGSEGV)", signal_name="SIGSEGV", log=(*log, line))
        if self._due("hang"):
            raise CoreHung("toycore did not answer", deadline_ms=1000, log=log)
        if self._due("exit"):
            raise CoreCrashed("toycore exited", signal_name=None, log=log)
        if self._due("shutdown"):
            raise HostError(f"{self.request.content}: toycore asked to be shut down")

    def _tell(self) -> None:
        every = self.keys["log_every"]
        if every and self.number % every == 0:
            seconds = f"{self.number / 60:5.2f}"
            self.log.append(f"[INFO] frame {self.number} of toycore, {seconds} seconds")
        if self._due("message"):
            self.messages.append("hello from toycore")

    def _size(self) -> tuple[int, int]:
        at = self.keys["resize_at"]
        two = "2" if at and self.number >= at else ""
        return self.keys[f"width{two}"], self.keys[f"height{two}"]

    def _draw(self) -> None:
        every = self.keys["dupe_every"]
        if every and self.number % every == 0:
            self.frame = None if self.frame is None else replace(self.frame, duplicate=True)
            return
        width, height = self._size()
        gray = np.full((height, width), self.number * 8 % 128, np.uint32)
        for place, digit in enumerate(f"{self.number % 1000000:06}"):
            glyph = [FONT[int(digit)] >> bit & 1 for bit in range(14, -1, -1)]
            dots = np.kron(np.array(glyph).reshape(5, 3), np.ones((4, 4), int))
            left = 8 + 16 * place
            area = gray[8:28, left : left + 12]
            area[dots[: area.shape[0], : area.shape[1]] == 1] = 255
        self.frame = self._packed(gray)

    def _packed(self, gray: NDArray[np.uint32]) -> Frame:
        pixel_format = FORMATS.get(self.words["format"], PixelFormat.RGB565)
        top = gray >> 3
        packed: NDArray[Any] = {
            PixelFormat.XRGB8888: (gray << 16 | gray << 8 | gray).astype("<u4"),
            PixelFormat.RGB565: (top << 11 | gray >> 2 << 5 | top).astype("<u2"),
            PixelFormat.RGB1555: (top << 10 | top << 5 | top).astype("<u2"),
        }[pixel_format]
        height, width = gray.shape
        padding = np.zeros((height, -width * pixel_format.bytes_per_pixel % 4), np.uint8)
        pixels = np.concatenate([packed.view(np.uint8), padding], axis=1)
        return Frame(pixels, width, height, pixel_format, self.keys["rotate"] % 4)

    def sound(self) -> NDArray[np.int16]:
        if self.words["audio"] == "none":
            return np.empty((0, 2), np.int16)
        left = (self.number * SAMPLES + np.arange(SAMPLES) & 0x7FFF).astype(np.int16)
        return np.stack([left, -left], axis=1)

    def serialize(self) -> bytes:
        if not self.keys["state"]:
            raise StateError("toycore cannot save states")
        return struct.pack("<4sI", b"TOY1", len(self.ram)) + self.ram + bytes(self._growth())

    def _growth(self) -> int:
        grow = self.keys["state_grow"]
        return self.number // grow * 16 if grow else 0

    def unserialize(self, state: bytes) -> None:
        size = len(self.ram)
        if len(state) < 8 + size or state[:8] != struct.pack("<4sI", b"TOY1", size):
            raise StateError(f"toycore refused a state of {len(state)} bytes")
        self.ram[:] = state[8 : 8 + size]

    def info(self) -> CoreInfo:
        width, height = self._size()
        keys, slow = self.keys, self.keys["av_at"]
        av = AvInfo(
            base_width=width,
            base_height=height,
            max_width=max(keys["width"], keys["width2"]),
            max_height=max(keys["height"], keys["height2"]),
            aspect_ratio=float(np.float32(4 / 3)),
            fps=50.0 if slow and self.number >= slow else 60.0,
            sample_rate=44100.0,
        )
        state_bytes = 8 + len(self.ram) if keys["state"] else 0
        return CoreInfo(
            library_name="toycore",
            library_version="1.0",
            valid_extensions=("toy", "txt"),
            need_fullpath=False,
            av=av,
            regions=self._regions(),
            state_bytes=state_bytes,
            whole_ram_bytes=len(self.ram),
        )

    def _regions(self) -> tuple[MemoryRegion, ...]:
        size, memory = len(self.ram), self.words["memory"]
        if memory == "none":
            return ()
        if memory == "select":
            return (MemoryRegion(0x7E0000, size, "work"),)
        if memory == "system":
            return (MemoryRegion(self.request.rambase, size),)
        half = size // 2
        second = 0x8000 if memory == "maps" else 0x1000 + half
        return MemoryRegion(0x1000, half, "first"), MemoryRegion(second, half, "second")


def _changes(before: NDArray[np.uint8], ram: NDArray[np.uint8]) -> RamChanges:
    changed = ram != np.concatenate([before[None], ram[:-1]])
    frames, offsets = np.nonzero(changed)
    counts = np.bincount(frames, minlength=len(ram)).astype(np.int64)
    return RamChanges(counts, offsets.astype(np.uint32), ram[frames, offsets])


def _options(version: str, request: LoadRequest) -> dict[str, CoreOption]:
    if version == "none":
        return {}
    speeds = ("normal", "fast", "slow") if version == "0" else SPEEDS
    shown = "" if version == "0" else "How fast things move."
    chosen = request.options
    speed = CoreOption(
        "toycore_speed", "Speed", speeds, "normal", chosen.get("toycore_speed", "normal"), shown
    )
    tint = CoreOption(
        "toycore_tint", "Tint", ("off", "on"), "off", chosen.get("toycore_tint", "off")
    )
    return {option.key: option for option in (speed, tint)}
