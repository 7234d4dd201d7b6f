"""Keeps the JSON panel in step with the documents, both ways."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from integrator.domain.lint.schema import SchemaSet
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents, Update
from integrator.session.edits.text_check import TextProblem, check_text
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.score.texts.json_view import JsonView
from integrator.ui.widgets.panels.docks import dock_of, is_in_sight

_BURST_MS = 1500
"""Pause in typing that ends a step of undo."""


class JsonController(PanelController[JsonView]):
    """Joins typing without a longer pause to one step of undo."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: JsonView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._schemas: list[SchemaSet] = []
        # Documents as the last typed text left them: any other edit puts others in their place.
        self._typed: tuple[str, Documents] | None = None
        self._burst = QTimer(self, singleShot=True, interval=_BURST_MS)
        self._burst.timeout.connect(self._end_burst)
        view.text_changed.connect(self.take)
        view.burst_ended.connect(self._end_burst)
        view.check_requested.connect(self._check)
        dock = dock_of(view)
        # Texts are made while somebody can see them; a tab that comes forward has no show event.
        dock.visibilityChanged.connect(lambda _: self._refresh())
        view.path_changed.connect(dock.header.note.setText)
        controller.follow(
            lambda _: self._refresh(),
            "variables",
            "scenario",
            "states",
            "cheats",
            "expectations",
            "disk",
        )
        bridge.closed.connect(self._closed)

    def _closed(self) -> None:
        self._end_burst()
        self._view.show_texts({}, ())

    def _end_burst(self) -> None:
        self._burst.stop()
        self._typed = None

    def _refresh(self) -> None:
        documents = self._controller.documents
        if documents is None or not is_in_sight(self._view):
            return
        names = list(documents.variables)

        def work(session: Session) -> dict[str, str]:
            first = f"{session.game.scenario_name}.json"
            found = {each.path.name: each.text for each in session.integration.documents}
            order = sorted(found, key=lambda name: (name != first, name == "metadata.json"))
            return {name: found[name] for name in order}

        self._bridge.ask(work, lambda texts: self._view.show_texts(texts, names))

    def take(self, file: str, text: str) -> None:
        """Give a document the typed text, if it is valid; mark its errors."""
        documents = self._controller.documents
        if documents is None:
            return
        self._check(file, text)
        typed = self._typed
        merge = typed is not None and typed[0] == file and typed[1] is documents

        def work(session: Session) -> Update:
            change = session.editor.do(edits.take_text(file, text), merge=merge)
            return Update.of(session.game, change)

        def done(update: Update) -> None:
            self._controller.show(update)
            taken = self._controller.documents
            if taken is not None and (merge or update.change.places):
                self._typed = (file, taken)
                self._burst.start()

        self._bridge.ask(
            work,
            done,
            lambda error: self._view.show_refused(file, str(error)),
        )

    def _check(self, file: str, text: str) -> None:
        documents, schemas = self._controller.documents, self._schemas
        variables = frozenset(documents.variables) if documents is not None else frozenset()

        def work() -> tuple[TextProblem, ...]:
            # Reading the schemas takes some milliseconds: once, and not in the window's thread.
            if not schemas:
                schemas.append(SchemaSet(shipped("resources") / "schemas"))
            return check_text(schemas[0], file, text, variables)

        def done(problems: tuple[TextProblem, ...]) -> None:
            if self._view.editor.toPlainText() == text:
                self._view.show_problems(file, problems)

        self._bridge.beside(work, done)
