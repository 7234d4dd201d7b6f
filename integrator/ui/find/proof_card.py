"""The popover with the verdict on one candidate, and its reasons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from integrator.session.proof.proof import Verdict
from integrator.ui.terms.proof_marks import mark_of
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.parts import hbox, role_label, vbox
from integrator.ui.widgets.room.flow_box import place_beside
from integrator.ui.widgets.theme import Theme

_WIDTH = 400
_ROLES = {"original": "good", "copy": "warn", "inert": "faint", "unknown": "secondary"}


class ProofCard(QFrame):
    """Closes when something else is clicked.

    ``use_requested``: (address, type) with the width and code of the verdict; ``show_requested``:
    an address in a reason.
    """

    use_requested = Signal(int, object)
    show_requested = Signal(int)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("Popover")
        self._theme = theme
        self.title = role_label("", "mono")
        self.ruling = role_label("", "subheading")
        self.reasons = vbox(gap=6)
        self.source = self._button(self.tr("Show what it copies"))
        self.use = self._button("")
        head = hbox(self.ruling, None, self.title)
        buttons = hbox(self.use, self.source, None, gap=6)
        vbox(head, self.reasons, buttons, on=self, margins=(14, 11, 14, 12), gap=9)
        self.setFixedWidth(_WIDTH)
        self._use: Callable[[], object] = lambda: None
        self._source: Callable[[], object] = lambda: None
        self.use.clicked.connect(lambda: self._act(self._use))
        self.source.clicked.connect(lambda: self._act(self._source))

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _act(self, action: Callable[[], object]) -> None:
        self.close()
        action()

    def show_verdict(self, verdict: Verdict, beside: QRect) -> None:
        """Open next to ``beside``, a rectangle on the screen."""
        self.title.setText(f"{address_text(verdict.address)}  {verdict.type}")
        self.ruling.setText(mark_of(verdict).text)
        self.ruling.setProperty("role", _ROLES[verdict.ruling])
        while (item := self.reasons.takeAt(0)) is not None:
            label = item.widget()
            if label is not None:
                label.deleteLater()
        for reason in verdict.reasons:
            self.reasons.addWidget(self._sentence(reason))
        form, source = verdict.form, verdict.copy_of
        differs = (
            form is not None
            and form.type is not None
            and (form.type, form.address) != (verdict.type, verdict.address)
        )
        self.use.setVisible(differs)
        if differs and form is not None and form.type and form.address is not None:
            found, address = form.type, form.address
            text = self.tr("Take it as {0} at {1}").format(found, address_text(address))
            self.use.setText(text)
            self._use = lambda: self.use_requested.emit(address, found)
        self.source.setVisible(source is not None)
        if source is not None:
            at = source.address
            self._source = lambda: self.show_requested.emit(at)
        self.adjustSize()
        room = self.screen().availableGeometry()
        self.move(place_beside(beside, self.size(), room, right=True))
        self.show()

    def _sentence(self, text: str) -> QLabel:
        label = role_label(text, "secondary", wraps=True)
        label.setFixedWidth(_WIDTH - 28)
        return label
