"""The child process of RemoteHost: runs a host MODULE:CLASS until its parent is gone."""

import contextlib
import ctypes
import importlib
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from libretro_host.errors import HostClosedError, HostError
from libretro_host.host import CoreHost, CoreInfo
from libretro_host.processes.child_process import join_parent
from libretro_host.processes.kernel import limit_process
from libretro_host.processes.wire import Channel
from libretro_host.shims import show_pulse

CALLS = frozenset(
    {
        *("load", "run", "reset", "serialize", "unserialize"),
        *("read_ram", "write_ram", "options", "set_option", "close"),
    }
)
"""The methods of CoreHost that a parent may call."""

_STDERR = 2


class Worker:
    """Answers calls to one host; remembers the CoreInfo that the parent was sent last."""

    def __init__(self, channel: Channel, host: CoreHost) -> None:
        self._channel = channel
        self._host = host
        self._calls: dict[str, Callable[..., object]] = {
            name: getattr(host, name) for name in CALLS
        }
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
                # The core forked this process, and the copy returned from the core's call.
                os._exit(0)
            try:
                self._channel.send(reply)
            except (MemoryError, OSError) as error:
                # Shared memory for the result: the system says "file" when no more can be had.
                text = f"the result is too large to hand over ({error}): run fewer frames at once"
                self._channel.send({"error": ["HostError", text], "number": reply["number"]})

    def _answer(self, call: Any) -> dict[str, Any]:
        try:
            if call["call"] == "load":
                limit_process(call["arguments"][0].limits)
            reply = {"result": self._calls[call["call"]](*call["arguments"])}
        except HostError as error:
            reply = {"error": [type(error).__name__, str(error)]}
        except Exception as error:  # noqa: BLE001 - worker boundary: the parent gets to know
            traceback.print_exc()
            reply = {
                "error": ["HostError", f"{type(error).__name__} in the core's process: {error}"]
            }
        info: CoreInfo | None = None
        with contextlib.suppress(HostClosedError):
            info = self._host.info
        if info != self._announced:
            self._announced = info
            reply["info"] = info
        return reply


def flush_output_by_line() -> None:
    """Make C's printf hand over each line at once: a crash loses lines that wait in a buffer."""
    line_buffered = 1  # _IOLBF on Linux and macOS
    with contextlib.suppress(
        OSError, ValueError, AttributeError
    ):  # then logs come later, in blocks
        libc = ctypes.CDLL(None)
        name = "__stdoutp" if sys.platform == "darwin" else "stdout"
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, line_buffered, 0)


def begin_worker(kind: type[Channel] = Channel) -> Channel:
    """The conversation of this process with its parent; cores count their calls for it."""
    channel, pulse = join_parent(sys.argv[1:], kind)
    show_pulse(pulse.memory)
    flush_output_by_line()
    return channel


def end_worker() -> NoReturn:
    """Skip the interpreter's clean-up, in which threads and exit handlers of cores can hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def main() -> None:
    """Run the host ``module:Class`` that the last argument names."""
    channel = begin_worker()
    module, _, name = sys.argv[-1].partition(":")
    host: CoreHost = getattr(importlib.import_module(module), name)()
    # A crash leaves what went to stderr.
    getattr(host, "mirror_log", lambda _: None)(_STDERR)
    Worker(channel, host).serve()
    host.close()


if __name__ == "__main__":
    main()
    end_worker()
