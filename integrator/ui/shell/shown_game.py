"""The open game in the window: opening and closing, play commands, discs, undo and redo."""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from integrator.session.edits.snapshot import Documents, GameSnapshot, Update
from integrator.session.frame.result import Event, StatesInexact
from integrator.session.library.checks.live_check import ExactCore, exact_cores
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background
from integrator.ui.bridge.game import UndoablePoke
from integrator.ui.shell.bars import StatusBar
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.shell.log_view import LogView
from integrator.ui.window_context import Part


class ShownGame(Part):
    """Shows the game that is open, and an empty window without one."""

    def _set_up(self) -> None:
        context, bridge, controller = self._context, self._bridge, self._controller
        actions, screen = context.actions, context.screen
        self._files, self._status = context.parts[FileCommands], context.parts[StatusBar]
        self._save_text = actions["save"].text()
        bridge.frame_ready.connect(screen.show_frame)
        controller.game_kept.connect(self._kept)
        actions.on(close_game=lambda: self._files.after_saving(bridge.close_game))
        actions.on(play=self._toggle_play, reset=bridge.reset)
        actions.on(stop_recording=controller.stop_recording)
        actions.on(two_players=lambda: self._change_players(lambda _: 2))
        actions.on(all_players=lambda: self._change_players(lambda game: game.most_players))
        actions["show_buttons"].toggled.connect(self._show_buttons)
        actions["show_buttons"].setChecked(context.settings.shows_buttons)
        actions["fast_forward"].toggled.connect(bridge.set_fast_forward)
        controller.recording_changed.connect(actions["stop_recording"].setEnabled)
        screen.game_screen.fast_forward.connect(bridge.set_fast_forward)
        screen.transport.speed_chosen.connect(bridge.set_speed)
        change = screen.transport.change_speed
        actions.on(slower=partial(change, -1), faster=partial(change, 1))

    def _opened(self, game: GameSnapshot) -> None:
        context, screen = self._context, self._screen
        if game.is_integration:
            context.settings.add_recent(game.directory)
        else:
            context.settings.add_recent(game.rom, game.system.name)
        context.actions.set_game_open(opened=True)
        context.actions["stop_recording"].setEnabled(False)
        self._show_players(game)
        self._show_saving(kept=game.is_integration)
        screen.notices.clear()
        screen.show_game(game)
        self._status.show_documents(game.documents)
        self._status.show_run_state(paused=True, speed=1.0)
        if not game.is_integration:
            text = self.tr("{0} is a ROM, not an integration yet.").format(game.rom.name)
            make = partial(self._files.new_integration, game.rom)
            self._inform(text, (self.tr("Make integration…"), make))
        if not game.info.ram_bytes:
            text = self.tr("{0} shows no memory: its games have no variables to find or score by.")
            self._say(ui.NoticeKind.WARNING, text.format(game.core))
        context.parts[LogView].add(self.tr("Opened {0} with {1}").format(game.directory, game.core))

    def _show_saving(self, *, kept: bool) -> None:
        self._actions["save"].setText(self._save_text if kept else self.tr("&Make integration…"))

    def _kept(self, game: GameSnapshot) -> None:
        self._show_saving(kept=True)
        self._settings.add_recent(game.directory)
        self._screen.notices.clear()
        self._screen.header.title.setText(game.name)

    def _closed(self) -> None:
        self._actions.set_game_open(opened=False)
        self._show_saving(kept=True)
        self._screen.show_nothing()
        self._status.show_nothing()

    def _toggle_play(self) -> None:
        if self._controller.paused:
            self._bridge.play()
            self._screen.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._bridge.pause()

    def _show_players(self, game: GameSnapshot) -> None:
        actions = self._actions
        actions["two_players"].setChecked(game.players == 2)
        actions["all_players"].setChecked(game.players > 2)
        actions["all_players"].setEnabled(game.most_players > 2)

    def _change_players(self, wanted_in: Callable[[GameSnapshot], int]) -> None:
        if (game := self._controller.game) is None:
            return
        wanted = wanted_in(game)
        players = 1 if game.players == wanted else wanted
        # The check mark changes with the game, since this game stays open if the user cancels.
        self._show_players(game)
        self._files.open_again(game, game.core_path, players)

    def _show_buttons(self, shown: bool) -> None:
        self._settings.shows_buttons = shown
        self._screen.show_buttons(shown=shown)


class ExactCoreOffer(Part):
    """Tries the other cores of a game whose states are inexact, and offers an exact core."""

    def _set_up(self) -> None:
        context, self._files = self._context, self._parts[FileCommands]
        self._background = Background(context.bridge, "exact-cores", self)
        context.bridge.event_received.connect(self._look)

    def _look(self, event: Event) -> None:
        game = self._controller.game
        if not isinstance(event, StatesInexact) or game is None:
            return
        used = game.path, game.system.name, game.players, game.core_path
        show = partial(self._offer, game)
        self._background.start(lambda job: exact_cores(*used, job.stopped), show, self._warn)

    def _offer(self, game: GameSnapshot, found: list[ExactCore]) -> None:
        for core in found:
            text = self.tr(
                "{0} has exact states in this game. {1}: {2}. Training uses neither its states "
                "nor its movies unless its own core is the same."
            ).format(core.name, core.path, core.difference)
            again = partial(self._files.open_again, game, core.path, game.players)
            self._inform(text, (self.tr("Open on {0}").format(core.name), again), stays=True)


