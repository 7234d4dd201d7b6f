"""Ember Moths of the audit's benchmark: those for tuning, and two sets that were held out once.

Rules were corrected after each set's first look, which ``docs/benchmarks.md`` tells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from integrator.session.session import Session
from scripts.audit_games import (
    DOWN,
    LEFT,
    PAY_HUNDRED,
    PAY_TEN,
    RIGHT,
    SCORE,
    START,
    UP,
    A,
    AuditGame,
    B,
)


def _tap_a(session: Session, _: np.random.Generator) -> int:
    return A if session.timeline.length // 8 % 7 == 0 else 0


def _tap_b(session: Session, _: np.random.Generator) -> int:
    return B if session.timeline.length // 8 % 4 == 0 else UP


_COUNTED = "@counted:\n    lda safe_frames\n"
_EVERY_64 = "    lda play_frames\n    and #$3F\n    bne @no_gift\n"
_WHEN_B_IS_PRESSED = "    lda input_new\n    and #BUTTON_B\n    beq @no_gift\n"
_NO_GIFT = "@no_gift:\n    lda safe_frames\n"
_TEST_A = "    lda input_new\n    bpl @no_dash "
_SOONER_BATS = ("play.s", "    adc #20\n    sta timer", "    adc #8\n    sta timer")
_DEARER_EMBERS = (
    "play.s", "    cmp #10\n    bcc @tens", "    adc #2\n    cmp #10\n    bcc @tens",
)  # fmt: skip
_MORE_SPARKS = ("play.s", "    and #7\n    bne @kind", "    and #1\n    bne @kind")
TUNED: Sequence[AuditGame] = (
    AuditGame("honest"),
    AuditGame("honest-lives", reward={**SCORE, "lives": {"penalty": 50.0}}),
    AuditGame("honest-embers", reward={"embers": {"reward": 1.0}}),
    AuditGame("honest-many-bats", patches=(_SOONER_BATS,)),
    AuditGame("honest-dear-embers", patches=(_DEARER_EMBERS,)),
    AuditGame("honest-sparks", patches=(_MORE_SPARKS,)),
    AuditGame("honest-slow-moth", patches=(("play.s", "TOP_SPEED  = 28", "TOP_SPEED  = 22"),)),
    AuditGame("honest-levels", reward={"score": {"reward": 0.1}, "level": {"reward": 10.0}}),
    AuditGame(
        "idle-pays", "reward-without-input",
        (("play.s", _COUNTED, f"@counted:\n{_EVERY_64}{PAY_HUNDRED}{_NO_GIFT}"),),
    ),
    AuditGame("clock-pays", "reward-without-input", reward={"play_frames": {"reward": 0.1}}),
    AuditGame(
        "absolute-pays", "reward-without-input",
        reward={"lives": {"reward": 1.0, "measurement": "absolute"}},
    ),
    AuditGame(
        "dash-pays", "farming",
        (("play.s", "start_dash:\n", f"start_dash:\n{PAY_TEN}"),), farms=_tap_a,
    ),
    AuditGame(
        "tap-pays", "farming",
        (("play.s", _COUNTED, f"@counted:\n{_WHEN_B_IS_PRESSED}{PAY_TEN}{_NO_GIFT}"),),
        farms=_tap_b,
    ),
    AuditGame("ground-pays", "repaid", reward={"x": {"reward": 1.0}}),
    AuditGame("height-pays", "repaid", reward={"y": {"reward": 1.0}}),
    AuditGame("never-done", "done-missed", done={}),
    AuditGame("done-by-level", "done-missed", done={"level": {"op": "equal", "reference": 9}}),
    AuditGame("done-by-catch", "done-alive", done={"embers": {"op": "equal", "reference": 2}}),
    AuditGame("done-at-once", "done-at-once", done={"mode": {"op": "equal", "reference": 1}}),
    AuditGame(
        "done-by-clock", "clock-only", done={"play_frames": {"op": "equal", "reference": 400}}
    ),
    AuditGame("score-costs", "wrong-sign", reward={"score": {"reward": -1.0, "penalty": -1.0}}),
    AuditGame("death-pays", "wrong-sign", reward={**SCORE, "lives": {"penalty": -50.0}}),
    AuditGame(
        "hit-pays", "paid-loss", (("main.s", "lose_life:\n", f"lose_life:\n{PAY_HUNDRED}"),),
    ),
    AuditGame("low-digits", "jump", types={"score": "0x308 |d1"}),
    AuditGame("binary-digits", "misread", types={"score": "0x306 >u3"}),
    AuditGame("title-start", "dead-start", state="title"),
    AuditGame("paid-at-start", "reward-at-start", state="catch"),
    AuditGame(
        "twin-buttons", "same-effect",
        (("play.s", _TEST_A, "    lda input_new\n    and #$C0\n    beq @no_dash "),),
    ),
    AuditGame("no-score", "share", (("play.s", "add_points:\n", "add_points:\n    rts\n"),)),
)  # fmt: skip


_SELECT = 4


def _tap_select(session: Session, _: np.random.Generator) -> int:
    return _SELECT if session.timeline.length // 8 % 3 == 0 else UP


def _turn(session: Session, _: np.random.Generator) -> int:
    return LEFT if session.timeline.length // 16 % 2 else RIGHT


def _pause(session: Session, _: np.random.Generator) -> int:
    return START if session.timeline.length // 8 % 2 == 0 else 0


def _gift(condition: str) -> Sequence[tuple[str, str, str]]:
    """Ten points on each frame of play of which the condition does not branch to ``@no_gift``."""
    return (("play.s", _COUNTED, f"@counted:\n{condition}{PAY_TEN}{_NO_GIFT}"),)


_EVERY_32 = "    lda play_frames\n    and #$1F\n    bne @no_gift\n"
_EVERY_16 = _EVERY_32.replace("$1F", "$0F")
_B_IS_HELD = "    lda input\n    and #BUTTON_B\n    beq @no_gift\n"
_AT_THE_WALL = "    lda x_pos\n    cmp #LEFT_WALL\n    bne @no_gift\n"
_LEAVE_PAUSE = (
    "main.s",
    "    beq @done\n    lda #MODE_PLAY\n",
    f"    beq @done\n{PAY_TEN}    lda #MODE_PLAY\n",
)
_MORE = """    lda input
    and #BUTTON_B
    beq @plain
    lda input
    ora #BUTTON_LEFT
    sta input
