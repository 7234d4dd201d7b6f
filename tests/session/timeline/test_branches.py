"""Branches: their last pictures, and how one differs from the present line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import TimelineError
from integrator.session.session import Session
from integrator.session.timeline.branches import THUMBNAIL_WIDTH, thumbnail
from libretro_host.host import CapturePlan

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def session() -> Iterator[Session]:
    with integrator.open_session(demo_game()) as session:
        session.reset()
        yield session


def play(
    session: Session, frames: int, seed: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Play; the small picture of the last frame."""
    for mask in np.random.default_rng(seed).integers(0, 512, frames).tolist():
        result = session.advance((mask,))
    assert result.frame is not None
    return thumbnail(result.frame)


def test_a_branch_has_the_picture_of_its_last_frame(session: Session) -> None:
    left = play(session, 200, 1)
    session.timeline.seek(60)
    here = play(session, 150, 2)
    travel = session.timeline
    assert not np.array_equal(left, here)
    for rerun in (False, True):
        assert np.array_equal(travel.picture_of("branch 1", rerun=rerun), left)  # type: ignore[arg-type] # None is not equal
        assert np.array_equal(travel.picture_of("main", rerun=rerun), here)  # type: ignore[arg-type] # as above
    travel.log.rename_branch("branch 1", "left")
    travel.switch_to("left")
    assert np.array_equal(travel.picture_of("left", rerun=False), left)  # type: ignore[arg-type] # as above
    assert np.array_equal(travel.picture_of("main", rerun=False), here)  # type: ignore[arg-type] # as above
    assert left.shape[1] <= THUMBNAIL_WIDTH
    travel.log.delete_branch("main")
    with pytest.raises(TimelineError, match="main"):
        travel.picture_of("main")


def test_a_picture_that_was_not_taken_is_made_and_nothing_moves(session: Session) -> None:
    left = play(session, 100, 1)
    session.timeline.seek(50)
    session.run(np.zeros((40, 1), np.uint16), CapturePlan(picture=False))
    session.timeline.seek(80)
    before = session.memory.ram.copy()
    session.advance()
    travel = session.timeline
    expected = travel.picture_of("branch 2")
    assert travel.picture_of("branch 2", rerun=False) is not None
    shown = travel.switch_to("branch 2")
    assert shown.frame is not None
    assert expected is not None
    assert np.array_equal(expected, thumbnail(shown.frame))
    assert not np.array_equal(expected, left)
    travel.seek(80)
    assert np.array_equal(session.memory.ram, before)


def test_two_lines_are_compared_from_where_they_part(session: Session) -> None:
    play(session, 300, 1)
    end = dict(session.last.values) if session.last else {}
    session.timeline.seek(100)
    play(session, 50, 2)
    compared = session.timeline.compare("branch 1")
    here, there = compared.here, compared.there
    assert compared.shared_frames == 100
    assert (here.name, here.length, there.name, there.length) == ("main", 150, "branch 1", 301)
    assert (here.rewards.shape, there.rewards.shape) == ((50, 1), (201, 1))
    assert there.values == end
    assert here.values == dict(session.last.values if session.last else {})
    assert here.picture is not None
    assert there.picture is not None
    [branch] = session.timeline.branches
    shared = session.timeline.log.rewards(1, 101).sum()
    assert np.isclose(there.rewards.sum() + shared, branch.rewards[0])
    # Nothing has moved.
    assert session.timeline.at_end
    assert session.advance().number == 151
    with pytest.raises(TimelineError, match="nothing"):
        session.timeline.compare("nothing")
