"""Observations and actions of environments, and their spaces."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.spec import ActionSet

ObservationKind: TypeAlias = Literal["image", "ram", "variables"]
OBSERVATIONS: Final = ("image", "ram", "variables")

Observation: TypeAlias = Any
"""An array, or, for several kinds, a dict of arrays by :data:`ObservationKind`.

``image`` is uint8 (height, width, 3) or as preprocessed, ``ram`` uint8 (bytes,), ``variables``
float32 (variables,) in the order of data.json."""


def space_of(kind: str, shape: tuple[int, ...]) -> spaces.Box:
    if kind == "variables":
        return spaces.Box(-np.inf, np.inf, shape, np.float32)
    return spaces.Box(0, 255, shape, np.uint8)


def empty(space: spaces.Space[Any]) -> Observation:
    if isinstance(space, spaces.Dict):
        return {kind: empty(part) for kind, part in space.items()}
    return np.empty(space.shape or (), space.dtype)


def mapped(function: Callable[..., Any], *observations: Observation) -> Observation:
    """Call a function of arrays, once for each kind if the observations are dicts."""
    if not isinstance(observations[0], dict):
        return function(*observations)
    return {kind: function(*(each[kind] for each in observations)) for kind in observations[0]}


def part_of(batch: Observation, index: int) -> Observation:
    return mapped(lambda array: array[index], batch) if isinstance(batch, dict) else batch[index]


ActionMode: TypeAlias = Literal["filtered", "discrete", "multi-discrete", "all"]
Masks: TypeAlias = tuple[int, ...]  # one button mask a player
_NUMPY: Final = (np.ndarray, np.generic)


class ActionCoder:
    """Turns actions of one of the four modes into button masks; ``space`` is Gymnasium's.

    The modes are those of stable-retro, except that *multi-discrete* works for two players, too;
    stable-retro splits its action array by buttons instead of groups."""

    def __init__(self, actions: ActionSet, mode: str, players: int) -> None:
        if mode not in get_args(ActionMode):
            known = ", ".join(get_args(ActionMode))
            raise SessionError(f"no action mode {mode!r}; use one of {known}")
        self._actions, self._mode, self._players = actions, mode, players
        self._bits = mode in ("filtered", "all")
        self._kept: dict[Any, Masks] = {}
        self.space: spaces.Space[Any]
        if self._bits:
            self.space = spaces.MultiBinary(len(actions.buttons) * players)
        elif mode == "discrete":
            self.space = spaces.Discrete(actions.discrete_size**players)
        else:
            self.space = spaces.MultiDiscrete([len(group) for group in actions.groups] * players)

    def masks(self, action: Any) -> Masks:
        """Return the button masks of an action. Raises SessionError if it is not in the space."""
        key: Any = action
        if not isinstance(action, int):
            # A list or a tensor may hold other numbers the next time, so that these are the key.
            is_own = isinstance(action, _NUMPY) and action.dtype == self.space.dtype
            numbers = action if is_own else self._numbers(action)
            key = numbers.shape, numbers.tobytes()
        if kept := self._kept.get(key):
            return kept
        numbers = self._numbers(action)
        if not self.space.contains(numbers):
            raise SessionError(f"action {action!r} is not in {self.space}")
        if len(self._kept) >= 1 << 16:
            self._kept.clear()
        self._kept[key] = masks = self._masks(numbers)
        return masks

    def _numbers(self, action: Any) -> NDArray[Any]:
        with suppress(TypeError, ValueError), np.errstate(invalid="ignore"):
            given = np.asarray(action)
            if given.dtype.kind in "biuf":
                numbers = given.astype(self.space.dtype)
                if (numbers == given).all():
                    return numbers
        raise SessionError(f"action {action!r} is not in {self.space}")

    def names(self, action: Any) -> list[tuple[str, ...]]:
        """Return the names of the buttons that an action presses, for each player."""
        return [self._actions.names(mask) for mask in self.masks(action)]

    def _masks(self, action: NDArray[Any]) -> Masks:
        actions, players = self._actions, self._players
        if self._mode == "discrete":
            return actions.discrete_masks(int(action), players)
        rows = action.reshape(players, -1)
        if not self._bits:
            return tuple(map(actions.multi_discrete_mask, rows.tolist()))
        masks = (rows.astype(bool) * (1 << np.arange(rows.shape[1]))).sum(axis=1).tolist()
        return tuple(map(actions.filter, masks) if self._mode == "filtered" else masks)
