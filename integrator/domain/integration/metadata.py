"""metadata.json: the default start states, beside other entries that people keep there."""

from __future__ import annotations

from typing import cast

from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonValue


class MetadataDocument(JsonDocument):
    """metadata.json. Entries that have no method here are kept and left alone."""

    def default_state(self, players: int = 1) -> str | None:
        """The state that stable-retro starts from by default; None: power on.

        ``default_player_state[players - 1]`` goes before ``default_state``.
        """
        by_players = self.value.get("default_player_state")
        if isinstance(by_players, list) and 0 < players <= len(by_players):
            name = by_players[players - 1]
        else:
            name = self.value.get("default_state")
        return name if isinstance(name, str) and name else None

    def set_default_state(self, name: str | None, players: int = 1) -> None:
        """Choose the start state as one undoable edit; None removes the entry for one player.

        For more players, ``default_player_state`` is filled up with the state of fewer players.
        """
        with self.edit() as value:
            if players == 1 and not isinstance(value.get("default_player_state"), list):
                if name is None:
                    value.pop("default_state", None)
                else:
                    value["default_state"] = name
                return
            given = value.get("default_player_state")
            states = given if isinstance(given, list) else []
            while len(states) < players:
                states.append(cast("JsonValue", self.default_state(len(states) or 1) or ""))
            states[players - 1] = name or ""
            value["default_player_state"] = states

    def replace_state(self, old: str, new: str | None) -> tuple[int, ...]:
        """Name another state wherever ``old`` is a default, as one edit; None removes the entries.

        Returns for how many numbers of players ``old`` was named.
        """
        by_players = self.value.get("default_player_state")
        listed = by_players if isinstance(by_players, list) else []
        named = tuple(count for count, name in enumerate(listed, 1) if name == old)
        with self.edit() as value:
            if named:
                value["default_player_state"] = [(new or "") if n == old else n for n in listed]
            if value.get("default_state") == old:
                named = tuple(sorted({1, *named}))
                if new is None:
                    del value["default_state"]
                else:
                    value["default_state"] = new
        return named
