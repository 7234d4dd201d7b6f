"""A client of the SDK's own, which talks to a server in this process or in one of its own."""

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ImageContent, TextContent

from integrator.assistant.server import build_server
from integrator.assistant.workbench import AssistantBench


class Talk:
    """Calls tools, and sees nothing but their results."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.failed = False
        self.pictures = 0

    async def __call__(self, tool: str, **arguments: Any) -> str:
        """The text of a result; an error fails the test unless :meth:`refused` asked for it."""
        text = await self.any(tool, **arguments)
        assert not self.failed, f"{tool} {arguments}: {text}"
        return text

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The text of an error that was expected."""
        text = await self.any(tool, **arguments)
        assert self.failed, f"{tool} {arguments} gave {text}"
        return text

    async def any(self, tool: str, **arguments: Any) -> str:
        """The text of a result or an error."""
        result = await self.client.call_tool(tool, arguments)
        self.failed = result.is_error
        self.pictures = sum(isinstance(each, ImageContent) for each in result.content)
        return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


@asynccontextmanager
async def talking(root: Path, *games: Path) -> AsyncIterator[Talk]:
    """A server over a root, and a client that talks to it over real pipes."""
    command = ["-m", "integrator", "mcp", *map(str, games), "--root", str(root)]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        yield Talk(client)


@asynccontextmanager
async def talking_here(root: Path, *games: Path) -> AsyncIterator[Talk]:
    """The same with a server in this process: the start of another takes more than a second."""
    with closing(AssistantBench(root, *games)) as bench:
        async with Client(build_server(bench)) as client:
            yield Talk(client)


def talk(
    root: Path,
    conversation: Callable[[Talk], Awaitable[None]],
    *games: Path,
    begin: Callable[..., AbstractAsyncContextManager[Talk]] = talking_here,
) -> None:
    """Hold a conversation with a server of its own."""

    async def hold() -> None:
        async with begin(root, *games) as said:
            await conversation(said)

    anyio.run(hold)
