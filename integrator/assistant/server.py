"""The server: tools, resources and prompts that use one workbench."""

import inspect
import os
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
import numpy as np
import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.resources import FileResource
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from integrator import paths
from integrator.assistant import finding, playing, scoring
from integrator.assistant.workbench import AssistantBench, Call
from integrator.domain.errors import ChoiceError, IntegratorError, SessionError
from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.domain.words import sections
from integrator.session.session import Session
from integrator.session.stills import png_bytes
from integrator.version import __version__

T = TypeVar("T")

_WIDTH, _HEIGHT, _GAP = 640, 120, 6
_PAPER, _FRAME, _INK = (24, 26, 31), (60, 64, 72), (122, 190, 255)

_PROMPTS: Final = sections(Path(__file__).with_name("prompts.md"))


def integrate_game(game: str) -> str:
    """Integrate a game: from its ROM to an integration that training agrees with."""
    return _PROMPTS["integrate_game"].format(game=game)


def review_integration(game: str) -> str:
    """Review an integration: is it what an agent should learn from?"""
    return _PROMPTS["review_integration"].format(game=game)


def explain_my_reward(game: str, movie: str) -> str:
    """Why does my agent get this reward? From a movie of its play."""
    return _PROMPTS["explain_my_reward"].format(game=game, movie=movie)


def add_reading(server: MCPServer[Any], bench: AssistantBench) -> None:
    book = paths.shipped("docs")
    for page in sorted(book.glob("[fgh]*/*.md")):  # the chapters that are shipped
        name = page.relative_to(book).as_posix()
        title = read_text(page, TEXT_BYTES).partition("\n")[0].lstrip("# ")
        uri, kind = f"book://{name}", "text/markdown"
        shown = FileResource(uri=uri, name=name, title=title, path=page, mime_type=kind)
        server.add_resource(shown)

    def document(file: str) -> str:
        """A document of the open integration: data.json, scenario.json, metadata.json, a script."""
        return _asked(bench, lambda session: _document(session, file))

    def plot(series: str) -> bytes:
        """A plot of variables, or reward, over the timeline: a row each, from least to greatest."""
        return _asked(bench, lambda session: _plot(session, series.split(",")))

    server.resource("integration://{file}", mime_type="text/plain")(document)
    server.resource("plot://{+series}", mime_type="image/png")(plot)
    for prompt in (integrate_game, review_integration, explain_my_reward):
        server.prompt()(prompt)


def _asked(bench: AssistantBench, command: Callable[[Session], T]) -> T:
    try:
        return bench.post(command).result(60)
    except (IntegratorError, TimeoutError) as error:
        raise ResourceError(str(error)) from error


def _document(session: Session, file: str) -> str:
    integration = session.integration
    known = [each.path.name for each in integration.documents] + list(integration.scripts)
    content = integration.content(file) if file in known else None
    if content is None:
        raise ChoiceError(f"{file}: no such document; there are {', '.join(known)}")
    return content if isinstance(content, str) else str(getattr(content, "text", content))


def _plot(session: Session, names: list[str]) -> bytes:
    """Draw a row for each series, with a bar in each column over the values of its frames."""
    travel = session.timeline
    if "reward" in names and session.recorded.stale:
        raise SessionError(session.recorded.stale)
    rows = np.full((len(names[:8]), _HEIGHT + _GAP, _WIDTH, 3), _PAPER, np.uint8)
    rows[:, [0, _HEIGHT - 1]] = _FRAME
    for name, picture in zip(names, rows, strict=False):
        paid = name == "reward"
        values = (travel.log.rewards(1)[:, 0] if paid else travel.column(name)).astype(np.float64)
        if not len(values):
            continue
        level = values.cumsum() if paid else values
        level -= level.min()
        y = _HEIGHT - 3 - (level / (level.max() or 1) * (_HEIGHT - 5)).round().astype(np.intp)
        edges = np.linspace(0, len(y) - 1, _WIDTH + 1).astype(np.intp)
        for x, (first, last) in enumerate(pairwise(edges.tolist())):
            part = y[first : last + 1]
            picture[part.min() : part.max() + 1, x] = _INK
    return png_bytes(np.vstack(list(rows)))


Tool = Callable[..., str | list[str | Image]]

TOOLS: Final[tuple[Tool, ...]] = (  # in the order in which a client lists them
    playing.open_game, playing.play, playing.look, playing.seek, playing.branches,
    finding.suggest, finding.search, finding.refine, finding.facts, finding.point,
    finding.prove, finding.ends, playing.read_memory, playing.write_memory,
    scoring.set_variable, scoring.set_reward, scoring.set_done, scoring.set_actions,
    scoring.states, scoring.set_scenario, scoring.set_script, scoring.what_if,
    scoring.explain_reward, playing.movies, scoring.undo, scoring.save, scoring.check,
    scoring.verify, scoring.audit, scoring.auto,
)  # fmt: skip

_READING: Final = frozenset((  # these change neither the game nor its files
    playing.look, playing.read_memory, finding.facts, finding.suggest, finding.point,
    finding.prove, finding.ends, scoring.what_if, scoring.explain_reward, scoring.check,
    scoring.verify, scoring.audit,
))  # fmt: skip

_LONG: Final = _READING - {playing.look, playing.read_memory} | {
    playing.open_game, playing.play, playing.movies, scoring.save, scoring.auto,
}  # fmt: skip


