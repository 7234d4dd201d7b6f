"""A client that sees only results of tools takes games from ROM to verified integration."""

import json
import random
import re
import shutil
from pathlib import Path

from talking import Talk, talk, talking

from integrator import paths
from integrator.commands.shared.options import airstriker, demo_game

PLACE = r"0x([0-9A-F]+) ([^\s,;]+)"


def place(text: str, begin: str) -> dict[str, str]:
    """Address and type in the first line that begins so."""
    found = re.search(rf"^{begin}.*?{PLACE}", text, re.MULTILINE)
    assert found, text
    return {"address": f"0x{found[1]}", "data_type": found[2]}


async def finish(say: Talk, name: str, root: Path) -> None:
    """Save, check, verify, record and replay."""
    assert str(root / name) in await say("save", name=name.partition("-")[0])
    await say("movies", action="record", name="first")
    await say("play", steps=[{"buttons": ["LEFT"], "frames": 60}, {"buttons": ["B"], "frames": 30}])
    assert "complete" in await say("movies", action="stop")
    assert "no row differs" in await say("movies", action="play", name="first")
    assert "error" not in await say("check")
    report = await say("verify")
    assert f"{name}: verified" in report, report
    assert "agrees on reward, done, info" in report


def test_ember_moth_from_the_rom_to_a_verified_integration(own_home: Path) -> None:
    rom = own_home / "Ember Moth (World).nes"
    shutil.copyfile(demo_game() / "rom.nes", rom)
    script = json.loads((paths.shipped("resources") / "demo-game/input-script.json").read_text())
    steps = [{"frames": each["frames"], "buttons": each["buttons"]} for each in script["inputs"]]

    steps[0]["frames"] -= 2  # a console is switched on with two frames of its own

    async def job(say: Talk) -> None:
        assert "Nintendo Entertainment System" in await say("open_game", game=str(rom))
        assert say.pictures == 1
        await say("play", steps=steps[:3], reset=True)
        await say("states", action="save", name="Start")
        await say("play", steps=steps[3:], look=True)
        shown = [f"{seen['frame'] - 1} = {seen['lives']}" for seen in script["observations"][1:10]]
        found = await say("facts", lines=shown)
        await say("set_variable", name="lives", **place(found, ""))
        await say("search", name="score")
        for seen in script["observations"]:
            if seen["frame"] > 190 and seen["score"]:
                await say("seek", frame=seen["frame"] - 1)
                left = await say("refine", name="score", op="equal", value=seen["score"])
        await say("set_variable", name="score", **place(left, ""))
        assert "score" in await say("set_reward", variable="score", reward=1)
        await say("set_done", variable="lives", op="less-than", reference=0)
        await finish(say, "EmberMoth-Nes-v0", own_home / "root")
        assert "Reward of frames" in await say("explain_reward")
        assert "The same on all" in await say("what_if")

    talk(own_home / "root", job, rom, begin=talking)


def test_airstriker_from_the_rom_to_a_verified_integration(own_home: Path) -> None:
    rom = own_home / "Airstriker.md"
    shutil.copyfile(airstriker() / "rom.md", rom)
    menus = ["", "START", "", "B", "", "B", "", "B", ""]
    chance = random.Random(1)
    ways = [[], ["LEFT"], ["RIGHT"], ["UP"], ["DOWN"]]

    def steps(buttons: list[str], frames: int) -> dict[str, object]:
        return {"buttons": buttons, "frames": frames}

    async def job(say: Talk) -> None:
        await say("open_game", game=str(rom))
        wait = [steps([], 210)]
        pressed = [steps([name], 10) if name else steps([], 150) for name in menus]
        await say("play", steps=wait + pressed, reset=True)
        await say("states", action="save", name="Level1")
        await say("save", name="Airstriker")
        # The game is opened again, so that its menus are no part of what was played.
        assert "Level1" in await say("open_game", game="Airstriker-Genesis-v0")
        play = [
            steps(["B"] * (chance.random() < 0.5) + chance.choice(ways), chance.randint(8, 30))
            for _ in range(110)
        ]
        await say("play", steps=play, reset=True)
        await say("look", frames=[300, 600, 900, 1200, 1500], scale=1)
        assert say.pictures == 1
        # The numbers that this picture shows.
        seen = ["300 = 20", "600 = 40", "900 = 60", "1200 = 80", "1500 = 120"]
        found = await say("facts", lines=seen)
        places = re.findall(PLACE, found)
        for address, kind in [place for place in places if place[1] == "|u1"]:
            ruling = await say("prove", address=f"0x{address}", data_type=kind)
            if "original" in ruling:
                wide = re.search(rf"Better: {PLACE}", ruling)
                at, spec = (wide[1], wide[2].rstrip(".")) if wide else (address, kind)
                await say("set_variable", name="score", address=f"0x{at}", data_type=spec)
        lives = await say("suggest", kinds=["lives"])
        await say("set_variable", name="lives", **place(lives, "lives"))
        await say("set_reward", variable="score", reward=1)
        await say("set_done", variable="lives", op="zero")
        await finish(say, "Airstriker-Genesis-v0", own_home / "root")

    talk(own_home / "root", job, rom, begin=talking)
