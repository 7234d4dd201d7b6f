"""Chains of pointers to a structure that moves, found at several moments, and their script.

pointer_chains(space, [NumberPlace(ram, 0x1A2B10), NumberPlace(later, 0x1C0410)])

A pointer is an aligned word that, minus a constant of the console, is an address in RAM. Chains are
searched for backwards in the first moment: pointers to a place shortly before the address, then to
one before these pointers, and so on. A chain is kept if it leads to the address of every moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from string import Template
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.values.memory import AddressSpace, DataType

REACH_BYTES: Final = 0x800
DEPTH: Final = 3
_SHIFTS: Final = (0x80000000, 0xA0000000, 0x02000000, 0x06000000, 0x20000000, 0)
"""Addresses at which consoles see the RAM that cores count from 0: N64 and PlayStation (cached or
not), DS, Saturn's work RAM. The last is for cores that report the console's own addresses."""
_NOWHERE: Final = -1

Addresses = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class NumberPlace:
    """RAM as a host holds it, uint8 (ram_bytes,), and the address of the number in it."""

    ram: NDArray[np.uint8]
    address: int


@dataclass(frozen=True, slots=True)
class PointerForm:
    """The type of a console's pointers; ``shift`` is a pointer's value minus its target address."""

    type: DataType
    shift: int


@dataclass(frozen=True, slots=True)
class PointerChain:
    """A way to a number: follow the pointer at ``base``, add the first offset, and so on. There is
    a further pointer at each sum, except the last, which is the number's address."""

    base: int
    offsets: tuple[int, ...]
    form: PointerForm

    def address(self, space: AddressSpace, ram: NDArray[np.uint8]) -> int | None:
        """Return the number's address in RAM of a host, or None if a pointer leads nowhere."""
        rows = np.array([self.offsets], np.int64)
        found = _Memory(space, ram, self.form).follow(np.array([self.base], np.int64), rows)
        return None if found[0] == _NOWHERE else int(found[0])

    def __str__(self) -> str:
        text = f"0x{self.base:X}"
        for offset in self.offsets:
            text = f"[{text}]+0x{offset:X}"
        return text


def pointer_chains(
    space: AddressSpace,
    moments: Sequence[NumberPlace],
    form: PointerForm | None = None,
    *,
    depth: int = DEPTH,
    reach: int = REACH_BYTES,
    limit: int = 1000,
) -> list[PointerChain]:
    """Return chains of up to ``depth`` pointers and ``reach`` bytes per offset, short ones first.

    Without ``form``, the form is found in the first memory. Raises SearchError without moments or
    if memory has no pointers, and AddressError for an address that is not mapped."""
    if not moments:
        raise SearchError("give at least one moment, and the number's address in it")
    for moment in moments:
        space.index_of(moment.address)
    form = form or pointer_form(space, moments[0].ram)
    memories = [_Memory(space, moment.ram, form) for moment in moments]
    bases = np.array([moments[0].address], np.int64)
    offsets = np.empty((1, 0), np.int64)
    found: list[PointerChain] = []
    for _ in range(depth):
        bases, offsets = _one_more(memories[0], bases, offsets, reach)
        kept = np.ones(len(bases), np.bool_)
        for memory, moment in zip(memories[1:], moments[1:], strict=True):
            kept[kept] = memory.follow(bases[kept], offsets[kept]) == moment.address
        order = np.argsort(offsets[kept].sum(axis=1), kind="stable")
        rows = zip(bases[kept][order].tolist(), offsets[kept][order].tolist(), strict=True)
        found += [PointerChain(base, tuple(row), form) for base, row in rows]
        if len(found) >= limit:
            break
    return found[:limit]


def pointer_form(space: AddressSpace, ram: NDArray[np.uint8]) -> PointerForm:
    """Return the form of which memory holds most pointers. Raises SearchError for fewer than 16.

    Numbers below 65,536 are everywhere in memory, so they do not count as pointers."""
    forms = (PointerForm(DataType.parse(s), shift) for s, shift in product((">u4", "<u4"), _SHIFTS))
    counted = {
        form: np.count_nonzero(_Memory(space, ram, form).targets + form.shift > 0xFFFF)
        for form in forms
    }
    best = max(counted, key=counted.__getitem__)
    if counted[best] < 16:
        raise SearchError(
            "this memory holds no pointers of a known form; name their type and the difference "
            "between a pointer and its address"
        )
    return best


