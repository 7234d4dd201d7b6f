"""What the Find panel asks besides single steps: previews, rules for each frame, named searches."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.domain.errors import IntegratorError
from integrator.domain.search import Search
from integrator.session.searches import saved_searches
from integrator.session.session import Session
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import SEARCH, GameController
from integrator.ui.docks import Docks
from integrator.ui.find_status import SearchStatus
from integrator.ui.notices import NoticeKind


class FindController(QObject):
    """Turns the panel's requests into commands; which search they mean is the controller's."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._docks = docks
        self._view = docks.find
        self._rule: str | None = None
        self._asked = False
        view, options = self._view, self._view.options
        view.forecast_requested.connect(self.forecast)
        view.rule_requested.connect(self.start_rule)
        view.stop_requested.connect(self.stop_rule)
        view.show_requested.connect(self._show_in_memory)
        options.scales_requested.connect(self.use_scales)
        options.known_excluded.connect(self.exclude_known)
        options.search_chosen.connect(self.choose_search)
        options.save_requested.connect(self.save_search)
        bridge.opened.connect(lambda _: self._begin())
        bridge.frame_ready.connect(lambda _: self._follow_rule())

    def _begin(self) -> None:
        self._controller.search_name = SEARCH
        self._rule, self._asked = None, False
        self._view.show_rule(None)
        self._show_names()

    def forecast(self, op: str, value: object, against: str | None) -> None:
        """Say how many candidates a comparison would leave."""
        name = self._controller.search_name
        self._bridge.ask(
            lambda session: session.search(name).preview(op, value, against=against),
            lambda count: self._view.show_forecast(op, count),
            lambda error: self._view.show_problem(str(error)),
        )

    # -- after every frame ------------------------------------------------------------------

    def start_rule(self, op: str) -> None:
        """Compare after every frame from now on."""
        name = self._controller.search_name

        def done(_: int) -> None:
            self._rule = op
            self._view.show_rule(op)

        self._bridge.ask(
            lambda session: session.search_each_frame(name, op),
            done,
            lambda error: self._view.show_problem(str(error)),
        )

    def stop_rule(self) -> None:
        """Compare no longer."""
        name = self._controller.search_name
        self._rule = None
        self._view.show_rule(None)
        self._bridge.ask(
            lambda session: session.searches.stop_each_frame(name), lambda _: self._refresh()
        )

    def _follow_rule(self) -> None:
        if self._rule is not None and not self._asked and self._view.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        name = self._controller.search_name
        self._asked = True

        def done(status: SearchStatus) -> None:
            self._asked = False
            self._view.show_status(status)

        def failed(error: Exception) -> None:
            self._asked = False
            self._view.show_problem(str(error))

        self._bridge.ask(lambda session: SearchStatus.of(session.search(name)), done, failed)

    # -- searches by name -------------------------------------------------------------------

    def use_scales(self, scales: bool) -> None:
        """Begin anew, with or without scaled numbers."""
        name = self._controller.search_name
        self._bridge.ask(
            lambda session: session.searches.restart(name, scales=scales),
            lambda _: self._refresh(),
        )

    def exclude_known(self) -> None:
        """Leave out the bytes of all variables."""
        documents = self._controller.documents
        specs = tuple(documents.variables.values()) if documents else ()

        def exclude(search: Search) -> None:
            for spec in specs:
                search.exclude(spec.address, spec.type.width)

        self._controller.search(exclude)

    def choose_search(self, name: str) -> None:
        """Go on with another search: one that is open, else one that was saved, else a new one."""

        def work(session: Session) -> bool:
            saved = saved_searches(session.integration.directory)
            if name not in session.searches.names and name in saved:
                session.load_search(name)
            return session.search(name).has_scales

        def done(scales: bool) -> None:
            self._controller.search_name = name
            self._view.options.scales.setChecked(scales)
            self._refresh()
            self._show_names()

        self._bridge.ask(work, done, lambda error: self._view.show_problem(str(error)))

    def save_search(self, name: str) -> None:
        """Keep the search beside the integration; under another name it is a copy."""
        current = self._controller.search_name

        def work(session: Session) -> str:
            if name != current:
                raise IntegratorError(
                    f"choose the search “{name}” first (Enter in the field), then save it"
                )
            return str(session.save_search(name))

        def done(path: str) -> None:
            self._controller.said.emit(NoticeKind.GOOD, self.tr("Saved {0}").format(path))
            self._show_names()

        self._bridge.ask(work, done, lambda error: self._view.show_problem(str(error)))

    def _show_names(self) -> None:
        current = self._controller.search_name

        def work(session: Session) -> list[str]:
            saved = saved_searches(session.integration.directory)
            return list(dict.fromkeys((current, *session.searches.names, *saved)))

        self._bridge.ask(work, lambda names: self._view.options.show_searches(names, current))

    def _show_in_memory(self, address: int) -> None:
        self._docks.all["memory"].show()
        self._docks.all["memory"].raise_()
        self._docks.memory.grid.go_to(address)
