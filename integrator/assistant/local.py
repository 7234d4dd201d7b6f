"""The server on a port of this computer, behind a key: for the session of an open window."""

import secrets
import socket
import threading
from typing import Final

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from integrator.assistant.server import build_server
from integrator.assistant.workbench import AssistantBench

_ADDRESS: Final = "127.0.0.1"


class LocalServer:
    """Serves in a thread of its own until closed; ``url`` and ``key`` are the client's."""

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
        """Let the clients go. Idempotent."""
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()


def _guarded(app: ASGIApp, key: str) -> ASGIApp:
    """The application for those that name the key, and 401 for all others."""
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
