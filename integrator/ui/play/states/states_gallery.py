"""Work of the States panel beside the game: pictures, load checks, slots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.hidden.pictures import PictureStore, picture_key
from integrator.session.library.state_shelf import (
    StateInfo,
    save_slot,
    slot_bytes,
    slot_path,
    survey_states,
)
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.ui.actions.shortcuts import Shortcuts, shown_keys, with_keys
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.picture_maker import MadePicture, PictureMaker
from integrator.ui.play.states.states_controller import StatesController
from integrator.ui.play.states.states_slots import SLOTS
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.widgets.notices import NoticeKind, Teller

_LABEL = 3
"""Longest keys, in characters, for which a slot's picture has room; others show its number."""


@dataclass(frozen=True, slots=True)
class _Survey:
    plan: SessionPlan
    infos: tuple[StateInfo, ...]
    stamp: str


class StatesGallery(PanelController[StatesView]):
    """Follows the open game. Pictures are made in a hidden core, which also checks each state."""

    def __init__(
        self,
        window: QMainWindow,
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
        self._pictures = pictures
        self._say = say
        self._known: dict[str, int] = {}
        self._directory: Path | None = None
        self._slots: dict[int, Path | None] = {}
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        controller.follow(lambda _: self.refresh(), "states", "disk")
        pictures.made.connect(self._take_picture)
        self._states = states
        view.check_requested.connect(self.check)
        view.slots.load_requested.connect(self.load_slot)
        view.slots.save_requested.connect(self.save_slot)
        self._shortcuts = shortcuts
        self.slot_actions = [*self._slot_actions("load"), *self._slot_actions("save")]
        shortcuts.changed.connect(self._show_keys)
        self._show_keys()

    def _slot_actions(self, kind: str) -> list[QAction]:
        actions = []
        for slot in SLOTS:
            load = kind == "load"
            text = self.tr("Load slot {0}") if load else self.tr("Save into slot {0}")
            action = QAction(text.format(slot), self._window)
            keys = f"F{slot}" if load else f"Shift+F{slot}"
            self._shortcuts.add(f"{kind}-slot-{slot}", self.tr("Slots"), action, keys)
            slot_command = self.load_slot if load else self.save_slot
            action.triggered.connect(partial(self._run_slot, slot_command, slot))
            self._window.addAction(action)
            actions.append(action)
        return actions

    def _show_keys(self) -> None:
        slots = self._view.slots
        slots.tips = {slot: self._tip(slot) for slot in SLOTS}
        keys = {slot: shown_keys(self._shortcuts[f"load-slot-{slot}"].keys) for slot in SLOTS}
        slots.labels = {slot: text for slot, text in keys.items() if 0 < len(text) <= _LABEL}
        slots.update()

    def _tip(self, slot: int) -> str:
        tips = (
            with_keys(command.text, command.action)
            for command in (self._shortcuts[f"{kind}-slot-{slot}"] for kind in ("load", "save"))
        )
        return "\n".join(tips)

    @staticmethod
    def _run_slot(command: Callable[[int], object], slot: int, _: bool = False) -> None:
        command(slot)

    def fill_menu(self, menu: QMenu) -> None:
        """Put the slots into a menu."""
        slots = menu.addMenu(self.tr("Slots"))
        half = len(self.slot_actions) // 2
        slots.addActions(self.slot_actions[half:])
        slots.addSeparator()
        slots.addActions(self.slot_actions[:half])

    # -- following the game -----------------------------------------------------------------

    def _opened(self, game: GameSnapshot) -> None:
        self._known.clear()
        self._directory = None
        self._view.forget_pictures()
        self._view.players = game.players
        self._slots = {slot: None for slot in SLOTS if slot_path(game.name, slot).is_file()}
        self._view.show_slots(self._slots)
        self._ask_slot_pictures()

    def _closed(self) -> None:
        self._pictures.drop_requests()
        self._known.clear()
        self._view.forget_pictures()
        self._view.show_slots(None)

    def refresh(self) -> None:
        """Look at the files of the states, and have pictures made of new ones."""

        def work(session: Session) -> _Survey:
            return _Survey(
                session.game.plan.hidden(),
                survey_states(session.integration),
                session.game.core_stamp,
            )

        self._bridge.ask(work, self._show)

    def _show(self, survey: _Survey) -> None:
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

    # -- slots ------------------------------------------------------------------------------

    def save_slot(self, slot: int) -> None:
        """Keep this moment in a slot, with the picture that is on the screen."""
        store = self._pictures.store

        def work(session: Session) -> Path | None:
            data = save_slot(session, slot)
            return _keep_screen(session, store, data)

        def done(file: Path | None) -> None:
            self._slots[slot] = file
            self._view.show_slots(self._slots)
            self._say(NoticeKind.GOOD, self.tr("Saved slot {0}").format(slot))

        self._bridge.ask(work, done)

    def load_slot(self, slot: int) -> None:
        """Go on from a slot."""
        game = self._controller.game
        if game is None:
            return
        if slot in self._slots:
            self._states.load_file(slot_path(game.name, slot))
        else:
            keys = shown_keys(self._shortcuts[f"save-slot-{slot}"].keys)
            empty = self.tr("Slot {0} is empty; {1} saves into it")
            text = empty.format(slot, keys or self.tr("Play > Slots"))
            self._say(NoticeKind.INFO, text)

    def _ask_slot_pictures(self) -> None:
        store, slots = self._pictures.store, list(self._slots)

        def work(session: Session) -> dict[int, Path | None]:
            request, game = session.game.plan.request, session.integration.name
            return {
                slot: store.find(picture_key(request, slot_bytes(game, slot))) for slot in slots
            }

        def done(files: dict[int, Path | None]) -> None:
            self._slots.update(files)
            self._view.show_slots(self._slots)

        if slots:
            self._bridge.ask(work, done)


def _keep_screen(session: Session, store: PictureStore, state: bytes) -> Path | None:
    """Keep the picture on the screen as that of a state's bytes; None when there is none."""
    frame = session.last.frame if session.last is not None else None
    if frame is None:
        return None
    return store.keep(picture_key(session.game.plan.request, state), frame.rgb())
