"""What the bars and headers say of the game: frame, run state, movie, search, edits."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from integrator.session.edits.snapshot import Documents, state_label
from integrator.session.frame.result import FrameResult
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.find.search.find_status import SearchStatus
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.shell.bars.status_bar import StatusBar, newest_rewards
from integrator.ui.shell.docks import Docks
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.texts import clock_text, plain_number, signed, size_text
from integrator.ui.widgets.theme import Theme


class Readouts(QObject):
    """Lets title, status bar, transport and panel headers follow the game. It asks for nothing."""

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        bridge: SessionBridge,
        controller: GameController,
        docks: Docks,
        panel: ScreenPanel,
        status: StatusBar,
    ) -> None:
        super().__init__(window)
        bridge.readout_ready.connect(self.show_frame)
        bridge.frame_ready.connect(lambda result: panel.show_done(done=result.outcome.done))
        self._window = window
        self._theme = theme
        self._controller = controller
        self._docks = docks
        self._panel = panel
        self._status = status
        self._movie = ""
        self._paused, self._speed = True, 1.0
        self._connect()

    def _connect(self) -> None:
        controller, docks = self._controller, self._docks
        controller.documents_changed.connect(self.show_documents)
        controller.run_state_changed.connect(self.show_run_state)
        controller.recording_changed.connect(self._show_recording)
        controller.movie_changed.connect(self._show_movie)
        controller.core_memory.connect(self._show_core_memory)
        docks.find.status_changed.connect(self._show_search)
        docks.variables.count_changed.connect(
            lambda count: docks.all["variables"].header.note.setText(str(count) if count else "")
        )

    def show_documents(self, documents: Documents) -> None:
        """Title and subtitle; an asterisk stands for unsaved edits."""
        game = self._controller.game
        if game is None:
            return
        self._panel.subtitle.setText(f"{state_label(documents.default_state)} · {game.core}")
        self._window.setWindowTitle(self.tr("{0}[*] — Integrator").format(game.name))
        self._window.setWindowModified(documents.modified)

    def show_nothing(self) -> None:
        """No game is open."""
        self._movie = ""
        self._status.clear()
        self._window.setWindowModified(False)
        self._window.setWindowTitle(self.tr("Integrator"))
        for key in ("reward", "done", "find"):
            self._docks.all[key].header.note.clear()

    def show_frame(self, result: FrameResult) -> None:
        """Reward and done beside the panels that make them."""
        self._status.show_frame(result)
        outcome = result.outcome
        note = self.tr("{0} this frame · {1} so far").format(
            signed(newest_rewards(result)[0] if outcome.rewards else 0.0),
            plain_number(outcome.total_rewards[0] if outcome.total_rewards else 0.0),
        )
        self._docks.all["reward"].header.note.setText(note)
        self._docks.all["done"].header.note.setText(self.tr("done") if outcome.done else "")

    def show_run_state(self, paused: bool, speed: float) -> None:
        """Paused or live, and the speed."""
        self._paused, self._speed = paused, speed
        self._panel.transport.show_running(running=not paused)
        self._panel.transport.show_speed(speed)
        if self._movie:
            self._status.show_mode(self.tr("playing {0}").format(self._movie), "link")
        else:
            mode = (self.tr("paused"), "faint") if paused else (self.tr("live"), "good")
            self._status.show_mode(*mode)

    def show_timeline(self, facts: TimelineFacts) -> None:
        """How much play is held, and what it takes."""
        game = self._controller.game
        if game is None:
            return
        held = clock_text(facts.length, game.fps)
        text = self.tr("timeline {0} · {1} MB").format(held, f"{facts.memory_bytes / 1e6:.1f}")
        if facts.disk_bytes:
            text += self.tr(" and {0} MB on disk").format(f"{facts.disk_bytes / 1e6:.0f}")
        if not game.sees_all_memory:
            text += self.tr(" · {0} of {1} of memory").format(
                size_text(game.ram_bytes), size_text(game.whole_ram_bytes)
            )
        self._status.message.setText(text)

    def _show_recording(self, recording: bool) -> None:
        self._panel.transport.show_recording(recording=recording)

    def _show_movie(self, name: str) -> None:
        self._movie = name
        self.show_run_state(self._paused, self._speed)

    def _show_core_memory(self, size: int) -> None:
        self._status.show_core(self.tr("core process {0} MB").format(size >> 20) if size else "")

    def _show_search(self, status: SearchStatus) -> None:
        color = self._theme.colors.good
        note = self.tr("{0} addresses × {1} types → <b style='color:{2}'>{3}</b>").format(
            f"{status.ram_bytes:,}", status.types, color, f"{status.count:,}"
        )
        self._docks.all["find"].header.note.setText(note)
