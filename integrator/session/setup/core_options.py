"""Core options: the core's choices; values of console and training, and the user's for a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from integrator.session.setup.game_file import GameFile
from libretro_host.host import CoreHost, LoadRequest
from libretro_host.options import CoreOption

_SHAPE = "{core: {option: value}}"


@dataclass(frozen=True, slots=True)
class OptionSetting:
    """One option of the open core.

    ``described`` is the console's value: the descriptor's, else the core's default. ``training``
    is the value that it has in training, which heeds no descriptor of the user's.
    ``kept`` tells whether the user keeps a value of their own for this game.
    """

    option: CoreOption
    described: str
    training: str
    kept: bool

    @property
    def as_in_training(self) -> bool:
        """True when the game runs with this option as it will in training."""
        return self.option.value == self.training


class OptionStore:
    """The user's core options, for each game and core, in one JSON file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def options(self, game: str, core: str) -> dict[str, str]:
        """Option values kept for a game on a core. Raises SessionError for a damaged file."""
        return dict(self._file.read().get(game, {}).get(core, {}))

    def keep(self, game: str, core: str, key: str, value: str | None) -> None:
        """Keep a value, or with None forget it. Raises SessionError, SaveError."""
        games = self._file.read()
        options = games.setdefault(game, {}).setdefault(core, {})
        if value is None:
            options.pop(key, None)
        else:
            options[key] = value
        kept = {
            name: {one: values for one, values in cores.items() if values}
            for name, cores in games.items()
        }
        kept = {name: cores for name, cores in kept.items() if cores}
        self._file.write(kept)

    @property
    def _file(self) -> GameFile:
        return GameFile(self.path, lambda value: _is_nested(value, depth=2), _SHAPE)


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of one game on one core.

    ``described`` are those of the system's descriptor, ``training`` those that training sets.
    """

    store: OptionStore
    game: str
    core: str
    described: Mapping[str, str]
    training: Mapping[str, str]

    def kept(self) -> dict[str, str]:
        """The user's values. Raises SessionError for a damaged file."""
        return self.store.options(self.game, self.core)

    def settings(self, host: CoreHost) -> tuple[OptionSetting, ...]:
        """Each option of the open core with training's and the user's value."""
        kept = self.kept()
        return tuple(
            OptionSetting(
                one,
                self.described.get(one.key, one.default),
                self.training.get(one.key, one.default),
                one.key in kept,
            )
            for one in host.options()
        )

    def change(
        self, host: CoreHost, request: LoadRequest, key: str, value: str | None
    ) -> LoadRequest:
        """Set an option now and keep it; None forgets it and sets the console's value.

        Returns ``request`` with the option, for the next start of the core. Raises HostError for an
        option or value that the core does not have, and then keeps nothing.
        """
        wanted = value
        if wanted is None:
            known = {one.option.key: one.described for one in self.settings(host)}
            wanted = known.get(key, "")
        host.set_option(key, wanted)
        self.store.keep(self.game, self.core, key, value)
        return replace(request, options={**request.options, key: wanted})


def _is_nested(value: object, depth: int) -> bool:
    if depth == 0:
        return isinstance(value, str)
    return isinstance(value, dict) and all(_is_nested(one, depth - 1) for one in value.values())
