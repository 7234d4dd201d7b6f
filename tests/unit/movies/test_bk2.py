"""Movies of strangers: Gym Retro's and BizHawk's variants, and files made to do harm."""

from __future__ import annotations

import contextlib
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import more_by_night

from integrator.domain.errors import MovieError
from integrator.domain.movies import rows
from integrator.domain.movies.model import Movie, MovieConsole, MovieEvent
from integrator.domain.movies.reading import read_movie

PAD = (None, None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
BUTTONS: dict[str, tuple[str | None, ...]] = {
    "Nes": ("B", None, *PAD[2:], "A"),
    "Sms": ("B", None, None, "PAUSE", *PAD[4:], "A"),
    "GameBoy": ("B", None, *PAD[2:], "A"),
    "GbColor": ("B", None, *PAD[2:], "A"),
    "GameGear": ("B", None, *PAD[2:], "A"),
    "GbAdvance": ("B", None, *PAD[2:], "A", None, "L", "R"),
    "Genesis": ("B", "A", "MODE", *PAD[3:], "C"),
    "32x": ("B", "A", "MODE", *PAD[3:], "C"),
    "SCD": ("B", "A", "MODE", *PAD[3:], "C"),
    "Atari2600": ("BUTTON", None, "SELECT", "RESET", *PAD[4:]),
    "PCEngine": ("II", "III", "SELECT", "RUN", *PAD[4:], "I", "IV", "V", "VI"),
    "N64": ("A", "B", None, *PAD[3:], "C-RIGHT", "C-UP", "L", "R", "Z", "C-MODE"),
}
PLATFORMS = {"Nes": "NES", "Atari2600": "A26"}
BIZHAWK = {"GameBoy": "GB", "GbAdvance": "GBA", "PCEngine": "PCE", "Genesis": "GEN"}
SYSTEMS = {
    name: MovieConsole(buttons, PLATFORMS.get(name, name), BIZHAWK.get(name, ""))
    for name, buttons in BUTTONS.items()
}
BK2 = "MovieVersion BizHawk v2.0.0"


def make(
    folder: Path,
    log: str | bytes | None,
    platform: str = "NES",
    version: str = "MovieVersion Retro",
    state: bytes | None = b"",
    members: dict[str, bytes] | None = None,
) -> Path:
    path = folder / "a.bk2"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if log is not None:
            archive.writestr("Input Log.txt", log)
        archive.writestr("Header.txt", f"{version}\nPlatform {platform}\nGameName A Game\n")
        if state is not None:
            archive.writestr("Core.bin", state)
        for name, data in (members or {}).items():
            archive.writestr(name, data)
    return path


def log(key: str, *rows: str, end: str = "[/Input]") -> str:
    return "\n".join(["[Input]", key, *rows, end])


def names(movie: Movie) -> list[list[str]]:
    """Pressed buttons as words: one list a row, "2A" for player 2's A."""
    return [
        [
            ("" if port == 0 else str(port + 1)) + str(name)
            for port, mask in enumerate(row)
            for bit, name in enumerate(movie.buttons)
            if int(mask) >> bit & 1
        ]
        for row in movie.inputs
    ]


def bizhawk(folder: Path, platform: str, key: str, *rows: str) -> Movie:
    path = make(folder, log("LogKey:" + key, *rows), platform, BK2, state=None)
    return read_movie(path, SYSTEMS)


def test_retro_rows_are_read_by_character_wherever_it_stands(tmp_path: Path) -> None:
    path = make(tmp_path, log("P1 A|P1 B|P1 Up|", "|..|U..|", "|..|.AU|"), state=b"xyz")
    movie = read_movie(path, SYSTEMS)
    assert names(movie) == [["UP"], ["UP", "A"]]
    assert (movie.format, movie.state, movie.has_reset_row) == ("retro", b"xyz", False)


def test_a_first_row_without_a_button_is_taken_for_the_reset_row(tmp_path: Path) -> None:
    movie = read_movie(make(tmp_path, log("P1 A|", "|..|.|", "|..|A|")), SYSTEMS)
    assert movie.has_reset_row


def test_windows_line_ends_a_trailing_line_and_empty_lines(tmp_path: Path) -> None:
    text = "[Input]\r\nP1 A|P1 B|\r\n|..|A.|\r\n\r\n|..|.B|\r\n[/Input]\r\n"
    assert names(read_movie(make(tmp_path, text), SYSTEMS)) == [["A"], ["B"]]


@pytest.mark.parametrize(
    "row",
    ["|..|....U...|..D.....|", "|.|.|....U...|..D.....|", "|......U.....D.....|"],
    ids=["grouped as the key", "grouped otherwise", "not grouped"],
)
def test_bizhawk_rows_are_read_by_position(tmp_path: Path, row: str) -> None:
    key = (
        "#Reset|Power|#P1 A|P1 B|P1 Start|P1 Select|P1 Up|P1 Down|P1 Left|P1 Right|"
        "#P2 A|P2 B|P2 Down|P2 Up|P2 Left|P2 Right|P2 Start|P2 Select|"
    )
    movie = bizhawk(tmp_path, "NES", key, row)
    assert names(movie) == [["UP", "2DOWN"]]
    assert (movie.format, movie.players, movie.has_reset_row) == ("bizhawk", 2, False)


def test_any_character_presses_a_bizhawk_button(tmp_path: Path) -> None:
    movie = bizhawk(tmp_path, "NES", "#P1 A|P1 B|", "|x.|", "|.#|", "| .|")
    assert names(movie) == [["A"], ["B"], []]


def test_bizhawk_resets_are_events(tmp_path: Path) -> None:
    movie = bizhawk(tmp_path, "NES", "#Reset|Power|#P1 A|", "|..|A|", "|r.|.|", "|.P|A|")
    assert movie.events == (MovieEvent(1, "reset"), MovieEvent(2, "power"))


def test_ataris_reset_switch_is_a_button_not_an_event(tmp_path: Path) -> None:
    key = "#Reset|Select|Power|Toggle Left Difficulty|#P1 Up|P1 Button|"
    movie = bizhawk(tmp_path, "A26", key, "|r...|UB|", "|.s..|..|", "|..P.|..|", "|...4|..|")
    assert names(movie) == [["BUTTON", "RESET", "UP"], ["SELECT"], [], []]
    assert movie.events == (MovieEvent(2, "power"),)
    assert "Toggle Left Difficulty" in next(iter(movie.warnings))


def test_pc_engine_buttons(tmp_path: Path) -> None:
    key = "#P1 Up|P1 Right|P1 Run|P1 B2|P1 B1|#P2 I|P2 VI|P2 Run|"
    movie = bizhawk(tmp_path, "PCE", key, "|.R..1|...|", "|..R2.|1..|", "|.....|.6R|")
    assert names(movie) == [["RIGHT", "I"], ["II", "RUN", "2I"], ["2RUN", "2VI"]]


def test_master_system_buttons(tmp_path: Path) -> None:
    movie = bizhawk(tmp_path, "SMS", "#Reset|Pause|#P1 Up|P1 B1|P1 B2|", "|.p|.1.|", "|..|..2|")
    assert names(movie) == [["B", "PAUSE"], ["A"]]


def test_columns_without_a_player_and_axes(tmp_path: Path) -> None:
    key = "#Tilt X|Light Sensor|Up|A|L|Power|"
    rows = ["|    0,   10,U.l.|", "|  -12,65535,.A..|", "|-32768,    0,.A.P|"]
    movie = bizhawk(tmp_path, "GBA", key, *rows)
    assert names(movie) == [["UP", "L"], ["A"], ["A"]]
    assert movie.events == (MovieEvent(2, "power"),)
    assert movie.warnings == {"used, but no input of this system: Light Sensor, Tilt X": 1}


def test_numbers_that_stay_the_same_are_not_lost(tmp_path: Path) -> None:
    key = "#Tilt X|Light Sensor|Up|A|"
    movie = bizhawk(tmp_path, "GBA", key, "|    0,  100,U.|", "|    0,  100,.A|")
    assert not movie.warnings


@pytest.mark.parametrize(
    ("platform", "line", "system"),
    [
        ("GB", "IsCGBMode 1", "GbColor"),
        ("GB", "IsCGBMode True", "GbColor"),
        ("GB", "IsCGBMode 0", "GameBoy"),
        ("GB", "IsCGBDMGMode 1", "GameBoy"),
        ("SMS", "IsGGMode 1", "GameGear"),
        ("GEN", "IsSegaCDMode 1", "SCD"),
        ("GEN", "Is32X 1", "32x"),
    ],
)
def test_bizhawk_names_some_systems_by_another_line(
    tmp_path: Path, platform: str, line: str, system: str
) -> None:
    path = make(tmp_path, log("LogKey:#P1 B|", "|B|"), f"{platform}\n{line}", BK2, state=None)
    assert read_movie(path, SYSTEMS).system == system


def test_n64_pads_and_axes(tmp_path: Path) -> None:
    key = "#Power|#P1 X Axis|P1 Y Axis|P1 A Up|P1 DPad U|P1 C Up|P1 Z|"
    movie = bizhawk(tmp_path, "N64", key, "|.|    5,  -128,...Z|", "|.|    0,    0,UUu.|")
    assert names(movie) == [["Z"], ["UP", "C-UP"]]
    lost = "used, but no input of this system: P1 A Up, P1 X Axis, P1 Y Axis"
    assert movie.warnings == {lost: 1}


def test_a_state_of_another_emulator_is_not_handed_on(tmp_path: Path) -> None:
    path = make(tmp_path, log("LogKey:#P1 A|", "|A|"), "NES", BK2, state=b"theirs")
    movie = read_movie(path, SYSTEMS)
    assert movie.state is None
    assert "BizHawk savestate" in next(iter(movie.warnings))


def test_a_start_from_a_battery_save_is_a_warning(tmp_path: Path) -> None:
    begins = "NES\nStartsFromSaveRam True"
    path = make(tmp_path, log("LogKey:#P1 A|", "|A|"), begins, BK2, state=None)
    assert list(read_movie(path, SYSTEMS).warnings) == [
        "it starts from a battery save of BizHawk, which is not loaded"
    ]


@pytest.mark.parametrize(("line", "doubts"), [("PAL 1", 1), ("PAL True", 1), ("PAL 0", 0)])
def test_a_movie_of_a_pal_console_is_told(tmp_path: Path, line: str, doubts: int) -> None:
    path = make(tmp_path, log("LogKey:#P1 A|", "|A|"), f"NES\n{line}", BK2, state=None)
    assert len([text for text in read_movie(path, SYSTEMS).warnings if "PAL" in text]) == doubts


def test_a_state_that_nobody_needs_is_not_read(tmp_path: Path) -> None:
    path = make(tmp_path, log("LogKey:#P1 B|", "|B|"), state=b"start")
    whole = read_movie(path, SYSTEMS)
    less = read_movie(path, SYSTEMS, with_state=False)
    assert (whole.state, less.state) == (b"start", None)
    assert (less.frames, less.game, less.players) == (whole.frames, whole.game, whole.players)


def test_the_system_comes_from_the_platform_or_from_the_games_name(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Input Log.txt", log("P1 A|", "|..|A|"))
        archive.writestr("Header.txt", "Platform ?\nGameName Tetris-GameBoy-v3\n")
        archive.writestr("Core.bin", b"")
    assert read_movie(path, SYSTEMS).system == "GameBoy"


@pytest.mark.parametrize(
    ("game", "system"), [("A-Own", "Own"), ("A-Own-v2", "Own"), ("A-Nes", "Nes"), ("A-Sms", "Nes")]
)
def test_the_games_name_tells_systems_of_one_platform_apart(
    tmp_path: Path, game: str, system: str
) -> None:
    path = tmp_path / "a.bk2"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Input Log.txt", log("P1 A|", "|..|A|"))
        archive.writestr("Header.txt", f"MovieVersion Retro\nPlatform NES\nGameName {game}\n")
        archive.writestr("Core.bin", b"")
    own = {"Own": MovieConsole(BUTTONS["Nes"], PLATFORMS["Nes"])}
    assert read_movie(path, SYSTEMS | own).system == system


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cut off"),
        ("P1 A|\n|..|A|\n", "begin with"),
        ("[Input]\n", "cut off"),
        ("[Input]\nP1 A|\n|..|A|\n", "cut off"),
        ("[Input]\nP1 A|\n|..|A|\n|..", r"row 1 .*cut off"),
        (log("P1 A|", "|..|A|", "|..|A"), r"row 1 .*cut off"),
        (log("P1 A|", "|..|A|", "|..|Q|"), r"row 1 .*'Q'"),
        (log("P1 A|", "|..|A|", "..|A|."), r"row 1 .*laid out"),
        (log("P1 A|P2 A|", "|..|A|A|", "|..|AA|"), "row 1 .*has 1 players.*2"),
        (log("P1 A|", "|..|A|A|"), "row 0 .*has 2 players.*1"),
        (log("P1 A|", "|..|A|", end="[/Input]\n|..|A|"), "goes on after"),
        (log("A|B|", "|..|A|"), "names no buttons"),
        (log("", "|..|A|"), "names no buttons"),
        (log("P2 A|P3 A|", "|..|A|A|"), "names players"),
        (log("LogKey:#P1 A|P1 B|", "|A|"), "row 0 .*has 1 columns.*2"),
        (log("LogKey:", "|A|"), "names no buttons"),
        (log("LogKey:#P99 A|", "|A|"), "names no buttons"),
        ("[Input]\n" + "P1 A|" * 5000, "names no|longer than|cut off"),
        (log("P1 A|", *("|..|" + "." * n + "|" for n in range(1, 60))), "length once more"),
    ],
)
def test_damaged_logs(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MovieError, match=message) as raised:
        read_movie(make(tmp_path, text), SYSTEMS)
    assert "a.bk2" in str(raised.value)


