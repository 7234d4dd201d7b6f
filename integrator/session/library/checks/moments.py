"""RAM and pictures of stable-retro: a file of them, and the comparison with an open game.

Each moment is stable-retro's RAM blocks and observation as one row of bytes, stored as its changes
against the moment before.
"""

import json
import zipfile
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.session.frame.readout import observation_rule, observe
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from libretro_host.frame import Frame

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

_HEADER: Final = "header.json"


class MomentWriter:
    """Writes the moments of one environment into a zip file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._count = 0
        self._last: Bytes = np.zeros(0, np.uint8)

    def add(self, blocks: Mapping[int, bytes], picture: Bytes) -> None:
        """Add a moment: memory blocks by address, and the observation."""
        ram = [np.frombuffer(block, np.uint8) for _, block in sorted(blocks.items())]
        moment = np.concatenate([*ram, picture.ravel()])
        if self._count == 0:
            self._last = np.zeros_like(moment)
            sizes = [[address, len(block)] for address, block in sorted(blocks.items())]
            header = {"blocks": sizes, "picture": picture.shape}
            self._archive.writestr(_HEADER, json.dumps(header))
        self._archive.writestr(str(self._count), (moment ^ self._last).tobytes())
        self._last = moment
        self._count += 1


class MomentComparison:
    """Compares an open game with stable-retro's moments, one after the other.

    Left out by design: bytes that only one of both shows; bytes that differ from the first step on
    because neither side has written them yet, since some cores leave new memory as the heap had it;
    and the part of an observation that the game does not draw, where stable-retro shows old memory.
    """

    def __init__(self, archive: zipfile.ZipFile, session: Session) -> None:
        header = json.loads(archive.read(_HEADER))
        self._archive, self._session = archive, session
        self._count = 0
        self._shape = tuple(header["picture"])
        self._addresses, self._here, self._there = _common(header["blocks"], session)
        self._unwritten = np.zeros(self.ram_bytes, np.bool_)
        self._first = (np.zeros(0, np.uint8), np.zeros(0, np.uint8))
        self._ram_bytes = sum(size for _, size in header["blocks"])
        self._moment = np.zeros(self._ram_bytes + int(np.prod(self._shape)), np.uint8)
        spec = session.game.readout.engine.spec
        self._rule = observation_rule(session.system, session.game.core.av, spec.crops[0])
        self._masks: dict[tuple[int, int, int], NDArray[np.bool_]] = {}
        self._partly_drawn = self._drawn = False

    def difference(self, result: FrameResult) -> str:
        """The first difference of the next moment; empty for none."""
        changes = np.frombuffer(self._archive.read(str(self._count)), np.uint8)
        self._moment ^= changes
        self._count += 1
        return self._ram_difference() or self._picture_difference(result)

    @property
    def ram_bytes(self) -> int:
        """Bytes of RAM that are compared."""
        return len(self._addresses)

    @property
    def compared(self) -> tuple[str, ...]:
        """The subjects compared, with their extent."""
        named = []
        if self.ram_bytes:
            named.append(f"RAM ({self.ram_bytes:,} bytes)")
        if self._drawn:
            named.append(f"pictures ({self._shape[1]} x {self._shape[0]})")
        return tuple(named)

    @property
    def apart(self) -> tuple[str, ...]:
        """The bytes and pixels left out, in words."""
        ours, common = len(self._session.memory.ram), self.ram_bytes
        named = []
        if self._ram_bytes > common:
            named.append(f"{self._ram_bytes - common:,} bytes of RAM that only stable-retro has")
        if ours > common:
            named.append(f"{ours - common:,} bytes of RAM that stable-retro does not show")
        if unwritten := int(self._unwritten.sum()):
            named.append(f"RAM that nothing wrote, which begins otherwise ({unwritten:,} bytes)")
        if self._partly_drawn:
            named.append("pixels that the game does not draw, where stable-retro shows old memory")
        if not self._drawn:
            named.append("pictures, because the game drew none")
        return tuple(named)

    def _ram_difference(self) -> str:
        ours, theirs = self._session.memory.ram[self._here], self._moment[self._there]
        wrong = ours != theirs
        if self._count == 1:
            self._first, self._unwritten = (ours, theirs), wrong.copy()
        else:
            self._unwritten &= (ours == self._first[0]) & (theirs == self._first[1])
        at = np.flatnonzero(wrong & ~self._unwritten)
        if not len(at):
            return ""
        first = at[0]
        more = f" (bytes that differ: {len(at):,})" if len(at) > 1 else ""
        return (
            f"RAM at 0x{self._addresses[first]:X}: {ours[first]} here, "
            f"{theirs[first]} in stable-retro{more}"
        )

    def _picture_difference(self, result: FrameResult) -> str:
        if result.frame is None:
            return ""
        ours, theirs = observe(result.frame, self._rule), self._moment[self._ram_bytes :]
        if ours.shape != self._shape:
            sizes = [f"{shape[1]} x {shape[0]}" for shape in (ours.shape, self._shape)]
            return f"picture: {sizes[0]} here, {sizes[1]} in stable-retro"
        drawn = self._drawn_mask(result.frame)
        self._drawn = True
        wrong = (ours != theirs.reshape(self._shape)).any(axis=-1) & drawn
        if not wrong.any():
            return ""
        y, x = np.argwhere(wrong)[0].tolist()
        return f"picture: the first pixel that differs is at x {x}, y {y} (of {int(wrong.sum()):,})"

    def _drawn_mask(self, frame: Frame) -> NDArray[np.bool_]:
        """True where the observation shows a pixel of the picture."""
        key = frame.width, frame.height, frame.rotation
        if key not in self._masks:
            white = np.full((frame.height, frame.width, 3), 255, np.uint8)
            seen = self._rule.observe(white, (8, 8, 8), frame.rotation)
            self._masks[key] = seen[..., 0] != 0
            self._partly_drawn |= not self._masks[key].all()
        return self._masks[key]


def _common(blocks: list[list[int]], session: Session) -> tuple[Places, Places, Places]:
    """The bytes that both show: their addresses, and their places in our RAM and in theirs."""
    spans, here = [np.zeros((3, 0), np.int64)], 0
    for region in session.memory.space.regions:
        there = 0
        for address, size in blocks:
            low, high = max(address, region.address), min(address + size, region.end)
            begin = np.array([low, here + low - region.address, there + low - address])
            spans.append(begin[:, np.newaxis] + np.arange(max(0, high - low)))
            there += size
        here += region.size
    addresses, ours, theirs = np.concatenate(spans, axis=1)
    return addresses, ours, theirs
