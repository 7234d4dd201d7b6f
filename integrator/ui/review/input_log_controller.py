"""The Input log of the open game: its rows, and edits of the past as new branches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.session.roll import Splice, edit_inputs
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.review.input_log_view import InputLogView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.notices import NoticeKind


class InputLogController(QObject):
    """Gives the panel the rows that it shows, and turns its strokes into edits."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        travel: TravelController,
        view: InputLogView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = view
        self._facts: TimelineFacts | None = None
        self._asked: tuple[int, int] | None = None
        self._wanted: tuple[int, int] | None = None
        bridge.opened.connect(self._begin)
        bridge.closed.connect(self._end)
        bridge.readout_ready.connect(lambda result: self._view.set_position(result.number))
        travel.moved.connect(self._show_facts)
        self._view.shown.connect(self._show_rows)
        self._view.seek_requested.connect(travel.seek)
        self._view.rows_needed.connect(self._need)
        self._view.edit_requested.connect(self.edit)

    def _begin(self, game: GameSnapshot) -> None:
        self._asked = self._wanted = self._facts = None
        self._view.set_buttons(game.buttons, game.players)

    def _end(self) -> None:
        self._facts = None
        self._view.set_buttons((), 1)

    def _show_facts(self, facts: TimelineFacts) -> None:
        self._facts = facts
        if self._view.isVisible():
            self._show_rows()

    def _show_rows(self) -> None:
        facts = self._facts
        if facts is not None:
            jumps = [m.frame for m in facts.markers if m.kind != "user"]
            self._view.set_length(facts.length, jumps)

    def _need(self, first: int, count: int) -> None:
        self._wanted = (first, count)
        if self._asked is None:
            self._ask()

    def _ask(self) -> None:
        self._asked, self._wanted = self._wanted, None
        if self._asked is None:
            return
        first, count = self._asked

        def read(session: Session) -> NDArray[np.uint16]:
            log = session.timeline.log
            return log.inputs(min(first, log.length + 1), min(first + count, log.length + 1))

        def done(rows: NDArray[np.uint16]) -> None:
            self._view.show_rows(first, rows)
            self._ask()

        self._bridge.ask(read, done, self._refused)

    def _refused(self, error: Exception) -> None:
        self._asked = None
        self._controller.said.emit(NoticeKind.ERROR, str(error))

    def edit(self, first: int, last: int, port: int, bit: int, pressed: bool) -> None:
        """Hold or let go a button from frame ``first`` to ``last``; the later frames are run again.

        Play goes on from the first changed frame. The unchanged line stays as a branch.
        """
        was_playing = not self._controller.paused

        def work(session: Session) -> FrameResult:
            rows = session.timeline.log.inputs(first, last + 1)
            mask = np.uint16(1 << bit)
            column = rows[:, port]
            rows[:, port] = column | mask if pressed else column & ~mask
            return edit_inputs(session, Splice.over(first, rows))

        def done(result: FrameResult) -> None:
            self._bridge.show(result)
            self._view.set_position(first)
            if was_playing:
                self._bridge.play()

        self._bridge.pause()
        self._bridge.ask(work, done, self._refused)