def test_missing_members(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match=r"Core\.bin is missing"):
        read_movie(make(tmp_path, log("P1 A|", "|..|A|"), state=None), SYSTEMS)
    with pytest.raises(MovieError, match=r"Input Log\.txt is missing"):
        read_movie(make(tmp_path, None), SYSTEMS)


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a\\..\\..\\evil"])
def test_names_that_leave_the_archive(tmp_path: Path, name: str) -> None:
    path = make(tmp_path, log("P1 A|", "|..|A|"), members={name: b""})
    with pytest.raises(MovieError, match="points outside"):
        read_movie(path, SYSTEMS)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"Integrator.json": b"{"}, "not JSON"),
        ({"Integrator.json": b"[" * 200_000}, "not JSON"),
        ({"Integrator.hashes": b"123"}, "cut off"),
        ({"Integrator.hashes": struct.pack("<IQ", 7, 0)}, "does not have|at most"),
        ({"Integrator.hashes": bytes(24)}, "at most"),
    ],
)
def test_damaged_members_of_our_own(
    tmp_path: Path, members: dict[str, bytes], message: str
) -> None:
    path = make(tmp_path, log("P1 A|", "|..|A|"), members=members)
    with pytest.raises(MovieError, match=message):
        read_movie(path, SYSTEMS)


