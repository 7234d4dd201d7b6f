"""Ember Moths of the audit's benchmark: one for each kind of trap, and traps with honest twins.

Each twin changes as much of the game or of its integration as the trap does, so that a rule which
tells of the change alone raises a false alarm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from integrator.session.session import Session
from scripts.audit_games import DOWN, LEFT, PAY_HUNDRED, PAY_TEN, RIGHT, SCORE, START, A, AuditGame

_GIFT = f"{PAY_TEN}@no_gift:\n"
_BY_32 = "    lda frame_counter\n    and #$1F\n    bne @no_gift\n"
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
_FORTY_NARROW = (
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


FRESH: Sequence[AuditGame] = (
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
        "title-pays", "reward-without-input", (("main.s", _TITLE, _TITLE + _BY_32 + _GIFT),),
        also=frozenset({"dead-start"}), state="title",
    ),
    AuditGame(
        "pause-drips", "farming", (("main.s", _PAUSE, _PAUSE + _BY_32 + _GIFT),),
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
        "forty-each", "jump", (_FORTY_NARROW,), reward={"embers": {"reward": 1.0}},
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


_GAIN = """
local before = nil
local function gain()
  local won = before and data.score - before or 0
  before = data.score
  return won
end
"""
_BY_LIVES = f"""{_GAIN}
local lives = data.lives
function reward()
  local lost = data.lives < lives
  lives = data.lives
  return gain() + (lost and {{pay}} or 0)
end
"""


def _reward(body: str) -> str:
    return f"{_GAIN}function reward()\n  {body}\nend\n"


def _late(frames: int) -> str:
    """A done that waits for so many frames after the end of the game."""
    return f"""
local over = 0
function done()
  over = data.game_over == 1 and over + 1 or over
  return over >= {frames}
end
"""


def _menu(button: str) -> Sequence[tuple[str, str, str]]:
    """Ten points for each press of A on the screen of a mode."""
    test = "    lda input_new\n    bpl @no_gift\n"
    return (("main.s", button, f"{button}{test}{PAY_TEN}@no_gift:\n"),)


def _tap_in_pause(session: Session, _: np.random.Generator) -> int:
    if session.timeline.length < 8:
        return START
    return A if session.timeline.length // 8 % 2 else 0


def _sink(_: Session, __: np.random.Generator) -> int:
    return DOWN


_FORTY_EACH = (
    "play.s",
    "    inc embers\n    bne @counted\n    inc embers + 1\n",
    "    lda embers\n    clc\n    adc #40\n    sta embers\n    bcc @counted\n    inc embers + 1\n",
)
_EMBERS = {"embers": {"reward": 1.0, "penalty": 1.0}}
_BOTH_WAYS = {"score": {"reward": 1.0, "penalty": 1.0}}
_WHERE_EMBERS_COME = "    and #$0F\n    clc\n    adc #118\n    sta x_pos, x\n"
_AT_THE_MOTH = "    lda x_pos + MOTH\n    sta x_pos, x\n"
_INPUT_READ = "    bcc @next\n    lda temp\n"
_NO_DOWN = "    lda input\n    and #$FF - BUTTON_DOWN\n    sta input\n"
_RIGHT_IS_LEFT = """    lda input
    and #BUTTON_RIGHT
    beq @plain
    lda input
    eor #BUTTON_RIGHT
    ora #BUTTON_LEFT
    sta input
@plain:
"""
_SPARED = """    lda input
    and #BUTTON_DOWN | BUTTON_UP
    cmp #BUTTON_DOWN | BUTTON_UP
    bne @plain
    lda input
    eor #BUTTON_DOWN
    sta input
