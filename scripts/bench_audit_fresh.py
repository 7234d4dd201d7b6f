"""The audit's precision and recall on Ember Moths that were held out until the rules stood.

``python -m scripts.bench_audit_fresh`` is ``bench_audit`` on traps and honest play of its own, one
at least for each kind of trap, with a seed of its own. The games before them, on which rules were
corrected afterwards, are in ``bench_audit_unseen``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from integrator.session.session import Session
from scripts.audit_games import LEFT, PAY_HUNDRED, PAY_TEN, RIGHT, SCORE, START, AuditGame
from scripts.bench_audit import print_audit_bench, run_audit_bench
from scripts.reporting import report

_GIFT = f"{PAY_TEN}@no_gift:\n"
_EVERY_32 = "    lda frame_counter\n    and #$1F\n    bne @no_gift\n"
_TITLE = "run_title:\n    jsr move_embers\n"
_PAUSE = "run_pause:\n"
_LAP = """@counted:
    lda x_pos
    cmp #140
    bcc @not_there
    lda #1
    sta $0330
@not_there:
    lda x_pos
    cmp #100
    bcs @no_gift
    lda $0330
    beq @no_gift
    lda #0
    sta $0330
"""
_LAP_FLAG = 0x330
_COUNTED = "@counted:\n    lda safe_frames\n"
_LATE_FLAG = (
    ("main.s", "    lda game_over\n    bne @over\n", "    lda lives\n    bmi @over\n"),
    ("main.s", "    lda #1\n    sta game_over\n", ""),
    (
        "main.s",
        "@leave:\n    jmp enter_title",
        "@leave:\n    lda #1\n    sta game_over\n    jmp enter_title",
    ),
)
_FORTY_EACH = (
    "play.s",
    "    inc embers\n    bne @counted\n    inc embers + 1\n",
    "    lda embers\n    clc\n    adc #40\n    sta embers\n",
)
_SHORT_LEVELS = ("main.s", "    adc #4\n", "    adc #1\n")
_DEAF_AT_FIRST = """@counted:
    lda play_frames + 1
    cmp #5
    bcs @heard
    lda #0
    sta input
    sta input_new
@heard:
    lda safe_frames
"""
_WELCOME = "    dec mode_frames\n    bne @wait\n"
_TEST_A = "    lda input_new\n    bpl @no_dash "
_Y_AXIS = "    ldy #y_speed - x_speed      ; down and up\n    lda input\n"
_UP_IS_DOWN = "    and #BUTTON_UP\n    lsr a\n    ora input\n    and #BUTTON_DOWN\n"
_FALL = "    lda #MODE_HIT\n    sta mode\n    lda #60\n"
_NEXT_EMBER = "    and #$3F\n    clc\n    adc #10\n"


def _pause_once(session: Session, _: np.random.Generator) -> int:
    return START if 400 <= session.timeline.length < 408 else 0


def _laps(session: Session, _: np.random.Generator) -> int:
    return LEFT if session.memory.read(_LAP_FLAG, "|u1") else RIGHT


FRESH_GAMES: Sequence[AuditGame] = (
    AuditGame("honest-few-embers", patches=(("play.s", _NEXT_EMBER, _NEXT_EMBER[:-3] + "90\n"),)),
    AuditGame("honest-ready-start", state="ready"),
    AuditGame(
        "honest-extra-life",
        patches=(_SHORT_LEVELS, ("play.s", "    inc level\n", "    inc level\n    inc lives\n")),
        reward={**SCORE, "lives": {"reward": 20.0}},
    ),
    AuditGame("honest-clock-costs", reward={**SCORE, "time": {"penalty": 0.5}}),
    AuditGame("honest-long-fall", patches=(("main.s", _FALL, _FALL.replace("#60", "#180")),)),
    AuditGame(
        "title-pays", "reward-without-input", (("main.s", _TITLE, _TITLE + _EVERY_32 + _GIFT),),
        also=frozenset({"dead-start"}), state="title",
    ),
    AuditGame(
        "pause-drips", "farming", (("main.s", _PAUSE, _PAUSE + _EVERY_32 + _GIFT),),
        also=frozenset({"reward-without-input"}), farms=_pause_once,
    ),
    AuditGame(
        "laps-pay", "farming",
        (("play.s", _COUNTED, f"{_LAP}{PAY_HUNDRED}@no_gift:\n    lda safe_frames\n"),),
        farms=_laps,
    ),
    AuditGame("late-flag", "done-missed", _LATE_FLAG),
    AuditGame("blind", "done-missed", done={}, without=("game_over", "lives", "mode")),
    AuditGame(
        "dash-ends", "done-alive", done={"dash_wait": {"op": "greater-than", "reference": 0}}
    ),
    AuditGame(
        "twenty-seconds", "clock-only",
        script="function done()\n  return scenario.frame >= 1200\nend\n",
    ),
    AuditGame(
        "dead-bonus", "share", told="bonus", reward={**SCORE, "bonus": {"reward": 5.0}},
        types={"bonus": "0x7F0 |u1"},
    ),
    AuditGame(
        "forty-each", "jump", (_FORTY_EACH,), reward={"embers": {"reward": 1.0}},
        types={"embers": "0x312 |u1"},
    ),
    AuditGame(
        "swapped-digits", "misread", also=frozenset({"jump", "repaid"}),
        types={"score": "0x306 <d3"},
    ),
    AuditGame(
        "level-costs", "wrong-sign", (_SHORT_LEVELS,),
        reward={**SCORE, "level": {"reward": -50.0}},
    ),
    AuditGame(
        "doomed-start", "dead-start", done={"mode": {"op": "equal", "reference": 5}},
        also=frozenset({"clock-only", "done-alive", "done-at-once", "done-missed"}),
        state="doomed",
    ),
    AuditGame(
        "deaf-at-first", "dead-start", (("play.s", _COUNTED, _DEAF_AT_FIRST),),
        # All that nobody steers meet the same bats.
        also=frozenset({"clock-only"}),
    ),
    AuditGame(
        "welcome-pays", "reward-at-start", (("main.s", _WELCOME, _WELCOME + PAY_HUNDRED),),
        state="ready",
    ),
    AuditGame(
        "dead-a", "no-effect", (("play.s", _TEST_A, "    jmp @no_dash\n    bpl @no_dash "),),
        told="A",
    ),
    AuditGame(
        "up-is-down", "same-effect",
        (("play.s", _Y_AXIS, _Y_AXIS + _UP_IS_DOWN),),
        told="UP",
    ),
)  # fmt: skip
_SEEDS = (8,)


if __name__ == "__main__":
    report(__doc__, lambda _: run_audit_bench(FRESH_GAMES, _SEEDS), print_audit_bench)
