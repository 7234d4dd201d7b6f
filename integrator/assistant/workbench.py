"""The open game of an assistant, the files that the assistant may use, and a tool's call."""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import ChoiceError, SessionError
from integrator.domain.integration.naming import is_integration, with_system
from integrator.session.edits.commands import own_directory, save_own_copy
from integrator.session.edits.editor import Change, Editor
from integrator.session.frame import result as results
from integrator.session.frame.result import Event, FrameResult
from integrator.session.opening import open_session
from integrator.session.runner import Runner
from integrator.session.session import Session
from integrator.session.setup.roots import find_integration, is_shared

T = TypeVar("T")

_LOOK_S: Final = 0.1
_LISTED: Final = 10


class CallStopped(SessionError):  # noqa: N818 - no error: the client or a timeout stopped it
    """A call was stopped before its work was done."""


class AssistantBench:
    """Keeps one game open, on its runner's thread. Only paths below ``root`` and ``named`` work.
    ``named`` is a game or a folder of games that the user named, which are only read."""

    def __init__(self, root: Path, named: Path | None = None) -> None:
        self.root = root.resolve()
        self._named = None if named is None else named.resolve()
        self._runner: Runner | None = None
        self.notes: deque[str] = deque(maxlen=_LISTED)  # texts of events for the next result
        self.ends: tuple[EndCondition, ...] = ()

    def post(self, command: Callable[[Session], T]) -> Future[T]:
        """Run a command on the session's thread. Raises SessionError if no game is open."""
        named = self._named
        if self._runner is None and named and (is_integration(named) or not named.is_dir()):
            self.open(named)
        if self._runner is None:
            raise SessionError(f"no game is open; call open_game first. {self.offers()}")
        return self._runner.post(command)

    def open(self, path: Path, state: str | None = None, players: int = 1) -> None:
        """Open another game in place of the open one. Raises SessionError, HostError."""
        session = open_session(path, state=state, players=players)
        self.close()
        self.ends = ()
        self._runner = Runner(session, self.on_frame, self.on_event)
        self._runner.start()

    def edit(self, command: Callable[[Editor], Change]) -> Future[Change]:
        return self.post(lambda session: command(session.editor))

    def save(self, name: str | None) -> Future[Path]:
        """Save the integration below ``root``; the result is its directory."""
        return self.post(lambda session: self.write(session, name))

    def write(self, session: Session, name: str | None) -> Path:
        """Save the integration, on the session's thread.

        A bare ROM becomes an integration; an integration elsewhere is saved as a copy."""
        integration, editor = session.integration, session.editor
        if not is_integration(integration.directory):
            named = with_system(name, session.system.name) if name else None
            return editor.keep_as(self.root, named).directory
        if is_shared(integration.directory) or not self.holds(integration.directory):
            save_own_copy(editor, own_directory(self.root, integration.name))
        else:
            editor.save()
        return session.integration.directory

    def admit(self, call: "Call", step: str) -> None:
        """A hook before each step, which may wait; ``step`` names the tool and its arguments."""

    def step_ended(self, step: str, result: str) -> None:
        """A hook after each step, with the first line of its result, or its error."""

    def close(self) -> None:
        """End the game and its core. Idempotent."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    def on_frame(self, result: FrameResult) -> None:
        """Ignore the frame, because no window shows it."""

    def on_event(self, event: Event) -> None:
        """Keep the event's text as a note for the next result."""
        quiet = results.RunStateChanged, results.RecordedScored, results.RecordedScoring
        if not isinstance(event, quiet) and event.text:
            self.notes.append(event.text)

    def holds(self, path: Path) -> bool:
        """Return True for a path below the root, after links are resolved."""
        return path.resolve().is_relative_to(self.root)

    def file(self, text: str) -> Path:
        """Return a path that the assistant may read. Raises SessionError for any other path."""
        try:
            path = (self.root / text).resolve()
        except (OSError, ValueError) as error:
            raise SessionError(f"{text}: {error}") from error
        reach = [self.root, *([self._named] if self._named else [])]
        if not any(path.is_relative_to(folder) for folder in reach):
            where = " and ".join(map(str, reach))
            raise SessionError(f"{text}: only paths below {where} can be used here")
        return path

    def game(self, text: str) -> Path:
        """Return a game's path from a path or an integration's name. Raises SessionError."""
        if Path(text).name == text:
            with suppress(SessionError, OSError, ValueError):
                mine = self.root / text
                return mine if is_integration(mine) else find_integration(text)
        path = self.file(text)
        if not path.exists():
            raise ChoiceError(f"{text}: there is no such game. {self.offers()}")
        return path

    def offers(self) -> str:
        """Return a sentence that lists the games which can be opened."""
        found = []
        for folder in filter(None, (self.root, self._named)):
            if folder.is_dir() and not is_integration(folder):
                found += sorted(str(each) for each in folder.iterdir() if each.name[0] != ".")
            elif folder.exists() and folder != self.root:
                found.append(str(folder))
        games = few(found, "file") if found else "none so far"
        return f"Games in reach: {games}; or an integration's name, as EmberMoth-Nes-v0"


class Call:
    """A call of a tool: its workbench, its progress, and a way to stop it."""

    def __init__(self, bench: AssistantBench) -> None:
        self.bench = bench
        self.done: tuple[int, int] = (0, 0)
        ended = threading.Event()
        # ``stop`` may be called on any thread when nobody needs the result any longer.
        self.stop, self.stopped = ended.set, ended.is_set

    def goes_on(self, done: int, total: int) -> bool:
        """Report work done; return False if the call was stopped."""
        self.done = (done, total)
        return not self.stopped()

    def ask(self, command: Callable[[Session], T]) -> T:
        """Run a command on the session's thread, and return its result. Raises CallStopped."""
        if self.stopped():
            raise CallStopped("stopped")
        return self.wait(self.bench.post(command))

    def wait(self, future: Future[T]) -> T:
        """Return the result of a future. Raises CallStopped if the call is stopped first."""
        while True:
            try:
                return future.result(_LOOK_S)
            except TimeoutError:
                if future.done():
                    raise
                if self.stopped():
                    future.cancel()
                    raise CallStopped("stopped") from None

    def ask_scored(self, command: Callable[[Session], T]) -> T:
        """Do as :meth:`ask` once recorded frames have been scored by the newest edits."""
        while self.ask(lambda session: session.recorded.pending):
            time.sleep(_LOOK_S / 10)
        return self.ask(command)


def few(items: list[str], noun: str, most: int = _LISTED) -> str:
    """Return the first items, and the number of the others, as text."""
    more = len(items) - most
    text = ", ".join(items[:most])
    return text if more <= 0 else f"{text} and {more:,} more {noun}{'s' if more > 1 else ''}"
