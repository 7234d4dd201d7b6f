"""Each rule of the audit: it sees its trap, and is silent about honest play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from audit_plays import FPS, FRAMES, LIVES, SCENE, SCORE, kinds, noise, play, rises
from numpy.typing import NDArray

from integrator.domain.audit import rules
from integrator.domain.audit.comparing import Effects, without_effect
from integrator.domain.audit.paying import PaidTerm
from integrator.domain.audit.play import Scene, Trap, noticed
from integrator.domain.audit.rules import Rule, judge_game, judge_play, ranked


def test_a_made_up_rule_is_asked_about_each_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def brief(term: PaidTerm) -> Iterator[Trap]:
        if term.play.frames < 10:
            rows = np.arange(term.play.frames)
            yield noticed(term.play, rows, "few frames", is_serious=False)

    made_up = Rule("brief", brief, "play on")
    monkeypatch.setattr(rules, "TERM_RULES", (*rules.TERM_RULES, made_up))
    short = play({"score": np.zeros(9)}, {"score": np.zeros(9, np.int64)})
    found = judge_play(short, noise, SCENE)
    [trap] = ranked([*found, *found])
    assert (trap.kind, trap.cure, trap.frames, trap.plays) == ("brief", "play on", (1, 9), 2)


def test_honest_play_raises_no_alarm() -> None:
    honest = play({"score": rises(SCORE)}, {"score": SCORE, "lives": LIVES}, done=2900)
    assert judge_play(honest, noise, SCENE) == []
    assert judge_game([honest], SCENE) == []


def test_payments_that_come_back_in_the_same_situation_are_farming() -> None:
    def circle(frame: int) -> NDArray[np.uint8]:
        return noise(frame % 97)

    farmed = play({"score": rises(SCORE)}, {"score": SCORE})
    [trap] = judge_play(farmed, circle, SCENE)
    assert (trap.kind, trap.term) == ("farming", "score")
    assert "every 1.6 s" in trap.evidence
    assert trap.weight > 0.9


def test_a_bonus_that_is_counted_after_each_death_is_no_farming() -> None:
    frame = np.arange(FRAMES)
    starts = frame % 700 < 100
    score = np.cumsum(starts & (frame % 700 % 10 == 9)) * 5

    def counting(row: int) -> NDArray[np.uint8]:
        return noise(7 if starts[min(row, FRAMES - 1)] else row)

    counted = play({"score": rises(score)}, {"score": score})
    assert kinds(judge_play(counted, counting, SCENE)) == set()
    # Two payments a visit, and visits that go on, are farming.
    twice = np.cumsum(np.isin(frame % 190, (9, 29))) * 5
    farmed = play({"score": rises(twice)}, {"score": twice})
    assert kinds(judge_play(farmed, lambda row: noise(row % 190), SCENE)) == {"farming"}


def test_a_situation_that_comes_back_after_the_end_of_the_episode_is_no_farming() -> None:
    def circle(frame: int) -> NDArray[np.uint8]:
        return noise(frame % 97 if frame > 300 else frame)

    ended = play({"score": rises(SCORE)}, {"score": SCORE}, done=300)
    assert judge_play(ended, circle, SCENE) == []


def test_ground_that_is_lost_for_nothing_is_repaid() -> None:
    x = (100 + 50 * np.sin(np.arange(FRAMES) / 40)).astype(np.int64)
    [trap] = judge_play(play({"x": rises(x)}, {"x": x}), noise, SCENE)
    assert trap.kind == "repaid"
    both = np.diff(x, prepend=x[:1]).astype(np.float64)
    assert judge_play(play({"x": both}, {"x": x}), noise, SCENE) == []


def test_a_term_that_pays_on_every_frame_pays_for_no_ground() -> None:
    mode = np.arange(FRAMES) // 30 % 4
    absolute = play({"mode": mode.astype(np.float64)}, {"mode": mode})
    assert "repaid" not in kinds(judge_play(absolute, noise, SCENE))
    assert "repaid" in kinds(judge_play(play({"mode": rises(mode)}, {"mode": mode}), noise, SCENE))


def test_reward_without_input_is_measured_against_play() -> None:
    worked = play({"score": rises(SCORE)}, {"score": SCORE})
    idle = play({"score": rises(SCORE)}, {"score": SCORE}, held=0, source="nothing pressed")
    held = play({"score": rises(SCORE) / 5}, {"score": SCORE}, held=1, source="B held")
    little = play({"score": rises(SCORE) / 20}, {"score": SCORE}, held=2, source="C held")
    trap, remark = judge_game([worked, idle, held, little], SCENE)
    assert (trap.kind, trap.source) == ("reward-without-input", "nothing pressed")
    assert (remark.source, remark.is_serious) == ("B held", False)


def test_reward_without_input_is_measured_in_the_same_time() -> None:
    worked = play({"score": rises(SCORE)}, {"score": SCORE})
    lucky = np.where(np.arange(FRAMES) < 300, rises(SCORE), 0.0)
    idle = play({"score": lucky}, {"score": SCORE}, held=0, done=300, source="nothing pressed")
    assert kinds(judge_game([worked, idle], SCENE)) == set()
    slow = play({"score": rises(SCORE)}, {"score": SCORE}, held=0, done=2900, source="slow")
    soon = play({"score": rises(SCORE) * 30}, {"score": SCORE}, done=150, source="soon over")
    assert kinds(judge_game([soon, slow], SCENE)) == set()
    beside = play({"score": rises(SCORE)[:900]}, {"score": SCORE[:900]}, source="short.bk2")
    paid = play({"score": rises(SCORE)}, {"score": SCORE}, held=0, source="nothing pressed")
    [trap] = judge_game([beside, paid], SCENE)
    assert trap.weight == 1.0
    assert "earned 90 in 15 s, and the best other play 90" in trap.evidence


@pytest.mark.parametrize(
    ("held", "period", "is_trap"),
    [(0, 1, True), (0, 32, True), (0, 300, True), (1, 16, True), (1, 1, False), (1, 150, False)],
    ids=["idle-each-frame", "idle", "idle-slow", "held", "progress", "laps"],
)
def test_a_clock_that_pays_idle_play_or_a_held_button_is_a_trap(
    held: int, period: int, *, is_trap: bool
) -> None:
    clock = (np.arange(FRAMES) % period == 0) * 10.0
    caught = np.isin(np.arange(FRAMES), [333, 1000, 2019]) * 50.0
    judged = play({"score": clock + caught}, {"score": SCORE}, held=held)
    traps = [trap for trap in judge_play(judged, noise, SCENE) if trap.kind != "farming"]
    assert kinds(traps) == ({"reward-without-input"} if is_trap else set())
    if is_trap:
        assert f"score paid 10 every {period / FPS:.2f} s" in traps[0].evidence


def test_events_that_pay_idle_play_or_a_short_time_are_no_clock() -> None:
    random = np.random.default_rng(3)
    events = np.isin(np.arange(FRAMES), random.integers(0, FRAMES, 120)) * 10.0
    seldom = play({"score": events}, {"score": SCORE}, held=0)
    assert kinds(judge_play(seldom, noise, SCENE)) == set()
    tally = (np.arange(FRAMES) // 60 == 20) * 10.0
    assert kinds(judge_play(play({"score": tally}, {}, held=0), noise, SCENE)) == set()
    soon = play({"score": (np.arange(FRAMES) % 8 == 0) * 10.0}, {}, held=0, done=500)
    assert kinds(judge_play(soon, noise, SCENE)) == set()
    played = play({"score": (np.arange(FRAMES) % 32 == 0) * 10.0}, {})
    assert kinds(judge_play(played, noise, SCENE)) == set()


def test_a_few_payments_to_idle_play_are_luck() -> None:
    rows = np.arange(FRAMES)
    worked = play({"score": np.isin(rows, [100, 400, 800, 1900]) * 30.0}, {})
    idle = play({"score": np.isin(rows, [500, 1300, 2100]) * 40.0}, {}, held=0)
    assert kinds(judge_game([worked, idle], SCENE)) == set()
    often = play({"score": np.isin(rows, range(300, 2100, 211)) * 13.0}, {}, held=0)
    assert kinds(judge_game([worked, often], SCENE)) == {"reward-without-input"}
    seldom = play({"score": np.isin(rows, range(300, 2100, 211)) * 9.0}, {}, held=0)
    [remark] = judge_game([worked, seldom], SCENE)
    assert (remark.kind, remark.is_serious) == ("reward-without-input", False)


def test_a_button_held_after_the_idle_frame_of_the_reset_is_a_remark() -> None:
    paid = play({"score": rises(SCORE)}, {"score": SCORE})
    held = replace(paid, inputs=np.where(np.arange(FRAMES) > 0, 1, 0).astype(np.uint16))
    [remark] = judge_game([paid, held], SCENE)
    assert (remark.kind, remark.is_serious) == ("reward-without-input", False)
    assert "with B held from the start" in remark.evidence


def test_signs_that_are_turned() -> None:
    lives = np.where(np.arange(FRAMES) < 700, 3, 2)
    lost = np.where(np.arange(FRAMES) == 700, 5.0, 0.0)
    values = {"score": SCORE, "lives": lives}
    found = judge_game([play({"score": rises(SCORE, -1.0), "lives": lost}, values)], SCENE)
    assert {(trap.kind, trap.term) for trap in found if trap.is_serious} == {
        ("wrong-sign", "score"),
        ("wrong-sign", "lives"),
    }


def test_a_number_that_runs_over_its_type() -> None:
    low = SCORE % 256
    change = np.diff(low, prepend=low[:1]).astype(np.float64)
    [trap] = judge_play(play({"low": change}, {"low": low}), noise, SCENE)
    assert (trap.kind, trap.term) == ("jump", "low")
    high = SCORE // 256
    carried = {"low": change, "high": np.diff(high, prepend=high[:1]) * 256.0}
    assert judge_play(play(carried, {"low": low, "high": high}), noise, SCENE) == []


def test_a_bit_that_is_cleared_and_a_number_of_a_new_game_run_over_nothing() -> None:
    moments = np.arange(FRAMES)
    bits = np.select([moments < 1000, moments < 2000, moments < 2500], [160, 128, 0], 160)
    change = np.diff(bits, prepend=bits[:1]).astype(np.float64)
    ended = play({"x": change}, {"x": bits}, done=2100)
    assert "jump" not in kinds(judge_play(ended, noise, SCENE))
    assert "jump" in kinds(judge_play(replace(ended, done=moments < 0), noise, SCENE))


def test_a_number_that_goes_on_over_its_end_without_pay_jumps_and_is_not_repaid() -> None:
    scene = Scene({"score": (0, 99)}, SCENE.buttons)
    low = SCORE % 100
    [trap] = judge_play(play({"score": rises(low)}, {"score": low}), noise, scene)
    assert (trap.kind, trap.term) == ("jump", "score")
    assert "jumps by 90" in trap.evidence
    assert "3 times, and pays nothing" in trap.evidence
    high = {"score": rises(low), "high": np.diff(SCORE // 100, prepend=0) * 100.0}
    carried = play(high, {"score": low, "high": SCORE // 100})
    assert judge_play(carried, noise, scene) == []
    # Set back by a step that the number never takes, it begins again.
    again = SCORE % 80
    assert judge_play(play({"score": rises(again)}, {"score": again}), noise, scene) == []


def test_a_byte_that_counts_the_falls_of_a_number_shows_its_overflows() -> None:
    scene = Scene({"low": (0, 99)}, SCENE.buttons)
    whole = np.cumsum(np.arange(FRAMES) % 97 == 50) * 75
    low = whole % 100

    def memory(frame: int) -> NDArray[np.uint8]:
        return np.append(noise(frame), np.uint8(whole[max(0, frame - 1)] // 100))

    both = np.diff(low, prepend=0).astype(np.float64)
    cut = play({"low": rises(low)}, {"low": low})
    [trap] = [each for each in judge_play(cut, memory, scene) if each.kind == "jump"]
    assert "and pays nothing for it" in trap.evidence
    # Its steps of 75 go the usual way, and are no jumps over an end.
    high = np.diff(whole // 100, prepend=0) * 100.0
    parts = play({"low": both, "high": high}, {"low": low, "high": whole // 100})
    assert "jump" not in kinds(judge_play(parts, memory, scene))


def test_a_number_that_pays_when_it_falls_is_repaid_too() -> None:
    y = (100 + 50 * np.sin(np.arange(FRAMES) / 40)).astype(np.int64)
    [trap] = judge_play(play({"y": rises(-y)}, {"y": y}), noise, SCENE)
    assert trap.kind == "repaid"
    assert "y fell by" in trap.evidence


def test_reward_before_any_input_has_an_effect() -> None:
    paid = rises(SCORE)
    paid[0] = 500
    [trap] = judge_game([play({"score": paid}, {"score": SCORE})], SCENE)
    assert (trap.kind, trap.term) == ("reward-at-start", "score")


def test_terms_that_do_not_count_are_remarks() -> None:
    terms = {"score": rises(SCORE), "lives": np.zeros(FRAMES)}
    found = judge_game([play(terms, {"score": SCORE, "lives": LIVES})], SCENE)
    assert {(trap.kind, trap.term, trap.is_serious) for trap in found} == {
        ("share", "score", False),
        ("share", "lives", False),
    }


def test_buttons_without_effect_and_with_the_same() -> None:
    digests = {
        0: (b"0", b"0"),
        1: (b"0", b"0"),
        256: (b"1", b"0"),
        4: (b"1", b"0"),
        16: (b"2", b"3"),
    }
    found = {trap.kind: trap for trap in without_effect(Effects("b", (1, 9), digests), SCENE)}
    assert "B changed nothing" in found["no-effect"].evidence
    assert "leave it out" in found["no-effect"].cure
    assert "A and SELECT did the same" in found["same-effect"].evidence
    two = Effects("b", (1, 9), digests | {32: digests[0]})
    assert next(trap.cure for trap in without_effect(two, SCENE)).startswith("leave them out")
    dead = Effects("b", (1, 9), {0: (b"0",), 1: (b"0",), 16: (b"0",)})
    [trap] = without_effect(dead, SCENE)
    assert (trap.kind, trap.is_serious) == ("dead-start", True)


def test_one_trap_for_many_plays_and_the_worst_first() -> None:
    def trap(kind: str, source: str, weight: float, *, is_serious: bool = True) -> Trap:
        return Trap(
            kind=kind,
            is_serious=is_serious,
            source=source,
            frames=(1, 1),
            term="score",
            weight=weight,
            evidence="",
            cure="",
        )

    remark = trap("share", "c", 1.0, is_serious=False)
    first, second = ranked([remark, trap("jump", "a", 0.1), trap("jump", "b", 0.4)])
    assert (first.source, first.plays, second.kind) == ("b", 2, "share")
    heavy = trap("jump", "d", 0.9, is_serious=False)
    assert ranked([trap("jump", "a", 0.1), heavy])[0].source == "a"
    assert ranked([heavy, trap("jump", "a", 0.1)])[0].source == "a"


def test_reward_at_the_start_is_a_remark_beside_a_trap_of_all_that_its_term_pays() -> None:
    def trap(kind: str, term: str, *, is_serious: bool = True) -> Trap:
        return Trap(kind=kind, is_serious=is_serious, source="a", frames=(1, 1), term=term,
                    weight=0.5, evidence="", cure="")  # fmt: skip

    def serious(*traps: Trap) -> set[str]:
        return kinds(ranked([trap("reward-at-start", "x"), *traps]))

    assert serious(trap("repaid", "x")) == {"repaid"}
    assert serious(trap("reward-without-input", "x")) == {"reward-without-input"}
    assert serious(trap("repaid", "y")) == {"repaid", "reward-at-start"}
    assert serious(trap("repaid", "x", is_serious=False)) == {"reward-at-start"}
    assert serious(trap("jump", "x")) == {"jump", "reward-at-start"}


def test_decimal_digits_read_as_a_binary_number_are_misread() -> None:
    shown = np.cumsum(np.arange(FRAMES) % 97 == 0) * 10
    stored = np.array([int(str(number), 16) for number in shown.tolist()])
    read = play({"score": rises(stored)}, {"score": stored})
    [trap] = [t for t in judge_play(read, noise, SCENE) if t.kind == "misread"]
    assert f"the screen shows {shown[-1]:,}" in trap.evidence
    for honest in (shown, np.arange(FRAMES) // 250 * 256, shown + 5000):
        true = play({"score": rises(honest)}, {"score": honest})
        assert "misread" not in kinds(judge_play(true, noise, SCENE))
    other = play({"x": rises(stored)}, {"x": stored})
    assert "misread" in kinds(judge_play(other, noise, SCENE)), "a name says nothing"


def test_payments_in_step_with_repeated_presses_are_farming_in_any_situation() -> None:
    taps = np.where(np.arange(FRAMES) // 8 % 6 == 0, 256, 0).astype(np.uint16)
    pressed = np.flatnonzero(np.diff(taps.astype(int), prepend=0) > 0)
    score = np.cumsum(np.isin(np.arange(FRAMES), pressed + 5)) * 10
    farmed = replace(play({"score": rises(score)}, {"score": score}), inputs=taps)
    [trap] = judge_play(farmed, noise, SCENE)
    assert (trap.kind, trap.term) == ("farming", "score")
    assert "every 0.8 s" in trap.evidence
    # The same payments by other presses are honest, and so are irregular ones by the same presses.
    assert judge_play(play({"score": rises(score)}, {"score": score}), noise, SCENE) == []
    late = np.cumsum(np.isin(np.arange(FRAMES), np.cumsum(np.arange(20, 95)))) * 10
    irregular = replace(play({"score": rises(late)}, {"score": late}), inputs=taps)
    assert judge_play(irregular, noise, SCENE) == []


def test_a_term_of_every_frame_pays_neither_at_the_start_nor_by_the_wrong_sign() -> None:
    lives = np.where(np.arange(FRAMES) < 900, 2, 1)
    paid = play(
        {"lives": np.where(np.arange(FRAMES) < 1000, lives, 0)}, {"lives": lives}, done=1000
    )
    assert "wrong-sign" not in kinds(judge_game([paid], SCENE))
    assert "reward-at-start" not in kinds(judge_game([paid], SCENE))
    # The last life may be 0, and pay nothing for most of the play.
    late = play({"lives": np.where(np.arange(FRAMES) < 300, 1, 0)}, {"lives": lives})
    assert "reward-at-start" not in kinds(judge_game([late], SCENE))