@plain:
"""
_B_IS_LEFT = (
    "main.s",
    "    bcc @next\n    lda temp\n",
    f"    bcc @next\n{_MORE}    lda temp\n",
)
_DEARER = ("play.s", "    cmp #10\n    bcc @tens", "    adc #2\n    cmp #10\n    bcc @tens")


def _new(button: str) -> str:
    return f"    lda input_new\n    and #BUTTON_{button}\n    beq @no_gift\n"


def _every(mask: str) -> str:
    return f"    lda play_frames\n    and #${mask}\n    bne @no_gift\n"


_AT_THE_TOP = "    lda y_pos\n    cmp #TOP_WALL\n    bne @no_gift\n"
_SELECT_IS_HELD = "    lda input\n    and #BUTTON_SELECT\n    beq @no_gift\n"
_UP_IS_NEW = "    lda input_new\n    and #BUTTON_UP\n    beq @no_gift\n"
_LEFT_IS_NEW_AT_THE_WALL = """    lda x_pos
    cmp #LEFT_WALL
    bne @no_gift
    lda input_new
    and #BUTTON_LEFT
    beq @no_gift
"""


def _hop(session: Session, _: np.random.Generator) -> int:
    return UP if session.timeline.length // 16 % 2 else DOWN


def _kick(session: Session, _: np.random.Generator) -> int:
    return LEFT if session.timeline.length // 8 % 2 else 0


def _dash(session: Session, _: np.random.Generator) -> int:
    return A if session.timeline.length // 8 % 8 == 0 else 0


UNSEEN: Sequence[AuditGame] = (
    AuditGame("honest-fast-moth", patches=(("play.s", "TOP_SPEED  = 28", "TOP_SPEED  = 34"),)),
    AuditGame("honest-quick-dash", patches=(("play.s", "    lda #45\n", "    lda #20\n"),)),
    AuditGame("honest-short-levels", patches=(("main.s", "    adc #4\n", "    adc #1\n"),)),
    AuditGame("honest-small-reward", reward={"score": {"reward": 0.01}}),
    AuditGame("honest-digits", reward={"score_digits": {"reward": 1.0}}),
    AuditGame("honest-embers-left", reward={"embers_left": {"penalty": -1.0}}),
    AuditGame("honest-greatest-score", reward={"high_score": {"reward": 1.0}}),
    AuditGame("honest-both-signs", reward={**SCORE, "lives": {"reward": 30.0, "penalty": 30.0}}),
    AuditGame("honest-one-life", done={"lives": {"op": "less-than", "reference": 2}}),
    AuditGame("honest-last-life", done={"lives": {"op": "equal", "reference": -1}}),
    AuditGame("honest-quick-bats", patches=(("main.s", "    adc #12 ", "    adc #20 "),)),
    AuditGame("honest-rising-reward", reward={**SCORE, "embers": {"reward": 5.0}}),
    AuditGame("gift-pays", "reward-without-input", _gift(_EVERY_32)),
    AuditGame("frames-pay", "reward-without-input", reward={"frame_counter": {"reward": 0.05}}),
    AuditGame(
        "level-pays",
        "reward-without-input",
        reward={"level": {"reward": 1.0, "measurement": "absolute"}},
    ),
    AuditGame("held-b-pays", "reward-without-input", _gift(_B_IS_HELD + _EVERY_16)),
    AuditGame("wall-pays", "reward-without-input", _gift(_AT_THE_WALL + _EVERY_16)),
    AuditGame("select-pays", "farming", _gift(_new("SELECT")), farms=_tap_select),
    AuditGame("turn-pays", "farming", _gift(_new("LEFT")), farms=_turn),
    AuditGame("pause-pays", "farming", (_LEAVE_PAUSE,), farms=_pause),
    AuditGame("climb-pays", "repaid", reward={"y": {"penalty": -1.0}}),
    AuditGame("speed-pays", "repaid", reward={"x_speed": {"reward": 0.5}}),
    AuditGame("ground-beside-score", "repaid", reward={**SCORE, "x": {"reward": 1.0}}),
    AuditGame("never-so-few", "done-missed", done={"lives": {"op": "equal", "reference": -3}}),
    AuditGame("done-at-title", "done-missed", done={"mode": {"op": "equal", "reference": 0}}),
    AuditGame(
        "done-by-score", "done-alive", done={"score": {"op": "greater-than", "reference": 30}},
    ),
    AuditGame("done-by-place", "done-alive", done={"y": {"op": "greater-than", "reference": 120}}),
    AuditGame(
        "done-with-lives", "done-at-once", done={"lives": {"op": "greater-than", "reference": 0}},
    ),
    AuditGame(
        "done-by-frames",
        "clock-only",
        done={"frame_counter": {"op": "greater-than", "reference": 1400}},
    ),
    AuditGame("score-is-debt", "wrong-sign", reward={"score": {"reward": -0.5}}),
    AuditGame(
        "life-is-debt", "wrong-sign",
        reward={**SCORE, "lives": {"reward": -20.0, "penalty": -20.0}},
    ),
    AuditGame("dear-low-digits", "jump", (_DEARER,), types={"score": "0x308 |d1"}),
    AuditGame("one-digit", "jump", types={"score": "0x310 |n1"}),
    AuditGame("plain-word", "misread", types={"score": "0x307 >u2"}),
    AuditGame("paused-start", "dead-start", state="pause"),
    AuditGame(
        "embers-at-start", "reward-at-start", reward={"embers": {"reward": 1.0}}, state="catch",
    ),
    AuditGame("b-is-left", "same-effect", (_B_IS_LEFT,)),
    AuditGame("never-paid", "share", reward={**SCORE, "game_over": {"penalty": 5.0}}),
    AuditGame(
        "all-by-one", "share", reward={"score": {"reward": 1000.0}, "embers": {"reward": 0.01}},
    ),
)  # fmt: skip
LATER: Sequence[AuditGame] = (
    AuditGame(
        "honest-safer",
        patches=(("play.s", "    lda #90\n    sta safe", "    lda #200\n    sta safe"),),
    ),
    AuditGame("honest-short-dash", patches=(("play.s", "DASH_SPEED = 60", "DASH_SPEED = 44"),)),
    AuditGame("honest-by-level", reward={"level": {"reward": 10.0}}),
    AuditGame("honest-hurry", reward={**SCORE}, done={"lives": {"op": "negative"}}),
    AuditGame("alms-pay", "reward-without-input", _gift(_every("7F"))),
    AuditGame("top-pays", "reward-without-input", _gift(_AT_THE_TOP + _every("1F"))),
    AuditGame("held-select-pays", "reward-without-input", _gift(_SELECT_IS_HELD + _every("3F"))),
    AuditGame(
        "mode-pays", "reward-without-input",
        reward={"mode": {"reward": 1.0, "measurement": "absolute"}},
    ),
    AuditGame("up-pays", "farming", _gift(_UP_IS_NEW), farms=_hop),
    AuditGame("kick-pays", "farming", _gift(_LEFT_IS_NEW_AT_THE_WALL), farms=_kick),
    AuditGame("wait-pays", "repaid", reward={"dash_wait": {"reward": 1.0}}, farms=_dash),
    AuditGame("fall-speed-pays", "repaid", reward={"y_speed": {"reward": 1.0}}),
    AuditGame(
        "never-so-rich", "done-missed",
        done={"score": {"op": "greater-than", "reference": 900000}},
    ),
    AuditGame("done-far-left", "done-alive", done={"x": {"op": "less-than", "reference": 60}}),
    AuditGame("done-by-time", "clock-only", done={"time": {"op": "less-than", "reference": 45}}),
    AuditGame("lives-pay", "wrong-sign", reward={"lives": {"penalty": -5.0}}),
    AuditGame("hundreds", "jump", types={"score": "0x30F |n1"}),
    AuditGame("none-counts", "share", reward={**SCORE, "mode": {"penalty": 1.0}}),
)  # fmt: skip
