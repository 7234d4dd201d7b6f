"""In which order the files of an integration were edited: one undo over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from integrator.domain.change_log import History

Step = tuple[str, ...]
"""Keys of the histories that were edited at once, one for each edit."""


class EditOrder:
    """Each history knows its own edits; this knows which of them was edited when.

    ``histories`` gives those that there are now, by key.
    """

    def __init__(self, histories: Callable[[], Mapping[str, History]]) -> None:
        self._histories = histories
        self._depths: Mapping[str, int] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []

    @property
    def done(self) -> tuple[Step, ...]:
        """Steps that can be taken back, the newest last."""
        return tuple(self._done)

    @property
    def undone(self) -> tuple[Step, ...]:
        """Steps that can be done again, the next one last."""
        return tuple(self._undone)

    def note(self) -> None:
        """What was edited since the last time is one step."""
        depths = self._depths_now()
        step: list[str] = []
        for key, depth in depths.items():
            step += [key] * (depth - self._depths.get(key, 0))
        if step:
            self._done.append(tuple(step))
            self._undone.clear()
        self._depths = depths
        self._forget_lost()

    @contextmanager
    def stepping(self, *, back: bool) -> Iterator[Step]:
        """Take back the newest step, or do the next one again; gives it, () when there is none.

        When a file refuses, or the block raises, all are as before.
        """
        self.note()
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        step = source[-1] if source else ()
        taken: list[str] = []
        try:
            for key in reversed(step) if back else step:
                taken += [key] * self._move(key, back=back)
            yield step
        except BaseException:
            for key in reversed(taken):
                self._move(key, back=not back)
            raise
        if step:
            target.append(source.pop())
            self._depths = self._depths_now()

    def _depths_now(self) -> Mapping[str, int]:
        return {key: history.undo_depth for key, history in self._histories().items()}

    def _move(self, key: str, *, back: bool) -> bool:
        history = self._histories().get(key)
        if history is None:
            return False
        return history.undo() if back else history.redo()

    def _forget_lost(self) -> None:
        """Drop steps whose history is not there any more, or has let go of them."""
        left = Counter(self._depths)
        kept: list[Step] = []
        for step in reversed(self._done):
            needed = Counter(step)
            if all(left[key] >= count for key, count in needed.items()):
                left -= needed
                kept.insert(0, step)
        self._done = kept
        redoable = {key for key, history in self._histories().items() if history.can_redo}
        if not all(set(step) <= redoable for step in self._undone):
            self._undone.clear()
