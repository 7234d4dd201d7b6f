"""Movies of our own: reading gives the written rows, and files appear whole or not at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.errors import MovieError, SaveError
from integrator.domain.movies.model import CoreStamp, MovieConsole, ram_hash
from integrator.domain.movies.reading import read_movie
from integrator.domain.movies.writer import MovieWriter

PAD = (None, None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
SIX = ("B", "A", "MODE", "START", "UP", "DOWN", "LEFT", "RIGHT", "C", "Y", "X", "Z")
BUTTONS: dict[str, tuple[str | None, ...]] = {
    "Nes": ("B", None, *PAD[2:], "A"),
    "Snes": ("B", "Y", *PAD[2:], "A", "X", "L", "R"),
    "Genesis": SIX,
    "32x": SIX,
    "Saturn": SIX,
    "Sms": ("B", None, None, "PAUSE", *PAD[4:], "A"),
    "GameGear": ("B", None, None, *PAD[3:], "A"),
    "GameBoy": ("B", None, *PAD[2:], "A"),
    "GbColor": ("B", None, *PAD[2:], "A"),
    "GbAdvance": ("B", None, *PAD[2:], "A", None, "L", "R"),
    "Atari2600": ("BUTTON", None, "SELECT", "RESET", *PAD[4:]),
    "PCEngine": ("II", "III", "SELECT", "RUN", *PAD[4:], "I", "IV", "V", "VI"),
    "N64": ("A", "B", None, *PAD[3:], "C-RIGHT", "C-UP", "L", "R", "Z", "C-MODE", "L3", "R3"),
    "NintendoDs": ("B", "Y", *PAD[2:], "A", "X", "L", "R", "L2", "R2", "L3", "R3"),
}
PLATFORMS = {"Nes": "NES", "Snes": "SNES", "Genesis": "GEN", "Atari2600": "A26"}
SYSTEMS = {
    name: MovieConsole(buttons, platform=PLATFORMS.get(name, name))
    for name, buttons in BUTTONS.items()
}


def usable(system: str) -> int:
    return sum(1 << bit for bit, name in enumerate(BUTTONS[system]) if name is not None)


def write(path: Path, system: str, masks: object, **options: object) -> None:
    arguments: dict[str, object] = {"state": b"state", **options}
    with MovieWriter(
        path,
        game=f"Game-{system}-v0",
        console=SYSTEMS[system],
        **arguments,  # type: ignore[arg-type] # one helper for every keyword
    ) as writer:
        writer.append(masks)  # type: ignore[arg-type] # as above


@given(data=st.data(), system=st.sampled_from(sorted(SYSTEMS)), players=st.integers(1, 2))
def test_every_mask_of_every_system_survives(
    data: st.DataObject, system: str, players: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("movie") / "a.bk2"
    rows = data.draw(
        st.lists(st.lists(st.integers(0, 0xFFFF), min_size=players, max_size=players), max_size=9)
    )
    masks = np.array(rows, np.uint16).reshape(-1, players) & usable(system)
    write(path, system, masks, players=players)
    movie = read_movie(path, SYSTEMS)
    np.testing.assert_array_equal(movie.inputs, masks)
    assert movie.inputs.dtype == np.uint16
    assert (movie.system, movie.game) == (system, f"Game-{system}-v0")
    assert movie.buttons == BUTTONS[system]


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_each_button_has_a_character_of_its_own(tmp_path: Path, system: str) -> None:
    bits = [1 << bit for bit, name in enumerate(BUTTONS[system]) if name is not None]
    write(tmp_path / "a.bk2", system, np.array(bits)[:, None])
    assert read_movie(tmp_path / "a.bk2", SYSTEMS).inputs[:, 0].tolist() == bits


def test_the_file_is_laid_out_as_stable_retro_lays_it_out(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    write(path, "Nes", [[0, 0], [1 | 1 << 8, 1 << 4]], players=2)
    with zipfile.ZipFile(path) as archive:
        assert archive.read("Input Log.txt") == (
            b"[Input]\n"
            b"P1 A|P1 Right|P1 Left|P1 Down|P1 Up|P1 Start|P1 Select|P1 B|"
            b"P2 A|P2 Right|P2 Left|P2 Down|P2 Up|P2 Start|P2 Select|P2 B|\n"
            b"|..|........|........|\n"
            b"|..|A......B|....U...|\n"
            b"[/Input]"
        )
        assert archive.read("Header.txt").decode().splitlines()[:5] == [
            "MovieVersion Retro",
            "Author ?",
            "emuVersion ?",
            "Platform NES",
            "GameName Game-Nes-v0",
        ]
        assert archive.read("Core.bin") == b"state"


def test_core_hashes_and_reset_row_come_back(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    ram = np.arange(64, dtype=np.uint8)
    writer = MovieWriter(
        path,
        game="Game-Nes-v0",
        console=MovieConsole(BUTTONS["Nes"], "NES"),
        state=None,
        reset_row=False,
        core=CoreStamp("FCEUmm", "1.2"),
        header={"Author": "someone else"},
    )
    writer.append([[0], [1], [0]], [ram_hash(ram), None, 2**64 - 1])
    writer.append((1,))
    assert writer.rows == 4
    assert not path.exists()
    writer.close()
    movie = read_movie(path, SYSTEMS)
    assert movie.core == CoreStamp("FCEUmm", "1.2")
    assert movie.state is None
    assert not movie.has_reset_row
    assert movie.header["Author"] == "someone else"
    assert movie.ram_hashes is not None
    assert movie.ram_hashes.rows.tolist() == [0, 2]
    assert movie.ram_hashes.digests.tolist() == [ram_hash(ram.tobytes()), 2**64 - 1]


def test_the_same_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.bk2", "b.bk2"):
        write(tmp_path / name, "Nes", [[1], [2 << 3]])
    assert (tmp_path / "a.bk2").read_bytes() == (tmp_path / "b.bk2").read_bytes()


def test_abandoned_and_failed_recordings_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    path.write_bytes(b"old")

    def writer() -> MovieWriter:
        return MovieWriter(path, game="G", console=MovieConsole(BUTTONS["Nes"], "Nes"), state=None)

    first = writer()
    first.append([1])
    first.abandon()
    first.close()
    with pytest.raises(MovieError, match="closed"):
        first.append([1])

    def record() -> None:
        with writer() as second:
            second.append([1])
            raise KeyError

    with pytest.raises(KeyError):
        record()
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.bk2"]


def test_a_folder_that_is_not_there_is_a_save_error(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.bk2"
    writer = MovieWriter(path, game="G", console=MovieConsole(BUTTONS["Nes"], "Nes"), state=None)
    with pytest.raises(SaveError, match=r"a\.bk2"):
        writer.close()


@pytest.mark.parametrize("players", [0, 9])
def test_player_counts_that_no_movie_holds_are_refused(tmp_path: Path, players: int) -> None:
    with pytest.raises(MovieError, match=f"1 to 8 players, not {players}"):
        write(tmp_path / "a.bk2", "Nes", [[0] * players], players=players)


def test_four_players_when_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "a.bk2", "Nes", [[1, 16, 32, 256]], players=4)
    assert read_movie(tmp_path / "a.bk2", SYSTEMS).inputs.tolist() == [[1, 16, 32, 256]]


@pytest.mark.parametrize("header", [{"two words": "x"}, {"A": "x\n[Input]"}, {"": "x"}])
def test_headers_that_would_break_the_file_are_refused(
    tmp_path: Path, header: dict[str, str]
) -> None:
    with pytest.raises(MovieError, match="header"):
        write(tmp_path / "a.bk2", "Nes", [[0]], header=header)


def test_wrong_rows_are_refused(tmp_path: Path) -> None:
    writer = MovieWriter(
        tmp_path / "a.bk2", game="G", console=MovieConsole(BUTTONS["Nes"], "Nes"), state=None
    )
    with pytest.raises(MovieError, match="rows of 1 players"):
        writer.append([1, 2])
    with pytest.raises(MovieError, match="2 hashes for 1 rows"):
        writer.append([1], [1, 2])
    writer.abandon()


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match=r"\.bk2 or \.fm2"):
        read_movie(tmp_path / "a.mp4", SYSTEMS)
