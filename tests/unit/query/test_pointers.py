"""Pointers to a structure that moves: chains that survive, and the Lua that follows them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.errors import AddressError, SearchError
from integrator.domain.query.pointers import (
    NumberPlace,
    PointerChain,
    PointerForm,
    accessor_script,
    pointer_chains,
    pointer_form,
)
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.tree import ScriptCall
from integrator.domain.values.memory import AddressSpace, DataType, Region

SIZE = 1 << 16
SPACE = AddressSpace([Region(0, SIZE)])
BIG = PointerForm(DataType.parse(">u4"), 0x80000000)
SMALL = PointerForm(DataType.parse("<u4"), 0x02000000)
LEVEL, LIST, FIELD = 0x120, 0x24, 0x1C
"""The pointer to the level's objects, and offsets of the player's pointer and of the number."""
PLACES = ((0x4000, 0x9000), (0x4800, 0xA310), (0xC000, 0x7700))
"""Of each moment the list of objects and the player."""


def put(ram: NDArray[np.uint8], address: int, value: int, spec: str) -> None:
    data_type = DataType.parse(spec)
    ram[address : address + data_type.width] = list(data_type.encode(value))


def moments(form: PointerForm) -> list[NumberPlace]:
    """A number behind two pointers that move, among a thousand pointers to anywhere."""
    found = []
    for number, (objects, player) in enumerate(PLACES):
        rng = np.random.default_rng(number)
        ram = rng.integers(0, 256, SIZE, dtype=np.uint8)
        for place in rng.integers(0x400, SIZE // 4, 1000).tolist():
            put(ram, place * 4, form.shift + int(rng.integers(0, SIZE)), form.type.spec)
        put(ram, LEVEL, form.shift + objects, form.type.spec)
        put(ram, objects + LIST, form.shift + player, form.type.spec)
        put(ram, player + FIELD, 40_000 + number, ">u2")
        found.append(NumberPlace(ram, player + FIELD))
    return found


@pytest.mark.parametrize("form", [BIG, SMALL], ids=["big", "small"])
def test_the_chain_to_a_structure_that_moves_survives(form: PointerForm) -> None:
    seen = moments(form)
    chains = pointer_chains(SPACE, seen)
    assert chains[0] == PointerChain(LEVEL, (LIST, FIELD), form)
    assert str(chains[0]) == "[[0x120]+0x24]+0x1C"
    for moment in seen:
        assert {each.address(SPACE, moment.ram) for each in chains} == {moment.address}


def test_each_moment_leaves_fewer_chains() -> None:
    seen = moments(BIG)
    counts = [
        len(pointer_chains(SPACE, seen[:count], BIG, depth=2, limit=10**6)) for count in (1, 2, 3)
    ]
    assert counts[0] > counts[1] >= counts[2] >= 1


def test_depth_and_reach_are_kept() -> None:
    seen = moments(BIG)
    assert not pointer_chains(SPACE, seen, BIG, depth=1)
    assert not pointer_chains(SPACE, seen, BIG, depth=2, reach=LIST - 1)
    assert pointer_chains(SPACE, seen, BIG, depth=2, reach=LIST)


def test_a_chain_that_leads_nowhere_has_no_address() -> None:
    ram = moments(BIG)[0].ram
    chain = PointerChain(LEVEL, (LIST, FIELD), BIG)
    put(ram, LEVEL, 7, ">u4")
    assert chain.address(SPACE, ram) is None
    put(ram, LEVEL, BIG.shift + SIZE - 2, ">u4")
    assert chain.address(SPACE, ram) is None
    put(ram, 0x124, BIG.shift + 0x800, ">u4")
    assert PointerChain(0x124, (0,), BIG).address(SPACE, ram) == 0x800
    assert PointerChain(0x125, (0,), BIG).address(SPACE, ram) is None


def test_regions_and_addresses_of_the_console_count() -> None:
    space = AddressSpace([Region(0x02000000, 0x400), Region(0x03000000, 0x400)])
    ram = np.zeros(0x800, np.uint8)
    for number in range(20):
        put(ram, 0x100 + 4 * number, 0x03000000 + 4 * number, "<u4")
    form = pointer_form(space, ram)
    assert form == PointerForm(DataType.parse("<u4"), 0)
    chains = pointer_chains(space, [NumberPlace(ram, 0x03000006)], depth=1)
    assert chains[0] == PointerChain(0x02000104, (2,), form)


def test_memory_without_pointers_is_told() -> None:
    with pytest.raises(SearchError, match="no pointers"):
        pointer_chains(SPACE, [NumberPlace(np.zeros(SIZE, np.uint8), 4)])
    with pytest.raises(SearchError, match="at least one moment"):
        pointer_chains(SPACE, [])
    with pytest.raises(AddressError):
        pointer_chains(SPACE, [NumberPlace(np.zeros(SIZE, np.uint8), SIZE)], BIG)


class _Ram:
    """RAM as scripts see it."""

    def __init__(self, ram: NDArray[np.uint8]) -> None:
        self.ram = ram

    def read_variable(self, name: str) -> int:
        raise KeyError(name)

    def write_variable(self, name: str, _value: int) -> None:
        raise KeyError(name)

    def read_byte(self, address: int) -> int:
        if not 0 <= address < SIZE:
            raise AddressError(f"address 0x{address:X} is not mapped")
        return int(self.ram[address])


@pytest.mark.parametrize("form", [BIG, SMALL], ids=["big", "small"])
@pytest.mark.parametrize("spec", [">u2", ">i2", "<u4", "|i1"])
def test_the_script_reads_the_number_wherever_it_is(form: PointerForm, spec: str) -> None:
    chain, data_type = PointerChain(LEVEL, (LIST, FIELD), form), DataType.parse(spec)
    memory = _Ram(np.zeros(SIZE, np.uint8))
    text = accessor_script("it", chain, data_type, SPACE) + "function none()\n"
    text += "  return it_number() == nil\nend\n"
    hooks = ScriptHooks({"it.lua": text}, memory)
    hooks.reset()
    assert hooks.call(ScriptCall("none")) is True
    for moment in moments(form):
        memory.ram = moment.ram
        assert hooks.call(ScriptCall("it_address")) == moment.address
        wanted = SPACE.read(moment.ram, moment.address, data_type)
        assert hooks.call(ScriptCall("it_number")) == wanted
    put(memory.ram, LIST - 4, form.shift + 0x800, form.type.spec)
    for lost in (SIZE - 2, SIZE - LIST - 3, SIZE + 4, -4):
        put(memory.ram, LEVEL, form.shift + lost, form.type.spec)
        assert hooks.call(ScriptCall("none")) is True
    put(memory.ram, LEVEL, form.shift + 0x501, form.type.spec)
    put(memory.ram, 0x501 + LIST, form.shift + 0x800, form.type.spec)
    assert hooks.call(ScriptCall("none")) is True, "pointers are aligned"


def test_a_script_reads_no_digits() -> None:
    chain = PointerChain(LEVEL, (LIST, FIELD), BIG)
    with pytest.raises(SearchError, match=">d2"):
        accessor_script("it", chain, DataType.parse(">d2"), SPACE)