def peak_bytes_while_refusing(path: Path, message: str) -> int:
    tracemalloc.start()
    try:
        with pytest.raises(MovieError, match=message):
            read_movie(path, SYSTEMS)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_bomb_is_refused_by_its_declared_size(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("Input Log.txt", "w") as stream:
            for _ in range(64):
                stream.write(bytes(1 << 20))
        archive.writestr("Header.txt", "Platform NES\nGameName G")
    assert peak_bytes_while_refusing(path, "declares 67,108,864 bytes") < 8 << 20


def patched(path: Path, member: bytes, offset: int, value: int) -> None:
    """Overwrite a 32-bit field of ``member``'s entry in the zip's central directory."""
    data = bytearray(path.read_bytes())
    entry = data.find(b"PK\x01\x02")
    while data[entry + 46 : entry + 46 + len(member)] != member:
        entry = data.find(b"PK\x01\x02", entry + 4)
    struct.pack_into("<I", data, entry + offset, value)
    path.write_bytes(data)


def test_a_declared_size_of_2_gb(tmp_path: Path) -> None:
    path = make(tmp_path, log("P1 A|", "|..|A|"), state=b"x")
    patched(path, b"Core.bin", 24, 0x7FFFFFFF)
    assert peak_bytes_while_refusing(path, "declares 2,147,483,647") < 8 << 20


def test_a_declared_size_that_is_too_small_is_damage_not_a_bomb(tmp_path: Path) -> None:
    path = make(tmp_path, log("P1 A|", *["|..|A|"] * 100_000))
    patched(path, b"Input Log.txt", 24, 1000)
    assert peak_bytes_while_refusing(path, "damaged") < 8 << 20


def test_a_line_without_end(tmp_path: Path) -> None:
    path = make(tmp_path, b"[Input]\nP1 A|\n" + b"A" * (30 << 20))
    assert peak_bytes_while_refusing(path, "longer than") < 8 << 20


def test_more_rows_than_anyone_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MAX_ROWS", 250_000)
    row = b"|" + b"." * 8 + b"|\n"
    key = b"LogKey:" + b"".join(b"#P%d A|" % player for player in range(1, 9)) + b"\n"
    path = make(tmp_path, b"[Input]\n" + key + row * 250_001 + b"[/Input]\n")
    assert path.stat().st_size < 20_000
    assert peak_bytes_while_refusing(path, "more than 250,000 rows") < 10 << 20


def test_a_directory_of_millions_of_members(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *[0] * 9, 1, *[0] * 6) + b"x"
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, len(entry) * 200_000, 0, 0)
    path.write_bytes(entry * 200_000 + end)
    assert peak_bytes_while_refusing(path, "directory is too large") < 8 << 20


