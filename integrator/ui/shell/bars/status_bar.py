"""The line at the bottom, and the readouts of the game there and in the title."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton

from integrator.session.edits.snapshot import Documents, state_label
from integrator.session.frame.result import FrameResult, RecordedScored, RecordedScoring
from integrator.ui.desk import Part
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.fitting import LiveLabel
from integrator.ui.widgets.parts import hbox, role_label, set_role
from integrator.ui.widgets.texts import clock_text, plain_number, signed, size_text
from integrator.ui.widgets.theme import Theme


class ScoringBar(QFrame):
    """Hidden while recorded frames have the scores of today's documents. ``shown`` tells when it
    comes and goes."""

    shown = Signal(bool)
    stop_requested = Signal()
    again_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = role_label("", "secondary")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setRange(0, 1000)
        self.bar.setFixedSize(90, 4)
        self.bar.setAccessibleName(self.tr("Recorded frames scored"))
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.setToolTip(self.tr("Recorded frames keep the scores that they had"))
        self.stop.clicked.connect(self.stop_requested)
        self.again = QPushButton(self.tr("Score again"))
        self.again.clicked.connect(self.again_requested)
        row = hbox(on=self, margins=0)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetMinimumSize)
        row.setSpacing(8)
        for widget in (self.text, self.bar, self.stop, self.again):
            row.addWidget(widget)
        for button in (self.stop, self.again):
            set_role(button, "flat")
        self.hide()

    def setVisible(self, visible: bool) -> None:  # noqa: N802 - Qt's name
        super().setVisible(visible)
        self.shown.emit(visible)

    def show_progress(self, event: RecordedScoring) -> None:
        self.text.setText(self.tr("scoring again"))
        set_role(self.text, "secondary")
        self.setToolTip(self.tr("Recorded frames to score: {0}").format(f"{event.frames:,}"))
        self.bar.setValue(round(event.share * 1000))
        self._show(running=True)

    def show_end(self, event: RecordedScored) -> None:
        if event.result is not None:
            self.hide()
            return
        self.text.setText(self.tr("recorded frames have old scores"))
        set_role(self.text, "warn")
        self.setToolTip(event.text)
        self._show(running=False)

    def _show(self, *, running: bool) -> None:
        self.bar.setVisible(running)
        self.stop.setVisible(running)
        self.again.setVisible(not running)
        self.show()


class StatusBar(QFrame):
    """Shows the newest frame's outcome; it computes nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: FrameResult | None = None
        self._mode_text, self._mode_role = self.tr("no game"), "faint"
        self.setObjectName("StatusBar")
        self.setFixedHeight(28)
        self.mode = LiveLabel()
        self.reward = LiveLabel()
        self.cumulative = LiveLabel()
        self.done = LiveLabel()
        self.frame = LiveLabel()
        self.scoring = ScoringBar()
        self.message = LiveLabel(right=True)
        # A small window has no room for both.
        self.scoring.shown.connect(lambda shown: self.message.setVisible(not shown))
        self.core = LiveLabel(right=True)
        set_role(self.message, "secondary")
        hbox(
            self.mode,
            self.reward,
            self.cumulative,
            self.done,
            self.frame,
            None,
            self.scoring,
            self.message,
            self.core,
            on=self,
            margins=(14, 0, 14, 0),
            gap=22,
        )
        theme.changed.connect(self._repaint)
        self.clear()

    def clear(self) -> None:
        hidden = (self.reward, self.cumulative, self.done, self.frame, self.core, self.scoring)
        for widget in hidden:
            widget.hide()
        self._shown = None
        self.message.clear()
        self.show_mode(self.tr("no game"), "faint")

    def show_mode(self, text: str, role: str) -> None:
        """``live``, ``paused``, ``playing …``: text and the role that colours its lamp."""
        self._mode_text, self._mode_role = text, role
        self._repaint_mode()

    def show_frame(self, result: FrameResult) -> None:
        """Reward, cumulative, done, frame and timestep of ``result``."""
        self._shown = result
        outcome = result.outcome
        newest = result.newest_rewards
        rewards = " / ".join(signed(reward) for reward in newest)
        totals = " / ".join(plain_number(t) for t in outcome.total_rewards)
        self._pair(self.reward, self.tr("reward"), rewards, _reward_role(sum(newest)))
        self._pair(self.cumulative, self.tr("cumulative"), totals, "text")
        done = self.tr("yes") if outcome.done else self.tr("no")
        self._pair(self.done, self.tr("done"), done, "bad" if outcome.done else "text")
        steps = outcome.frame // 4
        self.frame.setText(
            self.tr("frame <b>{0}</b> · timestep <b>{1}</b>").format(result.number, steps)
        )
        self.frame.show()

    def show_core(self, text: str) -> None:
        """Show the memory of the core's process, such as ``core process 41 MB``."""
        self.core.setText(text)
        self.core.setVisible(bool(text))

    def _pair(self, label: LiveLabel, name: str, value: str, role: str) -> None:
        colors = self._theme.colors
        color = {"good": colors.good, "bad": colors.bad}.get(role, colors.text)
        label.setText(f'{name} <b style="color:{color}">{value}</b>')
        label.show()

    def _repaint(self) -> None:
        self._repaint_mode()
        if self._shown is not None:
            self.show_frame(self._shown)

    def _repaint_mode(self) -> None:
        colors = self._theme.colors
        lamp = {"good": colors.good, "bad": colors.bad, "warn": colors.warn, "link": colors.link}
        color = lamp.get(self._mode_role, colors.faint)
        self.mode.setText(f'<span style="color:{color}">●</span>&nbsp; {self._mode_text}')
        set_role(self.mode, "secondary")


def _reward_role(value: float) -> str:
    return "good" if value > 0 else "bad" if value < 0 else "text"


class Readouts(Part):
    """Lets title, status bar and transport follow the game. It asks for nothing."""

    def _set_up(self) -> None:
        bridge, controller, self._panel = self._bridge, self._controller, self._desk.screen
        self._status = self._desk.parts[StatusBar]
        self._movie = ""
        self._paused, self._speed = True, 1.0
        bridge.readout_ready.connect(self._status.show_frame)
        bridge.frame_ready.connect(lambda frame: self._panel.show_done(done=frame.outcome.done))
        bridge.open_failed.connect(self._show_mode)
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
        game = self._controller.game
        if game is None:
            return
        self._panel.subtitle.setText(f"{state_label(documents.default_state)} · {game.core}")
        self._window.setWindowTitle(self.tr("{0}[*] — Integrator").format(game.name))
        self._window.setWindowModified(documents.modified)

    def show_nothing(self) -> None:
        self._movie = ""
        self._status.clear()
        self._window.setWindowModified(False)
        self._window.setWindowTitle(self.tr("Integrator"))

    def show_run_state(self, paused: bool, speed: float) -> None:
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
