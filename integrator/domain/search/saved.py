"""Searches as JSON: candidates as runs of addresses, steps taken, and the memory compared with.

``resources/schemas/search.schema.json`` describes the document. Runs are start addresses, both ends
included; memory is of all regions in address order, as the console sees it. Undone steps and the
ages of changes are left out.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import decoding, inflated
from integrator.domain.sweep.layout import addresses_of
from integrator.domain.sweep.readings import Scale, SearchType, parse_type, plain_types
from integrator.domain.sweep.refine import Layer, Layers
from integrator.domain.sweep.sets import CandidateSet, empty
from integrator.domain.values.memory import AddressSpace

_FORMAT: Final = "integrator-search"
_VERSION: Final = 1
_WITH_FIELDS: Final = 2
"""Version of searches for more than data types, which older programs do not know."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One change of a search and the number of candidates that it left."""

    op: str
    value: int | tuple[int, int] | None
    against: str
    count: int


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """Everything of a search but its undone steps; memory in logical order."""

    name: str
    types: tuple[SearchType, ...]
    scales: bool
    alignment: int
    history: tuple[SearchStep, ...]
    layers: Layers
    first: NDArray[np.uint8]
    previous: NDArray[np.uint8]
    snapshot: NDArray[np.uint8] | None
    counts: NDArray[np.uint32]


def dump(saved: SavedSearch, space: AddressSpace) -> str:
    """The document as text."""
    memory = {
        "first": _pack(saved.first),
        "previous": _pack(saved.previous),
        "snapshot": None if saved.snapshot is None else _pack(saved.snapshot),
        "changes": _pack(saved.counts.astype("<u4")),
    }
    document = {
        "format": _FORMAT,
        "version": _VERSION if _is_plain(saved) else _WITH_FIELDS,
        "name": saved.name,
        "types": [data_type.spec for data_type in saved.types],
        "scales": saved.scales,
        "alignment": saved.alignment,
        "regions": [[region.address, region.size] for region in space.regions],
        "history": [
            {"op": step.op, "value": step.value, "against": step.against, "count": step.count}
            for step in saved.history
        ],
        "candidates": _candidates(saved.layers, space),
        "memory": memory,
    }
    return json.dumps(document)


def _is_plain(saved: SavedSearch) -> bool:
    return len(plain_types(saved.types)) == len(saved.types)


def load(text: str, space: AddressSpace) -> SavedSearch:
    """Read a document.

    Raises SearchError when it is malformed or of another memory layout, SearchTypeError and
    AddressError when a type or address in it is wrong.
    """
    with decoding(SearchError, "the saved search is malformed"):
        # Each run of candidates is a list, and memory sets no useful limit to their number.
        document = parse_json(text, most_containers=len(text))
        if document["format"] != _FORMAT or document["version"] not in (_VERSION, _WITH_FIELDS):
            raise SearchError(
                f"this is {document['format']} version {document['version']}, not {_FORMAT} "
                f"version {_VERSION} or {_WITH_FIELDS}"
            )
        if document["regions"] != [[region.address, region.size] for region in space.regions]:
            raise SearchError(
                "the saved search is of another memory layout; open it with the game and core "
                "that it was made with"
            )
        return _read(document, space)


def _read(document: Mapping[str, Any], space: AddressSpace) -> SavedSearch:
    memory = document["memory"]
    size = space.size_bytes
    snapshot = memory["snapshot"]
    return SavedSearch(
        name=str(document["name"]),
        types=tuple(parse_type(spec) for spec in document["types"]),
        scales=bool(document["scales"]),
        alignment=int(document["alignment"]),
        history=tuple(_step(step) for step in document["history"]),
        layers=_layers(document, space),
        first=_unpack(memory["first"], "u1", size),
        previous=_unpack(memory["previous"], "u1", size),
        snapshot=None if snapshot is None else _unpack(snapshot, "u1", size),
        counts=_unpack(memory["changes"], "<u4", size),
    )


def _step(step: Mapping[str, Any]) -> SearchStep:
    value = step["value"]
    if isinstance(value, list):
        low, high = value
        value = (int(low), int(high))
    return SearchStep(str(step["op"]), value, str(step["against"]), int(step["count"]))


def _candidates(layers: Layers, space: AddressSpace) -> list[dict[str, Any]]:
    """One entry for each type and set; scales with the same candidates share it."""
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
    """First and last of each run of neighbouring addresses."""
    if not len(addresses):
        return []
    breaks = np.flatnonzero(np.diff(addresses) != 1)
    first = addresses[np.concatenate(([0], breaks + 1))]
    last = addresses[np.concatenate((breaks, [len(addresses) - 1]))]
    return [list(run) for run in zip(first.tolist(), last.tolist(), strict=True)]


def _layers(document: Mapping[str, Any], space: AddressSpace) -> Layers:
    layers = {}
    for entry in document["candidates"]:
        data_type = parse_type(entry["type"])
        candidates = _set_of(entry["runs"], data_type.width, space)
        for scale in entry["scales"]:
            layers[Layer(data_type, _scale(scale))] = candidates
    return layers


def _scale(numbers: list[int]) -> Scale:
    multiplier, divisor, bias = map(int, numbers)
    if multiplier == 0 or divisor <= 0:
        raise SearchError(f"the saved search has the scale {multiplier}/{divisor}")
    return Scale(multiplier, divisor, bias)


def _set_of(runs: list[list[int]], width: int, space: AddressSpace) -> CandidateSet:
    """The set of runs. Raises AddressError when a value there would leave its region."""
    if not runs:
        return empty(space.size_bytes)
    mask = np.zeros(space.size_bytes, dtype=np.bool_)
    for first, last in runs:
        # Asked only for its check: the run has to lie inside of one region.
        space.offsets(last, width)
        start, stop = space.index_of(first), space.index_of(last)
        if stop - start != last - first:
            raise SearchError(f"the saved run 0x{first:X} to 0x{last:X} spans several regions")
        mask[start : stop + 1] = True
    return CandidateSet.of_mask(mask)


def _pack(array: NDArray[Any]) -> str:
    return base64.b64encode(zlib.compress(array.tobytes(), 1)).decode("ascii")


def _unpack(text: str, dtype: str, size: int) -> NDArray[Any]:
    limit = size * np.dtype(dtype).itemsize
    array = np.frombuffer(inflated(base64.b64decode(text, validate=True), limit), dtype=dtype)
    if len(array) != size:
        raise SearchError(f"the saved memory has {len(array)} entries, not {size}")
    return array.astype(array.dtype.newbyteorder("="))
