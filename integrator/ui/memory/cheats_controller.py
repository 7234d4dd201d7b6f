"""Lets the Cheats panel follow the game; every way to freeze a value ends here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.values.datatype import DataType
from integrator.session.cheats import HeldValue
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.session import Session
from integrator.session.setup.game import Game
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.memory.cheats_view import CheatChange, CheatsView
from integrator.ui.memory.variables.variables_view import VariablesView
from integrator.ui.widgets.notices import NoticeKind, Teller
from integrator.ui.widgets.translation import counted


@dataclass(frozen=True, slots=True)
class _Held:
    rows: tuple[HeldValue, ...]
    on: bool
    frozen: frozenset[str]
    """Names of the variables that are held."""

    @classmethod
    def of(cls, session: Session) -> _Held:
        held = set(session.memory.frozen)
        names = (
            name
            for name, spec in session.integration.variables.items()
            if (spec.address, spec.type) in held
        )
        return cls(session.cheats.rows(), session.cheats.on, frozenset(names))


class CheatsController(PanelController[CheatsView]):
    """Lists values frozen in passing beside the cheats that are kept."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: CheatsView,
        variables: VariablesView,
        say: Teller,
        parent: QObject,
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._variables = variables
        self._say = say
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        controller.follow(self._documents_changed, "variables", "cheats")
        view.switch_requested.connect(self.switch)
        view.change_requested.connect(self.put)
        view.remove_requested.connect(self.remove)
        view.release_requested.connect(self.release)

    def _opened(self, game: GameSnapshot) -> None:
        self._view.show_game(game.types, game.first_address)
        self._view.show_variables(list(game.documents.variables))
        self._bridge.ask(_Held.of, self._offer)

    def _offer(self, held: _Held) -> None:
        self._show(held)
        enabled = sum(row.enabled for row in held.rows)
        if enabled and not held.on:
            told = self.tr("{0} cheat[ is|s are] kept with this game, and off", None, enabled)
            text = counted(told, enabled).format(enabled)
            turn_on = (self.tr("Cheats on"), lambda: self.switch(on=True))
            self._say(NoticeKind.INFO, text, turn_on)

    def _closed(self) -> None:
        self._view.show_game((), None)
        self._dock.header.note.clear()

    def _documents_changed(self, documents: Documents) -> None:
        self._view.show_variables(list(documents.variables))
        self.refresh()

    def refresh(self) -> None:
        """Show the held values."""
        self._bridge.ask(_Held.of, self._show)

    def _show(self, held: _Held) -> None:
        self._view.show_rows(held.rows, on=held.on)
        count = sum(row.held for row in held.rows)
        self._dock.header.note.setText(self.tr("{0} held").format(count) if count else "")
        self._variables.model.set_frozen(set(held.frozen))

    def _failed(self, error: Exception) -> None:
        self._say(NoticeKind.ERROR, str(error))
        self.refresh()

    def _do(self, change: Callable[[Session], object]) -> None:
        def work(session: Session) -> _Held:
            change(session)
            return _Held.of(session)

        self._bridge.ask(work, self._show, self._failed)

    # -- commands ---------------------------------------------------------------------------

    def switch(self, on: bool) -> None:
        """Hold the ticked cheats, or none."""
        self._do(lambda session: session.cheats.switch(on=on))

    def put(self, change: CheatChange) -> None:
        """Change a cheat, or keep a further one; a place that was held goes on being held."""

        def edit(game: Game) -> None:
            cheat = change.cheat
            place = cheat.place(dict(game.integration.variables))
            # Refuses a value that does not fit before the document is touched.
            game.memory.space.encode_write(place.address, place.type, cheat.value)
            game.integration.cheats.put(change.index, cheat)
            if change.index is None and (place.address, place.type) in game.memory.frozen:
                game.memory.thaw(place.address, place.type)
                game.cheats.on = True
            game.cheats.refresh()

        self._controller.edit(edit)

    def remove(self, index: int) -> None:
        """Take a cheat out of the list."""

        def edit(game: Game) -> None:
            game.integration.cheats.remove(index)
            game.cheats.refresh()

        self._controller.edit(edit)

    def release(self, row: HeldValue) -> None:
        """Let go of a value frozen in passing."""
        address = row.address
        if address is not None:
            self._do(lambda session: session.cheats.thaw(address, DataType.parse(row.type)))

    def freeze_candidate(self, candidate: Reading) -> None:
        """Hold a candidate of the search at its value."""

        def freeze(session: Session) -> None:
            value = session.memory.read(candidate.address, candidate.type)
            session.cheats.freeze(candidate.address, candidate.type, value, mask=candidate.mask)

        self._do(freeze)
