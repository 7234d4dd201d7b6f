"""The user's preferences about playing: picture, sound, controllers; kept in the settings file."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Generic, TypeVar, overload

from PySide6.QtCore import QObject, Signal

from integrator.domain.timeline.pool import DEFAULT_DISK_BUDGET_BYTES
from integrator.ui.settings.settings import UiSettings

T = TypeVar("T")


class Scaling(StrEnum):
    """The size of the picture in its room."""

    WHOLE = "whole"
    """The largest whole number of screen pixels for each pixel of the console."""
    FILL = "fill"
    """All of the room, with hard edges."""
    SMOOTH = "smooth"
    """All of the room, with soft edges."""


class Aspect(StrEnum):
    """The shape of a pixel."""

    SQUARE = "square"
    """As training sees it."""
    CORE = "core"
    """As the console's screen showed it: the core says the ratio of width to height."""


class _Kept(Generic[T]):
    """One preference: its key in the file, its default, and the reader of its text."""

    def __init__(self, key: str, default: T, parse: Callable[[str], T]) -> None:
        self._key = key
        self._default = default
        self._parse = parse

    @overload
    def __get__(self, owner: None, kind: type) -> _Kept[T]: ...
    @overload
    def __get__(self, owner: Preferences, kind: type) -> T: ...
    def __get__(self, owner: Preferences | None, kind: type) -> _Kept[T] | T:
        if owner is None:
            return self
        text = owner.settings.text(self._key)
        if text is None:
            return self._default
        try:
            return self._parse(text)
        except ValueError:  # a stored text that makes no sense
            return self._default

    def __set__(self, owner: Preferences, value: T) -> None:
        if value != self.__get__(owner, type(owner)):
            owner.settings.set_text(self._key, str(value))
            owner.changed.emit()


def _flag(text: str) -> bool:
    return text == "True"


def _within(low: int, high: int) -> Callable[[str], int]:
    return lambda text: min(max(int(text), low), high)


MAX_TURBO_FRAMES = 30
DEFAULT_TIMELINE_GB = DEFAULT_DISK_BUDGET_BYTES // 10**9
MAX_TIMELINE_GB = 1000


class Preferences(QObject):
    """Read and written as attributes; ``changed`` follows every change."""

    changed = Signal()

    scaling = _Kept("play/scaling", Scaling.WHOLE, Scaling)
    aspect = _Kept("play/aspect", Aspect.SQUARE, Aspect)
    quarter_turns = _Kept("play/quarter-turns", 0, _within(0, 3))
    """The picture's turn counter-clockwise, besides the core's own."""
    sound = _Kept("play/sound", True, _flag)  # noqa: FBT003 - what it is at first
    volume = _Kept("play/volume", 70, _within(0, 100))
    """Loudness as the ear has it, in percent."""
    pause_in_background = _Kept("play/pause-in-background", False, _flag)  # noqa: FBT003 - as above
    turbo_frames = _Kept("play/turbo-frames", 2, _within(1, MAX_TURBO_FRAMES))
    """Frames that a turbo button is down, and then up."""
    timeline_gb = _Kept("timeline/disk-gb", DEFAULT_TIMELINE_GB, _within(1, MAX_TIMELINE_GB))
    """Largest size of the file that takes the oldest frames of a long timeline."""
    on_screen_pad = _Kept("play/on-screen-pad", False, _flag)  # noqa: FBT003 - as above

    def __init__(self, settings: UiSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
