"""The library: all integrations as tiles, searched and sorted, and the page without a game."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from integrator.session.library.entries import LibraryEntry
from integrator.session.setup.roots import RootKind
from integrator.ui.actions.actions import Actions
from integrator.ui.library.library_tile import GAP, LibraryModel, LibraryTileDelegate
from integrator.ui.widgets.fields import settle_timer
from integrator.ui.widgets.fitting import FlowBox, FoldingRow, TileList
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    action_button,
    combo_box,
    hbox,
    line_edit,
    push_button,
    role_label,
    set_trait,
    vbox,
)
from integrator.ui.widgets.table import RowMenu, show_row_menus
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme


class LibraryGrid(TileList):
    """Every game that there is. ``visible_changed`` follows scrolling, resizing and filtering."""

    visible_changed = Signal()

    def __init__(self, theme: Theme, model: LibraryModel) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Library"))
        self.setObjectName("LibraryGrid")
        self.setModel(model)
        self._model = model
        self.tiles = LibraryTileDelegate(theme, model, self)
        self.setItemDelegate(self.tiles)
        self.verticalScrollBar().setSingleStep(48)
        self._settle = settle_timer(self, 40, self.visible_changed.emit)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._settle.start())
        model.modelReset.connect(self._settle.start)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._settle.start()

    def visible_entries(self) -> list[LibraryEntry]:
        box, cell = self.viewport().rect(), self.tiles.cell
        across = range(cell.width() // 2, box.width(), cell.width())
        down = range(cell.height() // 2, box.height() + cell.height(), cell.height())
        places = (QPoint(x, min(y, box.height() - 1)) for y in down for x in across)
        rows = {self.indexAt(place).row() for place in places}
        return [self._model.at(row) for row in sorted(rows - {-1})]


class LibraryView(QWidget):
    """``open_requested`` gives a LibraryEntry. ``import_requested``: a ROM is missing."""

    open_requested = Signal(object)
    import_requested = Signal()
    folder_requested = Signal(object)
    shown = Signal()
    left = Signal()

    def __init__(self, theme: Theme, import_action: QAction) -> None:
        super().__init__()
        self._theme = theme
        self.model = LibraryModel(theme, self)
        self.grid = LibraryGrid(theme, self.model)
        self._build_ui(import_action)
        for typed in (self.field, self.grid):
            typed.installEventFilter(self)
        self.grid.activated.connect(
            lambda index: self.open_requested.emit(self.model.at(index.row()))
        )
        show_row_menus(self.grid, lambda index: self.entry_menu(self.model.at(index.row())))
        self.model.modelReset.connect(self._show_counts)
        self.field.textChanged.connect(lambda _: self._filter())
        self._show_counts()

    def _build_ui(self, import_action: QAction) -> None:
        self.field = line_edit(self.tr("Search the library"), self.tr("Search games…"))
        self.field.setMinimumWidth(150)
        self.system = combo_box(self.tr("System"), self._filter)
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
        self.kind = combo_box(self.tr("Folder"), self._filter, entries=kinds)
        self.roms = QButtonGroup(self)
        chips = (
            (self.tr("All"), self.tr("Games with and without their ROM")),
            (self.tr("With ROM"), self.tr("Games that can be played now")),
            (self.tr("Without"), self.tr("Games whose ROM is missing")),
        )
        for number, (text, tip) in enumerate(chips):
            chip = push_button(text, self._filter, tip, "chip")
            chip.setCheckable(True)
            chip.setChecked(number == 0)
            chip.setAccessibleName(tip)
            self.roms.addButton(chip, number)
        self.import_button = push_button(
            self.tr("Import ROMs…"), import_action.trigger, import_action.toolTip()
        )
        what = hbox((self.field, 1), self.system, self.kind, gap=8)
        which = hbox(*self.roms.buttons(), self.import_button, None, gap=8)
        self.bar = FoldingRow(what, which)
        self.count = role_label("", "faint")
        text = self.tr("No integration fits the words and filters.")
        nothing = EmptyState(self._theme, "search", self.tr("No such game"), text)
        self.pages = EmptyOr(nothing, self.grid)
        bar = hbox(self.bar, margins=(GAP, 0, GAP, 0))
        foot = hbox(self.count, None, margins=(GAP, 0, GAP, 4))
        vbox(bar, (self.pages, 1), foot, on=self, margins=0, gap=6)

    def show_systems(self) -> None:
        """Offer the consoles of all games."""
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
        text = counted(text, total).format(f"{shown:,}", f"{total:,}")
        self.count.setText(text if total else self.tr("Looking for integrations…"))
        self.pages.show_content(bool(shown) or not total)

    def entry_menu(self, entry: LibraryEntry) -> QMenu:
        menu = RowMenu(self._theme, self)
        if entry.rom is not None:
            menu.add(self.tr("Open"), lambda: self.open_requested.emit(entry), "play")
        else:
            menu.add(self.tr("Import its ROM…"), self.import_requested.emit, "rom")
        show = self.tr("Show in the file manager")
        menu.add(show, lambda: self.folder_requested.emit(entry.directory), "folder")
        return menu

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """The library is filled once it is shown."""
        super().showEvent(event)
        self.shown.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """From the field the arrows lead into the tiles, and letters typed there lead back."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key, typing = event.key(), watched is self.field
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if key == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif typing and key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self._enter_grid()
        elif typing and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.model.rows:
                self.open_requested.emit(self.model.at(max(0, self.grid.currentIndex().row())))
        elif watched is self.grid and plain and event.text().strip():
            self.field.setFocus()
            self.field.insert(event.text())
        else:
            return super().eventFilter(watched, event)
        return True

    def _enter_grid(self) -> None:
        self.grid.setFocus()
        # The focus alone makes a tile the current one, but does not select it.
        if not self.grid.selectionModel().hasSelection() and self.model.rowCount():
            chosen = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.grid.selectionModel().setCurrentIndex(self.model.index(0, 0), chosen)


