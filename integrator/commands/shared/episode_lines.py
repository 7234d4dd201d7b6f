"""Tells of each episode as it ends, from the files in which its process tells of its play."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from integrator.agents.live import LiveFolder
from integrator.agents.result import EpisodeResult

_SECONDS: Final = 0.25
_ENDS: Final = {"done": "done", "frames": "the most frames"}


class EpisodeWatch:
    """Calls ``tell`` once for each episode that ended, in a thread or in :meth:`look`."""

    def __init__(self, folder: Path, tell: Callable[[EpisodeResult], None]) -> None:
        self._folder, self._tell = LiveFolder(folder), tell
        self._lock, self._ended = threading.Lock(), threading.Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Watch the folder until the context ends."""
        # Ctrl+C may come while the thread starts; the program's end does not wait for it then.
        thread = threading.Thread(target=self._watch, name="episodes", daemon=True)
        try:
            thread.start()
            yield
        finally:
            self._ended.set()
            if thread.ident is not None:
                thread.join()
            self.look()

    def look(self) -> None:
        """Tell of the episodes that ended since the last look."""
        with self._lock:
            for result in self._folder.results():
                self._tell(result)

    def _watch(self) -> None:
        while not self._ended.wait(_SECONDS):
            self.look()


def episode_line(result: EpisodeResult, names: Sequence[int]) -> str:
    """An episode in one line; ``names`` are the widths of the agent's and the state's name."""
    agent, state = (
        name.ljust(width) for name, width in zip((result.agent, result.state), names, strict=True)
    )
    course = f"reward {result.reward:.6g} in {result.frames:,} frames"
    end = _ENDS.get(result.ended, result.ended)
    return f"{agent}  {state}  episode {result.episode}: {course}, ended by {end}"
