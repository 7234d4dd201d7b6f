"""The Branches panel: all lines of play with pictures, and a comparison of two lines."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import reduce

from PySide6.QtCore import QModelIndex, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QScrollArea, QSplitter, QWidget

from integrator.domain.timeline.line import BranchInfo, PlayedFrame
from integrator.session.session import Session
from integrator.session.timeline.branches import BranchComparison, LineFacts, Thumbnail
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.review.movies import movies_compared
from integrator.ui.review.movies.movies_compared import Curve, curve_points, summed_reward
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.window_context import PanelView

_PICTURE = QSize(112, 84)
_ICON = QSize(60, 45)  # size of a line's picture in the table


class BranchCompareView(QScrollArea):
    """Shows a BranchComparison: the current line on the left, a kept line on the right."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.heading = ui.role_label("", "secondary", wraps=True)
        corner = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        self.pictures = [QLabel(alignment=corner) for _ in range(2)]
        self.names = [ui.role_label("", role) for role in ("good", "link")]
        self._facts = [ui.role_label("", "secondary", wraps=True) for _ in range(2)]
        lines = ui.hbox(gap=ui.SIZES.pad)
        for labels in zip(self.pictures, self.names, self._facts, strict=True):
            labels[0].setFixedSize(_PICTURE)
            lines.addLayout(ui.vbox(*labels, None, gap=2), 1)
        self.curves = _Curves()
        self.values = ui.role_label(font=ui.mono_font(), textInteractionFlags=ui.SELECTABLE)
        self.values.setTextFormat(Qt.TextFormat.RichText)
        body = QWidget()
        parts = (self.heading, lines, self.curves, self.values, None)
        ui.vbox(*parts, on=body, margins=(ui.SIZES.pad, 8, ui.SIZES.pad, 8), gap=6)
        self.setWidget(body)

    def show_comparison(self, compared: BranchComparison, fps: float) -> None:
        shared, here, there = compared.shared_frames, compared.here, compared.there
        text = self.tr("The same up to frame {0} ({1}), then:")
        self.heading.setText(text.format(ui.grouped(shared), ui.clock_text(shared, fps)))
        columns = zip((here, there), self.pictures, self.names, self._facts, strict=True)
        for line, picture, name, facts in columns:
            name.setText(line.name)
            picture.clear()
            if line.picture is not None:
                image, ratio = ui.rgb_image(line.picture), self.devicePixelRatioF()
                picture.setPixmap(ui.fitted_pixmap(image, _PICTURE, ratio))
            picture.setAccessibleName(line.name)
            gained = " / ".join(map(ui.plain_number, line.rewards.sum(axis=0).tolist()))
            text = self.tr("{0} further, reward {1}")
            text = text.format(ui.clock_text(line.length - shared, fps), gained)
            if line.done:
                text += self.tr(", done at {0}").format(ui.grouped(line.done[0]))
            facts.setText(text)
        self.curves.show_lines(here, there)
        self.values.setText(self._value_rows(here, there))

    def _value_rows(self, here: LineFacts, there: LineFacts) -> str:
        if not (names := [n for n in here.values if here.values[n] != there.values.get(n)]):
            return self.tr("All variables are the same at both ends.") if here.values else ""
        colors = ui.Theme.now.colors
        cells = "".join(
            f"<tr><td style='padding-right:14px'>{name}</td>"
            f"<td align='right' style='padding-right:14px;color:{colors.good}'>"
            f"{here.values[name]}</td>"
            f"<td align='right' style='color:{colors.link}'>{there.values.get(name, '')}</td></tr>"
            for name in names
        )
        return f"<table>{cells}</table>"


