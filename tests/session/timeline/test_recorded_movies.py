"""Movies in a session: console events, desync, recording again, export, import."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import airstriker
from integrator.domain.errors import MovieError, TimelineError
from integrator.domain.movies.model import CoreStamp, Movie, MovieConsole, ram_hash
from integrator.domain.movies.writer import MovieWriter
from integrator.domain.timeline.line import Marker, MarkerKind
from integrator.session.frame.result import (
    MovieDesync,
    MovieWarning,
    PlaybackEnded,
    RecordingStopped,
)
from integrator.session.movies import HASH_EVERY_FRAMES
from integrator.session.recorded_rows import import_movie, record_again
from integrator.session.session import Session
from libretro_host.errors import StateError

pytestmark = pytest.mark.usefixtures("own_home")


def play(session: Session, frames: int, seed: int = 1) -> list[int]:
    """Random buttons, with pauses; the hash of RAM after each frame."""
    rng = np.random.default_rng(seed)
    hashes = []
    for frame in range(frames):
        if frame % 7 == 0:
            mask = int(rng.integers(0, 512)) if rng.random() < 0.7 else 0
        session.advance((mask,))
        hashes.append(ram_hash(session.memory.ram))
    return hashes


def replay(session: Session, path: Path) -> list[int]:
    """Play a movie; the hash of RAM after each row."""
    session.play(path)
    hashes = [ram_hash(session.memory.ram)]
    while session.movies.playing:
        session.advance((0x0F,))
        hashes.append(ram_hash(session.memory.ram))
    return hashes


def test_a_chunk_is_recorded_with_hashes(session: Session, tmp_path: Path) -> None:
    session.record(tmp_path / "m.bk2")
    session.advance(frames=200)
    session.stop_recording()
    movie = session.game.read_movie(tmp_path / "m.bk2")
    assert movie.ram_hashes is not None
    rows = movie.ram_hashes.rows.tolist()
    small = session.memory.space.size_bytes <= 8192
    assert np.diff(rows).max() <= (1 if small else HASH_EVERY_FRAMES)
    assert rows[-1] == 200
    replay(session, tmp_path / "m.bk2")
    assert not [e for e in session.take_events() if isinstance(e, MovieDesync)]


def test_a_desync_is_told_while_the_movie_plays(moth: Session, tmp_path: Path) -> None:
    moth.record(tmp_path / "m.bk2")
    play(moth, 60)
    moth.stop_recording()
    begin = moth.play(tmp_path / "m.bk2").number
    moth.advance(frames=20)
    moth.take_events()
    moth.memory.write(0x302, "|i1", 7)
    moth.advance()
    [event] = moth.take_events()
    assert isinstance(event, MovieDesync)
    assert (event.row, event.number) == (21, begin + 21)
    assert event.text.endswith("from its row 21 on: memory was changed by hand while it played")
    moth.advance(frames=5)
    assert moth.take_events() == ()


def test_held_values_are_told_when_a_movie_is_played(moth: Session, tmp_path: Path) -> None:
    moth.record(tmp_path / "m.bk2")
    play(moth, 20)
    moth.stop_recording()
    moth.memory.freeze(0x302, "|i1", 7)
    moth.take_events()
    moth.play(tmp_path / "m.bk2")
    moth.advance(frames=2)
    [warning, desync, *_] = moth.take_events()
    assert isinstance(warning, MovieWarning)
    assert "values are held by a cheat or frozen; it may go out of step" in warning.text
    assert isinstance(desync, MovieDesync)
    assert desync.text.endswith("values are held by a cheat or frozen")


def test_memory_is_not_changed_by_hand_while_recording(moth: Session, tmp_path: Path) -> None:
    moth.record(tmp_path / "m.bk2")
    before = moth.memory.ram.copy()
    with pytest.raises(MovieError, match=r"m\.bk2: it would not replay .*; stop recording first"):
        moth.memory.write(0x302, "|i1", 7)
    assert np.array_equal(moth.memory.ram, before)
    recorded = [ram_hash(before), *play(moth, 30)]
    moth.stop_recording()
    moth.memory.write(0x302, "|i1", 7)
    assert replay(moth, tmp_path / "m.bk2") == recorded


@pytest.mark.parametrize("frames", [0, 5])
def test_what_was_changed_before_a_recording_is_in_it(
    moth: Session, tmp_path: Path, frames: int
) -> None:
    if frames:
        moth.advance(frames=frames)
    moth.memory.write(0x302, "|i1", 7)
    first = moth.record(tmp_path / "m.bk2")
    assert first.values["lives"] == 7
    recorded = [ram_hash(moth.memory.ram), *play(moth, 30)]
    moth.stop_recording()
    moth.take_events()
    assert replay(moth, tmp_path / "m.bk2") == recorded
    assert not [e for e in moth.take_events() if isinstance(e, MovieDesync)]


def test_a_run_with_a_change_at_its_end_is_not_recorded_again(
    moth: Session, tmp_path: Path
) -> None:
    moth.advance(frames=5)
    moth.memory.write(0x302, "|i1", 7)
    with pytest.raises(MovieError, match="memory was changed by hand after this frame"):
        record_again(moth, tmp_path / "m.bk2")
    moth.advance()
    record_again(moth, tmp_path / "m.bk2")
    recorded = [ram_hash(moth.memory.ram), *play(moth, 10)]
    moth.stop_recording()
    assert replay(moth, tmp_path / "m.bk2") == recorded


LIVES_SCRIPT = """
data.lives = 5
local calls = 0
function reward()
  calls = calls + 1
  if calls % 4 == 0 then data.lives = calls % 100 end
  return 1
