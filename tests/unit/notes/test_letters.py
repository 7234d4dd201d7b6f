"""Texts in memory: tables of letters, and letters told by their distances."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.errors import DocumentError, SearchError
from integrator.domain.notes.letters import (
    ASCII,
    DUMPS,
    find_bytes,
    find_letters,
    parse_table,
    read_table,
    table_from,
    write_dump,
)

WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=10).filter(
    lambda word: len(set(word)) > 1
)


def test_a_table_is_read_longest_group_first_and_the_rest_is_told() -> None:
    table = parse_table("\ufeff80=A\n81=B\n8182=AB\nFE=\n/FF\n  20= \nnonsense\n")
    assert table.encode("ABA B") == b"\x81\x82\x80\x20\x81"
    told = [f"line {number}: no entry such as 80=A" for number in (4, 7)]
    assert list(table.problems) == told
    with pytest.raises(SearchError, match="has no 'C'"):
        table.encode("ABC")


def test_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tbl").write_text("hello")
    for name, says in (("a.tbl", "no table of letters"), ("b.tbl", "there is no such file")):
        with pytest.raises(DocumentError, match=says):
            read_table(tmp_path / name)


@given(word=WORD, start=st.integers(0, 255), before=st.binary(max_size=40))
def test_a_word_is_found_wherever_its_alphabet_begins(word: str, start: int, before: bytes) -> None:
    coded = bytes((ord(letter) - ord("a") + start) % 256 for letter in word)
    data = np.frombuffer(before + coded, np.uint8)
    found = find_letters(data, word.upper(), -1)
    assert found is not None
    assert found <= len(before)
    table = table_from(word, int(data[found]))
    assert data[found:].tobytes().startswith(table.encode(word.title()))
    assert find_bytes(data, table.encode(word), len(data)) is not None


def test_places_come_one_after_the_other_and_round() -> None:
    data = np.frombuffer(b"..lives..MJWFT..", np.uint8)
    assert find_bytes(data, ASCII.encode("lives"), 2) == 2
    assert [find_letters(data, "lives", after) for after in (-1, 2, 9)] == [2, 9, 2]
    assert find_letters(data, "score", -1) is None
    assert find_letters(data[:3], "score", -1) is None


@pytest.mark.parametrize("text", ["", "abc", "aaaa", "life 1", "übel"])
def test_texts_that_distances_can_not_find_are_refused(text: str) -> None:
    with pytest.raises(SearchError):
        find_letters(np.zeros(20, np.uint8), text, -1)


def test_memory_is_written_as_bytes_table_and_lines(tmp_path: Path) -> None:
    data = bytes(range(0x40, 0x52))
    for suffix in DUMPS:
        write_dump(tmp_path / f"m{suffix}", 0xFF0010, data)
    assert (tmp_path / "m.bin").read_bytes() == data
    rows = (tmp_path / "m.csv").read_text().splitlines()
    assert (rows[0], rows[1], rows[-1]) == ("address,value", "0xFF0010,64", "0xFF0021,81")
    first, last = (tmp_path / "m.txt").read_text().splitlines()
    assert first == f"00FF0010  {data[:16].hex(' ').upper()}  @ABCDEFGHIJKLMNO"
    assert last == f"00FF0020  50 51{' ' * 44}PQ"
    with pytest.raises(DocumentError, match=r"end in \.bin, \.csv, \.txt"):
        write_dump(tmp_path / "m.doc", 0, data)
