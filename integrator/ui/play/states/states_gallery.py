"""The States panel at work: menus of states, pictures, load checks, slots."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.state_shelf import StateSurvey, save_slot, slot_path, slot_pictures
from integrator.ui.actions.shortcuts import Shortcuts, shown_keys, with_keys
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.picture_maker import MadePicture, PictureMaker
from integrator.ui.play.states.states_controller import StatesController
from integrator.ui.play.states.states_slots import SLOTS
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.widgets.notices import NoticeKind, Teller
from integrator.ui.widgets.panels.table import RowMenu, show_row_menus
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

_LABEL = 3
"""Longest keys, in characters, for which a slot's picture has room; others show its number."""
_MOST_PLAYERS = 4


class StatesGallery(PanelController[StatesView]):
    """Follows the open game. Pictures are made in a hidden core, which also checks each state."""

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        bridge: SessionBridge,
        controller: GameController,
        view: StatesView,
        states: StatesController,
        pictures: PictureMaker,
        say: Teller,
        shortcuts: Shortcuts,
    ) -> None:
        super().__init__(bridge, controller, view, window)
        self._window = window
        self._theme = theme
        self._states = states
        self._pictures = pictures
        self._say = say
        self._shortcuts = shortcuts
        self._known: dict[str, int] = {}
        self._directory: Path | None = None
        self._slots: dict[int, Path | None] = {}
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        controller.follow(lambda _: self.refresh(), "states", "disk")
        pictures.made.connect(self._take_picture)
        show_row_menus(view.list, lambda index: self.state_menu(str(index.data())))
        view.slots.load_requested.connect(self.load_slot)
        view.slots.save_requested.connect(self.save_slot)
        load, save = self.tr("Load slot {0}"), self.tr("Save into slot {0}")
        self._load_actions = [self._slot_action("load", load, "F{0}", slot) for slot in SLOTS]
        self._save_actions = [self._slot_action("save", save, "Shift+F{0}", slot) for slot in SLOTS]
        shortcuts.changed.connect(self._show_keys)
        self._show_keys()

    def _slot_action(self, kind: str, text: str, keys: str, slot: int) -> QAction:
        action = QAction(text.format(slot), self._window)
        key, group = f"{kind}-slot-{slot}", self.tr("Slots")
        self._shortcuts.add(key, group, action, keys.format(slot))
        command = self.load_slot if kind == "load" else self.save_slot
        action.triggered.connect(lambda _=False: command(slot))
        self._window.addAction(action)
        return action

    def _show_keys(self) -> None:
        strip, commands = self._view.slots, self._shortcuts
        for slot in SLOTS:
            load, save = commands[f"load-slot-{slot}"], commands[f"save-slot-{slot}"]
            tips = (with_keys(command.text, command.action) for command in (load, save))
            strip.tips[slot] = "\n".join(tips)
            keys = shown_keys(load.keys)
            strip.labels[slot] = keys if 0 < len(keys) <= _LABEL else str(slot)
        strip.update()

    def fill_menu(self, menu: QMenu) -> None:
        """Put the slots into a menu."""
        slots = menu.addMenu(self.tr("Slots"))
        slots.addActions(self._save_actions)
        slots.addSeparator()
        slots.addActions(self._load_actions)

    def state_menu(self, name: str) -> QMenu:
        """A menu of actions for one state."""
        states, menu = self._states, RowMenu(self._theme, self._view)
        begin, load = self.tr("Begin an episode here"), self.tr("Load, in the same episode")
        menu.add(begin, lambda: states.start_at(name), "reset")
        menu.add(load, lambda: states.load_named(name), "open")
        menu.addSeparator()
        menu.add(self.tr("Make it the default"), lambda: states.make_default(name))
        players = menu.addMenu(self.tr("Default for"))
        for count in range(1, _MOST_PLAYERS + 1):
            text = counted(self.tr("{0} player[|s]", None, count), count).format(count)
            players.addAction(text, partial(states.make_default, name, count))
        menu.addSeparator()
        menu.add(self.tr("Rename…"), lambda: states.ask_name(name), "edit")
        menu.add(self.tr("Check that it loads"), lambda: self.check(name), "check")
        menu.add(self.tr("Delete"), lambda: states.remove(name), "trash")
        return menu

    # -- following the game -----------------------------------------------------------------

    def _opened(self, game: GameSnapshot) -> None:
        self._known.clear()
        self._directory = None
        self._view.forget_pictures()
        filled = [slot for slot in SLOTS if slot_path(game.name, slot).is_file()]
        self._show_slots(dict.fromkeys(filled))
        store = self._pictures.store
        self._bridge.ask(lambda session: slot_pictures(session, filled, store), self._show_slots)

    def _show_slots(self, files: dict[int, Path | None]) -> None:
        self._slots = files
        self._view.show_slots(files)

    def _closed(self) -> None:
        self._pictures.drop_requests()
        self._known.clear()
        self._view.forget_pictures()
        self._view.show_slots(None)

    def refresh(self) -> None:
        """Look at the files of the states, and have pictures made of new ones."""
        self._bridge.ask(StateSurvey.of, self._show)

    def _show(self, survey: StateSurvey) -> None:
        self._view.show_facts(survey.infos, survey.stamp)
        directory = survey.plan.integration.directory
        if directory != self._directory:
            self._known.clear()
            self._directory = directory
        fresh = [info.name for info in survey.infos if self._known.get(info.name) != info.version]
        self._known = {info.name: info.version for info in survey.infos}
        if fresh:
            self._pictures.request(lambda: survey.plan, lambda _: fresh)

    def _take_picture(self, made: MadePicture) -> None:
        if made.directory == self._directory and made.name in self._known:
            self._view.show_picture(made.name, made.file, made.problem)

    # -- commands ---------------------------------------------------------------------------

    def check(self, name: str) -> None:
        """Load a state in a hidden core, even a known one, and report the result."""

        def report(made: MadePicture) -> None:
            if made.name != name or made.directory != self._directory:
                return
            self._pictures.made.disconnect(report)
            if made.problem:
                self._say(NoticeKind.ERROR, made.problem)
            else:
                self._say(NoticeKind.GOOD, self.tr("{0} loads in this core").format(name))

        self._pictures.made.connect(report)
        self._bridge.ask(
            lambda session: session.game.plan.hidden(),
            lambda plan: self._pictures.request(lambda: plan, lambda _: [name], anew=True),
        )

    def save_slot(self, slot: int) -> None:
        """Keep this moment in a slot, with the picture that is on the screen."""
        store = self._pictures.store

        def done(file: Path | None) -> None:
            self._show_slots(self._slots | {slot: file})
            self._say(NoticeKind.GOOD, self.tr("Saved slot {0}").format(slot))

        self._bridge.ask(lambda session: save_slot(session, slot, store), done)

    def load_slot(self, slot: int) -> None:
        """Go on from a slot."""
        game = self._controller.game
        if game is None:
            return
        if slot in self._slots:
            self._states.load_file(slot_path(game.name, slot))
        else:
            keys = shown_keys(self._shortcuts[f"save-slot-{slot}"].keys)
            text = self.tr("Slot {0} is empty; {1} saves into it")
            self._say(NoticeKind.INFO, text.format(slot, keys or self.tr("Play > Slots")))
