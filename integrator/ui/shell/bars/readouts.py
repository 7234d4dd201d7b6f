"""Frame, run state, movie, play time and edits of the game, in the bars and the title."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from integrator.session.edits.snapshot import Documents, state_label
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.shell.bars.status_bar import StatusBar
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.texts import clock_text, size_text


class Readouts(QObject):
    """Lets title, status bar and transport follow the game. It asks for nothing."""

    def __init__(
        self,
        window: QMainWindow,
        bridge: SessionBridge,
        controller: GameController,
        panel: ScreenPanel,
        status: StatusBar,
    ) -> None:
        super().__init__(window)
        bridge.readout_ready.connect(status.show_frame)
        bridge.frame_ready.connect(lambda result: panel.show_done(done=result.outcome.done))
        self._window = window
        self._controller = controller
        self._panel = panel
        self._status = status
        self._movie = ""
        self._paused, self._speed = True, 1.0
        bridge.open_failed.connect(self._show_mode)
        self._connect()

    def _connect(self) -> None:
        controller = self._controller
        controller.documents_changed.connect(self.show_documents)
        controller.run_state_changed.connect(self.show_run_state)
        controller.recording_changed.connect(self._show_recording)
        controller.movie_changed.connect(self._show_movie)
        controller.core_memory.connect(self._show_core_memory)
        scoring = self._status.scoring
        controller.scoring.connect(scoring.show_progress)
        controller.scored.connect(scoring.show_end)
        scoring.stop_requested.connect(controller.stop_scoring)
        scoring.again_requested.connect(controller.score_again)

    def show_documents(self, documents: Documents) -> None:
        """Title and subtitle; an asterisk stands for unsaved edits."""
        game = self._controller.game
        if game is None:
            return
        self._panel.subtitle.setText(f"{state_label(documents.default_state)} · {game.core}")
        self._window.setWindowTitle(self.tr("{0}[*] — Integrator").format(game.name))
        self._window.setWindowModified(documents.modified)

    def show_nothing(self) -> None:
        """Show the bars without a game."""
        self._movie = ""
        self._status.clear()
        self._window.setWindowModified(False)
        self._window.setWindowTitle(self.tr("Integrator"))

    def show_run_state(self, paused: bool, speed: float) -> None:
        """Show paused or live, and the speed."""
        self._paused, self._speed = paused, speed
        self._panel.transport.show_running(running=not paused)
        self._panel.transport.show_speed(speed)
        self._show_mode()

    def _show_mode(self) -> None:
        if self._controller.game is None:
            self._status.clear()
        elif self._movie:
            self._status.show_mode(self.tr("playing {0}").format(self._movie), "link")
        else:
            mode = (self.tr("paused"), "faint") if self._paused else (self.tr("live"), "good")
            self._status.show_mode(*mode)

    def show_timeline(self, facts: TimelineFacts) -> None:
        """Show the length of play that is held, and its size in memory."""
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
