"""Makes variables of candidates and matches; their scale goes into a reward or a script."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.naming import SCRIPT, Naming, lua_name, scaled_edits
from integrator.session.edits.snapshot import Documents
from integrator.ui.bridge.game import GameController
from integrator.ui.find.naming_card import NamingCard
from integrator.ui.find.proof_controller import ProofController
from integrator.ui.find.results.results_view import ResultsView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import Theme


class NamingController(QObject):
    """A plain number becomes a variable at once; for a scaled one the user is asked."""

    def __init__(
        self,
        controller: GameController,
        views: Sequence[ResultsView[Any]],
        proof: ProofController,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._proof = proof
        self.card = NamingCard(parent, theme)
        self.card.accepted.connect(self.make)
        self.card.dismissed.connect(self._give_back)
        self._field = views[0].foot.name
        for view in views:
            view.variable_requested.connect(partial(self._name_in, view))
            view.rejected.connect(lambda text: controller.said.emit(NoticeKind.WARNING, text))
            controller.follow(partial(_set_variables, view), "variables")
        proof.card.use_requested.connect(self._take_over)

    def _name_in(self, view: ResultsView[Any], name: str, found: Reading) -> None:
        self._field = view.foot.name
        proved = self._proved(found) if view.asks_for_form else None
        self.name(name, found, view.foot.make, proved)

    def _give_back(self, name: str) -> None:
        """Put the name back into its field: the user looks at something else first."""
        if not self._field.text():
            self._field.setText(name)

    def name(
        self, name: str, found: Reading, button: QWidget, proved: tuple[int, DataType] | None
    ) -> None:
        """Make a variable ``name``; where there is a choice, the card opens over ``button``."""
        mask, real = found.mask, found.real is not None
        spec = VariableSpec(name, found.address, found.type, mask)
        if real or str(found.scale) or proved is not None:
            corner = button.mapToGlobal(button.rect().topRight())
            self.card.ask(spec, found.scale, proved, corner, real=real)
        else:
            self.make(Naming(spec, found.scale))

    def _proved(self, found: Reading) -> tuple[int, DataType] | None:
        """Address and type that a proof found, where they are others."""
        verdict = self._proof.verdict_of(found)
        form = verdict.form if verdict is not None else None
        # A proof is of whole numbers: it does not say how bits or floats are to be read.
        if found.mask is not None or found.real is not None or form is None:
            return None
        if form.type is None or form.address is None:
            return None
        differs = (form.address, form.type) != (found.address, found.type)
        return (form.address, form.type) if differs else None

    def _take_over(self, address: int, data_type: DataType) -> None:
        """A proof's width and code, named in the field that has a name, else asked for."""
        field = self._proof.shown_in.foot.name
        name = field.text().strip()
        documents = self._controller.documents
        if name and documents is not None and name not in documents.variables:
            field.clear()
            self.make(Naming(VariableSpec(name, address, data_type), Scale()))
            return
        text = self.tr("Type a name first; it becomes {0} at 0x{1:X}")
        self._controller.said.emit(NoticeKind.INFO, text.format(data_type, address))
        field.setFocus()

    def make(self, naming: Naming) -> None:
        """Add the variable, and the parts that the user chose, each as a step of undo."""
        spec = naming.spec
        self._controller.put_variable(spec, lambda: self._made(naming))

    def _made(self, naming: Naming) -> None:
        for edit, use in scaled_edits(naming, self._controller.documents):
            self._controller.edit(edit, use=use)
        self._controller.said.emit(NoticeKind.GOOD, self._told(naming))

    def _told(self, naming: Naming) -> str:
        name = naming.spec.name
        text = self.tr("“{0}” is a variable now").format(name)
        if naming.factor is not None:
            text += self.tr("; its change is rewarded with {0:g} a step").format(naming.factor)
        if naming.lua:
            text += self.tr("; {0}() in {1} tells what the screen shows").format(
                lua_name(name), SCRIPT
            )
        if naming.factor is None and not naming.lua:
            text += self.tr("; reward it, or end the episode on it, in Score")
        return text


def _set_variables(view: ResultsView[Any], documents: Documents) -> None:
    view.set_variables(documents.variables)
