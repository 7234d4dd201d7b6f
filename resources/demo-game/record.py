"""Owns the recording of the demo: plays Ember Moth by itself and writes what was played.

Usage: python resources/demo-game/record.py

Writes input-script.json (the inputs from power-on and what the screen shows at chosen frames) and
the start states of data/EmberMoth-Nes-v0. Needs the stable-retro package, whose core made the
states. The player looks at RAM only to choose its buttons: the recording is a plain list of inputs.
"""

import gzip
import json
from pathlib import Path

import numpy as np
import stable_retro

HERE = Path(__file__).resolve().parent
GAME = HERE.parents[1] / "data" / "EmberMoth-Nes-v0"
BUTTONS = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A")
X_POS, Y_POS, X_SPEED, Y_SPEED, STATE = 0x340, 0x350, 0x360, 0x370, 0x3A0
BATS, EMBERS = range(1, 5), range(5, 11)
PLAY, OVER = 1, 5
# What an observation tells: the values that the screen shows, and the mode to say which screen.
OBSERVED = ("score", "high_score", "lives", "level", "time", "mode", "game_over", "embers")


class Recorder:
    """Runs the game a frame at a time and keeps the inputs, one entry for each change of buttons."""

    def __init__(self) -> None:
        self.emulator = stable_retro.RetroEmulator(str(GAME / "rom.nes"))
        self.data = stable_retro.data.GameData()
        self.data.load(str(GAME / "data.json"), str(GAME / "scenario.json"))
        self.emulator.configure_data(self.data)
        self.frame = 0
        self.inputs: list[tuple[int, tuple[str, ...]]] = []
        self.observations: list[dict[str, int | str]] = []

    def run(self, frames: int, *buttons: str) -> None:
        mask = np.zeros(16, np.uint8)
        for button in buttons:
            mask[BUTTONS.index(button)] = 1
        self.emulator.set_button_mask(mask, 0)
        for _ in range(frames):
            self.emulator.step()
        self.data.update_ram()
        self.frame += frames
        if self.inputs and self.inputs[-1][1] == buttons:
            frames += self.inputs.pop()[0]
        self.inputs.append((frames, buttons))

    def value(self, name: str) -> int:
        return int(self.data.lookup_value(name))

    def byte(self, address: int, signed: bool = False) -> int:
        return int(self.data.memory.extract(address, "|i1" if signed else "|u1"))

    def observe(self, note: str) -> None:
        """Note the values after two idle frames, so that the picture has caught up with RAM."""
        self.run(2)
        self.observations.append(
            {"frame": self.frame, "note": note, **{name: self.value(name) for name in OBSERVED}}
        )
        print(self.observations[-1])

    def save_state(self, name: str) -> None:
        raw = self.emulator.get_state()
        (GAME / f"{name}.state").write_bytes(gzip.compress(raw, mtime=0))


def danger(game: Recorder) -> bool:
    """Say whether a bat is about to touch the moth."""
    for bat in BATS:
        if game.byte(STATE + bat):
            ahead = game.byte(X_POS + bat) + game.byte(X_SPEED + bat, signed=True) // 4
            across = abs(ahead - game.byte(X_POS))
            if across < 22 and abs(game.byte(Y_POS + bat) - game.byte(Y_POS) - 4) < 18:
                return True
    return False


def chase(game: Recorder) -> tuple[str, ...]:
    """Choose the buttons that bring the moth to the nearest ember, dashing through bats."""
    x, y = game.byte(X_POS), game.byte(Y_POS)
    if danger(game) and game.value("dash_wait") == 0:
        return ("A",)
    target = None
    for ember in EMBERS:
        if game.byte(STATE + ember):
            ahead_x = game.byte(X_POS + ember) + game.byte(X_SPEED + ember, signed=True) * 2 - 4
            ahead_y = game.byte(Y_POS + ember) + game.byte(Y_SPEED + ember, signed=True) * 2 - 4
            distance = abs(ahead_x - x) + abs(ahead_y - y)
            if target is None or distance < target[0]:
                target = (distance, ahead_x - x, ahead_y - y)
    if target is None:
        return ()
    buttons = []
    if abs(target[2]) > 4:
        buttons.append("UP" if target[2] < 0 else "DOWN")
    if abs(target[1]) > 4:
        buttons.append("LEFT" if target[1] < 0 else "RIGHT")
    return tuple(buttons)


def catch(game: Recorder, embers: int) -> None:
    """Play until this many more embers are caught."""
    goal = game.value("embers") + embers
    while game.value("embers") < goal and not game.value("game_over"):
        game.run(4, *(chase(game) if game.value("mode") == PLAY else ()))


def wait_for(game: Recorder, name: str, value: int) -> None:
    """Do nothing until a variable has a value."""
    while game.value(name) != value:
        game.run(1)


def play(game: Recorder) -> None:
    game.run(90)
    game.observe("title")
    game.run(4, "START")
    game.observe("get ready")
    wait_for(game, "mode", PLAY)
    game.save_state("Start")
    for embers in (1, 1, 2):
        catch(game, embers)
        game.observe(f"caught {embers}")
    catch(game, 2)
    game.observe("level 2")
    wait_for(game, "mode", PLAY)
    game.save_state("Level2")
    catch(game, 2)
    game.observe("caught 2 more")
    for lives in (1, 0, -1):
        wait_for(game, "lives", lives)
        game.observe("hit by a bat")
    wait_for(game, "mode", OVER)
    game.observe("game over")
    wait_for(game, "mode", 0)
    game.observe("title again")
    game.run(20)
    game.run(4, "START")
    wait_for(game, "mode", PLAY)
    game.observe("second game: the high score stays")
    catch(game, 1)
    game.observe("caught 1 in the second game")


def main() -> None:
    game = Recorder()
    play(game)
    script = {
        "game": GAME.name,
        "about": "Inputs from power-on; each entry holds buttons for a number of frames.",
        "frames": game.frame,
        "inputs": [{"frames": count, "buttons": list(names)} for count, names in game.inputs],
        "observations": game.observations,
    }
    lines = json.dumps(script, indent=2)
    (HERE / "input-script.json").write_text(compact(lines) + "\n")


def compact(text: str) -> str:
    """Put each entry of the lists on a line of its own."""
    value = json.loads(text)
    rows = []
    for key, item in value.items():
        if isinstance(item, list):
            entries = ",\n".join("    " + json.dumps(entry) for entry in item)
            rows.append(f"  {json.dumps(key)}: [\n{entries}\n  ]")
        else:
            rows.append(f"  {json.dumps(key)}: {json.dumps(item)}")
    return "{\n" + ",\n".join(rows) + "\n}"


if __name__ == "__main__":
    main()
