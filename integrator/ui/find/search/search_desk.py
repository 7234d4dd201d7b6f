"""Searches of the window: on a snapshot of memory beside the game where memory is large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from PySide6.QtCore import QObject

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.searches.searches import Searches
from integrator.session.session import Session
from integrator.ui.bridge.background import Background
from integrator.ui.bridge.bridge import SessionBridge

T = TypeVar("T")

AT_ONCE_BYTES: Final = 128 << 10
"""Up to so much RAM a comparison takes less than a frame and is made between two of them."""


class SearchDesk(QObject):
    """Everything that the window does to searches goes over this desk, one after the other.

    ``refused`` gets errors. ``waits``: some answer has not come yet.
    """

    def __init__(
        self, bridge: SessionBridge, refused: Callable[[Exception], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._refused = refused
        self._open = 0
        self.beside = False
        self.background = Background(bridge, "search", self)
        bridge.opened.connect(self._begin)

    def _begin(self, game: GameSnapshot) -> None:
        self._open = 0
        self.beside = game.ram_bytes > AT_ONCE_BYTES

    @property
    def waits(self) -> bool:
        """True while some work is not answered."""
        return self._open > 0

    def ask(
        self,
        work: Callable[[Searches], T],
        then: Callable[[T], object],
        frames: Sequence[int] = (),
    ) -> None:
        """Do ``work`` on the searches, with memory as it is between two frames.

        ``frames`` are recorded frames that it compares with, -1 the last one. The answer comes in
        the window's thread.
        """
        beside = self.beside

        def look(session: Session) -> Callable[[], T]:
            searches = session.searches
            if not beside:
                value = work(searches)
                return lambda: value
            travel = session.timeline
            past = {n: travel.ram(n if n >= 0 else travel.position + n) for n in frames}
            ram = session.memory.ram.copy()

            def search() -> T:
                with searches.on_snapshot(ram, past):
                    return work(searches)

            return search

        def looked(search: Callable[[], T]) -> None:
            if beside:
                self.background.start(lambda _: search(), done, refused)
            else:
                done(search())

        def done(value: T) -> None:
            self._open -= 1
            then(value)

        def refused(error: Exception) -> None:
            self._open -= 1
            self._refused(error)

        if self._bridge.is_open:
            self._open += 1
            self._bridge.ask(look, looked, refused)
