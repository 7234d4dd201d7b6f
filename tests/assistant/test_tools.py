"""Tools, some over real pipes: wrong calls, files out of reach, ends before time, and chance."""

import base64
import contextlib
import json
import math
import random
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import anyio
import pytest
from mcp import MCPError
from mcp_types import BlobResourceContents, TextResourceContents, Tool
from talking import Talk, talk, talking

from integrator.assistant.playing import frame_text
from integrator.assistant.workbench import AssistantBench, Call, CallStopped
from integrator.commands.shared.options import DEMO_GAME, demo_game
from integrator.domain.movies.reading import MOVIE_FORMATS
from integrator.session.frame.result import Event
from integrator.session.opening import open_session
from integrator.session.scoring.rescorer import Recorded
from libretro_host.processes import children

_SHORT: Final = 120
_WHOLE: Final = 10_000
_SLOW: Final = {
    "audit",
    "auto",
    "verify",
    "suggest",
    "point",
    "ends",
    "prove",
    "open_game",
    "check",
}
_WORDS: Final = (
    "lives", "score", "x", "", "../x", "A\0B", "Start", "ü" * 70, "main", "rom.nes", "|u1", ">u2",
    ">d3", "increased", "equal", "300 = 2", "0x302", "LEFT", "crop", "reward.time", "0",
)  # fmt: skip
_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "integer": (0, 1, 2, 8, 77, 0x302, 300, 65_536, -5),
    "number": (0.0, 1.0, -0.5, 1e30),
    "boolean": (False, True),
    "null": (None,),
}


def test_a_call_that_was_stopped_begins_no_more_work(tmp_path: Path) -> None:
    """Such as the next slice of what_if, whose slices all end at once."""

    class ReadyBench(AssistantBench):
        def post(self, command: Callable[[Any], Any]) -> Future[Any]:
            done.append(command)
            answer: Future[Any] = Future()
            answer.set_result(None)
            return answer

    done = list[object]()
    call = Call(ReadyBench(tmp_path))
    call.ask(lambda _: None)
    call.stop()
    with pytest.raises(CallStopped):
        call.ask(lambda _: None)
    assert len(done) == 1


def test_wrong_calls_say_what_would_be_right(own_home: Path) -> None:
    async def job(say: Talk) -> None:
        assert "call open_game first" in await say.refused("look")
        assert "there are open_game" in await say.refused("dance")
        assert "it takes game, state, players" in await say.refused("open_game", gane="x")
        assert "valid string, not 3" in await say.refused("open_game", game=3)
        assert "Games in reach" in await say.refused("open_game", game="Nothing")
        await say("open_game", game=DEMO_GAME)
        assert "there are B, SELECT" in await say.refused("play", steps=[{"buttons": ["JUMP"]}])
        assert "there are frames 1 to 1" in await say.refused("seek", frame=9)
        assert "begin it with" in await say.refused("refine", name="a", op="equal", value=1)
        await say("search", name="a")
        assert "'equal', 'not-equal'" in await say.refused("refine", name="a", op="same")
        assert "there are equal" in await say.refused("set_reward", variable="lives", op="same")
        text = await say("set_reward", variable="nothing", reward=1)
        assert "Fault: reward.variables.nothing" in text
        assert "scenario.json" in await say("undo")

    talk(own_home / "root", job)


def test_only_files_below_the_root_and_named_roms_are_reached(own_home: Path) -> None:
    root, outside = own_home / "root", own_home / "outside.nes"
    root.mkdir()
    outside.write_bytes(b"NES\x1a")
    (root / "link.nes").symlink_to(outside)

    async def job(say: Talk) -> None:
        for path in (str(outside), "../outside.nes", "link.nes", "/etc/passwd"):
            assert "only paths below" in await say.refused("open_game", game=path)
        await say("open_game", game=DEMO_GAME)
        assert "save it first" in await say.refused("movies", action="record", name="a")
        await say("save")
        assert (root / DEMO_GAME / "data.json").is_file()
        for name in ("../a", "/tmp/a", ".a"):
            assert "no file name" in await say.refused("movies", action="record", name=name)
        assert "script" in await say.refused("set_script", name="../a.lua", text="x = 1")
        forbidden = "function reward() return os.time() end"
        await say("set_script", name="a.lua", text=forbidden)
        await say("set_scenario", path="reward.script", value="lua:reward")
        assert "os" in await say.any("play", steps=[{"frames": 5}])

    talk(root, job)