end
"""


def test_scripts_write_while_recording_and_again_in_the_replay(
    moth: Session, tmp_path: Path
) -> None:
    moth.integration.scripts["lives.lua"] = LIVES_SCRIPT
    with moth.integration.scenario.edit() as scenario:
        scenario["scripts"], scenario["reward"] = ["lives.lua"], {"script": "lua:reward"}
    moth.game.apply_documents()
    moth.reset()
    moth.record(tmp_path / "m.bk2")
    recorded = [ram_hash(moth.memory.ram), *play(moth, 20)]
    assert moth.last is not None
    assert moth.last.values["lives"] >= 16
    assert not [e for e in moth.take_events() if isinstance(e, RecordingStopped)]
    moth.game.apply_documents()  # a script that is loaded again writes nothing
    recorded += play(moth, 10)
    assert not [e for e in moth.take_events() if isinstance(e, RecordingStopped)]
    moth.memory.put(0x302, "|i1", 5)  # as a script of the console does: no button explains that
    moth.advance()
    assert moth.movies.recording is None
    [event] = [e for e in moth.take_events() if isinstance(e, RecordingStopped)]
    assert event.text.endswith("m.bk2 is complete, because memory was changed")
    assert replay(moth, tmp_path / "m.bk2") == recorded


def written(path: Path, movie: Movie, core: CoreStamp) -> Path:
    with MovieWriter(
        path, game=movie.game, console=MovieConsole(movie.buttons, movie.system),
        state=movie.state, players=2, core=core,
    ) as writer:  # fmt: skip
        writer.append(np.repeat(movie.inputs, 2, axis=1))
    return path


def test_what_is_doubtful_about_a_movie_is_told(moth: Session, tmp_path: Path) -> None:
    moth.record(tmp_path / "m.bk2")
    moth.advance(frames=3)
    moth.stop_recording()
    movie = moth.game.read_movie(tmp_path / "m.bk2")
    moth.play(written(tmp_path / "o.bk2", movie, CoreStamp("OtherCore", "9")))
    told = [e.text for e in moth.take_events() if isinstance(e, MovieWarning)]
    assert any("OtherCore 9" in text for text in told)
    assert any("2 players" in text for text in told)


def test_a_movie_names_its_rom_and_that_of_another_is_doubtful(
    moth: Session, tmp_path: Path
) -> None:
    moth.record(tmp_path / "m.bk2")
    moth.advance(frames=3)
    moth.stop_recording()
    movie = moth.game.read_movie(tmp_path / "m.bk2")
    assert movie.header["SHA1"] == movie.rom_hash == moth.integration.rom_sha[0]
    moth.play(tmp_path / "m.bk2")
    assert not [e for e in moth.take_events() if isinstance(e, MovieWarning)]
    for name, state in (("o", movie.state), ("small", b"state of another ROM")):
        with MovieWriter(
            tmp_path / f"{name}.bk2", game=movie.game, state=state, header={"SHA1": "0" * 40},
            console=MovieConsole(movie.buttons, movie.system),
        ) as writer:  # fmt: skip
            writer.append(movie.inputs)
    with pytest.raises(StateError, match=r"another ROM \(0{40}\), whose state does not load here"):
        moth.play(tmp_path / "small.bk2")
    moth.take_events()
    moth.play(tmp_path / "o.bk2")
    [warning] = [e.text for e in moth.take_events() if isinstance(e, MovieWarning)]
    assert f"recorded with another ROM ({'0' * 40}); it may go out of step" in warning


def counting(session: Session) -> int:
    """Play 20 frames; the address of a byte that the game changes on each frame."""
    play(session, 20)
    end = session.timeline.length + 1
    a, b, c = session.timeline.log.ram_range(end - 3, end)
    return session.memory.space.address_of(int(np.flatnonzero((a != b) & (b != c))[0]))


def fm2(folder: Path, rows: list[str]) -> Path:
    path = folder / "m.fm2"
    path.write_text("\n".join(["version 3", "port0 1", "port1 0", *rows, ""]))
    return path


def test_a_movie_presses_reset_and_power(moth: Session, tmp_path: Path) -> None:
    start = "|0|....T...||"
    idle = "|0|........||"
    rows = [idle] * 40 + [start] * 4 + [idle] * 40
    once = replay(moth, fm2(tmp_path, rows))
    with_power = [*rows, "|2|........||", *rows[1:]]
    moth.take_events()
    hashes = replay(moth, fm2(tmp_path, with_power))
    texts = [event.text for event in moth.take_events() if isinstance(event, MovieWarning)]
    assert texts == ["m.fm2: it presses power, which clears battery memory here"]
    # After power the same happens again, from the same state.
    assert hashes == once + once
    length = moth.timeline.length
    with_reset = [*rows, "|1|........||", *rows]
    replay(moth, fm2(tmp_path, with_reset))
    [marker] = [m for m in moth.timeline.markers("reset") if m.frame > length]
    assert (marker.frame, marker.label) == (length + len(rows), "reset")


def test_a_recording_ends_where_the_playing_movie_presses_reset(
    moth: Session, tmp_path: Path
) -> None:
    idle, path = "|0|........||", tmp_path / "m.bk2"
    moth.play(fm2(tmp_path, [idle] * 30 + ["|1|........||"] + [idle] * 40))
    moth.advance(frames=10)
    moth.record(path)
    hashes = [ram_hash(moth.memory.ram), *play(moth, 40)][:19]
    assert any(isinstance(event, RecordingStopped) for event in moth.take_events())
    assert moth.stop_recording() is None
    assert replay(moth, path) == hashes


def test_a_movie_recorded_again_goes_on_where_a_later_reset_was_left(
    moth: Session, tmp_path: Path
) -> None:
    play(moth, 20)
    end, path = moth.timeline.length, tmp_path / "m.bk2"
    moth.reset()
    play(moth, 20)
    moth.timeline.seek(end)
    record_again(moth, path)
    hashes = play(moth, 10)
    assert moth.stop_recording() == path
    assert replay(moth, path)[-10:] == hashes


def test_marks_are_not_looked_through_on_each_recorded_frame(
    moth: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moth.record(tmp_path / "m.bk2")
    log, looks = moth.timeline.log, list[MarkerKind]()
    markers = log.markers

    def look(*kinds: MarkerKind) -> tuple[Marker, ...]:
        looks.extend(kinds[:1])
        return markers(*kinds)

    monkeypatch.setattr(log, "markers", look)
    play(moth, 30)
    assert len(looks) < 3


def test_a_recording_does_not_begin_with_a_press_of_reset(moth: Session, tmp_path: Path) -> None:
    idle, path = "|0|........||", tmp_path / "m.bk2"
    moth.play(fm2(tmp_path, [idle] * 11 + ["|1|........||"] + [idle] * 40))
    moth.advance(frames=10)
    with pytest.raises(MovieError, match="presses reset or power next; run a frame, then record"):
        moth.record(path)
    moth.advance()
    moth.record(path)
    assert moth.stop_recording() == path
    assert not moth.movies.recording


def test_a_recording_begins_with_a_pressed_row_of_the_playing_movie(
    moth: Session, tmp_path: Path
) -> None:
    moth.play(fm2(tmp_path, ["|0|........||"] * 5 + ["|0|R.......||"] * 40))
    moth.advance(frames=10)
    moth.record(tmp_path / "m.bk2")
    moth.stop_recording()
    assert not moth.game.read_movie(tmp_path / "m.bk2").has_reset_row


def test_a_recording_does_not_begin_with_a_held_idle_frame(moth: Session, tmp_path: Path) -> None:
    counter = counting(moth)
    moth.memory.freeze(counter, "|u1", 7)
    moth.reset()
    moth.memory.thaw(counter, "|u1")
    moth.record(tmp_path / "m.bk2")
    hashes = [ram_hash(moth.memory.ram), *play(moth, 20)]
    moth.stop_recording()
    assert replay(moth, tmp_path / "m.bk2") == hashes


def test_frames_with_a_held_value_are_in_no_movie(moth: Session, tmp_path: Path) -> None:
    memory, held = moth.memory, counting(moth)
    memory.freeze(held, "|u1", 7)
    play(moth, 20)
    with pytest.raises(MovieError, match=r"a value was held on frame 41, .*; record from here"):
        record_again(moth, tmp_path / "again.bk2")
    memory.thaw(held, "|u1")
    hashes = play(moth, 30, seed=2)
    with pytest.raises(TimelineError, match=r"on frame 41 a value was held, .*; export frames"):
        moth.timeline.export(tmp_path / "part.bk2", 30, 60)
    exported = moth.timeline.export(tmp_path / "part.bk2", 42, 60)
    record_again(moth, tmp_path / "again.bk2")
    moth.stop_recording()
    assert replay(moth, exported.path) == hashes[exported.start - 42 : 18]
    assert replay(moth, tmp_path / "again.bk2") == hashes


def test_a_press_in_the_middle_of_a_chunk_is_where_single_frames_have_it(
    moth: Session, tmp_path: Path
) -> None:
    idle = "|0|........||"
    rows = [idle] * 30 + ["|1|........||"] + [idle] * 29 + ["|1|....T...||"] + [idle] * 40
    path = fm2(tmp_path, rows)
    singles = replay(moth, path)
    begin = moth.play(path).number
    moth.advance(frames=len(rows) - 1)
    log = moth.timeline.log
    assert [ram_hash(log.ram(begin + i)) for i in range(len(rows))] == singles
    shown = moth.timeline.seek(begin + 45)
    assert shown.messages == ()
    assert ram_hash(moth.memory.ram) == singles[45]


def test_a_movie_is_recorded_anew_from_its_middle(session: Session, tmp_path: Path) -> None:
    session.record(tmp_path / "old.bk2")
    hashes = [ram_hash(session.memory.ram), *play(session, 90)]
    session.stop_recording()
    begin = session.play(tmp_path / "old.bk2").number
    session.advance(frames=70)
    session.timeline.seek(begin + 40)
    record_again(session, tmp_path / "new.bk2")
    assert session.movies.playing is None
    expected = [*hashes[:41], *play(session, 50, seed=9)]
    session.stop_recording()
    assert session.game.read_movie(tmp_path / "new.bk2").header["rerecordCount"] == "2"
    assert replay(session, tmp_path / "new.bk2") == expected
    assert not [e for e in session.take_events() if isinstance(e, MovieDesync)]
    [branch] = session.timeline.branches
    assert branch.shared_frames == begin + 40


@pytest.mark.parametrize("start", [1, 2, 33, 120])
def test_a_range_is_exported_with_its_state(session: Session, tmp_path: Path, start: int) -> None:
    hashes = [ram_hash(session.memory.ram), *play(session, 180)]
    session.timeline.seek(150)
    exported = session.timeline.export(tmp_path / "part.bk2", start, 171)
    assert session.timeline.position == 150
    assert ram_hash(session.memory.ram) == hashes[149]
    assert exported.has_reset_row
    assert exported.start <= start
    assert replay(session, exported.path) == hashes[exported.start - 1 : 170]
    assert session.game.read_movie(exported.path).has_reset_row
    assert not [e for e in session.take_events() if isinstance(e, MovieDesync)]


def test_a_range_of_a_branch_is_exported(moth: Session, tmp_path: Path) -> None:
    hashes = [ram_hash(moth.memory.ram), *play(moth, 100)]
    moth.timeline.seek(60)
    hashes = [*hashes[:60], *play(moth, 30, seed=5)]
    exported = moth.timeline.export(tmp_path / "part.bk2", 40)
    assert replay(moth, exported.path) == hashes[exported.start - 1 :]


def test_a_range_over_a_jump_is_refused_and_the_cure_named(moth: Session, tmp_path: Path) -> None:
    moth.advance(frames=30)
    moth.memory.write(0x302, "|i1", 7)
    moth.advance(frames=30)
    movies = tmp_path / "movies"
    movies.mkdir()
    with pytest.raises(TimelineError, match="export frames 10 to 31, or from 32 on"):
        moth.timeline.export(movies / "part.bk2", 10)
    with pytest.raises(TimelineError, match="frames 1 to 61"):
        moth.timeline.export(movies / "part.bk2", 10, 99)
    exported = moth.timeline.export(movies / "part.bk2", 40)
    assert (exported.start, exported.stop) == (40, 62)
    assert list(movies.iterdir()) == [exported.path]


def test_an_import_puts_the_whole_movie_on_the_timeline(session: Session, tmp_path: Path) -> None:
    session.record(tmp_path / "m.bk2")
    hashes = [ram_hash(session.memory.ram), *play(session, 300)]
    session.stop_recording()
    told: list[tuple[int, int]] = []

    def progress(done: int, frames: int) -> bool:
        told.append((done, frames))
        return True

    imported = import_movie(session, tmp_path / "m.bk2", progress)
    assert imported.complete
    assert imported.desync_row is None
    assert imported.stop - imported.start == 301
    log = session.timeline.log
    assert [ram_hash(log.ram(n)) for n in range(imported.start, imported.stop)] == hashes
    assert told == [(1, 301), (121, 301), (241, 301)]
    assert any(isinstance(event, PlaybackEnded) for event in session.take_events())
    shown = session.timeline.seek(imported.start + 50)
    assert ram_hash(session.memory.ram) == hashes[50]
    assert shown.frame is not None


def test_an_import_can_be_stopped(moth: Session, tmp_path: Path) -> None:
    moth.record(tmp_path / "m.bk2")
    moth.advance(frames=400)
    moth.stop_recording()
    imported = import_movie(moth, tmp_path / "m.bk2", lambda done, _: done < 200)
    assert not imported.complete
    assert imported.stop - imported.start == 241
    assert moth.movies.playing is None


def test_a_movie_without_rows_is_refused(moth: Session, tmp_path: Path) -> None:
    with pytest.raises(MovieError, match="no row"):
        moth.play(fm2(tmp_path, []))


def wrong_state(which: str, session: Session) -> bytes:
    """A state that the demo game's core cannot take."""
    if which == "of another core":
        with integrator.open_session(airstriker()) as other:
            other.reset()
            return other.save_state()
    if which == "noise":
        return np.random.default_rng(1).bytes(5000)
    return bytes(20 << 20) if which == "20 MB of nothing" else session.save_state()[:-100]


@pytest.mark.parametrize("which", ["of another core", "noise", "20 MB of nothing", "cut off"])
def test_a_movie_with_a_wrong_state_is_refused_and_play_goes_on(
    moth: Session, tmp_path: Path, which: str
) -> None:
    number = moth.advance(frames=5).number
    state = wrong_state(which, moth)
    path = tmp_path / "wrong.bk2"
    with MovieWriter(
        path, game="G-Nes-v0", console=MovieConsole(moth.system.buttons, "Nes"), state=state
    ) as writer:
        writer.append(np.zeros((10, 1), np.uint16))
    with pytest.raises(StateError, match="does not take this state"):
        moth.play(path)
    assert moth.movies.playing is None
    assert moth.advance().number == number + 1
