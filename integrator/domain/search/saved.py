"""The steps of a search, each with its change of RAM, and searches as JSON."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import inflated
from integrator.domain.search.operators import Comparison
from integrator.domain.sweep.readings import Scale, SearchType, parse_type
from integrator.domain.sweep.refine import Layer, Layers, Memory, refine
from integrator.domain.sweep.sets import (
    CandidateSet,
    addresses_of,
    count_bits,
    differing,
    empty,
    positions_of,
    union,
)
from integrator.domain.values.memory import AddressSpace, DataType

_FORMAT: Final = "integrator-search"
_VERSIONS: Final = (1, 2)
"""Version 2 is for searches with more than data types, which older programs cannot read."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One step of a search, and the number of candidates that it left."""

    op: str
    value: int | tuple[int, int] | None
    against: str
    count: int


def dump(document: Mapping[str, Any], types: Sequence[SearchType]) -> str:
    is_plain = all(isinstance(each, DataType) for each in types)
    head = {"format": _FORMAT, "version": _VERSIONS[0 if is_plain else 1]}
    return json.dumps({**head, **document})


def load(text: str, space: AddressSpace) -> Any:
    """Parse a document of this memory. Raises SearchError, or any error if it is malformed."""
    # Each run of candidates is a list, so the number of lists is limited only by the text.
    document = parse_json(text, most_containers=len(text))
    if document["format"] != _FORMAT or document["version"] not in _VERSIONS:
        raise SearchError(
            f"this is {document['format']} version {document['version']}, not {_FORMAT} "
            f"version {' or '.join(map(str, _VERSIONS))}"
        )
    if document["regions"] != regions_of(space):
        raise SearchError(
            "the saved search is of another memory layout; open it with the game and core "
            "that it was made with"
        )
    return document


def regions_of(space: AddressSpace) -> list[list[int]]:
    return [[each.address, each.size] for each in space.regions]


def step_of(step: Mapping[str, Any]) -> SearchStep:
    value = step["value"]
    if isinstance(value, list):
        low, high = value
        value = (int(low), int(high))
    return SearchStep(str(step["op"]), value, str(step["against"]), int(step["count"]))


def candidates_of(layers: Layers, space: AddressSpace) -> list[dict[str, Any]]:
    """Return one entry for each type and set of candidates; scales with the same set share it."""
    entries: dict[tuple[SearchType, int], dict[str, Any]] = {}
    for layer, candidates in layers.items():
        key = (layer.data_type, id(candidates))
        if key not in entries:
            entries[key] = {
                "type": layer.data_type.spec,
                "scales": [],
                "runs": _runs(addresses_of(space, candidates.positions)),
            }
        scale = layer.scale
        entries[key]["scales"].append([scale.multiplier, scale.divisor, scale.bias])
    return list(entries.values())


def _runs(addresses: NDArray[np.int64]) -> list[list[int]]:
    if not len(addresses):
        return []
    breaks = np.flatnonzero(np.diff(addresses) != 1)
    first = addresses[np.concatenate(([0], breaks + 1))]
    last = addresses[np.concatenate((breaks, [len(addresses) - 1]))]
    return [list(run) for run in zip(first.tolist(), last.tolist(), strict=True)]


def layers_of(entries: Sequence[Mapping[str, Any]], space: AddressSpace) -> Layers:
    layers = {}
    for entry in entries:
        data_type = parse_type(entry["type"])
        candidates = _set_of(entry["runs"], data_type.width, space)
        for numbers in entry["scales"]:
            multiplier, divisor, bias = map(int, numbers)
            if multiplier == 0 or divisor <= 0:
                raise SearchError(f"the saved search has the scale {multiplier}/{divisor}")
            layers[Layer(data_type, Scale(multiplier, divisor, bias))] = candidates
    return layers


def _set_of(runs: list[list[int]], width: int, space: AddressSpace) -> CandidateSet:
    if not runs:
        return empty(space.size_bytes)
    mask = np.zeros(space.size_bytes, dtype=np.bool_)
    for first, last in runs:
        # This call only checks that the last candidate lies inside of one region.
        space.offsets(last, width)
        start, stop = space.index_of(first), space.index_of(last)
        if stop - start != last - first:
            raise SearchError(f"the saved run 0x{first:X} to 0x{last:X} spans several regions")
        mask[start : stop + 1] = True
    return CandidateSet.of_mask(mask)


def packed(array: NDArray[Any]) -> str:
    return base64.b64encode(zlib.compress(array.tobytes(), 1)).decode("ascii")


def unpacked(text: str, dtype: str, size: int) -> NDArray[Any]:
    limit = size * np.dtype(dtype).itemsize
    array = np.frombuffer(inflated(base64.b64decode(text, validate=True), limit), dtype=dtype)
    if len(array) != size:
        raise SearchError(f"the saved memory has {len(array)} entries, not {size}")
    return array.astype(array.dtype.newbyteorder("="))


@dataclass(frozen=True, slots=True)
class RamChange:
    """The bytes that differ between two RAMs, XORed, so that it converts either to the other."""

    places: NDArray[np.uint32] | slice
    flipped: NDArray[np.uint8]

    @staticmethod
    def between(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> "RamChange":
        if before is after:
            return NO_CHANGE
        bits = differing(before, after)
        # Offsets of more than an eighth of all bytes would take more space than the RAM.
        places = slice(None) if count_bits(bits) * 8 > len(after) else positions_of(bits)
        return RamChange(places, before[places] ^ after[places])

    def applied(self, ram: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the other RAM, or the same object if no byte differs."""
        if not len(self.flipped):
            return ram
        other = ram.copy()
        other[self.places] ^= self.flipped
        return other


NO_CHANGE: Final = RamChange(slice(0), np.empty(0, np.uint8))


@dataclass(frozen=True)
class State:
    """A search after a step, and how the step changed the RAM that the next one compares with."""

    step: SearchStep | None
    layers: Layers = field(repr=False)
    change: RamChange = field(default=NO_CHANGE, repr=False)

    @cached_property
    def sets(self) -> Mapping[SearchType, CandidateSet]:
        # Group by identity first, because there are hundreds of layers and types hash slowly.
        by_identity: dict[int, tuple[SearchType, list[CandidateSet]]] = {}
        for layer, candidates in self.layers.items():
            data_type = layer.data_type
            known = by_identity.get(id(data_type))
            if known is None:
                known = by_identity[id(data_type)] = (data_type, [])
            known[1].append(candidates)
        by_type: dict[SearchType, list[CandidateSet]] = {}
        for data_type, sets in by_identity.values():
            by_type.setdefault(data_type, []).extend(sets)
        return {data_type: union(sets) for data_type, sets in by_type.items()}

    @property
    def count(self) -> int:
        return sum(each.count for each in self.sets.values())


@dataclass(frozen=True)
class Refinement:
    """A planned comparison; its data is immutable, so that any one thread may evaluate it."""

    state: State
    asked: Comparison
    memory: Memory

    @cached_property
    def layers(self) -> Layers:
        return refine(self.state.layers, self.asked.predicate, self.memory)

    @cached_property
    def count(self) -> int:
        return State(None, self.layers).count