def test_a_long_call_reports_progress_and_can_be_called_off(own_home: Path) -> None:
    told: list[tuple[float, float | None]] = []

    async def job(say: Talk) -> None:
        async def hear(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001 - the SDK's words
            told.append((progress, total))
            scope.cancel()

        await say("open_game", game=DEMO_GAME)
        with anyio.CancelScope() as scope:
            await say.client.call_tool(
                "play", {"steps": [{"frames": 36_000}]}, progress_callback=hear
            )
        if scope.cancelled_caught:
            text = await say("look")
            assert int(text.split()[1].replace(",", "")) < 36_000
        assert told

    talk(own_home / "root", job)


def test_looking_keeps_written_memory(own_home: Path) -> None:
    async def job(say: Talk) -> None:
        await say("open_game", game=DEMO_GAME)
        await say("play", steps=[{"buttons": ["LEFT"], "frames": 30}])
        await say("set_variable", name="mine", address="0x10")
        await say("write_memory", address="0x10", value=77)
        assert "mine 77" in await say("look", variables=["mine"])
        assert "lose that" in await say.refused("look", frames=[3, 4])
        assert await say("read_memory", address="0x10") == "0x10 |u1: 77"

    talk(own_home / "root", job)


def test_a_new_movie_format_is_played(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MOVIE_FORMATS, ".tape", MOVIE_FORMATS[".fm2"])

    async def job(say: Talk) -> None:
        await say("open_game", game=DEMO_GAME)
        await say("save")
        tape = own_home / "root" / DEMO_GAME / "b.tape"
        tape.write_bytes(b"version 3\n|0|R.......||\n|0|........||\n")
        assert "no row was compared" in await say("movies", action="play", name="b.tape")

    talk(own_home / "root", job)


def test_no_movie_is_recorded_over_another_or_as_fm2(own_home: Path) -> None:
    folder = own_home / "root" / DEMO_GAME

    async def job(say: Talk) -> None:
        await say("open_game", game=DEMO_GAME)
        await say("save")
        assert "Recording a.fm2.bk2" in await say("movies", action="record", name="a.fm2")
        await say("movies", action="stop")
        before = (folder / "a.fm2.bk2").read_bytes()
        assert "already" in await say.refused("movies", action="record", name="a.fm2.bk2")
        assert (folder / "a.fm2.bk2").read_bytes() == before
        assert "no row differs" in await say("movies", action="play", name="a.fm2.bk2")
        (folder / "b.fm2").write_bytes(b"version 3\n|0|R.......||\n|0|........||\n")
        assert "no row was compared" in await say("movies", action="play", name="b.fm2")

    talk(own_home / "root", job)


def test_rewards_are_those_of_the_newest_edit(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, calls = Recorded.work, iter(range(40))

    def later(self: Recorded, spare_s: float) -> tuple[Event, ...]:
        time.sleep(0.01)
        return work(self, spare_s) if next(calls, None) is None else ()

    monkeypatch.setattr(Recorded, "work", later)

    async def job(say: Talk) -> None:
        await say("open_game", game=DEMO_GAME)
        await say("play", steps=[{"buttons": ["LEFT"], "frames": 300}])
        assert "so far 20" in await say("look")
        await say("set_reward", variable="score", reward=7)
        assert "so far 140" in await say("look")

    talk(own_home / "root", job)


@pytest.mark.usefixtures("own_home")
def test_a_sum_that_is_not_known_is_no_number() -> None:
    with open_session(demo_game()) as session:
        shown = session.reset()
        outcome = replace(shown.outcome, total_rewards=(math.nan,))
        assert "so far not known" in frame_text(session, replace(shown, outcome=outcome))


def test_book_documents_and_plots_can_be_read(own_home: Path) -> None:
    async def job(say: Talk) -> None:
        client = say.client
        pages = {str(each.uri) for each in (await client.list_resources()).resources}
        assert "book://guide/06-reward.md" in pages
        [page] = (await client.read_resource("book://guide/06-reward.md")).contents
        assert isinstance(page, TextResourceContents)
        assert page.text.startswith("# ")
        with pytest.raises(MCPError, match="call open_game first"):
            await client.read_resource("integration://data.json")
        await say("open_game", game=DEMO_GAME)
        await say("play", steps=[{"buttons": ["LEFT"], "frames": 300}])
        await say("set_variable", name="mine", address="0x10")
        [data] = (await client.read_resource("integration://data.json")).contents
        assert isinstance(data, TextResourceContents)
        assert json.loads(data.text)["info"]["mine"]["address"] == 16
        [plot] = (await client.read_resource("plot://lives,reward")).contents
        assert isinstance(plot, BlobResourceContents)
        assert base64.b64decode(plot.blob).startswith(b"\x89PNG")
        for uri in ("integration://..%2Fa", "integration://rom.nes", "plot://none"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
        prompts = {each.name: each for each in (await client.list_prompts()).prompts}
        assert set(prompts) == {"integrate_game", "review_integration", "explain_my_reward"}
        told = await client.get_prompt("integrate_game", {"game": "Moth.nes"})
        assert "Moth.nes" in str(told.messages[0].content)

    talk(own_home / "root", job)


def test_two_clients_work_at_once(own_home: Path) -> None:
    async def job() -> None:
        root = own_home / "root"
        async with talking(root) as one, talking(root) as other, anyio.create_task_group() as both:
            for say, frames in ((one, 100), (other, 200)):
                both.start_soon(_play, say, frames)

    anyio.run(job)


async def _play(say: Talk, frames: int) -> None:
    await say("open_game", game=DEMO_GAME)
    for _ in range(3):
        text = await say("play", steps=[{"frames": frames}])
    assert text.startswith(f"Frame {3 * frames + 1:,} of"), text


def test_a_client_that_dies_leaves_nothing_running(own_home: Path) -> None:
    """The client's own process is killed in the midst of a long call."""
    script = own_home / "client.py"
    script.write_text(
        "import anyio, sys\nfrom pathlib import Path\n"
        "from talking import talking\n"
        "async def job():\n"
        f"    async with talking(Path({str(own_home / 'root')!r})) as say:\n"
        f"        await say('open_game', game={DEMO_GAME!r})\n"
        "        print('open', flush=True)\n"
        "        await say('audit')\n"
        "anyio.run(job)\n"
    )
    folder = Path(__file__).parent
    environment = children.child_environment({"PYTHONPATH": f"{folder}:{folder.parents[1]}"})
    client = children.start([sys.executable, str(script)], environment=environment, stdout=-1)
    with client:
        assert client.stdout is not None
        assert client.stdout.readline() == b"open\n"
        time.sleep(1)
        family = _family(client.pid)
        assert len(family) > 2, family
        client.kill()
    deadline = time.monotonic() + 60
    while (left := [pid for pid in family if _lives(pid)]) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not left


def _family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for each in found:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            with contextlib.suppress(OSError):  # the thread ended while we looked
                found += map(int, task.read_text().split())
    return found


def _lives(pid: int) -> bool:
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("calls", [_SHORT, _WHOLE], ids=["short", "whole"])
def test_random_calls_end_in_typed_errors_and_leave_the_session_usable(
    own_home: Path, calls: int
) -> None:
    chance, rom = random.Random(calls), own_home / "Moth.nes"
    shutil.copyfile(demo_game() / "rom.nes", rom)

    async def job(say: Talk) -> None:
        tools = (await say.client.list_tools()).tools
        quick = [tool for tool in tools if tool.name not in _SLOW]
        await say("open_game", game=DEMO_GAME)
        for number in range(calls):
            tool = chance.choice(tools if number % 100 == 0 else quick)
            arguments = _arguments(tool, chance)
            text = await say.any(tool.name, **arguments)
            assert text.strip() != f"Error executing tool {tool.name}", (number, arguments)
            assert len(text) < 8000, (tool.name, arguments, text)
        await say("open_game", game=str(rom))
        assert "Frame 61 of 61" in await say("play", steps=[{"frames": 60}])

    talk(own_home / "root", job, rom)


def _arguments(tool: Tool, chance: random.Random) -> dict[str, Any]:
    fields = tool.input_schema.get("properties", {})
    taken = {
        name: _value(schema, chance, tool.input_schema.get("$defs", {}))
        for name, schema in fields.items()
        if name in tool.input_schema.get("required", ()) or chance.random() < 0.6
    }
    if chance.random() < 0.03:
        taken["more"] = 1
    return taken


def _value(schema: Mapping[str, Any], chance: random.Random, defs: Mapping[str, Any]) -> Any:
    """A value of a schema's kind most of the time."""
    schema = chance.choice(schema.get("anyOf", [schema]))
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if chance.random() < 0.04:
        return chance.choice([None, -1, 2**70, "x", [], {}, True, 1e300, "0x10", [[[]]]])
    if "enum" in schema:
        return chance.choice([*schema["enum"], "other"])
    kind = schema.get("type")
    kind = chance.choice(kind) if isinstance(kind, list) else kind
    if kind == "array":
        count = chance.randint(0, 3)
        return [_value(schema.get("items", {}), chance, defs) for _ in range(count)]
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: _value(each, chance, defs) for name, each in fields.items()}
    return chance.choice(_VALUES.get(str(kind), _WORDS))
