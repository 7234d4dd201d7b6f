"""Searches of the window: on a snapshot of memory beside the game where memory is large."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from integrator.session.searches.searches import Searches
from integrator.session.session import Session
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge

T = TypeVar("T")

AT_ONCE_BYTES: Final = 128 << 10
"""Up to so much RAM a comparison takes less than a frame and is made between two of them."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    """The result of work that was done at once."""

    value: T


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Memory between two frames, to be searched while the game goes on."""

    searches: Searches
    ram: NDArray[np.uint8]
    past: Mapping[int, NDArray[np.uint8]]


class SearchDesk(QObject):
    """Everything that the window does to searches goes over this desk, one after the other."""

    def __init__(self, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.background = Background(bridge, "search", self)

    def ask(
        self,
        work: Callable[[Searches], T],
        then: Callable[[T], object],
        otherwise: Callable[[Exception], object],
        frames: Sequence[int] = (),
    ) -> None:
        """Do ``work`` on the searches, with memory as it is between two frames.

        ``frames`` are recorded frames that it compares with, -1 the last one. The answer comes in
        the window's thread.
        """

        def look(session: Session) -> _Done[T] | _Snapshot:
            if session.memory.space.size_bytes <= AT_ONCE_BYTES:
                return _Done(work(session.searches))
            travel = session.timeline
            past = {n: travel.ram(n if n >= 0 else travel.position + n) for n in frames}
            return _Snapshot(session.searches, session.memory.ram.copy(), past)

        def looked(found: _Done[T] | _Snapshot) -> None:
            if isinstance(found, _Done):
                then(found.value)
                return
            snapshot = found

            def search(_: Job) -> T:
                with snapshot.searches.on_snapshot(snapshot.ram, snapshot.past):
                    return work(snapshot.searches)

            self.background.start(search, then, otherwise)

        self._bridge.ask(look, looked, otherwise)
