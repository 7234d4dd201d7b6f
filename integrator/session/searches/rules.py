"""Comparisons that a search makes by itself while the game runs: each frame, or around a press."""

from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.search import Search

When = Literal["frame", "idle", "press"]
"""``frame``: after every frame, with the one before; ``idle``: the same, only while no button is
held; ``press``: after a button was let go, with memory as it was when it was pressed."""

SETTLE_FRAMES: Final = 8
"""Frames for which the game may still work on a button after it was let go."""


@dataclass(slots=True)
class FrameRule:
    """A comparison made while the game runs; see :meth:`Searches.each_frame`.

    ``first_step`` is how many steps the search had when the rule began. With ``beside`` the window
    applies it to snapshots, and the session does not.
    """

    op: str
    value: object
    against: str | None
    first_step: int
    when: When = "frame"
    beside: bool = False
    _pressed: bool = False
    _since_press: int = 0
    _rest: NDArray[np.uint8] | None = field(default=None, repr=False)

    def follow(self, search: Search, ram: NDArray[np.uint8], *, pressed: bool) -> bool:
        """Apply the rule after one more frame; whether the search was refined.

        ``ram`` is flat RAM now, ``pressed`` says whether any button was held on the frame. Raises
        SearchError.
        """
        if self.when == "press":
            refined = self._follow_press(search, pressed=pressed)
            if not pressed:
                self._rest = ram.copy()
            return refined
        if self.when == "idle":
            was, self._pressed = self._pressed, pressed
            if pressed:
                return False
            if was:
                # The button has had its effect: compare with the first frame of rest.
                search.start_from_now()
                return False
        search.take(search.plan(self.op, self.value, against=self.against))
        return True

    def _follow_press(self, search: Search, *, pressed: bool) -> bool:
        was, self._pressed = self._pressed, pressed
        if pressed and not was:
            refined = self._compare(search)
            # The frame of the press may have changed the number already.
            search.start_from_now(self._rest)
            self._since_press = 1
            return refined
        if pressed or not self._since_press:
            return False
        self._since_press += 1
        return self._compare(search) if self._since_press > SETTLE_FRAMES else False

    def _compare(self, search: Search) -> bool:
        """Compare with the press that is open, if one is."""
        if not self._since_press:
            return False
        self._since_press = 0
        search.take(search.plan(self.op, self.value, against=self.against))
        return True
