"""Makes variables of found numbers; a card asks where a number can be kept in several ways."""

from functools import partial
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent

from integrator.domain.query.rank import Reading
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import SCRIPT, Naming, factor_of, lua_name, scaled_edits
from integrator.ui.desk import Desk, OnDesk
from integrator.ui.find.proof import Popover, ProofController
from integrator.ui.find.results_view import ResultsView
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import check_box, hbox, push_button, role_label, vbox
from integrator.ui.widgets.texts import bits_text

_WIDTH = 380


class NamingCard(OnDesk, Popover):
    """A plain number becomes a variable at once. For others the card asks how the number is kept:
    type, scale, and who scales it. The name goes back when something else is clicked."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window, _WIDTH)
        self._use_desk(desk)
        self._spec: VariableSpec | None = None
        self._other: tuple[int, DataType] | None = None
        self._view: ResultsView[Any] | None = None
        self.title = role_label("", "subheading")
        self.text = role_label("", "secondary", wraps=True)
        self.reward = check_box(tip=self.tr("So that a point on the screen is a reward of one"))
        self.lua = check_box(tip=self.tr("It returns the number as the screen shows it"))
        self.proved = check_box()
        self.proved.toggled.connect(lambda _: self._show_place())
        self.place = role_label("", "mono")
        self.make = push_button(self.tr("Make variable"), self._accept, role="primary")
        boxes = (self.text, self.proved, self.reward, self.lua)
        head, foot = hbox(self.title, None, self.place), hbox(None, self.make)
        vbox(head, *boxes, foot, on=self, margins=(14, 11, 14, 12), gap=9)
        self._proof = desk.parts[ProofController]
        self._proof.card.use_requested.connect(self._take_over)

    def add(self, view: ResultsView[Any]) -> None:
        view.variable_requested.connect(partial(self._name_in, view))

    def _name_in(self, view: ResultsView[Any], name: str, found: Reading) -> None:
        self._view = view
        verdict = self._proof.verdict_of(found) if view.asks_for_form else None
        # A proof is of whole numbers: it does not say how bits or floats are to be read.
        whole = found.mask is None and found.real is None
        proved = verdict.other_form if whole and verdict is not None else None
        spec = VariableSpec(name, found.address, found.type, found.mask)
        if found.real is not None or str(found.scale) or proved is not None:
            self._ask(spec, found, proved)
        else:
            self._make(Naming(spec, found.scale))

    def _ask(self, spec: VariableSpec, found: Reading, proved: tuple[int, DataType] | None) -> None:
        """Open above the button. ``proved`` is an address and a type that a proof found instead."""
        self._spec, self._found, self._other = spec, found, proved
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
            self.proved.setText(text.format(proved[1], address_text(proved[0])))
        self._show_place()
        if self._view is not None:
            button = self._view.make
            corner = button.mapToGlobal(button.rect().topRight())
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
            one = self.tr(
                "A variable of {0} has the mask {1}. stable-retro does not shift what it "
                "masks: it reads 0 or {1}."
            )
            several = self.tr(
                "A variable of {0} has the mask {1}. stable-retro does not shift what it "
                "masks: it reads 0 to {1} in steps of {2}."
            )
            text = one if low == spec.mask else several
            return text.format(bits_text(spec.mask), spec.mask, low)
        if str(found.scale):
            text = self.tr("The screen shows another number than memory holds: {0}.")
            return text.format(found.scale.formula)
        return self.tr("The proof found another width or code for this number.")

    def _show_place(self) -> None:
        if (spec := self._wanted()) is not None:
            mask = "" if spec.mask is None else f" & 0x{spec.mask:02X}"
            self.place.setText(f"{address_text(spec.address)}  {spec.type}{mask}")

    def _wanted(self) -> VariableSpec | None:
        spec, other = self._spec, self._other
        if spec is None or other is None or not self.proved.isChecked():
            return spec
        return VariableSpec(spec.name, *other)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Take Enter on the button, which only a dialog's buttons do by themselves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Give the name back, unless the variable was made."""
        super().hideEvent(event)
        spec, self._spec = self._spec, None
        if spec is not None and self._view is not None and not self._view.name.text():
            self._view.name.setText(spec.name)

    def _accept(self) -> None:
        spec, self._spec = self._wanted(), None
        self.close()
        if spec is not None:
            scale, real = self._found.scale, self._found.real is not None
            factor = factor_of(scale) if self.reward.isChecked() else None
            self._make(Naming(spec, scale, factor, self.lua.isChecked(), real))

    def _take_over(self, address: int, data_type: DataType) -> None:
        """Make a variable of the width and code of a verdict."""
        if self._proof.card.view is None:
            return
        field = self._proof.card.view.name
        name, documents = field.text().strip(), self._controller.documents
        if name and documents is not None and name not in documents.variables:
            field.clear()
            self._make(Naming(VariableSpec(name, address, data_type), Scale()))
            return
        text = self.tr("Type a name first; it becomes {0} at 0x{1:X}")
        self._announce(text.format(data_type, address), NoticeKind.INFO)
        field.setFocus()

    def _make(self, naming: Naming) -> None:
        """Add the variable, and the parts that the user chose, each as a step of undo."""
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
