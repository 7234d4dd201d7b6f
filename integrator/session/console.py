"""Runs console entries on the open game between two frames: Lua in a sandbox, or Python."""

import ast
import builtins
import inspect
import io
import pydoc
import re
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from integrator.domain.errors import DomainError, ScriptError, SessionError
from integrator.domain.notes.places import Places
from integrator.domain.scenario import sandbox as sandboxes
from integrator.domain.scenario.sandbox import Sandbox, syntax_error
from integrator.domain.scenario.script import CustomValue, to_int64
from integrator.session.edits.editor import Change
from integrator.session.frame.pipeline import LiveScriptMemory
from integrator.session.frame.result import FrameResult
from integrator.session.frame_script import Canvas, FrameScript, LuaFrames, Tell, answered
from integrator.session.session import Session
from libretro_host.errors import CoreCrashed, CoreHung, HostClosedError
from libretro_host.host import Frame

ASK: Final = " ask"
"""The global name of the stop check in an entry; no name that a user types contains a space.

The check returns True. Once the user has stopped the entry, each call raises KeyboardInterrupt, so
that an entry which catches the first one is stopped all the same."""

_Node = TypeVar("_Node", bound=ast.AST)


class _StopChecks(ast.NodeTransformer):
    """Inserts a stop check before statements, elements of comprehensions and bodies of lambdas.
    Library functions that the entry calls run without checks."""

    def generic_visit(self, node: _Node) -> _Node:
        super().generic_visit(node)
        documented = ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                # The docstring and the future imports must remain first.
                first = int(isinstance(node, documented) and ast.get_docstring(node) is not None)
                while first < len(body) and getattr(body[first], "module", "") == "__future__":
                    first += 1
                asked = list(body[:first])
                for one in body[first:]:
                    asked += [ast.copy_location(ast.Expr(_stop_check(one)), one), one]
                setattr(node, name, asked)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs.insert(0, _stop_check(node.iter))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.generic_visit(node)
        both = ast.BoolOp(ast.And(), [_stop_check(node.body), node.body])
        node.body = ast.copy_location(both, node.body)
        return node


def _stop_check(place: ast.AST) -> ast.expr:
    call = ast.Call(ast.Name(ASK, ast.Load()), [], [])
    return ast.fix_missing_locations(ast.copy_location(call, place))


NAME: Final = "console"  # stands for the file's name in messages about an entry
MOST_OUTPUT: Final = 20_000  # characters of one answer; more are cut off

_BIZHAWK: Final = (  # functions that a script may call while it runs after each frame
    *("memory.read_u8", "memory.read_s8", "memory.read_u16_le", "memory.read_u16_be"),
    *("memory.read_u32_le", "memory.read_u32_be", "memory.write_u8", "joypad.get", "joypad.set"),
    *("emu.framecount", "emu.frameadvance", "gui.text", "gui.box", "gui.pixel"),
)
_Standing: TypeAlias = tuple[int, str, Frame | None]


@dataclass(frozen=True, slots=True)
class ConsoleAnswer:
    """The output, error and edit of an entry, and the session's frame if the entry changed it."""

    text: str
    error: str
    change: Change
    moved_to: FrameResult | None


