"""Sticks and touches of a session: played, sought, rewound, edited, recorded, and recovered."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import integrator
from integrator.domain.errors import SessionError
from integrator.session.frame.inputs import LiveInputs
from integrator.session.frame.result import MovieWarning
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.library.entries import read_movie_folder
from integrator.session.recorded_rows import Splice, edit_inputs, import_movie
from integrator.session.recovery import recover_from
from integrator.session.session import Session
from scripts.campaign import toys

AXES = [
    {"axis": "X Axis", "device": "analog", "id": 0, "least": -128, "most": 127, "scale": 258},
    {"axis": "Y Axis", "device": "analog", "id": 1, "least": -128, "most": 127, "scale": -258},
    {"axis": "Touch X", "device": "pointer", "id": 0, "least": 0, "most": 255, "port": 0},
    {"axis": "Touch", "device": "pointer", "id": 2, "least": 0, "most": 1, "port": 0},
    {"axis": "Gun", "device": "light-gun", "id": 2, "least": 0, "most": 1, "needs": {"gun": "on"}},
]
STICK, DOWN, TOUCH = "P1 X Axis", "P1 Y Axis", "Touch"
RIGHT = 1 << 7


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled toy core."""
    return toys.build_toycore(tmp_path_factory.mktemp("cores")).parent


Open = Callable[..., Session]