class Welcome(QWidget):
    """A place to drop a game on, buttons to open one, recent games, and the library below.
    ``back_requested``: show the open game again."""

    recent_chosen = Signal(object)
    back_requested = Signal()

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._has_recent = False
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.zone = QFrame()
        self.zone.setObjectName("DropZone")
        self.library = LibraryView(theme, actions["import_roms"])
        self._recent_row = FlowBox()
        self._recent_title = role_label(self.tr("Recent"), "faint")
        self.heading = role_label("", "heading")
        hint = self.tr("Drop a ROM, an integration folder, a movie or a state here.")
        self._drop_hint = role_label(hint, "secondary", wraps=True)
        self.back = QPushButton(theme.icons.icon("play"), "")
        self.back.clicked.connect(self.back_requested)
        self.back.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setObjectName("LibraryPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build_ui(actions)
        theme.changed.connect(self._draw_picture)
        self._draw_picture()
        self.show_game("")

    def _build_ui(self, actions: Actions) -> None:
        words = vbox(self.heading, self._drop_hint, gap=3)
        said = hbox(self._picture, (words, 1), gap=16)
        rom_icon = self._theme.icons.icon("rom", "on_accent")
        rom = action_button(actions["open_rom"], role="primary", icon=rom_icon)
        others = [action_button(actions[key]) for key in ("open_integration", "new_integration")]
        buttons = hbox(rom, *others, None, gap=10)
        hbox(FoldingRow(said, buttons, 10), on=self.zone, margins=(22, 16, 18, 16))
        parts = (self.back, self._recent_title, (self._recent_row, 1))
        recent = hbox(*parts, margins=(GAP + 2, 0, GAP, 0), gap=8)
        top = hbox(self.zone, margins=(GAP, GAP, GAP, 0))
        vbox(top, recent, (self.library, 1), on=self, margins=0, gap=10)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show games before words where height is short, as in a low window."""
        super().resizeEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        low = self.height() < 22 * self.fontMetrics().lineSpacing()
        for words in (self._picture, self.heading):
            words.setHidden(low)
        for recent in (self._recent_title, self._recent_row):
            recent.setVisible(self._has_recent and not low)

    def show_game(self, name: str) -> None:
        opened = bool(name)
        self.heading.setText(
            self.tr("Open another game") if opened else self.tr("Open a game to begin")
        )
        self._drop_hint.setHidden(opened)  # the slider takes room then
        self.back.setVisible(opened)
        self.back.setText(self.tr("Back to {0}").format(name))
        self.back.setToolTip(self.tr("Show the open game again (Esc)"))

    def set_recent(self, paths: Sequence[str]) -> None:
        self._recent_row.clear()
        self._has_recent = bool(paths)
        self._fit_height()
        for path in paths[:5]:
            chosen = partial(self.recent_chosen.emit, Path(path))
            button = push_button(Path(path).name, chosen, path, "chip")
            button.setAccessibleName(self.tr("Open {0}").format(path))
            self._recent_row.add(button)

    def set_hot(self, hot: bool) -> None:
        set_trait(self.zone, "hot", hot)

    def _draw_picture(self) -> None:
        color = self._theme.colors.link
        pixmap = self._theme.icons.pixmap("gamepad", color, 40, self.devicePixelRatioF())
        self._picture.setPixmap(pixmap)