class Console:
    """Runs entries, and keeps the names that they define for later entries."""

    def __init__(self) -> None:
        self._names: dict[str, Any] = {"np": np}
        self._lua: Sandbox | None = None
        self._session: Session | None = None
        self._memory: LiveScriptMemory | None = None
        self._writes = False
        self._output = _Output()
        self._lost: CoreCrashed | CoreHung | None = None

    def python(
        self, session: Session, text: str, stopped: Callable[[], bool] = lambda: False
    ) -> ConsoleAnswer:
        """Run an entry until ``stopped``, as one undo step. Raises CoreCrashed, CoreHung."""
        self._output = _Output()
        self._names |= {"session": _OpenGame(session), "help": _help}
        errors: list[str] = []

        def entry(_: object) -> None:
            try:
                with redirect_stdout(self._output):
                    _run(text, self._names, stopped)
            except (CoreCrashed, CoreHung):
                raise
            except BaseException as error:  # noqa: BLE001 - a user's code, GeneratorExit included
                errors.append(_error_text(error))

        before, change = _standing(session), Change()
        try:
            change = session.editor.do(entry)
        except (DomainError, ValueError) as error:  # the game cannot follow the edit
            errors.append(_error_text(error))
        try:
            _ = session.host.info
        except HostClosedError:  # the entry closed the host
            session.recover()
        return self._answer(session, "; ".join(errors), before, change)

    def lua(self, session: Session, text: str, *, writes: bool) -> ConsoleAnswer:
        """Evaluate an expression, or run statements, on the frame where the session stands.

        ``data.score`` is a variable and ``data[16]`` a byte, as in scripts. Globals are kept for
        the next entry. Raises CoreCrashed, CoreHung."""
        self._output, self._lost = _Output(), None
        self._writes = writes
        variables = dict(session.integration.variables.items())
        self._session, self._memory = session, LiveScriptMemory(session.memory, variables)
        sandbox = self._lua = self._lua or self._new_sandbox()
        before = _standing(session)
        position = before[0]
        begins = (mark.frame for mark in session.timeline.markers("episode"))
        sandbox.begin_frame(position - max((at for at in begins if at < position), default=0))
        expression = f"print({text}\n)"
        is_block = bool(syntax_error(expression, NAME))
        result = sandbox.load(text if is_block else expression, NAME)
        if self._lost is not None:
            raise self._lost
        error = "" if result.ok else " ".join(result.message.split())
        # For an expression, Lua reports the line of the added bracket, so the number is dropped.
        error = re.sub(rf"^{NAME}:(\d+): ", r"line \1: " if is_block else "", error)
        return self._answer(session, error, before)

    def frames(
        self, session: Session, text: str, tell: Tell, places: Places | None, *, writes: bool
    ) -> FrameScript:
        """Run an entry after each frame from now on: Lua with ``places``, Python without.

        Python code has ``session``, ``np``, ``frame`` and ``gui``, and is run from its first line
        after each frame. Raises ScriptError, SyntaxError."""
        if places is not None:
            return FrameScript(session, LuaFrames(session, places, text, NAME, writes=writes), tell)
        code, names = compile(text, NAME, "exec"), {**self._names, "session": _OpenGame(session)}

        def step(canvas: Canvas) -> str:
            names.update(gui=canvas, frame=session.timeline.position)
            try:
                with redirect_stdout(_Output()) as output:
                    exec(code, names)  # noqa: S102 - typed by the user, at the user's own game
            except BaseException as error:
                raise ScriptError(_error_text(error)) from error
            return output.text

        return FrameScript(session, step, tell)

    def complete(self, session: Session, text: str, *, python: bool) -> list[str]:
        """Return completions of the last name in ``text``, functions with their signatures.

        Attributes before the last point are read. Those after it are not, so that no property runs.
        """
        match = re.search(r"[A-Za-z_][\w.]*$", text)
        wanted = match[0] if match else ""
        path, _, start = wanted.rpartition(".")
        if not python:
            variables = (f"data.{name}" for name in session.integration.variables)
            known = [*sandboxes.library(), *_BIZHAWK, *variables]
            return sorted({name for name in known if name.startswith(wanted)})
        here: object = None
        found: dict[str, object] = {**vars(builtins), **self._names, "session": session}
        for part in filter(None, path.split(".")):
            here = found.get(part) if here is None else getattr(here, part, None)
            if here is None:
                return []
        if path:
            found = {name: inspect.getattr_static(here, name, None) for name in dir(here)}
        prefix = f"{path}." if path else ""
        return sorted(
            f"{prefix}{name}{_signature(each)}"
            for name, each in found.items()
            if name.startswith(start) and (start.startswith("_") or not name.startswith("_"))
        )

    def _answer(
        self, session: Session, error: str, before: _Standing, change: Change | None = None
    ) -> ConsoleAnswer:
        last, now, moved_to = session.last, _standing(session), None
        is_new = now[2] is not before[2]
        if is_new or now != before:
            if is_new and last is not None and last.number == session.timeline.position:
                values = session.timeline.values_of(session.memory.ram)
                moved_to = replace(last, values={**last.values, **values})
            else:
                moved_to = session.timeline.here()
        return ConsoleAnswer(self._output.text, error, change or Change(), moved_to)

    def _new_sandbox(self) -> Sandbox:
        """Make a sandbox whose functions use the memory and the output of the present entry."""

        def ask(work: Callable[[LiveScriptMemory], object]) -> tuple[bool, object]:
            try:
                return answered(work, self._memory)
            except (CoreCrashed, CoreHung) as error:
                self._lost = error  # an exception may not cross the Lua stack
                return False, str(error)

        def poke(memory: LiveScriptMemory, name: str, value: object) -> None:
            memory.read_variable(name)  # raises for an unknown name, before a recording could
            if not self._writes:
                raise ValueError("the console only reads; tick “May write” to poke")
            if self._session is not None:
                self._session.memory.before_poke()
            number: CustomValue = value if isinstance(value, bool | int | float) else None
            memory.write_variable(name, to_int64(number))

        api = sandboxes.ScriptApi(
            lambda name: ask(lambda memory: memory.read_variable(name)),
            lambda name, value: ask(lambda memory: poke(memory, name, value)),
            lambda address: ask(lambda memory: memory.read_byte(to_int64(address))),
            lambda text: print(text, file=self._output),
        )
        return Sandbox(api, sandboxes.ScriptLimits())


