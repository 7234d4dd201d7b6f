"""Proofs of found numbers, the pixels that the numbers draw, and cards that name variables."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QFrame, QWidget
from shiboken6 import isValid

from integrator.domain.frames.observation import Box
from integrator.domain.query.rank import Reading
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import SCRIPT, Naming, factor_of, lua_name, scaled_edits
from integrator.session.frame.result import FrameResult
from integrator.session.proof.experiment import Rectangle, Redraw, prepare_redraws
from integrator.session.proof.proof import ProofPlanner, ProofRun, Verdict
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import PanelTask
from integrator.ui.bridge.sight import Sight
from integrator.ui.find.find_view import FindView
from integrator.ui.find.results_model import NumberKey, key_of, mark_of, mark_of_redraw
from integrator.ui.find.results_view import ResultsView
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.window_context import Part, WindowContext, WindowPart


class ProofOverlay(ui.OverlaidFrame):
    """Marks pixels over the screen. It passes clicks through, and is hidden without a mark."""

    def __init__(self, screen: ScreenView) -> None:
        super().__init__(screen)
        self._screen = screen
        self.tint: QImage | None = None
        self.box: Rectangle | None = None
        self._label = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_pixels(self, pixels: NDArray[np.bool_], label: str) -> None:
        """Tint pixels of the picture, given as bool (height, width), and draw a box around them."""
        height, width = pixels.shape[0], pixels.shape[1]
        color = QColor(ui.Theme.now.colors.accent)
        cells = np.zeros((height, width, 4), np.uint8)
        cells[pixels] = (color.red(), color.green(), color.blue(), 150)
        image = QImage(cells.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        # The image uses the memory of ``cells``; the copy owns its pixels.
        self.show_place(Rectangle.around(pixels), label, image.copy())

    def clear(self) -> None:
        self.tint = self.box = None
        self.hide()

    def keep_if(self, kept: bool) -> None:
        if not kept:
            self.clear()

    def show_place(self, box: Rectangle | None, label: str, tint: QImage | None = None) -> None:
        self.box, self._label, self.tint = box, label, tint
        self.setVisible(box is not None)
        self.update()

    def paintEvent(self, _event: object) -> None:
        picture, size, box = self._screen.picture_rect(), self._screen.picture_size(), self.box
        if box is None or picture.isEmpty():
            return
        painter = QPainter(self)
        if self.tint is not None and size == self.tint.size():
            painter.save()
            painter.setTransform(self._screen.pixels_to_widget(), combine=True)
            painter.drawImage(0, 0, self.tint)
            painter.restore()
        colors = ui.Theme.now.colors
        outline = self._screen.rect_of(box.x, box.y, box.width, box.height).adjusted(-2, -2, 2, 2)
        painter.setPen(QPen(QColor(colors.accent_hover), 1.5))
        painter.drawRect(outline)
        painter.setFont(ui.mono_font())
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(self._label) + 12, metrics.height() + 4
        left = min(max(outline.left(), 2.0), max(2.0, self.width() - width - 2))
        above, below = outline.top() - height - 3, outline.bottom() + 3
        top = above if above >= 2 else min(below, self.height() - height - 2)
        label = QRectF(left, top, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui.fill_with(painter, colors.accent)
        painter.drawRoundedRect(label, 4, 4)
        painter.setPen(QColor(colors.on_accent))
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self._label)


class Popover(QFrame):
    """A small window that closes when something else is clicked."""

    def __init__(self, parent: QWidget, width: int) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("Popover")
        self.setFixedWidth(width)

    def open_at(self, place: QRect, *, above: bool = False) -> None:
        self.adjustSize()
        room = self.screen().availableGeometry()
        self.move(ui.place_near(place, self.size(), room, above=above, right=True))
        self.show()


class ProofCard(WindowPart, Popover):
    """The verdict on a number in ``view``, with its reasons. ``use_requested`` gives (address,
    type) with the width and code that the proof found."""

    use_requested = Signal(int, object)
    view: ResultsView[Any]

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window, 400)
        self._use_context(context)
        self.title = ui.role_label("", "mono")
        self.ruling = ui.role_label("", "subheading")
        self.reasons = ui.role_label("", "secondary", wraps=True, fixedWidth=372)
        by_tab, text = Qt.FocusPolicy.TabFocus, self.tr("Show what it copies")
        self.source = ui.push_button(text, self._show_source, focusPolicy=by_tab)
        self.use = ui.push_button("", self._use, focusPolicy=by_tab)
        head = ui.hbox(self.ruling, None, self.title)
        buttons = ui.hbox(self.use, self.source, None, gap=6)
        ui.vbox(head, self.reasons, buttons, on=self, margins=(14, 11, 14, 12), gap=9)

    def show_verdict(self, verdict: Verdict, view: ResultsView[Any]) -> None:
        self.view = view
        self.title.setText(f"{ui.address_text(verdict.address)}  {verdict.type}")
        mark = mark_of(verdict)
        self.ruling.setText(mark.text)
        self.ruling.setProperty("role", mark.color)
        self.reasons.setText(mark.tip)
        self._form, source, table = verdict.other_form, verdict.copy_of, view.table
        self.use.setVisible(self._form is not None)
        if self._form is not None:
            text = self.tr("Take it as {0} at {1}")
            self.use.setText(text.format(self._form[1], ui.address_text(self._form[0])))
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
        self._requests.show_address.emit(self._source)


class ProofController(Part):
    """Runs proofs in hidden cores and shows their verdicts in all lists of found numbers."""

    def _set_up(self) -> None:
        bridge, screen = self._bridge, self._screen.game_screen
        self._views: list[ResultsView[Any]] = []
        self.verdicts: dict[NumberKey, Verdict] = {}
        self.background = PanelTask(bridge, self._controller, "proof", (), self)
        self.overlay = ProofOverlay(screen)
        self._frame = 0
        hint = self.tr("Drag over the digits on the screen: what draws them? · Esc to stop")
        self.tool = CropTool(screen, hint)
        self.card = ProofCard(self._context)
        # Qt reports the change while it is still moving the docks, so the panels are checked later.
        self._settle = ui.settle_timer(self, pause_ms=0, then=self._clear_unseen)
        self.background.works.connect(self.overlay.keep_if)
        self.tool.drawn.connect(self._ask_place)
        # The tinted pixels are wrong once the game goes on, and at a new frame while it is paused.
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
        ui.dock_of(view).visibilityChanged.connect(lambda _: self._settle.start())
        self.background.works.connect(lambda _: view.show_idle())
        view.model.add_proofs({key: mark_of(verdict) for key, verdict in self.verdicts.items()})

    def _closed(self) -> None:
        self.verdicts.clear()
        self.overlay.clear()
        self.tool.hide()

    def prove(self, found: Sequence[Reading]) -> None:
        if not (subjects := [(each.address, each.type) for each in found]):
            return
        one = ui.address_text(subjects[0][0]) if len(subjects) == 1 else len(subjects)
        task = self.background
        task.begin(self.tr("Proving {0} in a hidden copy of the game").format(one))
        self._bridge.ask(ProofPlanner, lambda planner: self._plan(planner, subjects), task.fail)

    def _plan(self, planner: ProofPlanner, subjects: Sequence[tuple[int, DataType]]) -> None:
        """Plan a few candidates at a time, so that no frame waits long, and then run the proof."""
        at_once, fail = 8, self.background.fail  # candidates that are planned between two frames
        few, rest = subjects[:at_once], subjects[at_once:]

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
        seen = (view.table.reading() for view in self._views if ui.is_in_sight(view))
        current = self.verdict_of(next(seen, None))
        if current is not None or verdicts:
            self._tint(current or verdicts[0])

    def _tint(self, verdict: Verdict | None) -> None:
        if verdict is None or verdict.drawn is None:
            self.overlay.clear()
            return
        self._frame = self._controller.last.number if self._controller.last else 0
        text = ui.counted(self.tr("{0} draws {1} pixel[|s]", None, verdict.pixels), verdict.pixels)
        label = text.format(ui.address_text(verdict.address), ui.grouped(verdict.pixels))
        self.overlay.show_pixels(verdict.drawn, label)

    def _show_current(self, view: ResultsView[Any], *_: object) -> None:
        if ui.is_in_sight(view):
            self._tint(self.verdict_of(view.table.reading()))

    def _clear_unseen(self) -> None:
        if isValid(self.overlay):
            self.overlay.keep_if(any(map(ui.is_in_sight, self._views)))

    def _note_frame(self, result: FrameResult) -> None:
        if result.number != self._frame and self.overlay.tint is not None:
            self.overlay.clear()

    def _show_card(self, view: ResultsView[Any], found: Reading) -> None:
        if (verdict := self.verdict_of(found)) is not None:
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
            self._inform(text)
            return
        marks = {each.address: mark_of_redraw(each) for each in redraws}
        for view in self._views:
            view.model.set_draws(marks)
        self._parts[FindView].search(lambda search: search.keep_at(list(marks)))


class NamingCard(WindowPart, Popover):
    """Makes a variable of a number. If the number has a scale or is a float, or a proof found
    another form, the card first asks for the form. A dismissed card restores the name."""

    _view: ResultsView[Any]

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window, 380)
        self._use_context(context)
        self._spec: VariableSpec | None = None
        self._other: VariableSpec | None = None
        self.title = ui.role_label("", "subheading")
        self.text = ui.role_label("", "secondary", wraps=True)
        self.reward = ui.check_box(tip=self.tr("So that a point on the screen is a reward of one"))
        self.lua = ui.check_box(tip=self.tr("It returns the number as the screen shows it"))
        self.proved = ui.check_box()
        self.proved.toggled.connect(lambda _: self._show_place())
        self.place = ui.role_label("", "mono")
        self.make = ui.push_button(self.tr("Make variable"), self._accept, role="primary")
        boxes = (self.text, self.proved, self.reward, self.lua)
        head, foot = ui.hbox(self.title, None, self.place), ui.hbox(None, self.make)
        ui.vbox(head, *boxes, foot, on=self, margins=(14, 11, 14, 12), gap=9)
        self._proof = context.parts[ProofController]
        self._proof.card.use_requested.connect(self._take_over)

    def add(self, view: ResultsView[Any]) -> None:
        view.variable_requested.connect(partial(self._name_in, view))

    def _name_in(self, view: ResultsView[Any], name: str, found: Reading) -> None:
        self._view = view
        verdict = self._proof.verdict_of(found) if view.asks_for_form else None
        # A proof tests whole numbers, so it cannot correct the form of bits or floats.
        whole = found.mask is None and found.real is None
        proved = verdict.other_form if whole and verdict is not None else None
        spec = VariableSpec(name, found.address, found.type, found.mask)
        if found.real is not None or str(found.scale) or proved is not None:
            self._ask(spec, found, proved)
        else:
            self._make(Naming(spec, found.scale))

    def _ask(self, spec: VariableSpec, found: Reading, proved: tuple[int, DataType] | None) -> None:
        """Open above the button. ``proved`` is the address and type that a proof found instead."""
        self._spec, self._found = spec, found
        self._other = VariableSpec(spec.name, *proved) if proved else None
        self.title.setText(spec.name)
        self.text.setText(self._explained(spec, found))
        scaled = bool(str(found.scale))
        text = self.tr("Reward its change, {0} for each step of memory")
        self.reward.setText(text.format(f"{factor_of(found.scale):g}"))
        self.lua.setText(self.tr("Add the Lua function {0}()").format(lua_name(spec.name)))
        for box, offered in ((self.reward, scaled), (self.lua, scaled or found.real is not None)):
            box.setChecked(False)
            box.setVisible(offered)
        self.proved.setVisible(proved is not None)
        self.proved.setChecked(proved is not None)
        if proved is not None:
            text = self.tr("Take it as {0} at {1}, as proved")
            self.proved.setText(text.format(proved[1], ui.address_text(proved[0])))
        self._show_place()
        corner = self._view.make.mapToGlobal(self._view.make.rect().topRight())
        self.open_at(QRect(corner, corner), above=True)
        self.make.setFocus()

    def _explained(self, spec: VariableSpec, found: Reading) -> str:
        if found.real is not None:
            text = self.tr(
                "stable-retro has no floating-point variables. This one holds the four bytes as a "
                "whole number, {0}; only a Lua function can make the number of them."
            )
            return text.format(spec.type)
        if spec.mask is not None:
            low = spec.mask & -spec.mask
            text = self.tr(
                "A variable of {0} has the mask {1}. stable-retro does not shift what it "
                "masks: it reads 0 to {1} in steps of {2}."
            )
            if low == spec.mask:
                text = self.tr(
                    "A variable of {0} has the mask {1}. stable-retro does not shift what it "
                    "masks: it reads 0 or {1}."
                )
            return text.format(ui.bits_text(spec.mask), spec.mask, low)
        if str(found.scale):
            text = self.tr("The screen shows another number than memory holds: {0}.")
            return text.format(found.scale.formula)
        return self.tr("The proof found another width or code for this number.")

    def _show_place(self) -> None:
        if (spec := self._wanted()) is not None:
            mask = "" if spec.mask is None else f" & 0x{spec.mask:02X}"
            self.place.setText(f"{ui.address_text(spec.address)}  {spec.type}{mask}")

    def _wanted(self) -> VariableSpec | None:
        return self._other if self._spec and self.proved.isChecked() else self._spec

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept at Enter, because Qt lets Enter press a focused button only in dialogs."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Put the name back into its field, unless the variable was made."""
        super().hideEvent(event)
        spec, self._spec = self._spec, None
        if spec is not None and not self._view.name.text():
            self._view.name.setText(spec.name)

    def _accept(self) -> None:
        spec, self._spec = self._wanted(), None
        self.close()
        if spec is not None:
            scale, real = self._found.scale, self._found.real is not None
            factor = factor_of(scale) if self.reward.isChecked() else None
            self._make(Naming(spec, scale, factor, self.lua.isChecked(), real))

    def _take_over(self, address: int, data_type: DataType) -> None:
        field = self._proof.card.view.name
        name, documents = field.text().strip(), self._controller.documents
        if name and documents is not None and name not in documents.variables:
            field.clear()
            self._make(Naming(VariableSpec(name, address, data_type), Scale()))
            return
        text = self.tr("Type a name first; it becomes {0} at 0x{1:X}")
        self._inform(text.format(data_type, address))
        field.setFocus()

    def _make(self, naming: Naming) -> None:
        """Add the variable and the parts that the user chose, each as an undo step of its own."""
        name = naming.spec.name
        text = self.tr("“{0}” is a variable now").format(name)
        if naming.factor is not None:
            text += self.tr("; its change is rewarded with {0:g} a step").format(naming.factor)
        if naming.lua:
            more = self.tr("; {0}() in {1} returns what the screen shows")
            text += more.format(lua_name(name), SCRIPT)
        if naming.factor is None and not naming.lua:
            text += self.tr("; reward it, or end the episode on it, in Score")

        def made() -> None:
            for edit, use in scaled_edits(naming, self._controller.documents):
                self._controller.edit(edit, use=use)
            self._announce(text)

        self._controller.put_variable(naming.spec, made)
