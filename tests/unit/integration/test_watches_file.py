"""Watch lists as documents."""

from __future__ import annotations

import json

import pytest

from integrator.domain.errors import DocumentError
from integrator.domain.integration.json_files import Watch, dump_watches, load_watches
from integrator.domain.values.memory import DataType

LIST = (
    Watch(0xFF025A, DataType.parse(">u2"), "lives", "goes to 0 — then the game ends"),
    Watch(0, DataType.parse("|u1"), more={"color": "red", "seen": [1, 2]}),
)


def test_a_list_is_read_as_it_was_written() -> None:
    text = dump_watches(LIST)
    assert load_watches(text) == LIST
    assert json.loads(text)["watches"][1]["color"] == "red"
    assert "—" in text
    assert load_watches(dump_watches(())) == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": "integrator-search", "version": 1, "watches": []}',
        '{"format": "integrator-watches", "version": 2, "watches": []}',
        '{"format": "integrator-watches", "version": "1", "watches": []}',
        '{"format": "integrator-watches", "version": 1, "watches": [{"type": "|u1"}]}',
        '{"format": "integrator-watches", "version": 1, "watches": [{"address": "x", "type": 1}]}',
    ],
)
def test_what_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        load_watches(text)
