"""The window's memory: layout, theme, recent games. A damaged file is set aside."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from integrator.domain.files.reading import TEXT_BYTES, read_file
from integrator.ui.widgets.theme import ThemeChoice

MAX_RECENT = 10

LAYOUT_VERSION = 3
"""Raised when docks change or have other places, so that an old layout is not applied to them."""
_LAYOUTS = f"layout-{LAYOUT_VERSION}"

_VARIANT = re.compile(rb'[=,]\s*"?(?:@|\\x40)Variant\(')
"""A value of a kind that we never keep, and over which, when damaged, Qt ends the program."""


class UiSettings:
    """Settings in an INI file at ``path``. ``set_aside`` is where a damaged one was moved to."""

    def __init__(self, path: Path) -> None:
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
        self.set_aside = self.path.with_suffix(".damaged")
        self.path.replace(self.set_aside)
        return QSettings(str(self.path), QSettings.Format.IniFormat)

    def _is_text(self) -> bool:
        try:
            raw = read_file(self.path, TEXT_BYTES)
            raw.decode("utf-8")
        except FileNotFoundError:
            return True
        except (OSError, UnicodeDecodeError):  # something else than a file is there, or no text
            return False
        return not _VARIANT.search(raw) and b"\0" not in raw

    @property
    def theme(self) -> ThemeChoice:
        """The chosen theme; follows the system when the stored one makes no sense."""
        stored = str(self._settings.value("view/theme", ThemeChoice.SYSTEM.value))
        with contextlib.suppress(ValueError):
            return ThemeChoice(stored)
        return ThemeChoice.SYSTEM

    @theme.setter
    def theme(self, choice: ThemeChoice) -> None:
        self._settings.setValue("view/theme", choice.value)

    @property
    def workspace(self) -> str:
        """The workspace last in use."""
        return str(self._settings.value("view/workspace", "play"))

    @workspace.setter
    def workspace(self, key: str) -> None:
        self._settings.setValue("view/workspace", key)

    @property
    def shows_buttons(self) -> bool:
        """True when pressed buttons are drawn over the picture."""
        return str(self._settings.value("view/buttons", "false")) == "true"

    @shows_buttons.setter
    def shows_buttons(self, shown: bool) -> None:
        self._settings.setValue("view/buttons", "true" if shown else "false")

    @property
    def recent(self) -> list[str]:
        """Games opened last, newest first."""
        return self._texts("files/recent")

    def _texts(self, key: str) -> list[str]:
        stored = self._settings.value(key, [])
        values = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return [str(value) for value in values if value]

    def add_recent(self, path: Path, system: str = "") -> None:
        """Put a game first in the list; of a bare ROM, its ``system`` is kept too."""
        text = str(path)
        recent = [text, *(other for other in self.recent if other != text)][:MAX_RECENT]
        systems = {**self._recent_systems, text: system}
        kept = {path: systems[path] for path in recent if systems.get(path)}
        self._settings.setValue("files/recent", recent)
        self._settings.setValue("files/systems", [f"{name} {path}" for path, name in kept.items()])

    def system_of(self, path: Path) -> str:
        """The system that a recent bare ROM was opened with; empty for other games."""
        return self._recent_systems.get(str(path), "")

    @property
    def _recent_systems(self) -> dict[str, str]:
        parts = (line.partition(" ") for line in self._texts("files/systems"))
        return {path: name for name, _, path in parts}

    def geometry(self) -> QByteArray | None:
        """The window's place and size."""
        return self._bytes("view/geometry")

    def set_geometry(self, geometry: QByteArray) -> None:
        """Keep the window's place and size."""
        self._settings.setValue("view/geometry", geometry)

    def layout(self, workspace: str) -> QByteArray | None:
        """The docks' arrangement of one workspace."""
        return self._bytes(f"{_LAYOUTS}/{workspace}")

    def set_layout(self, workspace: str, state: QByteArray) -> None:
        """Keep the docks' arrangement of one workspace."""
        self._settings.setValue(f"{_LAYOUTS}/{workspace}", state)

    def forget_layouts(self) -> None:
        """All workspaces start from their presets again."""
        self._settings.remove(_LAYOUTS)

    def folder(self, purpose: str, fallback: Path) -> Path:
        """The last folder of a file dialog of ``purpose``."""
        stored = Path(str(self._settings.value(f"folders/{purpose}", str(fallback))))
        return stored if stored.is_dir() else fallback

    def set_folder(self, purpose: str, folder: Path) -> None:
        """Keep where a file dialog was."""
        self._settings.setValue(f"folders/{purpose}", str(folder))

    def text(self, key: str) -> str | None:
        """The text that another part of the window keeps under ``key``, or None."""
        value = self._settings.value(key)
        return value if isinstance(value, str) else None

    def set_text(self, key: str, text: str | None) -> None:
        """Keep a text for another part of the window; None forgets it."""
        if text is None:
            self._settings.remove(key)
        else:
            self._settings.setValue(key, text)

    def save(self) -> None:
        """Write the file now."""
        self._settings.sync()

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._settings.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None
