"""Scores that are read other than the game writes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from audit_plays import FRAMES, SCENE, kinds, noise, play, rises

from integrator.domain.audit.play import Scene
from integrator.domain.audit.rules import judge_play

_WORD = Scene({"score": (0, 65535)}, SCENE.buttons, digits={"score": (256, 2)})
_SHOWN = np.cumsum(np.arange(FRAMES) % 97 == 0) * 70


def test_a_score_that_only_rises_with_its_bytes_the_other_way_is_misread() -> None:
    read = _SHOWN % 256 * 256 + _SHOWN // 256
    [trap] = [
        each
        for each in judge_play(play({"score": rises(read)}, {"score": read}), noise, _WORD)
        if each.kind == "misread"
    ]
    assert "on frame 2,814 it is 2,100 and not 13,320" in trap.evidence
    assert trap.weight == 1.0
    assert "byte order" in trap.cure


def test_a_score_that_falls_in_both_orders_or_in_none_is_read_as_written() -> None:
    spent = _SHOWN - np.arange(FRAMES) // 500 * 300
    for honest in (_SHOWN, spent.clip(min=0)):
        true = play({"score": rises(honest)}, {"score": honest})
        assert "misread" not in kinds(judge_play(true, noise, _WORD))


@pytest.mark.parametrize(("base", "unit", "tile"), [(256, 16, 3), (256, 16, 0), (100, 10, 0)])
def test_digits_of_a_byte_each_are_misread_as_one_number(base: int, unit: int, tile: int) -> None:
    digits = _SHOWN[:, np.newaxis] // 10 ** np.arange(4) % 10
    read = (digits + tile * unit) @ base ** np.arange(4)
    scene = replace(SCENE, digits={"score": (base, 4)})
    [trap] = [
        each
        for each in judge_play(play({"score": rises(read)}, {"score": read}), noise, scene)
        if each.kind == "misread"
    ]
    assert "a decimal digit each: the screen shows 2,1" in trap.evidence
    assert ">n6" in trap.cure
    for honest in (_SHOWN, _SHOWN // 70, _SHOWN // 70 % 9 * 256):
        true = play({"score": rises(honest)}, {"score": honest})
        assert "misread" not in kinds(judge_play(true, noise, scene))


def test_a_score_cut_to_one_byte_is_named_by_a_single_overflow() -> None:
    scene = Scene({"score": (0, 255)}, SCENE.buttons, digits={"score": (256, 1)})
    score = np.cumsum(np.arange(FRAMES) % 97 == 0) * 10

    def judged(low: np.ndarray[tuple[int], np.dtype[np.int64]]) -> set[str]:
        return kinds(judge_play(play({"score": rises(low)}, {"score": low}), noise, scene))

    assert judged(score % 256) == {"jump"}
    # A new game begins at zero, or where the play began.
    assert judged(np.where(score < 260, score, score - 260)) == set()
    assert judged(np.where(score < 250, score + 4, score - 246)) == set()
