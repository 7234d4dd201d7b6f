"""The child process of WorkerProcess: holds one object, made by its first request, and calls it."""

import sys
import traceback
import warnings
from typing import Any, TextIO

from libretro_host.errors import HostError
from libretro_host.processes.wire import TrustedChannel, packed, unpacked
from libretro_host.worker import begin_worker, end_worker


class TaskWorker:
    """Answers requests, with the warnings that were shown since the last one."""

    def __init__(self) -> None:
        self._target: object = None
        self._shown: list[tuple[str, type[Warning], str, int]] = []
        warnings.showwarning = self._keep_warning

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            kind, result = "result", packed(self._result(request))
        except Exception as error:  # noqa: BLE001 - worker boundary: raised again by the parent
            kind, result = "error", packed(_portable(error))
        reply = {kind: result, "number": request["number"]}
        if self._shown:
            reply["shown"], self._shown = packed(self._shown), []
        return reply

    def _result(self, request: dict[str, Any]) -> object:
        sys.path += [each for each in request.get("path", ()) if each not in sys.path]
        task = unpacked(request["task"])
        if self._target is None:
            self._target = task()
            return None
        name, arguments, options = task
        return getattr(self._target, name)(*arguments, **options)

    def _keep_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del file, line  # the parent has its own
        self._shown.append((str(message), category, filename, lineno))


def _portable(error: Exception) -> Exception:
    """The error with its traceback as a note; one of ours in its place if it cannot travel."""
    text = traceback.format_exc()
    try:
        unpacked(packed(error))
    except Exception:  # noqa: BLE001 - a class of anyone's, which may raise anything
        error = HostError(f"{type(error).__name__}: {error}")
    error.add_note(text)
    return error


def main() -> None:
    channel = begin_worker(TrustedChannel)
    worker = TaskWorker()
    while True:
        try:
            request = channel.receive()
        except EOFError:
            return
        channel.send(worker.answer(request))


if __name__ == "__main__":
    main()
    end_worker()