class _OpenGame:
    """The session as entries see it: they can do everything with it, except close it."""

    def __init__(self, session: Session) -> None:
        self.__dict__["_session"] = session

    def __getattr__(self, name: str) -> object:
        return getattr(self._session, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._session, name, value)

    def __dir__(self) -> list[str]:
        return dir(self._session)

    def close(self, *_: object, **__: object) -> None:
        """Refuse, because the window shows this game."""
        raise SessionError("the game is open in the window; close it there, with File > Close game")

    __exit__ = close


def _help(*about: object) -> None:
    """Print Python's help; for the session, a line about each public name and its signature."""
    if not about or not isinstance(about[0], _OpenGame):
        pydoc.help(*about or ("help",))
        return
    for name in dir(about[0]):
        each = inspect.getattr_static(Session, name, None)
        if not name.startswith("_"):
            says = (inspect.getdoc(each) or "").partition("\n")[0]
            print(f"session.{name}{_signature(each)}: {says}".rstrip(": "))  # noqa: T201 - into the answer


class _Output(io.StringIO):
    """Collects output up to the limit; ``close`` does nothing, as an entry may close sys.stdout."""

    def close(self) -> None:
        pass

    def write(self, text: str) -> int:
        return super().write(text) if self.tell() <= MOST_OUTPUT else len(text)

    @property
    def text(self) -> str:
        whole = self.getvalue()
        return whole if len(whole) <= MOST_OUTPUT else whole[:MOST_OUTPUT] + "\n…"


def _signature(value: object) -> str:
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if not callable(value) or isinstance(value, type):
        return ""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "()"
    shown = [str(each.replace(annotation=each.empty)) for each in parameters if each.name != "self"]
    return f"({', '.join(shown)})"


def _standing(session: Session) -> _Standing:
    """Return the session's present frame and line, and the picture shown last."""
    picture = None if session.last is None else session.last.frame
    return session.timeline.position, session.timeline.log.current, picture


def _run(text: str, names: dict[str, Any], stopped: Callable[[], bool]) -> None:

    def ask() -> bool:
        if stopped():
            raise KeyboardInterrupt("stopped")
        return True

    tree: ast.Module = _StopChecks().visit(ast.parse(text, NAME))
    last = tree.body[-1] if tree.body else None
    value: CodeType | None = None
    if isinstance(last, ast.Expr):
        del tree.body[-1]
        value = compile(ast.Expression(last.value), NAME, "eval")
    names[ASK] = ask
    try:
        exec(compile(tree, NAME, "exec"), names)  # noqa: S102 - typed by the user, at the user's own game
        shown = eval(value, names) if value is not None else None  # noqa: S307 - as above
    finally:
        # The session may keep functions of the entry, and call them when the entry has ended.
        names[ASK] = lambda: True
    if shown is not None:
        names["_"] = shown
        print(repr(shown))  # noqa: T201 - into the answer


def _error_text(error: BaseException) -> str:
    """Return the error in one line of text, with the line of the entry that raised it."""
    place, line = error.__traceback__, 0
    while place is not None:
        if place.tb_frame.f_code.co_filename == NAME:
            line = place.tb_lineno
        place = place.tb_next
    text = ""
    with suppress(BaseException):  # an exception class of the entry may fail in __str__
        text = str(error)
    if isinstance(error, SyntaxError):
        line, text = error.lineno or 0, error.msg
    where = f"line {line}: " if line else ""
    return " ".join(f"{where}{type(error).__name__}{': ' if text else ''}{text}".split())
