"""Runs play for an audit: a movie, or the masks of a probe, from its first frame on."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay
from integrator.domain.integration.directory import Integration
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.scoring.rules import Rules
from integrator.session.session import Session

CHUNK_FRAMES: Final = 240


def play_masks(session: Session, masks: NDArray[np.uint16], recording: Path | None = None) -> None:
    """Play masks (frames, players) as a probe, from the start state on; a movie, if wanted."""
    session.reset()
    if recording is not None:
        session.record(recording)
    for first in range(0, len(masks), CHUNK_FRAMES):
        session.run(masks[first : first + CHUNK_FRAMES])
    session.stop_recording()


def recorded_play(session: Session, source: str, integration: Integration) -> ScoredPlay:
    """The current line of a session's timeline, from its last episode's first frame on.

    ``integration`` scores the play: the session's own, or another one of the same game. Raises
    ScenarioError, and ScriptError for the first failure of a script.
    """
    log = session.timeline.log
    rules = Rules.present(integration, session.game.scenario_name)
    scorer = Rescorer(
        log,
        session.memory.space,
        rules,
        session.game.players,
        keep_terms=True,
        keep_columns=True,
    )
    while not scorer.finished:
        scorer.step(float("inf"))
        if scorer.failure is not None:
            raise scorer.failure  # training would end here
    scored, columns = scorer.scored(), scorer.scores_from(1).columns
    return ScoredPlay(
        source=source,
        fps=session.game.fps,
        inputs=log.inputs()[:, 0],
        rewards=scored.rewards[:, 0],
        terms={name: column for (player, name), column in scorer.terms.items() if player == 0},
        done=scored.done,
        values={name: column.astype(np.int64) for name, column in columns.items()},
    )