def test_encrypted_and_oddly_compressed_members(tmp_path: Path) -> None:
    path = make(tmp_path, log("P1 A|", "|..|A|"))
    patched(path, b"Header.txt", 8, 1)
    with pytest.raises(MovieError, match=r"encrypted|compressed by"):
        read_movie(path, SYSTEMS)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("Header.txt", "Platform NES")
    with pytest.raises(MovieError, match="compressed by"):
        read_movie(path, SYSTEMS)


def test_no_zip_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    for data in (b"", b"PK", b"|..|A|\n" * 99, b"PK\x05\x06" + bytes(18)):
        path.write_bytes(data)
        with pytest.raises(MovieError, match=r"zip|missing"):
            read_movie(path, SYSTEMS)
    with pytest.raises(MovieError, match="there is no such file"):
        read_movie(tmp_path / "none.bk2", SYSTEMS)


@settings(max_examples=more_by_night(75, 300), deadline=None)
@given(
    cut=st.integers(0, 2000), flips=st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 255)))
)
def test_damage_anywhere_is_a_movie_error_or_harmless(
    cut: int, flips: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damage")
    path = make(folder, log("P1 A|P1 B|", *["|..|A.|", "|..|.B|"] * 20), state=b"state")
    data = bytearray(path.read_bytes())
    for at, bits in flips:
        data[at % len(data)] ^= bits
    path.write_bytes(data[: max(0, len(data) - cut // 2)] if cut % 2 else data)
    with contextlib.suppress(MovieError):
        assert read_movie(path, SYSTEMS).players in {1, 2}
