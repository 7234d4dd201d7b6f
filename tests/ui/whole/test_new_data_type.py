"""A kind of numbers is one row: a made-up one is read, written, checked and explained."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from numpy.typing import NDArray

from integrator import paths
from integrator.domain.errors import DataTypeError
from integrator.domain.lint.lint import SchemaSet
from integrator.domain.lint.scenario import measured_range
from integrator.domain.scenario.tree import Measurement
from integrator.domain.search.search import Search
from integrator.domain.values import memory
from integrator.domain.values.memory import KINDS, AddressSpace, DataType, NumberKind, Region
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.proof.experiment import Target
from integrator.session.proof.proof import Overflow
from integrator.ui.help import reference_page
from integrator.ui.terms import type_tip

TURNED = NumberKind(
    "c",
    "turned bytes",
    "a plain number with all bits turned",
    255 - np.arange(256),
    bytes(range(255, -1, -1)),
)
RAM = np.array([0xFF, 0xFE, 0xFD, 0x00], np.uint8)


@pytest.fixture(autouse=True)
def _row(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(KINDS, TURNED.letter, TURNED)
    yield
    memory._parse.cache_clear()


def test_it_is_read_and_written() -> None:
    kind = DataType.parse(">c2")
    assert (kind.minimum, kind.maximum) == (0, 65535)
    assert kind.decode(b"\xfe\xfd") == 0x0102
    assert kind.encode(0x0102) == b"\xfe\xfd"
    reader = VariableReader({"x": VariableSpec("x", 1, kind)}, AddressSpace([Region(0, 4)]))
    assert reader.read(RAM) == {"x": 0x0102}
    assert reader.read_array(RAM[np.newaxis])["x"].tolist() == [0x0102]
    with pytest.raises(DataTypeError, match="use u, i, d, n, c"):
        DataType.parse(">x2")


def test_it_is_checked_and_explained() -> None:
    variable = VariableSpec("x", 1, DataType.parse("|c1"))
    assert measured_range(variable, Measurement.DELTA) == (-255, 255)
    schemas = SchemaSet(paths.shipped("resources") / "schemas")
    text = '{"info": {"x": {"address": 1, "type": ">c2"}}}'
    assert list(schemas.problems("data", json.loads(text))) == []
    assert list(schemas.problems("data", json.loads(text.replace("c2", "x2"))))
    assert TURNED.words in type_tip(variable.type)
    assert f"| `c` | {TURNED.words} | `>c2` is `FB 31` |" in reference_page()


def test_a_saved_search_has_it() -> None:
    space = AddressSpace([Region(0, len(RAM))])
    document = json.loads(Search(space, [DataType.parse("|c1")], lambda: RAM).to_json())
    schema = paths.shipped("resources") / "schemas" / "search.schema.json"
    Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(document)
    assert document["candidates"][0]["type"] == "|c1"


def test_its_width_is_proven() -> None:
    kind = DataType.parse("<c3")
    before = np.full(8, 0xFF, np.uint8)

    def count(writes: list[tuple[int, bytes]]) -> NDArray[np.uint8]:
        memory = before.copy()
        for offset, data in writes:
            memory[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        number = kind.decode(memory[2:5].tobytes())
        memory[2:5] = np.frombuffer(kind.encode((number + 1) % 2**24), np.uint8)
        return memory

    form = Overflow(AddressSpace([Region(0, 8)]), before, count).probe(
        Target(2, DataType.parse("|c1"))
    )
    assert form is not None
    assert (form.code, str(form.type), form.address) == (TURNED.code, str(kind), 2)
