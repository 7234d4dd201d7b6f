"""The Branches panel: every line of play with its picture, and two of them side by side."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPixmap
from PySide6.QtWidgets import QApplication, QMenu, QSplitter, QWidget

from integrator.domain.timeline.line import BranchInfo
from integrator.session.session import Session
from integrator.session.timeline.branches import BranchComparison, Thumbnail
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.desk import PanelController
from integrator.ui.review.branches.branches_compare import BranchCompareView, pixmap_of
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, stack
from integrator.ui.widgets.panels.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.settle import settle_timer
from integrator.ui.widgets.texts import clock_text, plain_number
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

BranchColumn = IntEnum("BranchColumn", "NAME LENGTH PARTS REWARD", start=0)


class BranchesModel(RowsModel[BranchInfo]):
    """A row a line of play, the present one first. Pictures come later, and stay with the name."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._pictures: dict[str, QPixmap] = {}
        self._fps = 60.0
        self._bold = QFont()
        self._bold.setBold(True)

    def set_rows(self, rows: Sequence[BranchInfo], fps: float) -> None:
        if tuple(rows) == self.rows and fps == self._fps:
            return
        self._fps = fps
        names = {row.name for row in rows}
        self._pictures = {n: p for n, p in self._pictures.items() if n in names}
        if [row.name for row in rows] == [row.name for row in self.rows]:
            self.rows = tuple(rows)
            self.all_changed()
        else:
            self.show(tuple(rows))

    def set_pictures(self, pictures: Mapping[str, QPixmap]) -> None:
        self._pictures.update(pictures)
        for at, line in enumerate(self.rows):
            if line.name in pictures:
                self.cells_changed(at, BranchColumn.NAME, BranchColumn.NAME)

    def picture(self, name: str) -> QPixmap | None:
        return self._pictures.get(name)

    def is_present(self, line: BranchInfo) -> bool:
        return line.name == self.rows[0].name

    def row_of(self, name: str) -> int | None:
        return next((at for at, line in enumerate(self.rows) if line.name == name), None)

    def table(self) -> Sequence[Column[BranchInfo]]:
        return (
            Column(
                self.tr("line"), lambda line: line.name, icon=lambda line: self.picture(line.name)
            ),
            Column(
                self.tr("length"), lambda line: clock_text(line.length, self._fps), font=self._mono
            ),
            Column(self.tr("parts at"), self._parts, color=self._parts_color, font=self._mono),
            Column(
                self.tr("reward"),
                lambda line: " / ".join(map(plain_number, line.rewards)),
                font=self._mono,
            ),
        )

    def font(self, line: BranchInfo) -> QFont | None:
        return self._bold if self.is_present(line) else None

    def tip(self, line: BranchInfo) -> str:
        text = counted(self.tr("{0}: {1} frame[|s]", None, line.length), line.length)
        return text.format(line.name, f"{line.length:,}")

    def _parts(self, line: BranchInfo) -> str:
        return self.tr("now") if self.is_present(line) else f"{line.shared_frames:,}"

    def _parts_color(self, line: BranchInfo) -> str:
        colors = self._theme.colors
        return colors.good if self.is_present(line) else colors.secondary


PICTURE = QSize(60, 45)
"""The room for a line's picture in the table."""

_ROW_HEIGHT = PICTURE.height() + 6


