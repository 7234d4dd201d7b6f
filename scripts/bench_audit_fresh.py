"""The audit's precision and recall on a third set of Ember Moths, written after all rules.

``python -m scripts.bench_audit_fresh`` is ``bench_audit`` on traps and honest play of its own, with
a seed of its own. The rules were corrected after ``bench_audit_unseen`` had been measured; this set
and ``bench_audit_plants`` measure them once more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from integrator.session.session import Session
from scripts.audit_games import DOWN, LEFT, PAY_TEN, SCORE, UP, A, AuditGame
from scripts.bench_audit import print_audit_bench, run_audit_bench
from scripts.reporting import report

_COUNTED = "@counted:\n    lda safe_frames\n"
_NO_GIFT = "@no_gift:\n    lda safe_frames\n"


def _gift(condition: str) -> Sequence[tuple[str, str, str]]:
    return (("play.s", _COUNTED, f"@counted:\n{condition}{PAY_TEN}{_NO_GIFT}"),)


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


FRESH_GAMES: Sequence[AuditGame] = (
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
_SEEDS = (5,)


if __name__ == "__main__":
    report(__doc__, lambda _: run_audit_bench(FRESH_GAMES, _SEEDS), print_audit_bench)
