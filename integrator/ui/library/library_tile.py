"""The library as a list: its entries, their filter, and the tile that is drawn for each."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from integrator.session.library.entries import LibraryEntry, LintMark
from integrator.session.setup.roots import RootKind
from integrator.ui.widgets.fitting import TileDelegate, cached_pixmap
from integrator.ui.widgets.rows_model import NO_PARENT, Index
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import SIZES, Theme, ui_font

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
    """Rank of a fit of ``query``: less is better, None is no fit. Every word must occur; failing
    that, all letters must occur in their order."""
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
    # Letters spread over the whole name match by chance.
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
        return len(self._all)

    @property
    def entries(self) -> Sequence[LibraryEntry]:
        return list(self._all.values())

    @property
    def systems(self) -> Mapping[str, str]:
        return dict(sorted((e.system, e.system_title) for e in self._all.values()))

    def add(self, entries: Sequence[LibraryEntry]) -> None:
        self._all.update((entry.directory, entry) for entry in entries)
        self._arrange()

    def keep_only(self, directories: set[Path]) -> None:
        if not directories.issuperset(self._all):
            self._all = {path: e for path, e in self._all.items() if path in directories}
            self._arrange()

    def set_filter(self, wanted: LibraryFilter) -> None:
        if wanted != self._filter:
            self._filter = wanted
            self._arrange()

    def set_marks(self, marks: Mapping[Path, LintMark]) -> None:
        self._marks.update(marks)
        self._show_changed(marks)

    def set_picture(self, directory: Path, file: Path) -> None:
        self._pictures[directory] = file
        self._show_changed([directory])

    def has_picture(self, directory: Path) -> bool:
        return directory in self._pictures

    def entry_at(self, row: int) -> LibraryEntry:
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

    def _show_changed(self, directories: Mapping[Path, object] | Sequence[Path]) -> None:
        rows = [self._rows[path] for path in directories if path in self._rows]
        if rows:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)))

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
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


GAP = 12  # space between two tiles, in pixels
_TEXT_HEIGHT = 50


def picture_height(width: int) -> int:
    """Height of a tile's picture of that width."""
    return round(width * 0.66)


class LibraryTileDelegate(TileDelegate):
    """Paints the tiles of the library."""

    least = 190
    gap = GAP

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title_font = ui_font(SIZES.font, bold=True)
        self._small_font = ui_font(SIZES.font_small)
        self._plate_font = ui_font(SIZES.font + 3.5, bold=True)

    def height_of(self, width: int) -> int:
        return picture_height(width) + _TEXT_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: LibraryEntry = index.data(EntryRole)
        colors = self._theme.colors
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        half = GAP // 2
        box = option.rect.adjusted(half, half, -half, -half)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(box), SIZES.radius + 2, SIZES.radius + 2)
        painter.fillPath(shape, QColor(colors.hover if hovered else colors.raised))
        painter.setClipPath(shape)
        top = QRect(box.left(), box.top(), box.width(), picture_height(box.width()))
        self._draw_picture(painter, top, entry, index.data(PictureRole))
        self._draw_badges(painter, top, entry)
        self._draw_text(painter, box, top, entry, index.data(MarkRole))
        painter.setClipping(False)
        if chosen:
            painter.strokePath(shape, QPen(QColor(colors.accent), 2))
        painter.restore()

    def _draw_picture(
        self, painter: QPainter, box: QRect, entry: LibraryEntry, file: Path | None
    ) -> None:
        pixmap = cached_pixmap(file, box.size(), painter.device().devicePixelRatioF())
        if pixmap is None:
            self._draw_plate(painter, box, entry)
        else:
            painter.drawPixmap(box, pixmap)

    @staticmethod
    def hue_of(entry: LibraryEntry) -> int:
        """The hue of a game's console, in degrees; made of its name where none was chosen."""
        return zlib.crc32(entry.system.encode()) % 360 if entry.hue is None else entry.hue

    def _draw_plate(self, painter: QPainter, box: QRect, entry: LibraryEntry) -> None:
        dark = self._theme.is_dark
        present = entry.rom is not None
        hue = self.hue_of(entry)
        saturation = (95 if dark else 110) if present else 42
        first, second = (62, 36) if dark else (218, 192)
        shade = QLinearGradient(QPointF(box.topLeft()), QPointF(box.bottomRight()))
        shade.setColorAt(0, QColor.fromHsl(hue, saturation, first))
        shade.setColorAt(1, QColor.fromHsl((hue + 24) % 360, saturation, second))
        painter.fillRect(box, shade)
        ink = QColor.fromHsl(hue, saturation, 205 if dark else 70)
        ink.setAlpha(235 if present else 150)
        painter.setPen(ink)
        painter.setFont(self._plate_font)
        inner = box.adjusted(14, 12, -14, -30)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(inner, int(flags), entry.title)
        painter.setFont(self._small_font)
        badge = 0 if entry.kind in (RootKind.STABLE, RootKind.SHIPPED) else 78
        foot = box.adjusted(14, 0, -10 - badge, -11)
        text = QFontMetrics(self._small_font).elidedText(
            entry.system_title, Qt.TextElideMode.ElideRight, foot.width()
        )
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)

    def _draw_badges(self, painter: QPainter, box: QRect, entry: LibraryEntry) -> None:
        colors = self._theme.colors
        if entry.kind is RootKind.MINE:
            self._draw_label(painter, box, self.tr("yours"), colors.accent, colors.on_accent)
        elif entry.kind in (RootKind.EXPERIMENTAL, RootKind.CONTRIB):
            self._draw_label(painter, box, entry.kind.value, colors.panel, colors.secondary)

    def _draw_label(self, painter: QPainter, box: QRect, text: str, ground: str, ink: str) -> None:
        painter.setFont(self._small_font)
        width = QFontMetrics(self._small_font).horizontalAdvance(text) + 14
        label = QRectF(box.right() - width - 7, box.bottom() - 27, width, 19)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(label, 9, 9)
        painter.setPen(QColor(ink))
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_text(
        self, painter: QPainter, box: QRect, top: QRect, entry: LibraryEntry, mark: LintMark | None
    ) -> None:
        colors = self._theme.colors
        left, width = box.left() + 11, box.width() - 22
        painter.setFont(self._title_font)
        painter.setPen(QColor(colors.text if entry.rom else colors.secondary))
        metrics = QFontMetrics(self._title_font)
        name = metrics.elidedText(entry.title, Qt.TextElideMode.ElideRight, width - 18)
        first = top.bottom() + 8 + metrics.ascent()
        painter.drawText(QPoint(left, first), name)
        self._draw_mark(painter, QPoint(box.right() - 16, first - metrics.ascent() // 2 + 1), mark)
        small = QFontMetrics(self._small_font)
        painter.setFont(self._small_font)
        painter.setPen(QColor(colors.secondary if entry.rom else colors.faint))
        states = counted(self.tr("{0} state[|s]", None, entry.states), entry.states)
        facts = f"{entry.system} · {states.format(entry.states)}"
        second = first + small.height() + 3
        painter.drawText(QPoint(left, second), facts)
        if entry.rom is None:
            text = self.tr("no ROM")
            painter.setPen(QColor(colors.warn))
            right = box.right() - 11 - small.horizontalAdvance(text)
            painter.drawText(QPoint(right, second), text)

    def _draw_mark(self, painter: QPainter, centre: QPoint, mark: LintMark | None) -> None:
        if mark is None:
            return
        colors = self._theme.colors
        color = colors.bad if mark.errors else colors.warn if mark.warnings else colors.good
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        painter.drawEllipse(QPointF(centre), 4.0, 4.0)
