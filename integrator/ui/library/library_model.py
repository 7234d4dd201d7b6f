"""The library as a list: the entries that a filter leaves, with their facts and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, Qt

from integrator.session.library.entries import LibraryEntry, LintMark
from integrator.session.setup.roots import RootKind
from integrator.ui.widgets.rows_model import NO_PARENT, Index
from integrator.ui.widgets.translation import counted

EntryRole = Qt.ItemDataRole.UserRole
MarkRole = Qt.ItemDataRole.UserRole + 1
PictureRole = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class LibraryFilter:
    """A filter of entries. ``rom``: only entries with (True) or without (False) their ROM."""

    text: str = ""
    system: str = ""
    kind: RootKind | None = None
    rom: bool | None = None


def rank(query: str, text: str) -> int | None:
    """Rank of a fit of ``query``: less is better, None is no fit.

    Every word must occur; failing that, all letters must occur in their order.
    """
    wanted, lowered = query.lower().split(), text.lower()
    if not wanted:
        return 0
    places = [lowered.find(word) for word in wanted]
    if min(places) >= 0:
        return sum(places)
    at = start = -1
    for letter in "".join(wanted):
        at = lowered.find(letter, at + 1)
        if at < 0:
            return None
        start = at if start < 0 else start
    # Letters from all over the name are a chance hit.
    spread = at - start + 1 - sum(map(len, wanted))
    return 1000 + spread if spread <= 2 * len("".join(wanted)) else None


class LibraryModel(QAbstractListModel):
    """``data`` gives the entry, its LintMark and the file of its picture under the roles above."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: dict[Path, LibraryEntry] = {}
        self._shown: list[LibraryEntry] = []
        self._rows: dict[Path, int] = {}
        self._marks: dict[Path, LintMark] = {}
        self._pictures: dict[Path, Path] = {}
        self._filter = LibraryFilter()

    @property
    def total(self) -> int:
        """Entries without any filter."""
        return len(self._all)

    @property
    def entries(self) -> Sequence[LibraryEntry]:
        """All entries, filtered or not."""
        return list(self._all.values())

    @property
    def systems(self) -> Mapping[str, str]:
        """Title by name of the systems that there are entries of."""
        return dict(sorted((e.system, e.system_title) for e in self._all.values()))

    def add(self, entries: Sequence[LibraryEntry]) -> None:
        """Show further entries, or newer facts of known ones."""
        self._all.update((entry.directory, entry) for entry in entries)
        self._arrange()

    def keep_only(self, directories: set[Path]) -> None:
        """Forget entries whose directory is gone."""
        if not directories.issuperset(self._all):
            self._all = {path: e for path, e in self._all.items() if path in directories}
            self._arrange()

    def set_filter(self, wanted: LibraryFilter) -> None:
        """Show the entries that pass a filter."""
        if wanted != self._filter:
            self._filter = wanted
            self._arrange()

    def set_marks(self, marks: Mapping[Path, LintMark]) -> None:
        """Take results of the lint."""
        self._marks.update(marks)
        self._tell_changed(marks)

    def set_picture(self, directory: Path, file: Path) -> None:
        """Take a picture that was made."""
        self._pictures[directory] = file
        self._tell_changed([directory])

    def has_picture(self, directory: Path) -> bool:
        """True when there is a picture already."""
        return directory in self._pictures

    def entry_at(self, row: int) -> LibraryEntry:
        """The entry of a row."""
        return self._shown[row]

    def row_of(self, directory: Path) -> int | None:
        """The row of an entry; None when the filter hides it."""
        return self._rows.get(directory)

    def _arrange(self) -> None:
        wanted = self._filter
        ranked: list[tuple[int, bool, str, LibraryEntry]] = []
        for entry in self._all.values():
            if wanted.system and entry.system != wanted.system:
                continue
            if wanted.kind is not None and entry.kind is not wanted.kind:
                continue
            if wanted.rom is not None and (entry.rom is not None) != wanted.rom:
                continue
            place = rank(wanted.text, f"{entry.title}|{entry.name}")
            if place is not None:
                ranked.append((place, entry.rom is None, entry.name.lower(), entry))
        ranked.sort(key=lambda row: row[:3])
        self.beginResetModel()
        self._shown = [row[3] for row in ranked]
        self._rows = {entry.directory: row for row, entry in enumerate(self._shown)}
        self.endResetModel()

    def _tell_changed(self, directories: Mapping[Path, object] | Sequence[Path]) -> None:
        rows = [self._rows[path] for path in directories if path in self._rows]
        if rows:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)))

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """One row an entry that passes the filter."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The entry, its facts, and words for screen readers."""
        entry = self._shown[index.row()]
        if role == EntryRole:
            return entry
        if role == MarkRole:
            return self._marks.get(entry.directory)
        if role == PictureRole:
            return self._pictures.get(entry.directory)
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(entry)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.title}, {self._tip(entry)}"
        return None

    def _tip(self, entry: LibraryEntry) -> str:
        lines = [entry.name, entry.system_title, self._states(entry.states)]
        lines.append(
            self.tr("ROM is there") if entry.rom else self.tr("ROM is missing: import it to play")
        )
        mark = self._marks.get(entry.directory)
        if mark is not None:
            errors = counted(self.tr("{0} error[|s]", None, mark.errors), mark.errors)
            warnings = counted(self.tr("{0} warning[|s]", None, mark.warnings), mark.warnings)
            text = self.tr("{0}, {1} in its files")
            text = text.format(errors.format(mark.errors), warnings.format(mark.warnings))
            clean = self.tr("no errors or warnings in its files")
            found = mark.errors or mark.warnings
            lines.append(text if found else clean)
        if entry.shared:
            lines.append(self.tr("came with a package: saving makes a copy in your folder"))
        lines.append(str(entry.directory))
        return "\n".join(lines)

    def _states(self, count: int) -> str:
        return counted(self.tr("{0} state[|s]", None, count), count).format(count)
