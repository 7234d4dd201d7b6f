"""An assistant in the person's own window: seen, paused, taken back, and asked before it saves."""

import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners

from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.assistant import AssistantController, AssistantDialog
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow

PATIENCE_S = 120
Say = Callable[..., Awaitable[str]]


def begin(window: MainWindow) -> tuple[AssistantDialog, str, str]:
    """The dialog, the address and the key, as a person copies them."""
    window.actions_by_key["assistant"].trigger()
    dialog = window.parts[AssistantController].dialog
    assert dialog is not None
    server = json.loads(dialog.configuration.toPlainText())["mcpServers"]["integrator"]
    return dialog, server["url"], server["headers"]["Authorization"]


def hold(url: str, key: str, conversation: Callable[[Say], Awaitable[None]]) -> threading.Thread:
    """A client in a thread of its own; the thread has ended when it is satisfied."""

    async def talk() -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": key}, timeout=PATIENCE_S) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):

            async def say(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                texts = [each.text for each in result.content if isinstance(each, TextContent)]
                return f"{'ERROR ' if result.is_error else ''}{texts[0]}"

            await conversation(say)

    thread = threading.Thread(target=anyio.run, args=(talk,), name="client", daemon=True)
    thread.start()
    return thread


def test_steps_are_seen_and_on_the_same_undo_history(open_game: MainWindow, qtbot: QtBot) -> None:
    dialog, url, key = begin(open_game)
    said: list[str] = []

    async def work(say: Say) -> None:
        said.append(await say("play", steps=[{"buttons": ["LEFT"], "frames": 30}]))
        said.append(await say("set_variable", name="mine", address="0xFF0000", data_type="|u1"))
        await say("undo")

    client = hold(url, key, work)
    qtbot.waitUntil(lambda: not client.is_alive(), timeout=1000 * PATIENCE_S)
    assert said[0].startswith("Frame 31 of 31")
    seen: list[None] = []  # after the last step, which the window shows before
    open_game.bridge.ask(lambda _: None, seen.append)
    qtbot.waitUntil(lambda: bool(seen))
    assert "mine" not in open_game.parts[VariablesView].model.names
    dialog.take_back.click()  # the step that took back another one
    qtbot.waitUntil(lambda: "mine" in open_game.parts[VariablesView].model.names)
    qtbot.waitUntil(lambda: open_game.controller.last is not None)
    qtbot.waitUntil(lambda: open_game.controller.last.number == 31)  # type: ignore[union-attr] # as waited for
    log = open_game.parts[LogView].text.toPlainText()
    assert "play(steps=" in log
    assert "set_variable(name='mine'" in log
    dialog.take_back.click()
    qtbot.waitUntil(lambda: "mine" not in open_game.parts[VariablesView].model.names)
    dialog.take_back.click()
    qtbot.waitUntil(lambda: open_game.controller.last.number == 1)  # type: ignore[union-attr] # as waited for
    dialog.take_back.click()
    qtbot.waitUntil(lambda: any("no step to take back" in each for each in banners(open_game)))


def test_pokes_and_recordings_of_the_assistant_are_shown(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    dialog, url, key = begin(open_game)
    dialog.may_save.setChecked(True)
    goes_on = threading.Event()

    async def work(say: Say) -> None:
        await say("save")
        await say("movies", action="record", name="mine")
        await anyio.to_thread.run_sync(goes_on.wait)
        await say("movies", action="stop")
        said.append(await say("set_variable", name="mine", address="0xFF0000", data_type="|u1"))
        said.append(await say("write_memory", address="0xFF0000", value=77))

    said: list[str] = []
    client = hold(url, key, work)
    controls = open_game.screen_panel.transport
    qtbot.waitUntil(lambda: not controls.stop.isHidden(), timeout=1000 * PATIENCE_S)
    goes_on.set()
    qtbot.waitUntil(lambda: not client.is_alive(), timeout=1000 * PATIENCE_S)
    qtbot.waitUntil(controls.stop.isHidden)
    table = open_game.parts[VariablesView].model
    qtbot.waitUntil(lambda: "mine" in table.names)
    row = table.names.index("mine")
    assert len(said) == 2, said
    assert not any(each.startswith("ERROR") for each in said), said
    qtbot.waitUntil(lambda: table.index(row, 1).data() == "77")


def test_a_step_that_changes_nothing_shows_no_frame_again(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    _, url, key = begin(open_game)
    bridge, shown, done = open_game.bridge, list[int](), list[bool]()
    with qtbot.waitSignal(bridge.frame_ready, check_params_cb=lambda frame: frame.number == 6):
        bridge.ask(lambda session: bridge.show(session.advance(frames=5)))
    bridge.frame_ready.connect(lambda frame: shown.append(frame.number))

    async def work(say: Say) -> None:
        assert "0xFF0000" in await say("read_memory", address="0xFF0000")
        assert "0xFF0001" in await say("read_memory", address="0xFF0001")

    client = hold(url, key, work)
    qtbot.waitUntil(lambda: not client.is_alive(), timeout=1000 * PATIENCE_S)
    bridge.ask(lambda _: None, lambda _: done.append(True))
    qtbot.waitUntil(lambda: bool(done))
    assert not shown


def test_saving_waits_for_the_click_unless_allowed(open_game: MainWindow, qtbot: QtBot) -> None:
    dialog, url, key = begin(open_game)
    said: list[str] = []
    allowed = threading.Event()

    async def work(say: Say) -> None:
        await say("set_variable", name="mine", address="0xFF0000")
        said.append(await say("save"))
        await anyio.to_thread.run_sync(allowed.wait)
        said.append(await say("save"))

    client = hold(url, key, work)

    def ask() -> list[QPushButton]:
        buttons = open_game.screen_panel.notices.findChildren(QPushButton)
        return [each for each in buttons if each.text() == "Save"]

    qtbot.waitUntil(lambda: bool(ask()), timeout=1000 * PATIENCE_S)
    assert not said
    assert open_game.isWindowModified()
    ask()[0].click()
    qtbot.waitUntil(lambda: bool(said), timeout=1000 * PATIENCE_S)
    dialog.may_save.setChecked(True)
    allowed.set()
    qtbot.waitUntil(lambda: not client.is_alive(), timeout=1000 * PATIENCE_S)
    assert [each.startswith("Saved ") for each in said] == [True, True], said
    qtbot.waitUntil(lambda: not open_game.isWindowModified())


def test_a_wrong_key_is_refused_and_pause_and_stop_work(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    dialog, url, key = begin(open_game)
    assert url.startswith("http://127.0.0.1:")
    for wrong in ({"Authorization": f"{key}x"}, {}):
        assert httpx2.post(url, headers=wrong, json={}, timeout=PATIENCE_S).status_code == 401
    dialog.close()
    open_game.actions_by_key["assistant"].trigger()
    assert key.removeprefix("Bearer ") not in dialog.configuration.toPlainText()
    said: list[str] = []

    async def work(say: Say) -> None:
        said.append(await say("look"))

    dialog.pause.setChecked(True)
    client = hold(url, key, work)
    qtbot.wait(1000)
    assert not said
    dialog.pause.setChecked(False)
    qtbot.waitUntil(lambda: not client.is_alive(), timeout=1000 * PATIENCE_S)
    assert said[0].startswith("Frame 1 of 1")
    dialog.stop.click()
    qtbot.waitUntil(lambda: open_game.parts[AssistantController].dialog is None)
    with pytest.raises(httpx2.ConnectError):
        httpx2.post(url, json={}, timeout=PATIENCE_S)
