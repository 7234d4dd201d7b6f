"""Proofs in the window: numbers poked in a hidden core, their verdicts and the pixels drawn."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget
from shiboken6 import isValid

from integrator.domain.frames.observation import Box
from integrator.domain.query.rank import Reading
from integrator.domain.values.datatype import DataType
from integrator.session.frame.result import FrameResult
from integrator.session.proof.lab import Rectangle
from integrator.session.proof.proof import ProofPlanner, ProofRun, Verdict
from integrator.session.proof.redraws import Redraw, prepare_redraws
from integrator.ui.bridge.background import PanelTask
from integrator.ui.bridge.sight import Sight
from integrator.ui.desk import Part
from integrator.ui.find.find_view import FindView
from integrator.ui.find.results_model import NumberKey, key_of, mark_of, mark_of_redraw
from integrator.ui.find.results_view import ResultsView
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.widgets.docks import dock_of, is_in_sight
from integrator.ui.widgets.fields import address_text, settle_timer
from integrator.ui.widgets.fitting import place_near
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import hbox, push_button, role_label, vbox
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme, mono_font


class ProofOverlay(QWidget):
    """Lies over the screen, lets every click through, and is hidden while it shows nothing."""

    def __init__(self, screen: ScreenView, theme: Theme) -> None:
        super().__init__(screen)
        self._screen = screen
        self._theme = theme
        self.tint: QImage | None = None
        self._shape = (0, 0)
        self.box: Rectangle | None = None
        self._label = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self.update)
        self.hide()

    def show_pixels(self, pixels: NDArray[np.bool_], label: str) -> None:
        """Tint these pixels of the picture, bool (height, width), and outline them all."""
        height, width = self._shape = (pixels.shape[0], pixels.shape[1])
        color = QColor(self._theme.colors.accent)
        cells = np.zeros((height, width, 4), np.uint8)
        cells[pixels] = (color.red(), color.green(), color.blue(), 150)
        image = QImage(cells.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        # The copy owns its pixels.
        self.show_place(Rectangle.around(pixels), label, image.copy())

    def clear(self) -> None:
        self.tint = self.box = None
        self._screen.removeEventFilter(self)
        self.hide()

    def keep_if(self, kept: bool) -> None:
        if not kept:
            self.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self.setGeometry(self._screen.rect())
        return super().eventFilter(watched, event)

    def show_place(self, box: Rectangle | None, label: str, tint: QImage | None = None) -> None:
        self.box, self._label, self.tint = box, label, tint
        self._screen.installEventFilter(self)
        self.setGeometry(self._screen.rect())
        self.setVisible(box is not None)
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        picture, size, box = self._screen.picture_rect(), self._screen.picture_size(), self.box
        if box is None or picture.isEmpty():
            return
        painter = QPainter(self)
        if self.tint is not None and (size.height(), size.width()) == self._shape:
            painter.save()
            painter.setTransform(self._screen.pixels_to_widget(), combine=True)
            painter.drawImage(0, 0, self.tint)
            painter.restore()
        colors = self._theme.colors
        place = self._screen.rect_of(box.x, box.y, box.width, box.height)
        outline = place.adjusted(-2, -2, 2, 2)
        painter.setPen(QPen(QColor(colors.accent_hover), 1.5))
        painter.drawRect(outline)
        self._draw_label(painter, outline)

    def _draw_label(self, painter: QPainter, outline: QRectF) -> None:
        painter.setFont(mono_font())
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(self._label) + 12, metrics.height() + 4
        left = min(max(outline.left(), 2.0), max(2.0, self.width() - width - 2))
        above = outline.top() - height - 3
        top = above if above >= 2 else min(outline.bottom() + 3, self.height() - height - 2)
        place = QRectF(QPointF(left, top), QPointF(left + width, top + height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.accent))
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(QColor(self._theme.colors.on_accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self._label)


_WIDTH = 400


class Popover(QFrame):
    """A small window that closes when something else is clicked."""

    def __init__(self, parent: QWidget, width: int) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("Popover")
        self.setFixedWidth(width)

    def open_at(self, place: QRect, *, above: bool = False) -> None:
        self.adjustSize()
        room = self.screen().availableGeometry()
        self.move(place_near(place, self.size(), room, above=above, right=True))
        self.show()


class ProofCard(Popover):
    """The verdict on one number of ``view``, and its reasons. ``use_requested``: (address, type)
    with the width and code of the verdict."""

    use_requested = Signal(int, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, _WIDTH)
        self.view: ResultsView[Any] | None = None
        self.title = role_label("", "mono")
        self.ruling = role_label("", "subheading")
        self.reasons = role_label("", "secondary", wraps=True)
        self.reasons.setFixedWidth(_WIDTH - 28)
        self.source = push_button(self.tr("Show what it copies"), self._show_source)
        self.use = push_button("", self._use)
        for button in (self.source, self.use):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        head = hbox(self.ruling, None, self.title)
        buttons = hbox(self.use, self.source, None, gap=6)
        vbox(head, self.reasons, buttons, on=self, margins=(14, 11, 14, 12), gap=9)

    def show_verdict(self, verdict: Verdict, view: ResultsView[Any]) -> None:
        self.view = view
        self.title.setText(f"{address_text(verdict.address)}  {verdict.type}")
        mark = mark_of(verdict)
        self.ruling.setText(mark.text)
        self.ruling.setProperty("role", mark.color)
        self.reasons.setText(mark.tip)
        self._form, source, table = verdict.other_form, verdict.copy_of, view.table
        self.use.setVisible(self._form is not None)
        if self._form is not None:
            text = self.tr("Take it as {0} at {1}")
            self.use.setText(text.format(self._form[1], address_text(self._form[0])))
        self.source.setVisible(source is not None)
        self._source = source.address if source is not None else 0
        at = view.model.index(table.currentIndex().row(), view.model.place("proof"))
        place = table.visualRect(at)
        self.open_at(QRect(table.viewport().mapToGlobal(place.topLeft()), place.size()))

    def _use(self) -> None:
        self.close()
        if self._form is not None:
            self.use_requested.emit(*self._form)

    def _show_source(self) -> None:
        self.close()
        if self.view is not None:
            self.view.show_requested.emit(self._source)


class ProofController(Part):
    """Runs proofs in hidden cores and shows their verdicts in all lists of found numbers."""

    def _set_up(self) -> None:
        bridge, screen = self._bridge, self._desk.screen.game_screen
        self._views: list[ResultsView[Any]] = []
        self.verdicts: dict[NumberKey, Verdict] = {}
        self.background = PanelTask(bridge, self._controller, "proof", (), self)
        self.overlay = ProofOverlay(screen, self._desk.theme)
        self._frame = 0
        hint = self.tr("Drag over the digits on the screen: what draws them? · Esc to stop")
        self.tool = CropTool(screen, hint)
        self.card = ProofCard(self._window)
        # Qt reports the change while it still moves the docks.
        self._settle = settle_timer(self, 0, self._clear_unseen)
        self.background.works.connect(self.overlay.keep_if)
        self.tool.drawn.connect(self._ask_place)
        # The pixels move when the game goes on, and with each frame, also in pause.
        sight, states = Sight(bridge, self.overlay), self._controller.run_state_changed
        sight.follow(states, lambda paused, _: self.overlay.keep_if(paused))
        sight.follow(bridge.frame_ready, self._note_frame)

    def add(self, view: ResultsView[Any]) -> None:
        self._views.append(view)
        self.background.add_bar(view.proof)
        view.prove_requested.connect(self.prove)
        view.table.details_requested.connect(partial(self._show_card, view))
        view.table.current_changed.connect(partial(self._show_current, view))
        view.table.clicked.connect(partial(self._show_current, view))
        dock_of(view).visibilityChanged.connect(lambda _: self._settle.start())
        self.background.works.connect(lambda _: view.show_idle())
        view.model.add_proofs({key: mark_of(verdict) for key, verdict in self.verdicts.items()})

    def _closed(self) -> None:
        self.verdicts.clear()
        self.overlay.clear()
        self.tool.hide()

    def prove(self, found: Sequence[Reading]) -> None:
        subjects = [(each.address, each.type) for each in found]
        if not subjects:
            return
        text = self.tr("Proving {0} in a hidden copy of the game").format(
            address_text(subjects[0][0]) if len(subjects) == 1 else len(subjects)
        )
        self.background.begin(text)
        self._bridge.ask(
            ProofPlanner, lambda planner: self._plan(planner, subjects), self.background.fail
        )

    def _plan(self, planner: ProofPlanner, subjects: Sequence[tuple[int, DataType]]) -> None:
        """Plan for a few at a time, so that no frame has to wait long; then run."""
        few, rest = subjects[:8], subjects[8:]
        fail = self.background.fail

        def run(proof: ProofRun) -> None:
            self.background.go_on(lambda job: proof.run(job.progress, job.stopped), self._show)

        if few:
            self._bridge.ask(lambda _: planner.add(few), lambda _: self._plan(planner, rest), fail)
        else:
            self._bridge.ask(lambda _: planner.planned(), run, fail)

    def _show(self, verdicts: tuple[Verdict, ...]) -> None:
        found = {(verdict.address, verdict.type.spec): verdict for verdict in verdicts}
        self.verdicts |= found
        marks = {key: mark_of(verdict) for key, verdict in found.items()}
        for view in self._views:
            view.model.add_proofs(marks)
        seen = (view.table.reading() for view in self._views if is_in_sight(view))
        current = self.verdict_of(next(seen, None))
        if current is not None or verdicts:
            self._tint(current or verdicts[0])

    def _tint(self, verdict: Verdict | None) -> None:
        if verdict is None or verdict.drawn is None:
            self.overlay.clear()
            return
        self._frame = self._controller.last.number if self._controller.last else 0
        text = counted(self.tr("{0} draws {1} pixel[|s]", None, verdict.pixels), verdict.pixels)
        label = text.format(address_text(verdict.address), f"{verdict.pixels:,}")
        self.overlay.show_pixels(verdict.drawn, label)

    def _show_current(self, view: ResultsView[Any], *_: object) -> None:
        if is_in_sight(view):
            self._tint(self.verdict_of(view.table.reading()))

    def _clear_unseen(self) -> None:
        """Clear the picture when no list can be seen any more."""
        if isValid(self.overlay):
            self.overlay.keep_if(any(map(is_in_sight, self._views)))

    def _note_frame(self, result: FrameResult) -> None:
        if result.number != self._frame and self.overlay.tint is not None:
            self.overlay.clear()

    def _show_card(self, view: ResultsView[Any], found: Reading) -> None:
        verdict = self.verdict_of(found)
        if verdict is not None:
            self.card.show_verdict(verdict, view)

    def verdict_of(self, found: Reading | None) -> Verdict | None:
        return None if found is None else self.verdicts.get(key_of(found))

    def _ask_place(self, crop: Box) -> None:
        rectangle = Rectangle(*crop)
        self.background.run(
            self.tr("Looking for what draws {0}").format(rectangle),
            lambda session: prepare_redraws(session, rectangle),
            lambda search, job: search.run(job.progress, job.stopped),
            self._show_redraws,
        )
        self.overlay.show_place(rectangle, self.tr("What draws this?"))

    def _show_redraws(self, redraws: tuple[Redraw, ...]) -> None:
        self.overlay.clear()
        if not redraws:
            text = self.tr(
                "Nothing was found that draws this place. It has to change now and then: play "
                "until it does, and ask again."
            )
            self._announce(text, NoticeKind.INFO)
            return
        marks = {each.address: mark_of_redraw(each) for each in redraws}
        for view in self._views:
            view.model.set_draws(marks)
        addresses = list(marks)
        self._desk.parts[FindView].search(lambda search: search.keep_at(addresses))