class AssistantServer(MCPServer[Any]):
    """The SDK's server, with errors that say which arguments a tool has."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(f"no tool {name!r}; there are {', '.join(tools)}")
        taken = tools[name].input_schema.get("properties", {})
        unknown = sorted(arguments.keys() - taken.keys())
        if unknown:
            words = ", ".join(taken) or "no arguments"
            raise ToolError(f"{name} has no argument {unknown[0]!r}; it takes {words}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            faults = [
                f"{'.'.join(map(str, each['loc']))}: {each['msg']}, not {each['input']!r:.60}"
                for each in error.__cause__.errors(include_url=False, include_context=False)
            ]
            raise ToolError(f"{name}: {'; '.join(faults[:3])}") from error


def build_server(bench: AssistantBench) -> AssistantServer:
    """Make a server of all tools, resources and prompts, which use a workbench."""
    instructions = """\
Turns a console game into a reinforcement-learning environment: find variables in memory, define
reward and done, save a start state, and verify the result against stable-retro.
Usual order: open_game; play (about a minute, with all buttons; lose a life); suggest; look;
set_variable; set_reward; ends; set_done; states save; save; check; verify; audit.
Everything played is kept, and any tool can be asked about it later."""
    server = AssistantServer(
        "integrator", version=__version__, instructions=instructions, log_level="WARNING"
    )
    turn = anyio.Lock()
    for tool in TOOLS:
        hints = ToolAnnotations(read_only_hint=tool in _READING, open_world_hint=False)
        served = _served(tool, bench, turn, deadline_s=900 if tool in _LONG else 60)
        server.add_tool(served, annotations=hints, structured_output=False)
    add_reading(server, bench)
    return server


def serve(bench: AssistantBench) -> None:
    """Serve over standard input and output until the client closes them, and then end all work."""
    server = build_server(bench)
    try:
        server.run("stdio")
    finally:
        # A running call ends when it next checks for a stop; if that takes 10 s, end the process.
        last_resort = threading.Timer(10, os._exit, (1,))
        last_resort.daemon = True
        last_resort.start()
        bench.close()


def _served(
    tool: Tool, bench: AssistantBench, turn: anyio.Lock, deadline_s: float
) -> Callable[..., Awaitable[Any]]:
    """Wrap a tool for the SDK: it runs on a worker thread, one call at a time, with a timeout. A
    tool with a ``session`` argument runs completely on the session's thread, with scores of the
    newest edit."""
    taken = inspect.signature(tool).parameters

    async def run(context: Context[Any, Any], **arguments: Any) -> list[str | Image]:
        async with turn:
            call = Call(bench)
            given = ", ".join(f"{name}={value!r:.80}" for name, value in arguments.items() if value)
            work = partial(tool, **{"call": call} if "call" in taken else {}, **arguments)
            if "session" in taken:
                work = partial(call.ask_scored, work)
            step = partial(_step, call, f"{tool.__name__}({given})", work)
            try:
                with anyio.fail_after(deadline_s):
                    result = await _reporting(call, context, step)
            except TimeoutError as error:
                raise ToolError(f"stopped: not done after {deadline_s:g} seconds") from error
            except (IntegratorError, OSError) as error:
                raise ToolError(str(error)) from error
            finally:
                call.stop()
        shown = [result] if isinstance(result, str) else result
        return [*shown, *(f"Note: {bench.notes.popleft()}" for _ in range(len(bench.notes)))]

    kind = inspect.Parameter.KEYWORD_ONLY
    own = inspect.Parameter("context", kind, annotation=Context[Any, Any])
    asked = [each.replace(kind=kind) for each in taken.values()]
    parameters = [own, *(each for each in asked if each.name not in ("session", "call"))]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # functions take any attribute
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__name__, run.__doc__ = tool.__name__, inspect.getdoc(tool)
    return run


def _step(
    call: Call, step: str, work: Callable[[], str | list[str | Image]]
) -> str | list[str | Image]:
    """Run a step of the assistant, and report it to the bench before and after."""
    call.bench.admit(call, step)
    try:
        result = work()
    except (IntegratorError, OSError) as error:
        call.bench.step_ended(step, str(error))
        raise
    text = str(result if isinstance(result, str) else result[0])
    call.bench.step_ended(step, text.partition("\n")[0])
    return result


async def _reporting(call: Call, context: Context[Any, Any], work: Callable[[], Any]) -> Any:
    """Run work on a worker thread and return its result; report its progress to the client."""

    async def report() -> None:
        reported = call.done
        while True:
            await anyio.sleep(0.25)
            if call.done != reported:
                reported = call.done
                await context.report_progress(*reported)

    result: Any = None
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(report)
        try:
            result = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except (IntegratorError, OSError) as error:
            failure = error  # raised below, because the task group would wrap it
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result


_ADDRESS: Final = "127.0.0.1"


class LocalServer:
    """Serves the session of an open window on a port of this computer, protected by a key. It runs
    on its own thread until it is closed; a client needs ``url`` and ``key``."""

    def __init__(self, bench: AssistantBench) -> None:
        self.key = secrets.token_urlsafe(24)
        self._socket = socket.socket()
        self._socket.bind((_ADDRESS, 0))
        self.url = f"http://{_ADDRESS}:{self._socket.getsockname()[1]}/mcp"
        app = _guarded(build_server(bench).streamable_http_app(), self.key)
        config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="assistant", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Disconnect the clients and stop the server. Idempotent."""
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()


def _guarded(app: ASGIApp, key: str) -> ASGIApp:
    """Wrap the application so that requests without the key get status 401."""
    wanted = f"Bearer {key}".encode()

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or secrets.compare_digest(
            dict(scope["headers"]).get(b"authorization", b""), wanted
        ):
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"wrong key"})

    return guard
