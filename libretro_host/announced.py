"""Checks a core's announcements: replaces impossible rates, refuses impossible memory sizes."""

from dataclasses import replace

from libretro_host.errors import CoreAnnouncementError
from libretro_host.host import AvInfo, CoreInfo, CoreLimits

LEAST_FPS, MOST_FPS = 1.0, 1000.0
"""Wide, since some handhelds and machines without a clock do not show 50 to 75 frames a second."""

LEAST_SAMPLE_RATE, MOST_SAMPLE_RATE = 1000.0, 1_000_000.0


class AvCheck:
    """Replaces impossible values in a core's AvInfos; ``unreported`` lists each complaint once."""

    def __init__(self, core: str, limits: CoreLimits) -> None:
        self._core, self._limits = core, limits
        # These values replace impossible ones in the core's first announcement.
        self._good = AvInfo(320, 240, 320, 240, aspect_ratio=0.0, fps=60.0, sample_rate=44_100.0)
        self._reported: set[str] = set()
        self.unreported: list[str] = []

    def usable(self, raw: AvInfo) -> AvInfo:
        """Return ``raw`` with every impossible value replaced by the last usable one."""
        if raw == self._good:
            return raw
        good = self._good
        # Each test is for the usable values, because every comparison with NaN is false.
        if not LEAST_FPS <= raw.fps <= MOST_FPS:
            self._tell(f"{raw.fps:g} frames a second", f"{good.fps:g}")
            raw = replace(raw, fps=good.fps)
        if not LEAST_SAMPLE_RATE <= raw.sample_rate <= MOST_SAMPLE_RATE:
            self._tell(f"{raw.sample_rate:g} samples of sound a second", f"{good.sample_rate:g}")
            raw = replace(raw, sample_rate=good.sample_rate)
        if not self._is_size(raw.base_width, raw.base_height):
            size = f"{good.base_width} x {good.base_height}"
            self._tell(f"pictures of {raw.base_width} x {raw.base_height} pixels", size)
            raw = replace(raw, base_width=good.base_width, base_height=good.base_height)
        if not self._is_size(raw.max_width, raw.max_height):
            # Several good cores leave this out without harm, so it is not reported.
            raw = replace(raw, max_width=raw.base_width, max_height=raw.base_height)
        if not -100 <= raw.aspect_ratio <= 100:
            # In libretro, an aspect ratio of 0 means width / height.
            self._tell(f"pictures {raw.aspect_ratio:g} times as wide as high", "their size")
            raw = replace(raw, aspect_ratio=0.0)
        self._good = raw
        return raw

    def _is_size(self, width: int, height: int) -> bool:
        return width > 0 and height > 0 and width * height <= self._limits.picture_pixels

    def _tell(self, announced: str, used: str) -> None:
        text = f"{self._core} announces {announced}, which is impossible; {used} is used instead"
        if text not in self._reported:
            self._reported.add(text)
            self.unreported.append(text)


def check_info(info: CoreInfo, limits: CoreLimits) -> None:
    """Raise CoreAnnouncementError if memory regions, states or all RAM have impossible sizes."""
    fault, end = "", 0
    for region in info.regions:
        last = region.address + region.size
        if region.size <= 0 or not end <= region.address < last <= 1 << 64:
            place = f"{region.size:,} bytes of memory at 0x{region.address:X}"
            fault = fault or f"{place}, which is impossible"
        end = last
    if not 0 <= info.state_bytes <= limits.state_bytes:
        most = f"{limits.state_bytes:,} that a game of its system can need"
        fault = f"states of {info.state_bytes:,} bytes, more than the {most}"
    elif not fault and info.ram_bytes > limits.ram_bytes:
        most = f"{limits.ram_bytes:,} that a console of its system has"
        fault = f"{info.ram_bytes:,} bytes of memory, more than the {most}"
    if fault:
        raise CoreAnnouncementError(f"{info.library_name} announces {fault}; use another core")
