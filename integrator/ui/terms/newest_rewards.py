"""The rewards that the window shows of a frame."""

from __future__ import annotations

from integrator.session.frame.result import FrameResult


def newest_rewards(result: FrameResult) -> tuple[float, ...]:
    """Each player's reward: of this frame, or else of those since the last one that was read."""
    gained = [sum(value for _, value in terms) for terms in result.gains]
    rewards = result.outcome.rewards
    if len(gained) != len(rewards):
        return rewards
    return tuple(now or unseen for now, unseen in zip(rewards, gained, strict=True))
