"""Observations: a picture, RAM or variables, or several of them under their names."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

ObservationKind: TypeAlias = Literal["image", "ram", "variables"]
OBSERVATIONS: Final = ("image", "ram", "variables")

Observation: TypeAlias = Any
"""An array, or a dict of arrays by :data:`ObservationKind` where several kinds are wanted.

``image`` is uint8 (height, width, 3) or as preprocessed, ``ram`` uint8 (bytes,), ``variables``
float32 (variables,) in the order of data.json.
"""


def space_of(kind: str, shape: tuple[int, ...]) -> spaces.Box:
    if kind == "variables":
        return spaces.Box(-np.inf, np.inf, shape, np.float32)
    return spaces.Box(0, 255, shape, np.uint8)


def empty(space: spaces.Space[Any]) -> Observation:
    if isinstance(space, spaces.Dict):
        return {kind: empty(part) for kind, part in space.items()}
    return np.empty(space.shape or (), space.dtype)


def part_of(batch: Observation, index: int) -> Observation:
    if isinstance(batch, dict):
        return {kind: array[index] for kind, array in batch.items()}
    return batch[index]


def clear(into: Observation) -> None:
    for array in into.values() if isinstance(into, dict) else [into]:
        array[...] = 0


def copied(observation: Observation) -> Observation:
    if isinstance(observation, dict):
        return {kind: array.copy() for kind, array in observation.items()}
    return observation.copy()


def stacked(observations: Sequence[Observation]) -> Observation:
    if isinstance(observations[0], dict):
        return {kind: np.stack([each[kind] for each in observations]) for kind in observations[0]}
    return np.stack(observations)


def write(into: Observation, observation: Observation) -> None:
    if isinstance(into, dict):
        for kind, array in into.items():
            array[...] = observation[kind]
    else:
        into[...] = observation


def vector_of(values: Mapping[str, int], names: tuple[str, ...]) -> NDArray[np.float32]:
    return np.array([values[name] for name in names], np.float32)
