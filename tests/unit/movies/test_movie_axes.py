"""Sticks and touches in movies: BizHawk's columns, read and written."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.movies.writer import MovieWriter

PAD = ("A", "B", None, "START", "UP", "DOWN", "LEFT", "RIGHT")
AXES = frozenset({"X Axis", "Y Axis", "Touch X", "Touch"})
SYSTEMS = {"N64": MovieConsole(PAD, axes=AXES)}


def bizhawk(path: Path, key: str, *rows: str) -> Path:
    """A movie as BizHawk lays it out."""
    with zipfile.ZipFile(path, "w") as archive:
        lines = "".join(f"{row}\n" for row in rows)
        archive.writestr("Input Log.txt", f"[Input]\nLogKey:{key}\n{lines}[/Input]\n")
        archive.writestr("Header.txt", "MovieVersion BizHawk v2.0.0\nPlatform N64\n")
    return path


KEY = "#Power|Reset|#P1 X Axis|P1 Y Axis|P1 Analog|P1 DPad U|P1 A|#P2 X Axis|P2 Y Axis|P2 A|"


def test_bizhawk_s_sticks_are_read_beside_the_buttons(tmp_path: Path) -> None:
    movie = read_movie(
        bizhawk(
            tmp_path / "a.bk2",
            KEY,
            "|..|    0,    0,    5,.A|    0,    0,.|",
            "|..|  127, -128,    0,U.|   -1,    0,A|",
            "|.r|-1234,    7,    0,UA|    0,    0,.|",
        ),
        SYSTEMS,
    )
    assert {name: numbers.tolist() for name, numbers in movie.axes.items()} == {
        "P1 X Axis": [0, 127, -1234],
        "P1 Y Axis": [0, -128, 7],
        "P2 X Axis": [0, -1, 0],
    }
    assert movie.inputs.tolist() == [[1, 0], [16, 1], [17, 0]]
    assert [event.kind for event in movie.events] == ["reset"]


def test_a_field_without_a_number_is_refused_with_its_row(tmp_path: Path) -> None:
    for row, fault in (("|  1 2,.|", "has 5 columns"), ("|,.|", "has no number before a comma")):
        path = bizhawk(tmp_path / "a.bk2", "#P1 X Axis|P1 A|", "|    0,.|", row)
        with pytest.raises(MovieError, match=f"row 1 of the input log {fault}"):
            read_movie(path, SYSTEMS)


@pytest.mark.parametrize("most", [127, 32767, -32768])
def test_written_axes_come_back_whatever_their_width(tmp_path: Path, most: int) -> None:
    names = {"Touch X": False, "Touch": True, "P1 X Axis": False, "P2 X Axis": False}
    rows = [[1, 2, 0, 0, 0, 0], [0, 1 << 7, 9, 1, most, -3], [3, 0, 255, 0, -1, 0]]
    path = tmp_path / "a.bk2"
    with MovieWriter(
        path, game="G-N64", console=MovieConsole(PAD, "N64"), state=b"", players=2, axes=names
    ) as writer:
        writer.append(np.array(rows[:1], np.int16).view(np.uint16))
        writer.append(np.array(rows[1:], np.int16).view(np.uint16))
    movie = read_movie(path, SYSTEMS)
    assert movie.format == "retro"
    assert movie.inputs.tolist() == [row[:2] for row in rows]
    assert {name: numbers.tolist() for name, numbers in movie.axes.items()} == {
        name: [row[2 + number] for row in rows] for number, name in enumerate(names)
    }


def test_rows_of_another_width_are_refused(tmp_path: Path) -> None:
    writer = MovieWriter(
        tmp_path / "a.bk2",
        game="G-N64",
        console=MovieConsole(PAD, "N64"),
        state=b"",
        axes={"P1 X Axis": False},
    )
    with pytest.raises(MovieError, match="rows of 1 players"):
        writer.append([[1]])


DISCS: dict[tuple[str, ...], tuple[str, tuple[str, ...], tuple[list[int], ...]]] = {
    # Mednafen's consoles, which are Saturn and PlayStation among others: the tray has no letter
    # of its own in Saturn's movies.
    ("Open Tray", "Close Tray", "Disk Index"): (
        "#Disk Index|Power|Reset|Open Tray|Close Tray|#P1 A|",
        ("|    0,..!.|.|", "|    1,...!|A|", "|   -1,..o.|.|"),
        ([1, 0, 1], [0, 1, 0], [0, 1, -1]),
    ),
    # Octoshock, where disc 0 is none.
    ("Open", "Close", "Disc Select"): (
        "#Disc Select|Open|Close|Reset|#P1 A|",
        ("|    1,O..|.|", "|    2,.C.|A|", "|    0,O..|.|"),
        ([1, 0, 1], [0, 1, 0], [1, 2, 0]),
    ),
}
"""Columns of discs in the order in which BizHawk's controllers list them, its rows, our numbers."""


@pytest.mark.parametrize("names", DISCS)
def test_bizhawk_s_columns_of_discs_are_read(tmp_path: Path, names: tuple[str, ...]) -> None:
    key, rows, numbers = DISCS[names]
    consoles = {"N64": MovieConsole(PAD, axes=frozenset(names))}
    movie = read_movie(bizhawk(tmp_path / "a.bk2", key, *rows), consoles)
    assert {name: movie.axes[name].tolist() for name in names} == dict(
        zip(names, numbers, strict=True)
    )
    assert movie.inputs.tolist() == [[0], [1], [0]]
    assert not movie.warnings
