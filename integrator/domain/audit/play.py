"""The recorded play that an audit judges, and the traps that it finds there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.spec import MENU_BUTTONS
from integrator.domain.values.variables import TIME_TERM

Memory: TypeAlias = Callable[[int], NDArray[np.uint8]]
"""The memory after a frame of a play, uint8 (bytes,); frame 0 is the one before its first."""


@dataclass(frozen=True, slots=True)
class ScoredPlay:
    """One player's play as the scenario scored it; row 0 of every array is frame 1.

    ``source`` names a movie or a probe. ``inputs`` are uint16 masks
    (frames,), ``rewards`` float32 (frames,), ``done`` bool (frames,). ``terms`` are each reward
    term's summands, float32 (frames,), empty where Lua pays; ``values`` are the variables, int64
    (frames,).
    """

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
        """The row of the first done; the play's length without any."""
        return int(np.argmax(self.done)) if self.done.any() else self.frames

    @property
    def until_done(self) -> slice:
        """The rows of the episode: training sees nothing after its first done."""
        return slice(0, self.end + 1)

    @property
    def seconds(self) -> float:
        """Its length at the console's own speed."""
        return self.frames / self.fps

    @property
    def earned(self) -> NDArray[np.float64]:
        """Each frame's reward without ``TIME_TERM``, which no doing of the player earns."""
        return self.rewards.astype(np.float64) - self.terms.get(TIME_TERM, 0)

    @property
    def earning(self) -> dict[str, NDArray[np.float32]]:
        """The terms that the player may earn: all but ``TIME_TERM``."""
        return {name: column for name, column in self.terms.items() if name != TIME_TERM}

    @property
    def payers(self) -> dict[str, NDArray[np.float32]]:
        """``earning``, or the whole reward under no name where a script pays without terms."""
        return self.earning or {"": self.rewards}

    @property
    def is_constant(self) -> bool:
        """True when the same buttons, or none, were held from the frame after the reset's on."""
        return bool(np.all(self.inputs[1:] == self.inputs[1:2]))

    @property
    def is_idle(self) -> bool:
        """True when no button was ever pressed."""
        return not self.inputs.any()

    def earned_within(self, frames: int) -> float:
        """The positive part of ``earned`` in the episode's first ``frames``."""
        earned = self.earned[self.until_done][:frames]
        return float(earned[earned > 0].sum())


@dataclass(frozen=True, slots=True)
class Scene:
    """Facts of the game that its plays do not hold.

    ``limits`` are the least and greatest value of each variable's type, and ``digits`` the base
    and the number of its digits. ``buttons`` name the bits of a mask; None: no such button.
    ``done_tests`` are the variables that done tests, none where a script decides; ``has_done`` is
    false when neither does. ``absolute`` are the reward terms that measure a value and not its
    change, ``rewarded`` those whose rise pays.
    """

    limits: Mapping[str, tuple[int, int]]
    buttons: tuple[str | None, ...]
    done_tests: frozenset[str] = frozenset()
    digits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    absolute: frozenset[str] = frozenset()
    rewarded: frozenset[str] = frozenset()
    has_done: bool = True

    @property
    def menu_mask(self) -> int:
        """The buttons that pause a game or leave it."""
        return sum(1 << bit for bit, name in enumerate(self.buttons) if name in MENU_BUTTONS)

    def holds_menu(self, play: ScoredPlay) -> bool:
        """True for a play in which nothing but buttons of menus was held, from the start on."""
        mask = int(play.inputs[-1]) if play.frames else 0
        return play.is_constant and mask != 0 and not mask & ~self.menu_mask

    def spell(self, mask: int) -> str:
        """The buttons of a mask by name, ``nothing`` for none."""
        names = [name for bit, name in enumerate(self.buttons) if name and mask >> bit & 1]
        return "+".join(names) or "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """One thing that spoils training, with its evidence and its cure.

    ``kind`` is the name of its rule; ``is_serious`` is false for remarks. ``frames`` are the first
    and last frame of the evidence in ``source``; ``plays`` counts the plays that have it.
    ``weight``, 0 to 1, estimates the part of the reward that it falsifies; traps are ranked by it.
    """

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
"""Rows of a play, as a mask or by their numbers, or the first and the last one."""


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
    """A trap seen on rows of a play; its row in the table of rules adds the kind, and the cure.

    ``weight`` is the part of all reward that ``term`` gave there, if it is not given.
    """
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
