"""The open game of a session: content, console, core, and its present readout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from integrator.domain.errors import MovieError, SessionError
from integrator.domain.integration.directory import Integration
from integrator.domain.movies.model import CoreStamp, Movie
from integrator.domain.movies.reading import read_movie
from integrator.domain.scenario.actions import ActionSet
from integrator.session.frame.live_memory import LiveMemory
from integrator.session.frame.pipeline import Pipeline, Readout
from integrator.session.frame.readout import DEFAULT_SCENARIO
from integrator.session.movies.recording import MovieIdentity
from integrator.session.setup.core_options import OptionSetting
from integrator.session.setup.plan import SessionPlan
from integrator.session.setup.start_states import POWER_ON
from libretro_host.frame import CoreInfo
from libretro_host.host import CoreHost
from libretro_host.systems.descriptor import SystemDescriptor


class OpenGame:
    """The facts of an open game, for a session to build on: it sets the two attributes."""

    _plan: SessionPlan
    _pipeline: Pipeline

    @property
    def plan(self) -> SessionPlan:
        """The plan that the session was opened with, and is open with now."""
        return self._plan

    @property
    def integration(self) -> Integration:
        """The documents: variables, scenario, metadata, scripts, states."""
        return self._plan.integration

    @property
    def system(self) -> SystemDescriptor:
        """The console."""
        return self._plan.descriptor

    @property
    def core(self) -> CoreInfo:
        """The loaded core with its newest announcements."""
        return self._pipeline.host.info

    @property
    def core_path(self) -> Path:
        """The core's file."""
        return self._plan.request.core

    @property
    def content(self) -> Path:
        """The ROM's file."""
        return self._plan.request.content

    @property
    def core_stamp(self) -> str:
        """The core's name and version, as states carry it."""
        return f"{self.core.library_name} {self.core.library_version}"

    def core_options(self) -> tuple[OptionSetting, ...]:
        """Options of the core, with training's value and the one kept for this game."""
        return self._plan.options.settings(self.host) if self._plan.options else ()

    def set_core_option(self, key: str, value: str | None) -> None:
        """Change an option now and keep it for this game; None goes back to training's value.

        Some cores heed some options only when they start. Raises HostError, SaveError.
        """
        if self._plan.options is None:
            raise SessionError("this session was planned without a place to keep core options")
        request = self._plan.options.change(self.host, self._plan.request, key, value)
        self._plan = replace(self._plan, request=request)

    @property
    def host(self) -> CoreHost:
        """The host that runs the core; it changes when a crashed core is replaced."""
        return self._pipeline.host

    @property
    def fps(self) -> float:
        """Frames a second of the console."""
        return self.core.av.fps

    @property
    def players(self) -> int:
        """Players, and so controller ports."""
        return self._plan.players

    @property
    def memory(self) -> LiveMemory:
        """RAM: ``read``, ``write``, ``freeze``."""
        return self._pipeline.memory

    @property
    def actions(self) -> ActionSet:
        """The button combinations that the scenario, or else the system, allows."""
        spec = self._pipeline.readout.engine.spec
        return ActionSet.of(self.system.buttons, spec.actions or self.system.actions)

    @property
    def state_name(self) -> str:
        """The start state of the next episode; POWER_ON when there is none."""
        name = self._plan.state or self.integration.metadata.default_state(self.players)
        return name or POWER_ON

    def rewritten_between(self, start: int, stop: int) -> list[int]:
        """The frames after ``start`` and up to ``stop`` whose RAM was written besides the core."""
        return self._pipeline.rewritten_between(start, stop)

    @property
    def readout(self) -> Readout:
        """The readout of the present documents."""
        return self._pipeline.readout

    @property
    def scenario_name(self) -> str:
        """The scenario file that scores, without its suffix."""
        return self._plan.scenario or DEFAULT_SCENARIO

    @property
    def skipped_variables(self) -> Mapping[str, str]:
        """Variables that can not be read, with the reason."""
        return self._pipeline.readout.reader.skipped

    def read_movie(self, path: str | Path) -> Movie:
        """Read a movie of the open game. Raises MovieError for a movie of another system."""
        movie = read_movie(path, self._plan.systems)
        if movie.system != self.system.name:
            raise MovieError(
                f"{path}: this movie is of {movie.system}, the open game of {self.system.name}; "
                f"open {movie.game} first"
            )
        if not movie.frames:
            raise MovieError(f"{path}: this movie has no rows; there is nothing to play")
        return movie

    def _identity(self) -> MovieIdentity:
        return MovieIdentity(
            game=self.integration.name,
            system=self.system.name,
            buttons=self.system.buttons,
            players=self.players,
            core=CoreStamp(self.core.library_name, self.core.library_version),
            sees_all_memory=self.core.sees_all_memory,
        )
