"""The library: all integrations as tiles, with search, filters and sorting."""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QLinearGradient, QPainter, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QMenu, QWidget

from integrator.session.library.entries import LibraryEntry, LintMark
from integrator.session.setup.roots import RootKind
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Actions


def rank(query: str, text: str) -> int | None:
    """Return how well ``text`` fits ``query``, lower is better, or None. Every word must occur, or
    else all letters in their order."""
    if (place := ui.place_of_words(query, text)) is not None:
        return place
    wanted, lowered = query.lower().split(), text.lower()
    at = start = -1
    for letter in "".join(wanted):
        if (at := lowered.find(letter, at + 1)) < 0:
            return None
        start = at if start < 0 else start
    # Letters that are spread over the whole name match by chance.
    spread = at - start + 1 - sum(map(len, wanted))
    return 1000 + spread if spread <= 2 * len("".join(wanted)) else None


class LibraryModel(ui.RowsModel[LibraryEntry]):
    """The entries that pass the filter, best first. ``all`` are the entries of all folders;
    ``marks`` and ``pictures`` hold the lint marks and pictures that are known so far."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: dict[Path, LibraryEntry] = {}
        self.marks: dict[Path, LintMark] = {}
        self.pictures: dict[Path, Path] = {}
        self._wanted: tuple[str, str, RootKind | None, bool | None] = ("", "", None, None)

    def table(self) -> Sequence[ui.Column[LibraryEntry]]:
        return (ui.Column("", lambda entry: entry.name),)

    def add(self, entries: Sequence[LibraryEntry]) -> None:
        self.all.update((entry.directory, entry) for entry in entries)
        self._arrange()

    def keep_only(self, directories: set[Path]) -> None:
        if not directories.issuperset(self.all):
            self.all = {path: e for path, e in self.all.items() if path in directories}
            self._arrange()

    def set_filter(self, text: str, system: str, kind: RootKind | None, rom: bool | None) -> None:
        """Show entries that fit. ``rom``: only entries with (True) or without (False) a ROM."""
        before, self._wanted = self._wanted, (text, system, kind, rom)
        if before != self._wanted:
            self._arrange()

    def set_marks(self, marks: Mapping[Path, LintMark]) -> None:
        self.marks.update(marks)
        self.all_changed()

    def set_picture(self, directory: Path, file: Path) -> None:
        self.pictures[directory] = file
        self.all_changed()

    def _arrange(self) -> None:
        text, system, kind, rom = self._wanted
        fitting = [
            (place, entry)
            for entry in self.all.values()
            if system in ("", entry.system)
            and kind in (None, entry.kind)
            and rom in (None, entry.rom is not None)
            and (place := rank(text, f"{entry.title}|{entry.name}") if text else 0) is not None
        ]
        fitting.sort(key=lambda each: (each[0], each[1].rom is None, each[1].name.lower()))
        self.show([entry for _, entry in fitting])

    def data(self, index: ui.Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            entry = self.at(index.row())
            return f"{entry.title}, {self.tip(entry)}"
        return super().data(index, role)

    def tip(self, entry: LibraryEntry) -> str:
        states = ui.counted(self.tr("{0} state[|s]", None, entry.states), entry.states)
        rom = self.tr("ROM is there") if entry.rom else self.tr("ROM is missing: import it to play")
        lines = [entry.name, entry.system_title, states.format(entry.states), rom]
        mark = self.marks.get(entry.directory)
        if mark is not None and not mark.errors and not mark.warnings:
            lines.append(self.tr("no errors or warnings in its files"))
        elif mark is not None:
            errors = ui.count_text(self.tr("{0} error[|s]", None, mark.errors), mark.errors)
            warnings = ui.count_text(self.tr("{0} warning[|s]", None, mark.warnings), mark.warnings)
            lines.append(self.tr("{0}, {1} in its files").format(errors, warnings))
        if entry.shared:
            lines.append(self.tr("came with a package: saving makes a copy in your folder"))
        return "\n".join([*lines, str(entry.directory)])


GAP = 12  # space between tiles, in pixels


class LibraryTileDelegate(ui.TileDelegate[LibraryModel]):
    """Paints the tiles of the library."""

    least = 190
    shape = 0.66
    text_height = 50
    gap = GAP
    radius = ui.SIZES.radius + 2

    def __init__(self, model: LibraryModel, parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self._plate_font = ui.ui_font(ui.SIZES.font + 3.5, bold=True)

    def ground(self, *, hovered: bool, chosen: bool) -> str:  # noqa: ARG002 - as the class says
        return ui.Theme.now.colors.hover if hovered else ui.Theme.now.colors.raised

    def edge(self, row: int, *, chosen: bool) -> str:  # noqa: ARG002 - as the class says
        return ui.Theme.now.colors.accent if chosen else ""

    def draw(self, painter: QPainter, box: QRect, row: int) -> None:
        colors, entry = ui.Theme.now.colors, self._model.at(row)
        top = box.adjusted(0, 0, 0, -self.text_height)
        file = self._model.pictures.get(entry.directory)
        pixmap = ui.cached_pixmap(file, top.size(), painter.device().devicePixelRatioF())
        if pixmap is None:
            self._draw_plate(painter, top, entry)
        else:
            painter.drawPixmap(top, pixmap)
        mine, corner = entry.kind is RootKind.MINE, QPoint(top.right() - 7, top.bottom() - 27)
        if mine or entry.kind in (RootKind.EXPERIMENTAL, RootKind.CONTRIB):
            text = self.tr("yours") if mine else entry.kind.value
            theirs = colors.panel, colors.secondary
            inks = (colors.accent, colors.on_accent) if mine else theirs
            self.draw_label(painter, corner, text, inks, right=True)
        self._draw_text(painter, box, top, entry)

    @staticmethod
    def hue_of(entry: LibraryEntry) -> int:
        """Return the hue of a game's console in degrees, computed from its name if none is set."""
        return zlib.crc32(entry.system.encode()) % 360 if entry.hue is None else entry.hue

    def _draw_plate(self, painter: QPainter, box: QRect, entry: LibraryEntry) -> None:
        dark, present, hue = ui.Theme.now.is_dark, entry.rom is not None, self.hue_of(entry)
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
        align = Qt.AlignmentFlag
        flags = align.AlignLeft | align.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(box.adjusted(14, 12, -14, -30), int(flags), entry.title)
        badge = 0 if entry.kind in (RootKind.STABLE, RootKind.SHIPPED) else 78
        foot, bottom = box.adjusted(14, 0, -10 - badge, -11), align.AlignBottom
        self.draw_line(painter, foot, entry.system_title, ink, self._small_font, bottom)

    def _draw_text(self, painter: QPainter, box: QRect, top: QRect, entry: LibraryEntry) -> None:
        colors, mark = ui.Theme.now.colors, self._model.marks.get(entry.directory)
        metrics, small = QFontMetrics(self._title_font), QFontMetrics(self._small_font)
        name = QRect(box.left() + 11, top.bottom() + 8, box.width() - 40, metrics.height())
        color = colors.text if entry.rom else colors.secondary
        self.draw_line(painter, name, entry.title, color, self._title_font)
        first = name.top() + metrics.ascent()
        if mark is not None:
            color = colors.bad if mark.errors else colors.warn if mark.warnings else colors.good
            ui.fill_with(painter, color)
            center = QPointF(box.right() - 16, first - metrics.ascent() // 2 + 1)
            painter.drawEllipse(center, 4.0, 4.0)
        painter.setFont(self._small_font)
        painter.setPen(QColor(colors.secondary if entry.rom else colors.faint))
        states = ui.counted(self.tr("{0} state[|s]", None, entry.states), entry.states)
        second = first + small.height() + 3
        facts = f"{entry.system} · {states.format(entry.states)}"
        painter.drawText(QPoint(name.left(), second), facts)
        if entry.rom is None:
            text = self.tr("no ROM")
            painter.setPen(QColor(colors.warn))
            painter.drawText(QPoint(box.right() - 11 - small.horizontalAdvance(text), second), text)


class LibraryView(QWidget):
    """The library with filters. ``open_requested`` gives an entry; ``left`` returns to the game."""

    open_requested = Signal(object)
    folder_requested = Signal(object)
    shown = Signal()
    left = Signal()

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._import = actions["import_roms"]
        self.model = LibraryModel(self)
        grid = ui.styled(ui.TileList(), "LibraryGrid", accessibleName=self.tr("Library"))
        self.grid = ui.configured(grid, model=self.model)
        self.tiles = LibraryTileDelegate(self.model, self.grid)
        self.grid.setItemDelegate(self.tiles)
        self.grid.verticalScrollBar().setSingleStep(48)
        self._build_ui()
        for typed in (self.field, self.grid):
            typed.installEventFilter(self)
        opened, at = self.open_requested.emit, self.model.at
        self.grid.activated.connect(lambda index: opened(at(index.row())))
        ui.show_row_menus(self.grid, lambda index: self.entry_menu(at(index.row())))
        self.model.modelReset.connect(self._show_counts)
        self.field.textChanged.connect(lambda _: self._filter())
        self._show_counts()

    def _build_ui(self) -> None:
        name, hint = self.tr("Search the library"), self.tr("Search games…")
        self.field = ui.line_edit(name, hint, minimumWidth=150)
        self.system = ui.combo_box(self.tr("System"), self._filter)
        theirs = self.tr("What came with stable-retro")
        mine = self.tr("Integrations that you made or imported")
        kinds: Sequence[tuple[str, object, str]] = (
            (self.tr("All folders"), None, ""),
            (self.tr("Yours"), RootKind.MINE.value, mine),
            (self.tr("Shipped"), RootKind.SHIPPED.value, self.tr("What came with this program")),
            (self.tr("Stable"), RootKind.STABLE.value, theirs),
            (self.tr("Experimental"), RootKind.EXPERIMENTAL.value, theirs),
            (self.tr("Contrib"), RootKind.CONTRIB.value, theirs),
        )
        self.kind = ui.combo_box(self.tr("Folder"), self._filter, entries=kinds)
        self.roms = QButtonGroup(self)
        chips = (
            (self.tr("All"), self.tr("Games with and without their ROM")),
            (self.tr("With ROM"), self.tr("Games that can be played now")),
            (self.tr("Without"), self.tr("Games whose ROM is missing")),
        )
        for number, (text, tip) in enumerate(chips):
            chip = ui.push_button(text, self._filter, tip, "chip", checkable=True)
            self.roms.addButton(ui.named(chip, tip, checked=number == 0), number)
        imports, tip = self.tr("Import ROMs…"), self._import.toolTip()
        self.import_button = ui.push_button(imports, self._import.trigger, tip)
        what = ui.hbox((self.field, 1), self.system, self.kind, gap=8)
        which = ui.hbox(*self.roms.buttons(), self.import_button, None, gap=8)
        self.bar = ui.FoldingRow(what, which)
        self.count = ui.role_label("", "faint")
        text = self.tr("No integration fits the words and filters.")
        nothing = ui.EmptyState("search", self.tr("No such game"), text)
        self.pages = ui.EmptyOr(nothing, self.grid)
        bar = ui.hbox(self.bar, margins=(GAP, 0, GAP, 0))
        foot = ui.hbox(self.count, None, margins=(GAP, 0, GAP, 4))
        ui.vbox(bar, (self.pages, 1), foot, on=self, margins=0, gap=6)

    def visible_entries(self) -> Sequence[LibraryEntry]:
        room, cell = self.grid.viewport().size(), self.tiles.cell
        across = max(1, room.width() // cell.width())
        first = self.grid.verticalScrollBar().value() // cell.height() * across
        shown = (room.height() // cell.height() + 2) * across
        return self.model.rows[first : first + shown]

    def show_systems(self) -> None:
        systems = dict(sorted((e.system, e.system_title) for e in self.model.all.values()))
        chosen = self.system.currentData()
        self.system.clear()
        self.system.addItem(self.tr("All systems"), "")
        for row, (name, title) in enumerate(systems.items(), start=1):
            self.system.addItem(name, name)
            self.system.setItemData(row, title, Qt.ItemDataRole.ToolTipRole)
        self.system.setCurrentIndex(max(0, self.system.findData(chosen)))

    def _filter(self) -> None:
        kind, rom = self.kind.currentData(), (None, True, False)[self.roms.checkedId()]
        system, kind = str(self.system.currentData() or ""), RootKind(kind) if kind else None
        self.model.set_filter(self.field.text(), system, kind, rom)
        self.grid.scrollToTop()

    def _show_counts(self) -> None:
        shown, total = self.model.rowCount(), len(self.model.all)
        text = self.tr("{0} game[|s]", None, total)
        if shown != total:
            text = self.tr("{0} of {1} game[|s]", None, total)
        text = ui.counted(text, total).format(ui.grouped(shown), ui.grouped(total))
        self.count.setText(text if total else self.tr("Looking for integrations…"))
        self.pages.show_content(bool(shown) or not total)

    def entry_menu(self, entry: LibraryEntry) -> QMenu:
        menu, folder = ui.RowMenu(self), self.folder_requested.emit
        if entry.rom is not None:
            menu.add(self.tr("Open"), lambda: self.open_requested.emit(entry), "play")
        else:
            menu.add(self.tr("Import its ROM…"), self._import.trigger, "rom")
        menu.add(self.tr("Show in the file manager"), lambda: folder(entry.directory), "folder")
        return menu

    def showEvent(self, event: QShowEvent) -> None:
        """Emit ``shown``, because the library is filled only once it is visible."""
        super().showEvent(event)
        self.shown.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let arrow keys move from the field to the tiles, and typed letters back to the field."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key, typing = event.key(), watched is self.field
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if key == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif typing and key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.grid.setFocus()
            # The focus makes a tile the current one, but does not select it.
            if not self.grid.selectionModel().hasSelection() and self.model.rows:
                chosen = QItemSelectionModel.SelectionFlag.ClearAndSelect
                self.grid.selectionModel().setCurrentIndex(self.model.index(0, 0), chosen)
        elif typing and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.model.rows:
                self.open_requested.emit(self.model.at(max(0, self.grid.currentIndex().row())))
        elif watched is self.grid and plain and event.text().strip():
            self.field.setFocus()
            self.field.insert(event.text())
        else:
            return super().eventFilter(watched, event)
        return True
