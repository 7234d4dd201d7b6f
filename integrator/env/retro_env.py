"""The attributes of stable-retro's RetroEnv that a GameEnv has under another name."""

from collections.abc import Mapping
from typing import Final, NamedTuple, NoReturn

_RECORDING = "make_env(record=FOLDER) records episodes; finish_movie() completes one"
HERE: Final[Mapping[str, str]] = {  # attributes of stable-retro 1.0.1, and their equivalents here
    "action_to_array": "masks(action) gives the button mask of each player",
    "auto_record": _RECORDING,
    "button_combos": "get_action_meaning(action) names the buttons of an action",
    "compute_step": "step() computes it; rewards has the reward of each player",
    "data": "the info of reset() and step() has the variables",
    "em": "clone_state() and restore_state() save and restore a moment, get_ram() reads memory",
    "gamename": "emulator.plan.integration.name is the name of the game",
    "get_screen": "render() gives the picture, with render_mode='rgb_array'",
    "img": "render() gives the picture, with render_mode='rgb_array'",
    "initial_state": "reset(options={'state': NAME}) begins at a start state",
    "load_state": "reset(options={'state': NAME}) begins at a start state",
    "movie": _RECORDING,
    "movie_id": _RECORDING,
    "multi_rewards": "rewards has the reward of each player",
    "num_buttons": "buttons has the buttons in bit order",
    "players": "emulator.plan.players is the number of players",
    "ram": "get_ram() reads memory",
    "record_movie": _RECORDING,
    "set_value": "a script of the integration can write variables",
    "statename": "state_name is the start state of the episode",
    "stop_record": _RECORDING,
    "system": "emulator.plan.descriptor describes the console",
    "use_restricted_actions": "make_env(actions=...) chooses the action space",
    "viewer": "gymnasium.wrappers.HumanRendering shows the pictures of 'rgb_array'",
}


class ElsewhereNamed(NamedTuple):
    """A missing attribute, whose error says what replaces it."""

    name: str
    replacement: str

    def __get__(self, env: object, kind: type) -> NoReturn:
        missing = f"{kind.__name__!r} object has no attribute {self.name!r}"
        raise AttributeError(f"{missing}: {self.replacement}")
