"""The part that is the same for the controllers of all sources of found numbers."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from integrator.session.session import Session
from integrator.session.suggestions.hidden_look import HiddenLook
from integrator.ui.bridge.background import PanelTask
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.desk import PanelController
from integrator.ui.find.results.results_view import ResultsView

Source = TypeVar("Source", bound=ResultsView[Any])
T = TypeVar("T")
_LIVE_NUMBERS_MS = 150


class SourceController(PanelController[Source]):
    """A source works on a thread of its own; games that open and close begin it again."""

    name: ClassVar[str]

    def _set_up(self) -> None:
        bridge, view = self._bridge, self._view
        self.background = PanelTask(bridge, self._controller, self.name, [view.bar], self)
        self.background.works.connect(lambda _: view.show_idle())
        bridge.opened.connect(lambda _: view.set_open(opened=True))
        bridge.closed.connect(lambda: view.set_open(opened=False))


def hidden_look(session: Session) -> HiddenLook:
    """Copy what was played, on the session's thread, for a look in a hidden core."""
    return HiddenLook(session.game.plan.hidden(), session.recorded_play())


def read_rows(
    bridge: SessionBridge,
    controller: GameController,
    view: ResultsView[Any],
    look: Callable[[], Callable[[Session], T] | None],
    show: Callable[[T], object],
) -> LiveReader[T]:
    """Read the rows in sight again whenever memory or rows may have changed."""
    # A core that is being replaced has no memory for a moment; the next frame asks again.
    live = LiveReader(bridge, Sight(bridge, view), _LIVE_NUMBERS_MS, look, show, lambda _: None)
    for signal in (
        bridge.readout_ready,
        controller.memory_written,
        view.model.modelReset,
        view.table.verticalScrollBar().valueChanged,
    ):
        signal.connect(live.touch)
    return live