@pytest.fixture
def play(own_home: Path, core: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens the toy, in this process, and closes it."""
    monkeypatch.setenv("INTEGRATOR_CORES", str(core))
    toys.describe_toy(axes=AXES, platform="Toy")
    game = toys.make_game(own_home / "Game-Toy-v0", axes=1)
    opened: list[Session] = []

    def open_toy(**options: object) -> Session:
        for session in opened:
            session.close()
        opened.append(integrator.open_session(game, isolated=False, **options))  # type: ignore[arg-type] # free-form keywords
        return opened[-1]

    yield open_toy
    for session in opened:
        session.close()


def told(session: Session, frame: int | None = None) -> list[int]:
    """Answers to the core: stick x and y, trigger, pointer x, y and press, mouse, gun."""
    ram = session.memory.ram if frame is None else session.timeline.log.ram(frame)
    values: list[int] = ram[32:48].copy().view("<i2").tolist()
    return values


def played(session: Session) -> NDArray[np.uint8]:
    """RAM of all frames of some play."""
    session.reset()
    session.advance((RIGHT,), 3, axes={STICK: 100, DOWN: -128})
    session.advance((), 2, axes={"Touch X": 77, TOUCH: 1})
    session.advance((RIGHT,), 2)
    session.advance((), 1, axes={STICK: -128})
    return session.timeline.log.ram_range(0, session.timeline.length + 1)


def test_axes_of_the_console_come_first_and_those_without_their_option_are_missing(
    play: Open,
) -> None:
    names = [each.name for each in play(players=2).game.axes]
    assert names == ["Touch X", "Touch", STICK, DOWN, "P2 X Axis", "P2 Y Axis"]


def test_a_held_axis_reaches_the_core_and_rests_without_a_word(play: Open) -> None:
    session = play()
    played(session)
    assert [told(session, frame)[:6] for frame in (1, 2, 5, 7, 9)] == [
        [0, 0, 0, 0, 0, 0],
        [25800, 32767, 0, 0, 0, 0],
        [0, 0, 0, 77, 0, 1],
        [0, 0, 0, 0, 0, 0],
        [-32768, 0, 0, 0, 0, 0],
    ]
    assert session.timeline.log.inputs(2, 3).tolist() == [[RIGHT, 0, 0, 100, 0xFF80]]


def test_unknown_axes_and_numbers_out_of_range_are_refused(play: Open) -> None:
    session = play()
    with pytest.raises(SessionError, match=r"no P2 X Axis; there are Touch X, Touch, P1 X Axis"):
        session.advance((), axes={"P2 X Axis": 1})
    with pytest.raises(SessionError, match="P1 X Axis is -128 to 127, not 128"):
        session.advance((), axes={STICK: 128})


def test_seeks_and_branches_repeat_axes(play: Open) -> None:
    session = play()
    rams = played(session)
    for frame in (3, 9, 5, 2):
        session.timeline.seek(frame)
        assert (session.host.read_ram() == rams[frame]).all()
    session.advance((), axes={STICK: 5})
    assert told(session)[0] == 5 * 258
    [branch] = session.timeline.branches
    session.timeline.switch_to(branch.name)
    assert (session.host.read_ram() == rams[9]).all()


def test_an_edit_keeps_the_axes_of_the_frames_behind_it(play: Open) -> None:
    session = play()
    played(session)
    edit_inputs(session, Splice.over(3, [[0]]))
    assert [told(session, frame)[0] for frame in (2, 3, 4, 9)] == [25800, 0, 25800, -32768]


def test_a_movie_has_bizhawk_s_columns_and_replays(play: Open, tmp_path: Path) -> None:
    session = play()
    session.reset()
    session.record(tmp_path / "moved.bk2")
    session.advance((RIGHT,), 2, axes={STICK: 100, DOWN: -128})
    session.advance((), 1, axes={"Touch X": 77, TOUCH: 1})
    session.stop_recording()
    rams = session.timeline.log.ram_range(1, session.timeline.length + 1)
    with zipfile.ZipFile(tmp_path / "moved.bk2") as archive:
        log = archive.read("Input Log.txt").decode().splitlines()
    assert log[1].startswith("LogKey:#Touch X|Touch|Reset|Power|#P1 X Axis|P1 Y Axis|P1 A|P1 Right")
    assert log[2:5] == [
        "|    0,...|    0,    0,........|",
        "|    0,...|  100, -128,.R......|",
        "|    0,...|  100, -128,.R......|",
    ]
    assert log[5] == "|   77,T..|    0,    0,........|"
    again = play()
    assert import_movie(again, tmp_path / "moved.bk2").desync_row is None
    assert (again.timeline.log.ram_range(1, again.timeline.length + 1) == rams).all()


def test_a_movie_without_moved_axes_is_stable_retro_s(play: Open, tmp_path: Path) -> None:
    session = play()
    session.reset()
    session.record(tmp_path / "plain.bk2")
    session.advance((RIGHT,), 2)
    session.stop_recording()
    with zipfile.ZipFile(tmp_path / "plain.bk2") as archive:
        log = archive.read("Input Log.txt").decode().splitlines()
    assert log[1].startswith("P1 A|P1 Right|")
    assert log[2:] == ["|..|........|", *["|..|.R......|"] * 2, "[/Input]"]


def test_a_movie_says_which_axes_are_missing_here(play: Open, tmp_path: Path) -> None:
    session = play(players=2)
    session.record(tmp_path / "moved.bk2")
    session.advance((), 1, axes={STICK: 1, "P2 Y Axis": 1})
    session.stop_recording()
    session = play()
    session.play(tmp_path / "moved.bk2")
    texts = [one.text for one in session.take_events() if isinstance(one, MovieWarning)]
    assert "moved.bk2: P2 Y Axis cannot be moved here; it will go out of step" in texts


def test_movies_that_training_can_not_press_are_marked(play: Open, own_home: Path) -> None:
    game = own_home / "Game-Toy-v0"
    session = play()
    for name, axes in (("moved", {STICK: 1, TOUCH: 1}), ("plain", {})):
        session.record(game / f"{name}.bk2")
        session.advance((RIGHT,), 2, axes=axes)
        session.stop_recording()
    findings = check_integration(game, lint_options(), live=False)
    found = [one for one in findings if "movie" in one.code]
    assert [(one.code, one.file.name) for one in found] == [("movie-beyond-training", "moved.bk2")]
    assert found[0].message == "training cannot press Touch, P1 X Axis"
    rows = read_movie_folder(game, session.game.plan.systems)
    assert [row.beyond_training for row in rows] == ["Touch, P1 X Axis", ""]


def test_more_than_two_players_are_played_recorded_and_marked(play: Open, own_home: Path) -> None:
    session = play(players=4)
    path = own_home / "four.bk2"
    session.record(path)
    session.advance((1 << 8, RIGHT, 1 << 4, 1 << 5), 3, axes={"P4 X Axis": 7})
    assert session.memory.ram[4:12].view("<u2").tolist() == [256, 128, 16, 32]
    session.stop_recording()
    ram = session.memory.ram.copy()
    assert import_movie(session, path).desync_row is None
    assert (session.memory.ram == ram).all()
    movie = session.game.read_movie(path)
    assert movie.beyond_training == "P4 X Axis, player 3, player 4"
    assert movie.training_warning == f"training cannot press {movie.beyond_training}"


def test_ports_and_multitap_are_plugged_in_as_the_descriptor_says(play: Open) -> None:
    core = {"core": "toycore", "ports": [1, 2], "multitap": [1, 257]}
    toys.describe_toy(cores=[core])
    assert play(players=2).memory.ram[26:28].tolist() == [1, 2]
    assert play(players=3).memory.ram[26:28].tolist() == [1, 257 % 256]


def test_a_playing_movie_without_axes_keeps_live_ones_at_rest(play: Open, tmp_path: Path) -> None:
    session = play()
    session.record(tmp_path / "plain.bk2")
    session.advance((RIGHT,), 3)
    session.stop_recording()
    session.play(tmp_path / "plain.bk2")
    session.advance((), 1, axes={STICK: 9})
    assert told(session)[0] == 0


def test_a_journal_brings_axes_back(play: Open, tmp_path: Path) -> None:
    session = play(journal=tmp_path / "a.journal")
    rams = played(session)
    session.close(keep_journal=True)
    with recover_from(tmp_path / "a.journal", isolated=False) as again:
        assert (again.memory.ram == rams[-1]).all()


def test_live_axes_are_held_until_changed() -> None:
    live = LiveInputs()
    live.set((1,), (-1, 7, 8))
    assert live.rows(2, 2, 2).tolist() == [[1, 0, 0xFFFF, 7]] * 2
    live.set((1,))
    assert live.rows(1, 1, 1).tolist() == [[1, 0]]
