"""Proofs: originals and copies told apart on real games, the open game untouched."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import AddressError
from integrator.session.proof.experiment import Rectangle
from integrator.session.proof.proof import Verdict, prepare
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from scripts.demo_script import play_script

pytestmark = pytest.mark.usefixtures("own_home")

SECOND_LEVEL = 860
"""A frame of the recorded play in which the high score equals the score."""
SCORE_DIGITS, HIGH_SCORE = 0x30C, 0x309


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        with integrator.open_session(demo_game(), state=POWER_ON) as session:
            play_script(session)
            yield session


@pytest.fixture
def played(game: Session) -> Session:
    """The demo game's recorded play, looked at in the middle of the first game."""
    game.timeline.seek(SECOND_LEVEL)
    return game


def prove(session: Session, address: int, spec: str) -> Verdict:
    [verdict] = session.prove([(address, spec)])
    return verdict


@pytest.mark.parametrize(
    ("address", "spec", "of"),
    [
        pytest.param(HIGH_SCORE, ">d3", SCORE_DIGITS, id="the high score, while it is the best"),
        pytest.param(0x306, ">d3", SCORE_DIGITS, id="the packed score"),
        pytest.param(0x410, ">n6", HIGH_SCORE, id="tiles of the high score"),
        pytest.param(0x416, ">n2", 0x303, id="tiles of the level"),
        pytest.param(0x418, ">n2", 0x304, id="tiles of the clock"),
        pytest.param(0x41A, "|n1", 0x302, id="the tile of lives, one more than lives"),
        pytest.param(0x41B, ">n2", 0x31A, id="tiles of the embers to catch"),
    ],
)
def test_copies_are_told_from_what_they_follow(
    played: Session, address: int, spec: str, of: int
) -> None:
    verdict = prove(played, address, spec)
    assert verdict.ruling == "copy"
    source = verdict.copy_of
    assert source is not None
    roots = {of, SCORE_DIGITS} if of == HIGH_SCORE else {of}
    ends = range(source.address, source.address + source.type.width)
    assert any(root in ends for root in roots)
    assert prove(played, source.address, str(source.type)).ruling == "original"


@pytest.mark.parametrize(
    ("address", "of"),
    [
        pytest.param(0x410, HIGH_SCORE, id="the first tile of the high score"),
        pytest.param(0x416, 0x303, id="the first tile of the level"),
        pytest.param(0x41B, 0x31A, id="the first tile of the embers to catch"),
    ],
)
def test_copies_that_rested_throughout_are_told_by_pokes(
    played: Session, address: int, of: int
) -> None:
    verdict = prove(played, address, "|n1")
    assert verdict.ruling == "copy"
    assert verdict.copy_of is not None
    assert verdict.copy_of.address == of


@pytest.mark.parametrize(
    ("address", "spec", "code", "proven"),
    [
        (SCORE_DIGITS, ">n6", "digits", (SCORE_DIGITS, ">n6")),
        (0x30E, ">n4", "digits", (SCORE_DIGITS, ">n6")),
        (0x302, "|i1", "binary", (0x302, "|u1")),
        (0x303, "|u1", "binary", (0x303, "|u1")),
        (0x304, "|d1", "BCD", None),
        (0x312, "<u2", "binary", (0x312, "<u2")),
        (0x312, "|u1", "binary", (0x312, "<u2")),
        (0x316, "<u4", "binary", (0x316, "<u2")),
        (0x31A, "|u1", "binary", (0x31A, "|u1")),
    ],
)
def test_originals_are_found_with_width_and_code(
    played: Session, address: int, spec: str, code: str, proven: tuple[int, str] | None
) -> None:
    verdict = prove(played, address, spec)
    assert verdict.ruling == "original"
    assert verdict.form is not None
    assert verdict.form.code == code
    found = verdict.form.address, verdict.form.type
    assert (found[0], str(found[1])) == (proven or (None, "None"))


def holds(one: Rectangle, other: Rectangle) -> bool:
    ends = ((each.x + each.width, each.y + each.height) for each in (one, other))
    (right, bottom), (other_right, other_bottom) = ends
    starts = one.x <= other.x and one.y <= other.y
    return starts and other_right <= right and other_bottom <= bottom


def test_pixels_of_a_number_are_its_digits(played: Session) -> None:
    clock = prove(played, 0x304, "|d1").rectangle
    lives = prove(played, 0x302, "|i1").rectangle
    # Columns 21 and 27 of tiles; the core hides the first 8 pixels of each line.
    assert clock is not None
    assert holds(Rectangle(160, 16, 16, 8), clock)
    assert lives is not None
    assert holds(Rectangle(208, 16, 8, 8), lives)
    assert prove(played, 0x316, "<u2").rectangle is None


def test_what_nothing_reads_is_inert(played: Session) -> None:
    verdict = prove(played, 0x7F0, "|u1")
    assert verdict.ruling == "inert"
    assert "it stayed." in verdict.reasons[0]


def test_what_is_set_from_the_pad_is_no_copy(played: Session) -> None:
    assert prove(played, 0x318, "|u1").ruling == "unknown"


def test_a_batch_runs_beside_the_game_and_can_be_cancelled(played: Session) -> None:
    variables = played.integration.variables
    names = ["score", "score_digits", "high_score", "lives", "time"]
    proof = prepare(played, [(variables[n].address, variables[n].type) for n in names])
    seen: list[tuple[int, int]] = []
    before = played.memory.ram.copy()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(proof.run, lambda *step: seen.append(step))
        rulings = [verdict.ruling for verdict in running.result()]
    assert rulings == ["copy", "original", "copy", "original", "original"]
    assert seen == [(step, 10) for step in range(1, 11)]
    assert np.array_equal(played.memory.ram, before)
    assert played.timeline.position == SECOND_LEVEL
    assert played.advance().number == SECOND_LEVEL + 1
    few = proof.run(cancelled=lambda: len(seen) >= 12, progress=lambda *s: seen.append(s))
    assert len(few) == 2


def test_addresses_outside_of_memory_are_refused(played: Session) -> None:
    with pytest.raises(AddressError):
        prepare(played, [(0x9000, "|u1")])


def test_the_score_of_airstriker_is_narrower_than_it_is_read() -> None:
    masks = airstriker_play(1800)
    with integrator.open_session(airstriker()) as session:
        session.reset()
        for first in range(0, len(masks), 120):
            session.run(masks[first : first + 120])
        score = session.integration.variables["score"]
        verdict = prove(session, score.address, str(score.type))
        assert session.timeline.column("score").any()
    assert verdict.ruling == "original"
    assert verdict.form is not None
    # The integration reads four bytes; the game counts in the lower two.
    assert (verdict.form.address, str(verdict.form.type)) == (score.address + 2, ">u2")
    assert verdict.rectangle is not None


def airstriker_play(frames: int) -> np.ndarray:
    """Random steps to the sides, and shots."""
    rng = np.random.default_rng(1)
    sides = np.repeat(rng.choice([1 << 6, 1 << 7], frames // 25 + 1), 25)[:frames]
    shots = np.arange(frames) % 12 < 6
    return (sides | shots).astype(np.uint16).reshape(-1, 1)