class EditHistory(Part):
    """The actions Undo and Redo. All changes by one command are one step, even in several files.
    Keys may be pressed faster than files are written: each press is a step, and the actions show
    the expected result of unanswered presses. While an edit is unanswered, the window does not know
    the coming steps, so each press is sent to the session, which knows them."""

    def _set_up(self) -> None:
        context, bridge, controller = self._context, self._bridge, self._controller
        self._undo, self._redo = context.actions["undo"], context.actions["redo"]
        # The files of each step, in order. The first ``_done`` steps are done, or will be soon.
        self._steps: tuple[tuple[str, ...], ...]
        # Pokes to undo (True) or redo, with the number of edits before each, newest last.
        self._pokes: dict[bool, list[tuple[int, UndoablePoke]]]
        self._asked: deque[bool] = deque()
        self._undo.triggered.connect(lambda: self._step(back=True))
        self._redo.triggered.connect(lambda: self._step(back=False))
        controller.documents_changed.connect(self._take)
        controller.edits_counted.connect(self._show)
        controller.poked.connect(self._note_poke)
        bridge.opened.connect(lambda game: self._begin(game.documents))
        bridge.closed.connect(lambda: self._begin(None))
        self._begin(None)

    def _begin(self, documents: Documents | None) -> None:
        self._asked.clear()
        self._pokes = {True: [], False: []}
        self._take(documents)

    def _take(self, documents: Documents | None) -> None:
        undo, redo = (documents.undo_steps, documents.redo_steps) if documents else ((), ())
        self._steps, self._done = (*undo, *reversed(redo)), len(undo)
        for back in self._asked:
            self._move(back=back)
        self._show()

    def _next(self, *, back: bool) -> tuple[tuple[str, ...], ...]:
        """Return a tuple with the next step to undo or redo, or an empty tuple without one."""
        at = self._done - back
        return self._steps[at : at + 1] if at >= 0 else ()

    def _move(self, *, back: bool) -> bool:
        if not self._next(back=back):
            return False
        self._done += -1 if back else 1
        return True

    def _note_poke(self, poke: UndoablePoke) -> None:
        self._pokes[True].append((self._done, poke))
        self._pokes[False].clear()
        self._show()

    def _poke_is_next(self, *, back: bool) -> bool:
        pokes = self._pokes[back]
        here = bool(pokes) and pokes[-1][0] == self._done
        return here and not self._controller.unanswered_edits

    def _lose_poke(self, step: tuple[int, UndoablePoke]) -> None:
        """Drop a poke that cannot be undone or made again, so that other steps can."""
        for pokes in self._pokes.values():
            if step in pokes:
                pokes.remove(step)
        self._show()
        text = self.tr(
            "The poke at frame {0} cannot be taken back or made again: the game is not as it was "
            "then. Play on from frame {0} to have the game without it."
        )
        self._warn(text.format(ui.grouped(step[1].frame.frame)))

    def _step(self, *, back: bool) -> None:
        if self._poke_is_next(back=back):
            step = self._pokes[back].pop()
            self._pokes[not back].append(step)
            self._controller.take_back(step[1], partial(self._lose_poke, step), back=back)
            self._show()
            return
        if not self._move(back=back) and not self._controller.unanswered_edits:
            return
        self._asked.append(back)
        self._show()

        def work(session: Session) -> Update:
            # Queued edits run first, so only the session's thread knows the newest step.
            change = session.editor.undo() if back else session.editor.redo()
            return Update.of(session.game, change)

        def done(update: Update) -> None:
            self._asked.popleft()
            self._controller.show(update)

        def refused(error: Exception) -> None:
            self._asked.popleft()
            self._bridge.ask(lambda session: Documents.of(session.game), self._take)
            self._report(error)

        self._bridge.ask(work, done, refused)

    def _show(self) -> None:
        for back, action, what in (
            (True, self._undo, self.tr("Undo the last edit of {0}")),
            (False, self._redo, self.tr("Redo the last edit of {0}")),
        ):
            steps, poked = self._next(back=back), self._poke_is_next(back=back)
            action.setEnabled(bool(steps or poked or self._controller.unanswered_edits))
            if steps and not poked:
                tip = what.format(", ".join(steps[0]))
                self._actions.shortcuts.set_tip(action.objectName(), tip)


class DiscsMenu(Part):
    """A menu of discs at the mouse pointer. A disc changes on the next frame, like a button."""

    def _set_up(self) -> None:
        self.menu = QMenu(self._window)
        self._actions.on(discs=self.show)

    def show(self) -> None:
        if (game := self._controller.game) is None:
            return
        if not any(each.axis.device == "disc" for each in game.axes):
            text = self.tr("{0} has no other disc; open a .m3u that lists the discs of a game")
            self._inform(text.format(game.rom.name))
            return
        self.menu.clear()
        # Axes of the device ``disc`` have these ids: 0 opens, 1 closes, 2 is the disc's index.
        self.menu.addAction(self.tr("Open the tray"), lambda: self._move({0: 1}))
        for index, name in enumerate(game.discs):
            text = self.tr("Put in disc {0}: {1}").format(index + 1, name.replace("&", "&&"))
            self.menu.addAction(text, partial(self._move, {1: 1, 2: index}))
        self.menu.popup(QCursor.pos())

    def _move(self, drive: Mapping[int, int]) -> None:
        if (game := self._controller.game) is not None:
            axes = (each.axis for each in game.axes)
            moves = (drive.get(axis.id, 0) if axis.device == "disc" else 0 for axis in axes)
            self._bridge.live.nudge(tuple(moves))