@plain:
"""
_LEVEL_WON = "    inc level\n"
_DOWN_A_LEVEL = f"{_LEVEL_WON}{PAY_HUNDRED}"


def _input(change: str) -> Sequence[tuple[str, str, str]]:
    return (("main.s", _INPUT_READ, f"    bcc @next\n{change}    lda temp\n"),)


TWINS: Sequence[AuditGame] = (
    AuditGame("script-debt", "wrong-sign", script=_reward("return -gain()")),
    AuditGame("honest-script", script=_reward("return gain()")),
    AuditGame(
        "pause-menu-pays", "farming", _menu("run_pause:\n"),
        also=frozenset({"reward-without-input", "done-missed"}), farms=_tap_in_pause,
    ),
    AuditGame("honest-pause", farms=_tap_in_pause, also=frozenset({"done-missed"})),
    AuditGame(
        "signed-byte", "jump", (_FORTY_EACH,), reward=_EMBERS, types={"embers": "0x312 |i1"},
    ),
    AuditGame("honest-forty-each", patches=(_FORTY_EACH,), reward=_EMBERS),
    AuditGame(
        "tens-both-ways", "jump", (_SHORT_LEVELS,), reward=_BOTH_WAYS, types={"score": "0x308 |d1"},
    ),
    AuditGame("honest-both-ways", patches=(_SHORT_LEVELS,), reward=_BOTH_WAYS),
    AuditGame("ten-seconds-late", "done-missed", script=_late(600)),
    AuditGame("honest-short-wait", script=_late(30)),
    AuditGame("safe-ends", "clock-only", done={"safe_frames": {"op": "zero"}}),
    AuditGame(
        "honest-a-life", done={"lives": {"measurement": "delta", "op": "negative"}},
    ),
    AuditGame(
        "done-by-tens", "done-alive",
        script="function done()\n  return data.score >= 20 or data.game_over == 1\nend\n",
    ),
    AuditGame(
        "honest-second-level", patches=(_SHORT_LEVELS,),
        script="function done()\n  return data.level > 1 or data.game_over == 1\nend\n",
    ),
    AuditGame(
        "life-never-won", "share", told="lives", reward={**SCORE, "lives": {"reward": 100.0}},
    ),
    AuditGame("honest-life-lost", reward={**SCORE, "lives": {"penalty": 100.0}}),
    AuditGame(
        "over-start", "dead-start", state="over",
        also=frozenset({"done-at-once", "clock-only", "done-alive", "done-missed"}),
    ),
    AuditGame("honest-catch-start", state="catch", reward={"level": {"reward": 100.0}}),
    AuditGame("no-down", "no-effect", _input(_NO_DOWN), told="DOWN"),
    AuditGame("honest-up-wins", patches=_input(_SPARED)),
    AuditGame("right-is-left", "same-effect", _input(_RIGHT_IS_LEFT), told="RIGHT"),
    AuditGame("digits-as-packed", "misread", types={"score": "0x30C >d6"}),
    AuditGame("honest-digits-read", types={"score": "0x30C >n6"}),
    AuditGame(
        "seconds-pay", "reward-without-input", reward={**SCORE, "time": {"penalty": -1.0}},
    ),
    AuditGame("honest-seconds-cost", reward={**SCORE, "time": {"penalty": 1.0}}),
    AuditGame("living-pays", "reward-without-input", script=_reward("return gain() + 0.1")),
    AuditGame("honest-living-costs", script=_reward("return gain() - 0.1")),
    AuditGame(
        "nest-pays", "farming", (("play.s", _WHERE_EMBERS_COME, _AT_THE_MOTH),),
        also=frozenset({"reward-without-input"}), farms=_sink,
    ),
    AuditGame(
        "first-frame-pays", "reward-at-start",
        script=_reward("return gain() + (scenario.frame <= 1 and 100 or 0)"),
    ),
    AuditGame(
        "honest-levels-by-script", patches=(_SHORT_LEVELS,),
        script=_reward("local won = gain()\n  return data.level > 1 and 2 * won or won"),
    ),
    AuditGame("lost-lives-pay", "paid-loss", script=_BY_LIVES.format(pay=200)),
    AuditGame("honest-lost-lives-cost", script=_BY_LIVES.format(pay=-200)),
    AuditGame(
        "honest-levels-pay", patches=(("play.s", _LEVEL_WON, _DOWN_A_LEVEL), _SHORT_LEVELS),
    ),
)  # fmt: skip
