"""The facts of a timeline that the window shows, read without one."""

import numpy as np

from integrator.domain.timeline.timeline import Timeline
from integrator.session.session import Session
from integrator.session.timeline_facts import TimelineFacts, lives_name, newest_loss, reward_curve


def test_the_curve_starts_anew_with_each_episode() -> None:
    log = Timeline(4, 1)
    ram = np.zeros(4, np.uint8)
    for episode in ([1.0, 2.0, 0.0], [5.0, 0.0]):
        log.discontinuity("episode", b"state", ram)
        for reward in episode:
            log.append([0], ram, rewards=[reward], done=False)
    frames, totals = reward_curve(log)
    assert frames.tolist() == [1, 2, 3, 4, 5]
    assert totals.tolist() == [1.0, 3.0, 3.0, 5.0, 5.0]
    log.close()


def test_lives_are_told_by_their_name() -> None:
    assert lives_name(("score", "p1_lives", "lives_2", "lives")) == "lives"
    assert lives_name(("score", "time")) == ""


def test_facts_are_read_anew_only_when_the_line_has_changed(session: Session) -> None:
    session.advance(frames=60)
    first = TimelineFacts.of(session)
    session.timeline.seek(20)
    moved = TimelineFacts.of(session, first)
    assert (moved.position, first.position) == (20, first.length)
    assert moved.frames is first.frames
    session.advance(frames=first.length - 20)
    changed = TimelineFacts.of(session, moved)
    assert (changed.length, len(changed.branches)) == (first.length, 1)
    assert changed.frames is not first.frames


def test_facts_of_a_line_that_was_cut_and_played_on_are_read_anew(session: Session) -> None:
    session.advance(frames=60)
    first = TimelineFacts.of(session)
    session.timeline.seek(20)
    session.timeline.continue_from_here(keep=False)
    session.advance(frames=first.length - 20)
    second = TimelineFacts.of(session, first)
    session.timeline.seek(20)
    session.timeline.continue_from_here(keep=False)
    session.advance(frames=first.length - 20)
    third = TimelineFacts.of(session, second)
    assert (third.length, third.markers) == (second.length, second.markers)
    assert third.frames is not second.frames


def test_the_newest_loss_is_a_fall_by_one(moth: Session) -> None:
    lives = 0x302
    moth.advance(frames=5)
    assert newest_loss(moth, lives) == 0
    for value in (9, 8, 6):
        moth.memory.write(lives, "|u1", value)
        moth.advance()
    assert newest_loss(moth, lives) == moth.timeline.length - 1
