"""The window's settings: layout, recent games, preferences. Moves a damaged file aside."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from integrator.domain.errors import SaveError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import TEXT_BYTES, read_file
from integrator.domain.integration.naming import free_name
from integrator.domain.timeline.pool import DEFAULT_DISK_BUDGET_BYTES
from integrator.domain.words import tr
from integrator.ui import widgets as ui

MAX_RECENT = 10

LAYOUT_VERSION = 3  # raise it when docks are added or moved: old layouts would not fit
_LAYOUTS = f"layout-{LAYOUT_VERSION}"

T = TypeVar("T")


class Scaling(StrEnum):
    """The size of the picture in the available space."""

    WHOLE = "whole"  # the largest whole number of screen pixels for each pixel of the console
    FILL = "fill"  # all of the available space, with hard edges
    SMOOTH = "smooth"  # all of the available space, with soft edges


class Aspect(StrEnum):
    """The shape of the picture's pixels."""

    SQUARE = "square"  # as training sees it
    CORE = "core"  # as on the console's screen, by the core's ratio of width to height


_SIZES = {
    Scaling.WHOLE: tr("Whole numbers, every pixel the same"),
    Scaling.FILL: tr("Fill the room, hard edges"),
    Scaling.SMOOTH: tr("Fill the room, soft edges"),
}
_SHAPES = {
    Aspect.SQUARE: tr("Square pixels, as training sees them"),
    Aspect.CORE: tr("As on the console's screen"),
}
_TURNS = {
    0: tr("Upright"),
    1: tr("A quarter turn to the left"),
    2: tr("Upside down"),
    3: tr("A quarter turn to the right"),
}


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A setting, from which its storage and its field in the Preferences dialog derive. ``choices``
    are values with their texts. ``span`` is the smallest and the largest number; a number in the
    file is clamped to it. The field has ``label`` before it, and ``text`` as the text of a check
    box or after a number. ``heading`` begins a section of the dialog."""

    key: str
    default: T
    label: str = ""
    text: str = ""
    tip: str = ""
    heading: str = ""
    choices: Mapping[T, str] = field(default_factory=dict)
    span: tuple[int, int] | None = None

    @property
    def is_preference(self) -> bool:
        """True if the Preferences dialog edits the setting."""
        return bool(self.label or self.text)

    def parse(self, text: str) -> T:
        """Return the value of a text in the file. Raises ValueError for an invalid text."""
        kind: Callable[[object], T] = type(self.default)
        if self.span is not None:
            return kind(min(max(int(text), self.span[0]), self.span[1]))
        return kind(text.lower() == "true" if isinstance(self.default, bool) else text)

    @overload
    def __get__(self, owner: None, kind: type) -> "Setting[T]": ...
    @overload
    def __get__(self, owner: "UiSettings", kind: type) -> T: ...
    def __get__(self, owner: "UiSettings | None", kind: type) -> "Setting[T] | T":
        if owner is None:
            return self
        text = owner.text(self.key)
        try:
            return self.default if text is None else self.parse(text)
        except ValueError:
            return self.default

    def __set__(self, owner: "UiSettings", value: T) -> None:
        if value != self.__get__(owner, type(owner)):
            owner.set_text(self.key, str(value))
            if self.is_preference:
                owner.changed.emit()


class UiSettings(QObject):
    """Settings in an INI file at ``path``. ``set_aside`` is the new path of a damaged file.
    ``changed`` follows every change of a setting that the Preferences dialog edits."""

    changed = Signal()

    theme = Setting("view/theme", ui.ThemeChoice.SYSTEM)
    workspace = Setting("view/workspace", "play")
    memory_views = Setting("view/memory", "")  # number formats of grids, with commas between
    shows_buttons = Setting("view/buttons", default=False)  # buttons drawn over the picture

    scaling = Setting(
        "play/scaling", Scaling.WHOLE, tr("Size"), choices=_SIZES, heading=tr("Picture")
    )
    aspect = Setting("play/aspect", Aspect.SQUARE, tr("Shape"), choices=_SHAPES)
    quarter_turns = Setting("play/quarter-turns", 0, tr("Turned"), choices=_TURNS, span=(0, 3))
    """Quarter turns of the picture counterclockwise, after the core's own rotation."""
    sound = Setting(
        "play/sound", default=True, text=tr("Play the game's sound"), heading=tr("Sound")
    )
    volume = Setting("play/volume", 70, tr("Volume"), span=(0, 100))  # percent of loudness as heard
    turbo_frames = Setting(  # frames for which a turbo button is down, and then up
        "play/turbo-frames",
        2,
        tr("Turbo"),
        tr(" frames down, as many up"),
        heading=tr("Controllers"),
        span=(1, 30),
    )
    on_screen_pad = Setting(
        "play/on-screen-pad", default=False, text=tr("Show a pad to click over the picture")
    )
    pause_in_background = Setting(
        "play/pause-in-background", default=False, text=tr("Pause when another program is in front")
    )
    timeline_gb = Setting(  # limit of the file with a long timeline's oldest frames
        "timeline/disk-gb",
        DEFAULT_DISK_BUDGET_BYTES // 10**9,
        tr("Recorded play"),
        tr(" GB of disk at most"),
        span=(1, 1000),
        tip=tr("Beyond that, the oldest frames of a long timeline are given up"),
        heading=tr("Timeline"),
    )

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.set_aside: Path | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        self._settings = self._read()
        for group in self._settings.childGroups():
            if group.startswith("layout-") and group != _LAYOUTS:
                self._settings.remove(group)

    def _read(self) -> QSettings:
        if self._is_text():
            settings = QSettings(str(self.path), QSettings.Format.IniFormat)
            if settings.status() is QSettings.Status.NoError:
                return settings
        taken = {each.name for each in self.path.parent.iterdir()}
        self.set_aside = self.path.with_name(free_name(f"{self.path.stem}.damaged", taken))
        self.path.replace(self.set_aside)
        return QSettings(str(self.path), QSettings.Format.IniFormat)

    def _is_text(self) -> bool:
        try:
            raw = read_file(self.path, TEXT_BYTES)
            raw.decode("utf-8")
        except FileNotFoundError:
            return True
        except (OSError, UnicodeDecodeError):  # not a file, or not text
            return False
        # Qt ends the program at a damaged Variant value, and this program never writes one.
        variant = re.search(rb'[=,]\s*"?(?:@|\\x40)Variant\(', raw)
        return variant is None and b"\0" not in raw

    @property
    def recent(self) -> list[str]:
        return self._texts("files/recent")

    def _texts(self, key: str) -> list[str]:
        stored = self._settings.value(key, [])
        values = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return [str(value) for value in values if value]

    def add_recent(self, path: Path, system: str = "") -> None:
        """Put a game first in the list of recent games. For a bare ROM, keep its ``system``."""
        systems = {str(path): system}
        for other in self.recent:
            systems.setdefault(other, self.system_of(Path(other)))
        recent = list(systems)[:MAX_RECENT]
        kept = [f"{systems[each]} {each}" for each in recent if systems[each]]
        self._settings.setValue("files/recent", recent)
        self._settings.setValue("files/systems", kept)

    def system_of(self, path: Path) -> str:
        """Return the system with which a recent bare ROM was opened; "" for other games."""
        parts = (line.partition(" ") for line in self._texts("files/systems"))
        return next((name for name, _, known in parts if known == str(path)), "")

    def geometry(self) -> QByteArray | None:
        return self._bytes("view/geometry")

    def set_geometry(self, geometry: QByteArray) -> None:
        self._settings.setValue("view/geometry", geometry)

    def layout(self, workspace: str) -> QByteArray | None:
        return self._bytes(f"{_LAYOUTS}/{workspace}")

    def set_layout(self, workspace: str, state: QByteArray) -> None:
        self._settings.setValue(f"{_LAYOUTS}/{workspace}", state)

    def forget_layouts(self) -> None:
        self._settings.remove(_LAYOUTS)

    def folder(self, purpose: str, fallback: Path) -> Path:
        """Return the folder that the last file dialog for ``purpose`` ended in, or ``fallback``."""
        stored = Path(str(self._settings.value(f"folders/{purpose}", str(fallback))))
        return stored if stored.is_dir() else fallback

    def set_folder(self, purpose: str, folder: Path) -> None:
        self._settings.setValue(f"folders/{purpose}", str(folder))

    def text(self, key: str) -> str | None:
        """Return the text that a part of the window stored under ``key``, or None."""
        value = self._settings.value(key)
        return value if isinstance(value, str) else None

    def set_text(self, key: str, text: str | None) -> None:
        """Store a text for a part of the window; None removes it."""
        if text is None:
            self._settings.remove(key)
        else:
            self._settings.setValue(key, text)

    def table(self, key: str) -> dict[str, Any]:
        """Return a JSON object that is stored as text; an empty one if the text is damaged."""
        try:
            stored = parse_json(self.text(key) or "{}")
        except ValueError:
            return {}
        return stored if isinstance(stored, dict) else {}

    def set_table(self, key: str, table: Mapping[str, object]) -> None:
        self.set_text(key, json.dumps(table) if table else None)

    def save(self) -> None:
        """Write the file now. Raises SaveError."""
        written = QSettings(str(self.path), QSettings.Format.IniFormat)  # an older one keeps errors
        written.sync()
        if written.status() is not QSettings.Status.NoError:
            cure = "free some disk space, or give yourself the right to write this file"
            raise SaveError(f"{self.path}: the window's settings could not be written; {cure}")

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._settings.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None