class BranchesView(QWidget):
    """Lists lines of play. Signals give a branch's name; ``selected`` none for the present line."""

    selected = Signal(str)
    go_requested = Signal(str)
    rename_requested = Signal(str)
    delete_requested = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self.model = BranchesModel(theme, self)
        self.table = DataTable(self.tr("Branches"), self.model)
        self.table.setIconSize(PICTURE)
        self.table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.table.set_widths(
            (150, 74, 70, 70), stretch=BranchColumn.NAME, whole=(BranchColumn.REWARD,)
        )
        self.table.activated.connect(self._go)
        show_row_menus(self.table, lambda index: self.branch_menu(index.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._select())
        self.compare = BranchCompareView(theme)
        self.compare.hide()
        # Showing it moves the rows, so a double click would hit another row.
        self._comes = settle_timer(
            self,
            QApplication.doubleClickInterval(),
            lambda: self.compare.setVisible(bool(self.selected_branch)),
        )
        empty = EmptyState(
            theme,
            "fork",
            self.tr("No branches yet"),
            self.tr("Go back to an earlier frame and play on: what was played before is kept."),
            [actions["fork"]],
        )
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        split.addWidget(self.table)
        split.addWidget(self.compare)
        split.setSizes([150, 240])
        self.pages = EmptyOr(empty, split)
        stack(self, self.pages)
        self.model.modelReset.connect(self._rows_changed)

    @property
    def selected_branch(self) -> str:
        row = self.table.currentIndex().row()
        return self.model.at(row).name if 0 < row < self.model.rowCount() else ""

    def select(self, name: str) -> None:
        row = self.model.row_of(name)
        if row is not None:
            self.table.selectRow(row)

    def branch_menu(self, row: int) -> QMenu | None:
        """A menu of actions for a kept line; None for the present one."""
        if not row:
            return None
        name, menu = self.model.at(row).name, RowMenu(self._theme, self)
        menu.add(self.tr("Go there"), lambda: self.go_requested.emit(name), "fork")
        menu.add(self.tr("Rename…"), lambda: self.rename_requested.emit(name), "edit")
        menu.add(self.tr("Delete"), lambda: self.delete_requested.emit(name), "trash")
        return menu

    def _rows_changed(self) -> None:
        self.pages.show_content(self.model.rowCount() > 1)
        self._select()

    def _select(self) -> None:
        if self.selected_branch:
            self._comes.start()
        else:
            self.compare.hide()
        self.selected.emit(self.selected_branch)

    def _go(self, index: QModelIndex) -> None:
        if index.row():
            self.go_requested.emit(self.model.at(index.row()).name)


_REFRESH_MS = 50

Key = tuple[str, int]
"""Name and length of a line."""
Answer = tuple[dict[Key, Thumbnail], BranchComparison | None]


class BranchesController(PanelController[BranchesView]):
    """Reads pictures and comparisons only while the panel is in sight.

    A picture that was not taken when its line was left has to be made with the core, which would
    stop play for a moment: that waits until the game is paused.
    """

    def _set_up(self) -> None:
        desk, bridge, controller, view = self._desk, self._bridge, self._controller, self._view
        self._facts: TimelineFacts | None = None
        self._pictured: set[Key] = set()
        self._compared: tuple[Key, Key] | None = None
        self._live = LiveReader(bridge, Sight(bridge, view), _REFRESH_MS, self._look, self._show)
        view.go_requested.connect(desk.parts[TravelController].switch_to)
        view.rename_requested.connect(desk.parts[TravelController].rename_branch)
        view.delete_requested.connect(desk.parts[TravelController].delete_branch)
        view.selected.connect(self._live.touch)
        desk.parts[TravelController].moved.connect(self._show_facts)
        bridge.closed.connect(self._end)
        controller.run_state_changed.connect(self._live.touch)
        controller.scored.connect(lambda _: self._forget_comparison())

    def show_panel(self) -> None:
        self._dock.come_forward()

    def _forget_comparison(self) -> None:
        """Both lines have other scores."""
        self._compared = None
        self._live.touch()

    def _end(self) -> None:
        self._facts, self._compared = None, None
        self._pictured.clear()
        self._view.model.set_rows((), 60.0)
        self._dock.header.note.clear()

    @property
    def _fps(self) -> float:
        game = self._controller.game
        return game.fps if game else 60.0

    def _show_facts(self, facts: TimelineFacts) -> None:
        self._facts = facts
        present = BranchInfo(facts.line, facts.length, facts.length, facts.rewards)
        self._view.model.set_rows([present, *facts.branches], self._fps)
        self._dock.header.note.setText(str(len(facts.branches) or ""))
        self._live.touch()

    def _look(self) -> Callable[[Session], Answer] | None:
        facts, paused = self._facts, self._controller.paused
        if facts is None:
            return None
        lengths = {branch.name: branch.length for branch in facts.branches}
        present, lines = (facts.line, facts.length), set(lengths.items())
        missing = (lines | {present} if paused and lines else lines) - self._pictured
        chosen = self._view.selected_branch
        pair = ((chosen, lengths[chosen]), present) if chosen in lengths else None
        # While the game runs, the present line grows with every frame.
        shown = self._compared if paused else self._compared and (self._compared[0], present)
        stale = pair is not None and pair != shown
        if not missing and not stale:
            return None
        if stale:
            self._compared = pair

        compares = pair[0] if stale and pair else None

        def read(session: Session) -> Answer:
            travel = session.timeline
            there = {(each.name, each.length) for each in travel.branches}
            there.add((travel.log.current, travel.length))
            made = {key: travel.picture_of(key[0], rerun=paused) for key in missing & there}
            compared = travel.compare(chosen) if compares in there else None
            return {key: each for key, each in made.items() if each is not None}, compared

        return read

    def _show(self, answer: Answer) -> None:
        pictures, compared = answer
        self._pictured.update(pictures)
        ratio = self._view.devicePixelRatioF()
        self._view.model.set_pictures(
            {key[0]: pixmap_of(picture, PICTURE, ratio) for key, picture in pictures.items()}
        )
        if compared is not None:
            self._view.compare.show_comparison(compared, self._fps)
