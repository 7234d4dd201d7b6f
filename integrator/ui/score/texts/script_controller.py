"""Keeps the integration's scripts in step with the Script panel, and shows their errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject

from integrator.domain.integration.naming import free_name
from integrator.domain.scenario.sandbox import functions_of, is_called, syntax_error
from integrator.session.edits import commands as edits
from integrator.session.edits.scenario import call_script
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.setup.game import Game
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.score.texts.script_view import ScriptView
from integrator.ui.widgets.notices import NoticeKind, Teller

_PLACE = re.compile(r"([^\s:]+\.lua):(\d+):")
_TEMPLATE = """-- The scenario calls this on every frame:
-- "reward": {"script": "lua:reward"}
-- data.NAME is a variable, scenario.frame
-- the number of the episode's frame.

function reward()
  return 0
end
"""


class ScriptController(PanelController[ScriptView]):
    """Keeps an edit at once; the game uses it when it is run or saved."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: ScriptView,
        actions: Actions,
        say: Teller,
        parent: QObject,
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._say = say
        # The texts whose errors are marked.
        self._checked: dict[str, str] = {}
        view.text_changed.connect(self.keep)
        view.run_requested.connect(self.run)
        view.new_requested.connect(self.add_script)
        view.listing_requested.connect(self.use_script)
        view.removal_requested.connect(self.remove_script)
        controller.follow(self._show, "scripts", "scenario", "variables")
        bridge.frame_ready.connect(self._show_failure)
        bridge.closed.connect(self._closed)
        actions["save"].triggered.connect(lambda: self._apply())

    def _closed(self) -> None:
        self._checked.clear()
        self._view.show_scripts({}, (), (), game=False)

    def _show(self, documents: Documents) -> None:
        listed = documents.scenario.get("scripts")
        names = [name for name in listed if isinstance(name, str)] if listed else []
        self._view.show_scripts(documents.scripts, names, list(documents.variables), game=True)
        for name, text in documents.scripts.items():
            if self._checked.get(name) != text:
                self._check(name, text)

    def _check(self, name: str, text: str) -> None:
        """Mark the error of a text; those of the text before, and of its frames, are over."""
        self._checked[name] = text
        problem = syntax_error(text, name)
        self._view.show_problems(name, {})
        if problem is not None:
            self._mark(problem)

    def _show_failure(self, result: FrameResult) -> None:
        if result.script_error is not None:
            self._mark(result.script_error)

    def _mark(self, text: str) -> None:
        place = _PLACE.search(text)
        if place is not None:
            self._view.show_problems(place[1], {int(place[2]): text})
        elif self._view.current:
            self._view.show_problems(self._view.current, {1: text})

    def keep(self, name: str, text: str) -> None:
        """Take a script's text into the integration; it is used when it is run."""
        self._check(name, text)

        def work(game: Game) -> None:
            game.integration.scripts[name] = text

        self._controller.edit(work, use=False)

    def run(self, name: str, text: str) -> None:
        """Take a script's text and use it from the next frame on, or say why nothing uses it."""
        self.keep(name, text)
        if syntax_error(text, name) is None:
            self._apply(lambda: self._offer_use(name))

    def _offer_use(self, name: str) -> None:
        """Offer what a script lacks to be used; nothing for one that is."""
        documents = self._controller.documents
        if documents is None or name not in documents.scripts:
            return
        functions = functions_of(documents.scripts[name])
        if not functions:
            text = self.tr("{0} does nothing: it defines no function for reward or done to call")
            self._say(NoticeKind.INFO, text.format(name))
        elif name not in (documents.scenario.get("scripts") or ()):
            text = self.tr("{0} does nothing yet: the scenario does not list it")
            remedy = self.tr("Use it"), lambda: self.use_script(name)
            self._say(NoticeKind.INFO, text.format(name), remedy)
        elif not is_called(name, documents.scenario, documents.scripts):
            self._offer_call(name, functions)

    def _offer_call(self, name: str, functions: Sequence[str]) -> None:
        known = [each for each in ("reward", "done") if each in functions]
        function = known[0] if known else functions[0]
        part = "done" if function == "done" else "reward"
        text = self.tr("{0} does nothing yet: neither reward nor done calls a function of it")
        label = (
            self.tr("Use {0}() as done") if part == "done" else self.tr("Use {0}() as the reward")
        )
        call = edits.change_scenario(lambda root: call_script(root, part, function))
        remedy = label.format(function), lambda: self._controller.edit(call)
        self._say(NoticeKind.INFO, text.format(name), remedy)

    def _apply(self, then: Callable[[], object] = lambda: None) -> None:
        # Now and not at the answer, which may come after the first frame with an error.
        for name, text in self._checked.items():
            self._check(name, text)
        self._bridge.ask(
            lambda session: session.game.apply_documents(),
            lambda _: then(),
            lambda error: self._mark(str(error)),
        )

    @property
    def unused(self) -> str:
        """A script that can not be loaded; empty without one."""
        documents = self._controller.documents
        scripts = documents.scripts if documents is not None else {}
        return next((name for name, text in scripts.items() if syntax_error(text, name)), "")

    def add_script(self) -> None:
        """Begin a script, and let the scenario use it."""
        documents = self._controller.documents
        if documents is None:
            return
        stem = free_name("script", {name.removesuffix(".lua") for name in documents.scripts})
        name = f"{stem}.lua"

        def work(game: Game) -> None:
            game.integration.scripts[name] = _TEMPLATE
            if game.scenario_name in game.integration.scenarios:
                edits.change_scenario(lambda root: _list(root, name))(game)

        self._controller.edit(work, lambda: self._view.open_script(name))

    def use_script(self, name: str) -> None:
        """Add a file to the scenario's scripts."""
        use = edits.change_scenario(lambda root: _list(root, name))
        self._controller.edit(use, lambda: self._offer_use(name))

    def remove_script(self, name: str) -> None:
        """Remove a script, also from the scenario's list; its file goes when this is saved."""

        def work(game: Game) -> None:
            edits.change_scenario(lambda root: _unlist(root, name))(game)
            del game.integration.scripts[name]

        self._controller.edit(work)


def _list(root: dict[str, Any], name: str) -> None:
    listed = root.setdefault("scripts", [])
    if isinstance(listed, list) and name not in listed:
        listed.append(name)


def _unlist(root: dict[str, Any], name: str) -> None:
    listed = root.get("scripts")
    if isinstance(listed, list) and name in listed:
        listed.remove(name)
        if not listed:
            del root["scripts"]