class _Memory:
    """The pointers in one memory: their ``targets``, ascending, and their own ``places``."""

    def __init__(self, space: AddressSpace, ram: NDArray[np.uint8], form: PointerForm) -> None:
        regions = space.regions
        self._first = np.array([each.address for each in regions], np.int64)
        self._end = np.array([each.end for each in regions], np.int64)
        self._index = np.array([space.index_of(each.address) for each in regions], np.int64)
        self._words = [np.empty(0, np.int64) for _ in regions]
        logical, code = space.logical(ram), form.type.spec.replace("|", "<")
        places, targets = [], []
        for number, region in enumerate(regions):
            # Regions begin at multiples of four on every console with pointers of four bytes.
            size = region.size - region.size % 4
            start = int(self._index[number])
            words = np.frombuffer(logical[start : start + size].tobytes(), code)
            values = words.astype(np.int64) - form.shift
            self._words[number] = values
            hits = np.flatnonzero(self._region_of(values) != _NOWHERE)
            places.append(region.address + hits * 4)
            targets.append(values[hits])
        everything = np.concatenate([np.empty(0, np.int64), *targets])
        order = np.argsort(everything, kind="stable")
        self.targets: Addresses = everything[order]
        self.places: Addresses = np.concatenate([np.empty(0, np.int64), *places])[order]

    def _region_of(self, addresses: Addresses) -> NDArray[np.intp]:
        """Return the number of each address's region, -1 outside of RAM."""
        number = np.searchsorted(self._first, addresses, side="right") - 1
        return np.where((number >= 0) & (addresses < self._end[number]), number, _NOWHERE)

    def follow(self, bases: Addresses, offsets: NDArray[np.int64]) -> Addresses:
        """Return the addresses to which chains lead, int64 (chains,), -1 for those to nowhere."""
        at = bases.copy()
        for column in range(offsets.shape[1]):
            number = self._region_of(at)
            ahead = np.full(len(at), _NOWHERE, np.int64)
            for region, words in enumerate(self._words):
                rows = np.flatnonzero((number == region) & (at % 4 == 0))
                word = (at[rows] - self._first[region]) // 4
                inside = word < len(words)
                ahead[rows[inside]] = words[word[inside]]
            lost = self._region_of(ahead) == _NOWHERE
            at = np.where(lost, _NOWHERE, ahead + offsets[:, column])
        return np.where(self._region_of(at) == _NOWHERE, _NOWHERE, at)


def _one_more(
    memory: _Memory, bases: Addresses, offsets: NDArray[np.int64], reach: int
) -> tuple[Addresses, NDArray[np.int64]]:
    """Return chains with one more pointer in front, for all pointers shortly before a base."""
    first = np.searchsorted(memory.targets, bases - reach, side="left")
    counts = np.searchsorted(memory.targets, bases, side="right") - first
    rows = np.repeat(np.arange(len(bases)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = first[rows] + within
    longer = np.column_stack([bases[rows] - memory.targets[chosen], offsets[rows]])
    if len(rows) > 400_000:
        # Structures are small, so chains with short offsets are likelier.
        near = np.argsort(longer.sum(axis=1), kind="stable")[:400_000]
        chosen, longer = chosen[near], longer[near]
    return memory.places[chosen], longer


def accessor_script(
    name: str, chain: PointerChain, data_type: DataType, space: AddressSpace
) -> str:
    """Return a script with the functions ``name_address`` and ``name_number``.

    ``name`` has to be a Lua identifier. Raises SearchError for decimal digits, and for numbers of
    more than four bytes, because Lua's numbers are float64."""
    if data_type.kind not in "ui" or data_type.width > 4:
        raise SearchError(
            f"a script can follow pointers to whole numbers of up to four bytes, not to {data_type}"
        )
    whole, signed = 256**data_type.width, ""
    if data_type.kind == "i":
        signed = f"  if number >= {whole // 2} then\n    number = number - {whole}\n  end\n"
    template = read_text(Path(__file__).with_name("pointers.lua"), SMALL_BYTES)
    return Template(template).substitute(
        name=name,
        type=data_type,
        chain=chain,
        base=chain.base,
        offsets=_lua_list(chain.offsets),
        shift=chain.form.shift,
        regions=", ".join(f"{{ {each.address}, {each.end} }}" for each in space.regions),
        pointer_order=_lua_list(chain.form.type.order),
        width=data_type.width,
        order=_lua_list(data_type.order),
        signed=signed,
    )


def _lua_list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
