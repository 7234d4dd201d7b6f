"""The Script panel: the integration's Lua scripts, their editor, and their errors."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMargins, QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.integration.naming import free_name
from integrator.domain.scenario.sandbox import functions_of, is_called, syntax_error
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.setup.game import Game
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.score.texts.code_editor import CodeEditor, shown_text
from integrator.ui.window_context import PanelView

_PLACE = re.compile(r"([^\s:]+\.lua):(\d+):")
_TEMPLATE = read_text(Path(__file__).with_name("template.lua"), SMALL_BYTES)


class ScriptView(PanelView):
    """Scripts and their editor. An edit is stored at once, but used only after Run or Save."""

    def _set_up(self) -> None:
        self._scripts: dict[str, str] = {}
        # The file in the editor, while the list of files may already show another file.
        self._shown = ""
        self._problems: dict[str, dict[int, str]] = {}
        self.editor = CodeEditor()
        self._settle = ui.settle_timer(self, pause_ms=400, then=self.flush)
        self.listing = QFrame()
        hint = ui.role_label(self.tr("The scenario does not use this file."), "warn")
        tip = self.tr("Add the file to the scenario's “scripts”")
        use = ui.push_button(self.tr("Use it"), lambda: self.use_script(self.current), tip)
        ui.hbox((hint, 1), use, on=self.listing, margins=(ui.SIZES.pad, 0, 9, 7))
        traits = {"contentsMargins": QMargins(ui.SIZES.pad, 6, ui.SIZES.pad, 7)}
        self.problem = ui.NoteLabel("bad", textInteractionFlags=ui.SELECTABLE, **traits)
        parts = (self._build_bar(), self.listing, (self.editor, 1), self.problem)
        body = ui.vbox(*parts, margins=0, gap=0)
        write = QAction(ui.icon("plus"), self.tr("Write script.lua"), self)
        write.triggered.connect(lambda: self.add_script())
        self._fill(body, "script", "script", [write])
        [self._first] = self.pages.empty.buttons
        self.editor.textChanged.connect(self._settle.start)
        self.editor.leave_requested.connect(self.flush)
        panel_action("script.run", self.editor, self._run)
        self._controller.follow(self._show, "scripts", "scenario", "variables")
        self._bridge.frame_ready.connect(lambda result: self._mark(result.script_error))
        self._actions["save"].triggered.connect(lambda: self._apply())

    def _build_bar(self) -> QHBoxLayout:
        self.files = ui.combo_box(self.tr("Script file"), lambda: self.open_script(self.current))
        tip = self.tr("Use this text from now on (Ctrl+Enter); saving does it too")
        self.run_button = ui.push_button(self.tr("Run"), self._run, tip, icon="play")
        new = self.tr("A script can reward and end by rules that the panels cannot express")
        make = ui.push_button(self.tr("New"), self.add_script, new, "flat", icon="plus")
        remove = self.tr("Remove this script; its file goes when the integration is saved")
        traits = {"icon": "trash", "accessibleName": self.tr("Remove this script")}
        self.remove_button = ui.push_button("", self._remove, remove, "flat", **traits)
        parts = (self.files, make, self.remove_button, None, self.run_button)
        return ui.hbox(*parts, margins=(9, 7, 9, 7))

    @property
    def current(self) -> str:
        return self.files.currentText()

    def _closed(self) -> None:
        self._show(None)

    def _show(self, documents: Documents | None) -> None:
        """Show the scripts; the editor keeps its text if that differs from the stored one."""
        found = documents.scripts if documents else {}
        scripts = {name: shown_text(script) for name, script in found.items()}
        listed = self._controller.scenario.get("scripts")
        listed = listed if isinstance(listed, list) else []
        names, text = list(scripts), self.editor.toPlainText()
        if [self.files.itemText(i) for i in range(self.files.count())] != names:
            self.files.clear()
            self.files.addItems(names)
            self.files.setCurrentText(self._shown)
        before, self._scripts = self._scripts, scripts
        if self._shown not in scripts:
            first = next((name for name in names if name in listed), next(iter(names), ""))
            self.files.setCurrentText(first)
        if self._shown not in scripts or text == before.get(self._shown, ""):
            self._show_text()
        self.editor.variables = list(documents.variables) if documents else ()
        self.listing.setVisible(bool(names) and self.current not in listed)
        self._first.setVisible(documents is not None)
        self.pages.show_content(bool(names))
        for name, new in scripts.items():
            if before.get(name) != new:
                self._check(name, new)

    def open_script(self, name: str, line: int = 0) -> None:
        self.flush()
        self.files.setCurrentText(name)
        self._show_text()
        if line:
            self.editor.go_to_line(line)

    def _show_text(self) -> None:
        self._shown = self.current
        text = self._scripts.get(self.current, "")
        if self.editor.toPlainText() != text:
            with QSignalBlocker(self.editor):
                self.editor.setPlainText(text)
        self._show_problems(self.current, self._problems.get(self.current, {}))

    def _show_problems(self, name: str, problems: dict[int, str]) -> None:
        self._problems[name] = problems
        if name == self.current:
            self.editor.set_problems(problems)
            self.problem.setText("\n".join(problems.values()))

    def flush(self) -> None:
        self._settle.stop()
        text, name = self.editor.toPlainText(), self._shown
        if name and text != self._scripts.get(name):
            self._scripts[name] = text
            self.keep(name, text)

    def _run(self) -> None:
        name, text = self._shown, self.editor.toPlainText()
        self.flush()
        if name and syntax_error(text, name) is None:
            self._apply(lambda: self._offer_use(name))

    def _remove(self) -> None:
        """Remove a script, also from the scenario's list. Saving deletes its file."""
        self.flush()
        name = self.current

        def work(game: Game) -> None:
            edits.change_scenario(edits.unlist_script, name)(game)
            del game.integration.scripts[name]

        if name:
            self._controller.edit(work)

    def _check(self, name: str, text: str) -> None:
        self._show_problems(name, {})
        self._mark(syntax_error(text, name))

    def _mark(self, text: str | None) -> None:
        place = _PLACE.search(text) if text else None
        if text and place is not None:
            self._show_problems(place[1], {int(place[2]): text})
        elif text and self.current:
            self._show_problems(self.current, {1: text})

    def keep(self, name: str, text: str) -> None:
        """Store a script's text in the integration. The game uses it after Run."""
        self._check(name, text)

        def work(game: Game) -> None:
            game.integration.scripts[name] = text

        self._controller.edit(work, use=False)

    def _offer_use(self, name: str) -> None:
        if (documents := self._controller.documents) is None or name not in documents.scripts:
            return
        if not (functions := functions_of(documents.scripts[name])):
            text = self.tr("{0} does nothing: it defines no function for reward or done to call")
            self._inform(text.format(name))
        elif name not in (documents.scenario.get("scripts") or ()):
            text = self.tr("{0} does nothing yet: the scenario does not list it")
            self._inform(text.format(name), (self.tr("Use it"), lambda: self.use_script(name)))
        elif not is_called(name, documents.scenario, documents.scripts):
            function = next((f for f in ("reward", "done") if f in functions), functions[0])
            part, label = "reward", self.tr("Use {0}() as the reward")
            if function == "done":
                part, label = "done", self.tr("Use {0}() as done")
            text = self.tr("{0} does nothing yet: neither reward nor done calls a function of it")
            call = edits.change_scenario(edits.call_script, part, function)
            remedy = label.format(function), lambda: self._controller.edit(call)
            self._inform(text.format(name), remedy)

    def _apply(self, then: Callable[[], object] = lambda: None) -> None:
        # Check now, because the first frame with an error may come before the answer.
        for name, text in self._scripts.items():
            self._check(name, text)
        ask, mark = self._bridge.ask, self._mark
        ask(lambda now: now.game.apply_documents(), lambda _: then(), lambda why: mark(str(why)))

    @property
    def unused(self) -> str:
        """The name of a script that cannot be loaded; "" if all can."""
        documents = self._controller.documents
        scripts = documents.scripts if documents is not None else {}
        return next((name for name, text in scripts.items() if syntax_error(text, name)), "")

    def add_script(self) -> None:
        if (documents := self._controller.documents) is None:
            return
        stem = free_name("script", {name.removesuffix(".lua") for name in documents.scripts})
        name = f"{stem}.lua"

        def work(game: Game) -> None:
            game.integration.scripts[name] = _TEMPLATE
            if game.scenario_name in game.integration.scenarios:
                edits.change_scenario(edits.list_script, name)(game)

        self._controller.edit(work, lambda: self.open_script(name))

    def use_script(self, name: str) -> None:
        use = edits.change_scenario(edits.list_script, name)
        self._controller.edit(use, lambda: self._offer_use(name))
