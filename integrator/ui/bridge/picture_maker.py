"""Pictures of start states for the views: made one after another, away from the window's thread."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from integrator.domain.errors import DomainError, IntegratorError
from integrator.session.hidden.clips import PictureStore, StatePicture, photograph, picture_key
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.plan import SessionPlan

Planner = Callable[[], SessionPlan]
Namer = Callable[[SessionPlan], Sequence[str]]


@dataclass(frozen=True, slots=True)
class MadePicture:
    """A state of the integration in ``directory``: the file of its picture, or why there is none.
    ``again``: it was in the cache."""

    directory: Path
    name: str
    file: Path | None
    problem: str = ""
    again: bool = False


class PictureMaker(QObject):
    """Owns one thread; the last request is made last. Lives in the window's thread. ``made`` gives
    a MadePicture. ``close`` must be called before the program ends."""

    made = Signal(object)
    _passed_on = Signal(object)

    def __init__(self, store: PictureStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._closing = threading.Event()
        self._turn = 0
        self._passed_on.connect(self.made, Qt.ConnectionType.QueuedConnection)

    def request(self, planner: Planner, namer: Namer, *, anew: bool = False) -> None:
        """Make pictures of states, or take them out of the cache.

        ``planner`` gives a hidden plan, and ``namer`` its states; they may read files. ``anew``
        loads the states whatever is in the cache.
        """
        turn = self._turn
        if not self._closing.is_set():
            self._worker.submit(self._work, planner, namer, turn, anew)

    def drop_requests(self) -> None:
        self._turn += 1

    def close(self) -> None:
        """End the thread. Idempotent."""
        self._closing.set()
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _stopped(self, turn: int) -> bool:
        return self._closing.is_set() or turn != self._turn

    def _work(self, planner: Planner, namer: Namer, turn: int, anew: bool) -> None:
        """Make pictures on the maker's thread. A failure is reported, and the work goes on."""
        if self._stopped(turn):
            return
        try:
            plan = planner()
            names = namer(plan)
        except (IntegratorError, OSError):
            return  # the game cannot be opened, which opening it explains
        directory = plan.integration.directory
        missing = []
        keys = {}
        for name in names:
            try:
                keys[name] = picture_key(plan.request, _state_bytes(plan, name))
            except (DomainError, OSError) as error:
                self._tell(MadePicture(directory, name, None, str(error)))
                continue
            found = None if anew else self.store.find(keys[name])
            if found is None:
                missing.append(name)
            else:
                self._tell(MadePicture(directory, name, found, again=True))
        try:
            for one in photograph(plan, missing, lambda: self._stopped(turn)):
                self._tell(self._kept(directory, one, keys[one.name]))
        except (IntegratorError, OSError) as error:
            for name in missing:
                self._tell(MadePicture(directory, name, None, str(error)))

    def _kept(self, directory: Path, one: StatePicture, key: str) -> MadePicture:
        file = self.store.keep(key, one.picture) if one.picture is not None else None
        return MadePicture(directory, one.name, file, one.problem)

    def _tell(self, made: MadePicture) -> None:
        if not self._closing.is_set():
            self._passed_on.emit(made)


def _state_bytes(plan: SessionPlan, name: str) -> bytes:
    return b"" if name == POWER_ON else plan.integration.state_data(name)
