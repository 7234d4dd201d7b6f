"""The recorded play that an audit judges, and the traps that an audit reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.spec import MENU_BUTTONS
from integrator.domain.values.variables import TIME_TERM

Memory: TypeAlias = Callable[[int], NDArray[np.uint8]]
"""Returns RAM after a frame of a play, uint8 (bytes,). Frame 0 is the state before frame 1."""


@dataclass(frozen=True, slots=True)
class ScoredPlay:
    """One player's play, scored by the scenario; row 0 of every array belongs to frame 1.
    ``source`` names a movie or a probe. ``inputs`` are uint16 masks (frames,), ``rewards`` are
    float32 (frames,), and ``done`` is bool (frames,). ``terms`` has the reward that each term pays
    on each frame, float32 (frames,); it is empty if a script pays without terms. ``values`` has the
    number of each variable, int64 (frames,)."""

    source: str
    fps: float
    inputs: NDArray[np.uint16]
    rewards: NDArray[np.float32]
    terms: Mapping[str, NDArray[np.float32]]
    done: NDArray[np.bool_]
    values: Mapping[str, NDArray[np.int64]]

    @property
    def frames(self) -> int:
        return len(self.rewards)

    @property
    def end(self) -> int:
        """The row of the first done, or the length of the play if done never comes."""
        return int(np.argmax(self.done)) if self.done.any() else self.frames

    @property
    def until_done(self) -> slice:
        """The rows of the episode, up to the first done, after which training sees nothing."""
        return slice(0, self.end + 1)

    @property
    def seconds(self) -> float:
        """The length of the play at the console's own speed."""
        return self.frames / self.fps

    @property
    def earned(self) -> NDArray[np.float64]:
        """Each frame's reward without ``TIME_TERM``, which pays whatever the player does."""
        return self.rewards.astype(np.float64) - self.terms.get(TIME_TERM, 0)

    @property
    def earning(self) -> dict[str, NDArray[np.float32]]:
        """The terms that the player can earn: all except ``TIME_TERM``."""
        return {name: column for name, column in self.terms.items() if name != TIME_TERM}

    @property
    def payers(self) -> dict[str, NDArray[np.float32]]:
        """``earning``, or, if a script pays without terms, its whole reward under an empty name."""
        return self.earning or {"": self.rewards}

    @property
    def is_constant(self) -> bool:
        """True if the input never changes after row 0, which is the frame of the reset."""
        return bool(np.all(self.inputs[1:] == self.inputs[1:2]))

    @property
    def is_idle(self) -> bool:
        return not self.inputs.any()

    def earned_within(self, frames: int) -> float:
        """Return the sum of all positive ``earned`` in the episode's first ``frames``."""
        earned = self.earned[self.until_done][:frames]
        return float(earned[earned > 0].sum())


@dataclass(frozen=True, slots=True)
class Scene:
    """Facts about the game that its plays do not contain.

    ``limits`` has the smallest and largest value of each variable's type, and ``digits`` the base
    and the number of the type's digits. ``buttons`` names the bits of a mask, None for no button.
    ``done_tests`` are the variables that done conditions test; there are none if a script decides.
    ``has_done`` is false without conditions and script. ``absolute`` are the reward terms that pay
    by a value instead of its change, and ``rewarded`` the terms that pay for a rise."""

    limits: Mapping[str, tuple[int, int]]
    buttons: tuple[str | None, ...]
    done_tests: frozenset[str] = frozenset()
    digits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    absolute: frozenset[str] = frozenset()
    rewarded: frozenset[str] = frozenset()
    has_done: bool = True

    @property
    def menu_mask(self) -> int:
        return sum(1 << bit for bit, name in enumerate(self.buttons) if name in MENU_BUTTONS)

    def holds_menu(self, play: ScoredPlay) -> bool:
        """Return True if only menu buttons are held, from the start of the play to its end."""
        mask = int(play.inputs[-1]) if play.frames else 0
        return play.is_constant and mask != 0 and not mask & ~self.menu_mask

    def spell(self, mask: int) -> str:
        """Return the names of a mask's buttons, such as ``A+UP``, or ``nothing`` for mask 0."""
        names = [name for bit, name in enumerate(self.buttons) if name and mask >> bit & 1]
        return "+".join(names) or "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A fault of the integration that spoils training, with its evidence and its cure. ``kind``
    names the kind of fault, and ``is_serious`` is false for a remark. ``frames`` are the first and
    last frame of the evidence in ``source``; ``plays`` counts the plays with this trap. ``weight``,
    0 to 1, estimates the share of the reward that is wrong; traps are ranked by it."""

    kind: str = ""
    is_serious: bool = True
    source: str
    frames: tuple[int, int]
    term: str = ""
    weight: float = 0.0
    evidence: str
    cure: str
    plays: int = 1


TrapRows: TypeAlias = NDArray[np.bool_] | NDArray[np.intp] | tuple[int, int]
"""Rows of a play, as a mask or as row numbers, or only the first and the last row."""


def noticed(
    play: ScoredPlay,
    rows: TrapRows,
    evidence: str,
    *,
    term: str = "",
    weight: float | None = None,
    is_serious: bool = True,
    cure: str = "",
) -> Trap:
    """Return a trap whose evidence lies on some rows of a play.

    ``weight`` defaults to the share of all reward that ``term`` paid on these rows.
    :meth:`Rule.traps` adds the kind and the usual cure."""
    found = np.asarray(rows)
    found = np.flatnonzero(found) if found.dtype == np.bool_ else found
    if weight is None:
        given = float(np.abs(play.terms.get(term, play.rewards)[found]).sum())
        weight = given / (float(np.abs(play.rewards).sum()) or 1.0)
    return Trap(
        is_serious=is_serious,
        source=play.source,
        frames=(int(found[0]) + 1, int(found[-1]) + 1),
        term=term,
        weight=min(1.0, weight),
        evidence=evidence,
        cure=cure,
    )