class _Curves(QWidget):
    """The cumulative reward of player 1 on both lines, since the lines parted."""

    def __init__(self) -> None:
        super().__init__(accessibleName=self.tr("Reward since the lines parted"))
        self._curves: list[Curve] = []
        self.setFixedHeight(52)

    def show_lines(self, *lines: LineFacts) -> None:
        self._curves = [summed_reward(line.rewards) for line in lines]
        self.update()

    def paintEvent(self, _event: object) -> None:
        colors, painter = ui.Theme.now.colors, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui.fill_with(painter, colors.sunken)
        painter.drawRoundedRect(QRectF(self.rect()), 5, 5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        scale = reduce(movies_compared.widened, self._curves, movies_compared.NO_SCALE)
        area = QRectF(self.rect()).adjusted(8, 8, -8, -8)
        for curve, color in zip(self._curves, (colors.good, colors.link), strict=False):
            points = curve_points(curve, area, scale)
            painter.setPen(QPen(QColor(color), 1.6))
            painter.drawPolyline(points)
            painter.drawEllipse(points[-1], 1.6, 1.6)


BranchColumn = IntEnum("BranchColumn", "NAME LENGTH PARTS REWARD", start=0)


class BranchesModel(ui.RowsModel[BranchInfo]):
    """One row for each line of play, the current one first. Pictures arrive later, by line name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pictures: dict[str, QPixmap] = {}
        self._fps = 60.0
        self._bold = QFont()
        self._bold.setBold(True)

    def set_rows(self, rows: Sequence[BranchInfo], fps: float) -> None:
        if tuple(rows) == self.rows and fps == self._fps:
            return
        self._fps = fps
        names = {row.name for row in rows}
        self.pictures = {n: p for n, p in self.pictures.items() if n in names}
        same = [row.name for row in rows] == [row.name for row in self.rows]
        (self.renew if same else self.show)(tuple(rows))

    def set_picture(self, name: str, picture: QPixmap) -> None:
        self.pictures[name] = picture
        if (row := self.row_of(name)) is not None:
            self.cells_changed(row, BranchColumn.NAME, BranchColumn.NAME)

    def is_present(self, line: BranchInfo) -> bool:
        return line.name == self.rows[0].name

    def row_of(self, name: str) -> int | None:
        return next((at for at, line in enumerate(self.rows) if line.name == name), None)

    def table(self) -> Sequence[ui.Column[BranchInfo]]:
        mono, now = self._mono, self.tr("now")

        def picture(line: BranchInfo) -> QPixmap | None:
            return self.pictures.get(line.name)

        def length(line: BranchInfo) -> str:
            return ui.clock_text(line.length, self._fps)

        def reward(line: BranchInfo) -> str:
            return " / ".join(map(ui.plain_number, line.rewards))

        return (
            ui.Column(self.tr("line"), lambda line: line.name, icon=picture),
            ui.Column(self.tr("length"), length, font=mono),
            ui.Column(
                self.tr("parts at"),
                lambda line: now if self.is_present(line) else ui.grouped(line.shared_frames),
                color=lambda line: "good" if self.is_present(line) else None,
                font=mono,
            ),
            ui.Column(self.tr("reward"), reward, font=mono),
        )

    def font(self, line: BranchInfo) -> QFont | None:
        return self._bold if self.is_present(line) else None

    def tip(self, line: BranchInfo) -> str:
        text = ui.counted(self.tr("{0}: {1} frame[|s]", None, line.length), line.length)
        return text.format(line.name, ui.grouped(line.length))


Key = tuple[str, PlayedFrame]  # name and newest frame of a line
Answer = tuple[dict[Key, Thumbnail], BranchComparison | None]


class BranchesView(PanelView):
    """Lists the lines of play. Pictures and comparisons are read only while the panel is in sight.
    Making a picture that was not taken when a line was left stops play, so it waits for a pause."""

    def _set_up(self) -> None:
        self._travel = self._parts[TravelController]
        self.model = BranchesModel(self)
        self.table = ui.DataTable(self.tr("Branches"), self.model)
        self.table.setIconSize(_ICON)
        self.table.verticalHeader().setDefaultSectionSize(_ICON.height() + 6)
        columns = BranchColumn
        self.table.set_widths((150, 74, 70, 70), columns.NAME, whole=(columns.REWARD,))
        self.table.activated.connect(self._go)
        ui.show_row_menus(self.table, lambda index: self.branch_menu(index.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._select())
        self.compare = BranchCompareView()
        self.compare.hide()
        # Showing the comparison moves the rows, so a double click would hit another row.
        show, wait_ms = self.compare.setVisible, QApplication.doubleClickInterval()
        self._comes = ui.settle_timer(self, wait_ms, lambda: show(bool(self.selected_branch)))
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        split.addWidget(self.table)
        split.addWidget(self.compare)
        split.setSizes([150, 240])
        self._fill(split, "fork", "branches", [self._actions["fork"]])
        self.model.modelReset.connect(self._select)
        self._pictured: set[Key] = set()
        self._compared: tuple[Key, Key] | None = None
        self._live = self._reader(self._look, self._show, 50)
        self._controller.timeline_moved.connect(self._show_facts)
        self._controller.run_state_changed.connect(self._live.touch)
        self._controller.scored.connect(self._forget_comparison)

    @property
    def selected_branch(self) -> str:
        row = self.table.currentIndex().row()
        return self.model.at(row).name if 0 < row < self.model.rowCount() else ""

    def branch_menu(self, row: int) -> QMenu | None:
        """Return the menu of a kept line; None for the current line."""
        if not row:
            return None
        menu = ui.RowMenu(self)
        self._travel.add_ways(menu, self.model.at(row).name)
        return menu

    def _select(self) -> None:
        self.pages.show_content(self.model.rowCount() > 1)
        if self.selected_branch:
            self._comes.start()
        else:
            self.compare.hide()
        self._live.touch()

    def _go(self, index: QModelIndex) -> None:
        if index.row():
            self._travel.switch_to(self.model.at(index.row()).name)

    def _forget_comparison(self, _: object) -> None:
        """Compare again, because both lines have new scores."""
        self._compared = None
        self._live.touch()

    def _closed(self) -> None:
        self._compared = None
        self._pictured.clear()
        self.model.set_rows((), 60.0)
        self._dock.header.note.clear()

    @property
    def _fps(self) -> float:
        game = self._controller.game
        return game.fps if game else 60.0

    def _show_facts(self, facts: TimelineFacts) -> None:
        present = BranchInfo(facts.line, facts.length, facts.length, facts.rewards)
        self.model.set_rows([present, *facts.branches], self._fps)
        self._dock.header.note.setText(str(len(facts.branches) or ""))
        self._live.touch()

    def _look(self) -> Callable[[Session], Answer] | None:
        facts, paused = self._timeline.facts, self._controller.paused
        if facts is None:
            return None
        present = (facts.line, facts.runs.played(facts.length))
        ends = {**facts.kept_ends, facts.line: present[1]}
        lines = {*ends.items()} - {present}
        missing = (lines | {present} if paused and lines else lines) - self._pictured
        chosen = self.selected_branch
        pair = ((chosen, ends[chosen]), present) if chosen in ends else None
        # While the game runs, the current line grows with every frame.
        shown = self._compared if paused else self._compared and (self._compared[0], present)
        stale = pair is not None and pair != shown
        if not missing and not stale:
            return None
        self._compared = pair if stale else self._compared

        def read(session: Session) -> Answer:
            travel = session.timeline
            there = {*travel.log.ends.items()}
            made = {key: travel.picture_of(key[0], rerun=paused) for key in missing & there}
            compared = travel.compare(chosen) if stale and pair and pair[0] in there else None
            return {key: each for key, each in made.items() if each is not None}, compared

        return read

    def _show(self, answer: Answer) -> None:
        pictures, compared = answer
        self._pictured.update(pictures)
        ratio = self.devicePixelRatioF()
        for (name, _), picture in pictures.items():
            self.model.set_picture(name, ui.fitted_pixmap(ui.rgb_image(picture), _ICON, ratio))
        if compared is not None:
            self.compare.show_comparison(compared, self._fps)
