"""Suggestions from the demo game's recorded play, on its real core."""

from __future__ import annotations

import numpy as np
import pytest
from session_fixtures import SharedPlay

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SearchError, TimelineError
from integrator.domain.suggest.suggestion import KINDS, Suggestion
from integrator.session.session import Session
from integrator.session.suggestions.pointing import PointRun
from integrator.session.suggestions.recorded_play import Box
from integrator.session.suggestions.suggesting import SuggestRun

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def suggested(demo_play: SharedPlay) -> tuple[Suggestion, ...]:
    """All suggestions from the recorded play; it stays where it was."""
    with demo_play.lent() as played:
        here, ram = played.timeline.position, played.memory.ram.copy()
        found = played.suggest()
        assert played.timeline.position == here
        assert np.array_equal(played.host.read_ram(), ram)
    return found


def test_what_the_demo_game_shows_is_suggested(
    played: Session, suggested: tuple[Suggestion, ...]
) -> None:
    found = suggested
    assert list(dict.fromkeys(each.kind for each in found)) == [
        kind for kind in KINDS if any(each.kind == kind for each in found)
    ]
    variables = played.integration.variables
    known = {"score": "score", "lives": "lives", "timer": "time", "player-x": "x", "player-y": "y"}
    for kind, name in known.items():
        best = [each for each in found if each.kind == kind][:3]
        assert variables[name].address in {each.address for each in best}, kind
        assert all(0 < each.confidence <= 1 and each.reason for each in best)


def test_the_screen_is_read_and_shown_beside_the_number(
    played: Session, suggested: tuple[Suggestion, ...]
) -> None:
    numbers = played.screen_numbers()
    score = played.timeline.column("score")
    matching = [
        each
        for each in numbers
        if (each.rests[1] == score[each.rests[0] - 1]).mean() > 0.9 and each.rests[1].max() > 9
    ]
    assert (matching[0].y, matching[0].height) == (16, 8)
    found = next(each for each in suggested if (each.kind, each.address) == ("score", 0x306))
    assert found.box is not None
    assert len({each.value for each in found.seen}) == 3
    for each in found.seen:
        assert each.value == score[each.frame - 1]
        assert each.crop.shape == (found.box[3] + 4, found.box[2] + 4, 3)


def test_a_proof_confirms_the_best_of_each_kind(
    played: Session, suggested: tuple[Suggestion, ...]
) -> None:
    plain = [each for each in suggested if each.kind in ("score", "player-x")]
    proven = played.suggest(["score", "player-x"], prove=True)
    assert [each.address for each in proven] == [each.address for each in plain]
    for one, other in zip(plain, proven, strict=True):
        assert one.confidence <= 0.9
        if other.ruling == "original":
            assert other.confidence > one.confidence
    assert {each.kind for each in proven if each.ruling} == {"score", "player-x"}


def test_a_kind_that_there_is_not_is_named(played: Session) -> None:
    with pytest.raises(SearchError, match="no kind 'points'"):
        played.suggest(["points"])  # type: ignore[list-item]  # as a script may


def test_a_cancelled_run_suggests_nothing(played: Session) -> None:
    told: list[tuple[int, int]] = []
    run = SuggestRun(played.recorded_play())
    assert run.run(played.host, lambda *step: told.append(step), lambda: True) == ()
    assert run.run(None, lambda *step: told.append(step)) != ()
    assert told == [(100, 100)]


def test_memory_answers_before_the_play_has_run_again(played: Session) -> None:
    told: list[object] = []
    run = SuggestRun(played.recorded_play(), ["score", "player-x"])
    found = run.run(played.host, lambda done, _: told.append(done), lambda: False, told.append)
    assert isinstance(told[0], tuple)
    assert all(each.drawn is None for each in told[0])
    assert any(each.drawn is not None for each in found)
    steps = [step for step in told if isinstance(step, int)]
    assert steps == sorted(steps)
    # Both the play and the experiments tell how far they are.
    assert any(step < 70 for step in steps)
    assert len({step for step in steps if 70 < step < 100}) > 2


def test_there_is_nothing_to_suggest_before_play() -> None:
    with (
        integrator.open_session(demo_game()) as session,
        pytest.raises(TimelineError, match="nothing was played yet"),
    ):
        session.suggest()


@pytest.mark.parametrize(
    ("box", "address", "data_type"),
    [
        ((8, 16, 56, 8), 0x306, ">d3"),
        ((64, 12, 56, 14), 0x309, ">d3"),
        ((168, 16, 24, 10), 0x304, "|d1"),
    ],
    ids=["score", "high score", "time"],
)
def test_pointing_at_a_number_finds_it(
    played: Session, box: tuple[int, int, int, int], address: int, data_type: str
) -> None:
    ram = played.memory.ram.copy()
    best = played.point(*box)[0]
    assert (best.address, str(best.type)) == (address, data_type)
    assert np.array_equal(played.host.read_ram(), ram)


def test_a_box_that_never_changed_asks_for_more_play(played: Session) -> None:
    with pytest.raises(SearchError, match="play on until other numbers were seen"):
        played.point(8, 8, 40, 8)
    with pytest.raises(SearchError, match="rested with only one number"):
        played.point(8, 16, 56, 8, frames=range(100, 104))


@pytest.mark.parametrize(
    ("box", "kind", "address", "told"),
    [
        (Box(8, 16, 56, 8), "score", 0x306, "digits told apart"),
        (Box(168, 16, 24, 10), "timer", 0x304, "told apart"),
        (Box(64, 12, 56, 14), "score", 0x309, "is one number"),
    ],
    ids=["score", "time", "high score"],
)
def test_a_box_is_explained_in_words(
    played: Session, box: Box, kind: str, address: int, told: str
) -> None:
    pointed = PointRun(played.recorded_play(), box).look(played.host)
    best = pointed.suggestions[0]
    assert (best.kind, best.address) == (kind, address)
    assert told in best.reason
    assert str(pointed.pictures) in best.reason
    assert pointed.enough
    assert best.confidence > pointed.suggestions[1].confidence


@pytest.mark.parametrize(
    "box",
    [
        pytest.param(Box(8, 13, 48, 11), id="with the lower part of the label"),
        pytest.param(Box(11, 18, 42, 4), id="cut on all sides"),
        pytest.param(Box(5, 14, 54, 13), id="too large"),
        pytest.param(Box(10, 13, 42, 9), id="shifted"),
    ],
)
def test_a_box_may_be_a_few_pixels_off(played: Session, box: Box) -> None:
    pointed = PointRun(played.recorded_play(), box).look(played.host)
    best = pointed.suggestions[0]
    assert (best.address, str(best.type)) == (0x306, ">d3")
    assert pointed.enough


def test_few_digits_ask_for_more_play(played: Session) -> None:
    gains = np.flatnonzero(np.diff(played.timeline.column("score")) > 0)
    frames = range(int(gains[0]) - 60, int(gains[1]))
    pointed = PointRun(played.recorded_play(), Box(8, 16, 56, 8), frames).look(played.host)
    assert not pointed.enough
    assert pointed.suggestions
