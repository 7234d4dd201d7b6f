"""Observations of an open game's frames: the rule of its console and scenario."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from integrator.domain.frames.observation import ObservationRule
from integrator.domain.scenario.tree import Crop
from libretro_host.frame import AvInfo, Frame
from libretro_host.systems.descriptor import SystemDescriptor


def observation_rule(system: SystemDescriptor, av: AvInfo, crop: Crop) -> ObservationRule:
    """The rule of a console, its core's announcements and a scenario's crop."""
    width, height = system.observation
    return ObservationRule(width or av.base_width, height or av.base_height, crop)


def observe(frame: Frame, rule: ObservationRule) -> NDArray[np.uint8]:
    """stable-retro's observation of a frame, uint8 of shape (height, width, 3)."""
    return rule.observe(frame.drawn_rgb(), frame.pixel_format.channel_bits, frame.rotation)
