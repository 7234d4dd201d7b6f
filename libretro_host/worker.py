"""The program of child processes: runs a host for RemoteHost, or tasks for WorkerProcess."""

import contextlib
import ctypes
import importlib
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from libretro_host.errors import HostClosedError, HostError
from libretro_host.host import CoreHost, CoreInfo
from libretro_host.processes.child_process import join_parent
from libretro_host.processes.kernel import end_if_full
from libretro_host.processes.wire import Channel, TrustedChannel, packed, unpacked
from libretro_host.shims import show_pulse

CALLS = frozenset((  # the methods of CoreHost that a parent may call
    "load", "run", "reset", "serialize", "unserialize",
    "read_ram", "write_ram", "options", "set_option", "close",
))  # fmt: skip


class Worker:
    """Answers the parent's calls to one host, and sends the host's CoreInfo when it has changed."""

    def __init__(self, channel: Channel, host: CoreHost) -> None:
        self._channel, self._host = channel, host
        self._calls: dict[str, Callable[..., object]] = {one: getattr(host, one) for one in CALLS}
        self._announced: CoreInfo | None = None

    def serve(self) -> None:
        own_pid = os.getpid()
        while True:
            try:
                call = self._channel.receive()
            except EOFError:
                return
            reply = {**self._answer(call), "number": call["number"]}
            if os.getpid() != own_pid:
                # The core forked inside the call, and this is the fork, which must not reply.
                os._exit(0)
            end_if_full()
            try:
                self._channel.send(reply)
            except (MemoryError, OSError, HostError) as error:
                # Shared memory is used up; the error alone would only mention a file, the slot.
                text = f"the result is too large to hand over ({error}): run fewer frames at once"
                self._channel.send({"error": ["HostError", text], "number": reply["number"]})

    def _answer(self, call: Any) -> dict[str, Any]:
        try:
            reply = {"result": self._calls[call["call"]](*call["arguments"])}
        except HostError as error:
            reply = {"error": [type(error).__name__, str(error)]}
        except Exception as error:  # noqa: BLE001 - worker boundary: the parent reports it
            traceback.print_exc()
            text = f"{type(error).__name__} in the core's process: {error}"
            reply = {"error": ["HostError", text]}
        info: CoreInfo | None = None
        with contextlib.suppress(HostClosedError):
            info = self._host.info
        if info != self._announced:
            self._announced = info
            reply["info"] = info
        return reply


class TaskWorker:
    """Calls methods of the object that the first request makes; replies include new warnings."""

    def __init__(self) -> None:
        self._target: object = None
        self._shown: list[tuple[str, type[Warning], str, int]] = []
        # ``file`` and ``line`` are ignored, because the parent shows the warnings itself.
        warnings.showwarning = lambda message, category, filename, lineno, *_, **__: (
            self._shown.append((str(message), category, filename, lineno))
        )

    def serve(self, channel: Channel) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                channel.send(self._answer(channel.receive()))
        # An interrupted parent did not call close(), which completes a movie, for example.
        if (close := getattr(self._target, "close", None)) is not None:
            close()

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        sys.path += [each for each in request.get("path", ()) if each not in sys.path]
        try:
            task, result = unpacked(request["task"]), None
            if self._target is None:
                self._target = task()
            else:
                name, arguments, options = task
                result = getattr(self._target, name)(*arguments, **options)
            kind, result = "result", packed(result)
        except Exception as error:  # noqa: BLE001 - worker boundary: raised again by the parent
            kind, result = "error", packed(_portable(error))
        end_if_full()
        reply = {kind: result, "number": request["number"]}
        if self._shown:
            reply["shown"], self._shown = packed(self._shown), []
        return reply


def _portable(error: Exception) -> Exception:
    """Return the error with its traceback as a note, or a HostError if it cannot be pickled."""
    text = traceback.format_exc()
    try:
        unpacked(packed(error))
    except Exception:  # noqa: BLE001 - pickling a foreign class may raise anything
        error = HostError(f"{type(error).__name__}: {error}")
    error.add_note(text)
    return error


def main(inner: str = "") -> None:
    """Run the host ``inner``, given as ``module:Class``, or tasks if ``inner`` is empty."""
    channel, pulse = join_parent(sys.argv[1], Channel if inner else TrustedChannel)
    show_pulse(pulse.memory)
    # Make C's printf write each line at once, because a crash loses lines that wait in a buffer.
    # If this fails, lines only arrive later, in blocks.
    line_buffered = 1  # _IOLBF on Linux and macOS
    with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
        libc, stdout = ctypes.CDLL(None), "__stdoutp" if sys.platform == "darwin" else "stdout"
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, stdout), None, line_buffered, 0)
    if not inner:
        TaskWorker().serve(channel)
        return
    module, _, name = inner.partition(":")
    host: CoreHost = getattr(importlib.import_module(module), name)()
    getattr(host, "mirror_log", lambda _: None)(2)  # survives a crash
    Worker(channel, host).serve()
    host.close()


if __name__ == "__main__":
    main(*sys.argv[2:])
    # Skip the interpreter's clean-up, in which threads and exit handlers of cores can hang.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
