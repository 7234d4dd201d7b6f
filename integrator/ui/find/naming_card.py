"""The popover that asks how a found number is to be kept: type, scale, and who scales it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QWidget

from integrator.domain.sweep.readings import Scale
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.naming import Naming, factor_of, lua_name
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.parts import hbox, role_label, set_role, vbox
from integrator.ui.widgets.room.flow_box import place_beside
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import Theme

_WIDTH = 380


class NamingCard(QFrame):
    """``accepted`` gives a Naming; ``dismissed`` gives the name when something else is clicked."""

    accepted = Signal(object)
    dismissed = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("Popover")
        self._theme = theme
        self._spec: VariableSpec | None = None
        self._scale = Scale()
        self._real = False
        self._proved: tuple[int, DataType] | None = None
        self.title = role_label("", "subheading")
        self.text = role_label("", "secondary", wraps=True)
        self.reward = QCheckBox()
        self.lua = QCheckBox()
        self.proved = QCheckBox()
        self.proved.toggled.connect(lambda _: self._show_place())
        self.place = role_label("", "mono")
        self.make = QPushButton(self.tr("Make variable"))
        set_role(self.make, "primary")
        self.make.clicked.connect(self._accept)
        self._build_ui()

    def _build_ui(self) -> None:
        head = hbox(self.title, None, self.place)
        foot = hbox(None, self.make)
        vbox(
            head,
            self.text,
            self.proved,
            self.reward,
            self.lua,
            foot,
            on=self,
            margins=(14, 11, 14, 12),
            gap=9,
        )
        self.setFixedWidth(_WIDTH)

    def ask(
        self,
        spec: VariableSpec,
        scale: Scale,
        proved: tuple[int, DataType] | None,
        where: QPoint,
        *,
        real: bool = False,
    ) -> None:
        """Open above ``where``. ``proved`` is an address and a type that a proof found instead."""
        self._spec, self._scale, self._proved, self._real = spec, scale, proved, real
        scaled = bool(str(scale))
        self.title.setText(spec.name)
        self.text.setText(self._explained(spec, scale))
        factor = f"{factor_of(scale):g}"
        text = self.tr("Reward its change, {0} for each step of memory")
        self.reward.setText(text.format(factor))
        self.reward.setToolTip(self.tr("So that a point on the screen is a reward of one"))
        self.lua.setText(self.tr("Add the Lua function {0}()").format(lua_name(spec.name)))
        self.lua.setToolTip(self.tr("It returns the number as the screen shows it"))
        for box in (self.reward, self.lua):
            box.setChecked(False)
            box.setVisible(scaled)
        self.lua.setVisible(scaled or real)
        self.proved.setVisible(proved is not None)
        self.proved.setChecked(proved is not None)
        if proved is not None:
            text = self.tr("Take it as {0} at {1}, as proved")
            self.proved.setText(text.format(proved[1], address_text(proved[0])))
        self._show_place()
        self.adjustSize()
        room = self.screen().availableGeometry()
        self.move(place_beside(QRect(where, where), self.size(), room, above=True, right=True))
        self.show()
        self.make.setFocus()

    def _explained(self, spec: VariableSpec, scale: Scale) -> str:
        """The reason why the user has to decide."""
        if self._real:
            text = self.tr(
                "stable-retro has no floating-point variables. This one holds the four bytes as a "
                "whole number, {0}; only a Lua function can make the number of them."
            )
            return text.format(spec.type)
        if spec.mask is not None:
            low = spec.mask & -spec.mask
            text = (
                self.tr(
                    "A variable of {0} has the mask {1}. stable-retro does not shift what it "
                    "masks: it reads 0 or {1}."
                )
                if low == spec.mask
                else self.tr(
                    "A variable of {0} has the mask {1}. stable-retro does not shift what it "
                    "masks: it reads 0 to {1} in steps of {2}."
                )
            )
            return text.format(bits_text(spec.mask), spec.mask, low)
        if str(scale):
            text = self.tr("The screen shows another number than memory holds: {0}.")
            return text.format(scale.formula)
        return self.tr("The proof found another width or code for this number.")

    def _show_place(self) -> None:
        spec = self._chosen()
        if spec is not None:
            mask = "" if spec.mask is None else f" & 0x{spec.mask:02X}"
            self.place.setText(f"{address_text(spec.address)}  {spec.type}{mask}")

    def _chosen(self) -> VariableSpec | None:
        spec, proved = self._spec, self._proved
        if spec is None or proved is None or not self.proved.isChecked():
            return spec
        return VariableSpec(spec.name, proved[0], proved[1])

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
        if spec is not None:
            self.dismissed.emit(spec.name)

    def _accept(self) -> None:
        spec, self._spec = self._chosen(), None
        self.close()
        if spec is not None:
            factor = factor_of(self._scale) if self.reward.isChecked() else None
            self.accepted.emit(Naming(spec, self._scale, factor, self.lua.isChecked(), self._real))
