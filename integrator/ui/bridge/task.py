"""Long work of panels beside the game: progress in their bars, cancel, failure, a closed game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from integrator.session.session import Session
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.proof_bar import ProofBar

A = TypeVar("A")
T = TypeVar("T")


class PanelTask(Background):
    """Background work with a look at the session before it.

    ``works``: true from the wish for work until its answer, so that a panel never rests between.
    ``failed`` follows a failure that was reported.
    """

    works = Signal(bool)
    failed = Signal()

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        name: str,
        bars: Sequence[ProofBar],
        parent: QObject,
    ) -> None:
        super().__init__(bridge, name, parent)
        self._bridge = bridge
        self._controller = controller
        self._bars = bars
        self._prepares = False
        self._turn = 0
        for bar in bars:
            bar.cancel_requested.connect(self.cancel)
            self.progressed.connect(bar.show_progress)
        self.busy_changed.connect(lambda _: self._show())
        bridge.closed.connect(lambda: self._prepare(on=False))

    def run(
        self,
        text: str,
        look: Callable[[Session], A],
        work: Callable[[A, Job], T],
        show: Callable[[T], object],
        each: Callable[[Any], object] | None = None,
    ) -> None:
        """Look at the session between two frames, work beside the game, and show the answer.

        A newer wish takes the place of one whose work has not begun.
        """
        self.begin(text)
        turn = self._turn

        def seen(answer: A) -> None:
            if turn == self._turn:
                self.go_on(lambda job: work(answer, job), show, each)

        self._bridge.ask(look, seen, self.fail)

    def begin(self, text: str) -> None:
        """Show that work is prepared, which :meth:`go_on` starts unless it is cancelled before."""
        if self._bridge.is_open:
            for bar in self._bars:
                bar.begin(text)
            self._turn += 1
            self._prepare(on=True)

    def go_on(
        self,
        work: Callable[[Job], T],
        show: Callable[[T], object],
        each: Callable[[Any], object] | None = None,
    ) -> None:
        """Start the work that was prepared."""
        if self._prepares:
            self.start(work, show, self.fail, each)
            self._prepare(on=False)

    def cancel(self) -> None:
        """Stop soon; what was found so far is shown."""
        self.stop_all()
        for bar in self._bars:
            bar.ending()
        self._prepare(on=False)

    def fail(self, error: Exception) -> None:
        """Report a failure."""
        self._prepare(on=False)
        self._controller.said.emit(NoticeKind.ERROR, str(error))
        self.failed.emit()

    def _prepare(self, *, on: bool) -> None:
        self._prepares = on
        self._show()

    def _show(self) -> None:
        works = self._prepares or self.busy
        for bar in self._bars:
            bar.setVisible(works)
        self.works.emit(works)
