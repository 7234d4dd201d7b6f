"""Turns a console game into a reinforcement-learning environment: the public Python API."""

from __future__ import annotations

from integrator.domain.integration import load_integration
from integrator.session.opening import open_session
from integrator.session.start_states import POWER_ON

__all__ = ["POWER_ON", "load_integration", "open_session"]
__version__ = "0.1.0"
