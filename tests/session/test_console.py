"""Entries of the console: Lua in the sandbox, read-only at first, and Python on the session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import integrator
from integrator.commands.shared.options import demo_game
from integrator.session.console import MOST_OUTPUT, Console
from integrator.session.session import Session

LIVES = 2
"""Lives of the demo game at its start, as its memory counts them."""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The demo game after some frames."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        with integrator.open_session(demo_game(), isolated=False) as opened:
            opened.reset()
            opened.advance((0,), frames=20)
            yield opened


def python(session: Session, text: str, console: Console | None = None) -> str:
    """The output of a Python entry that succeeds."""
    answer = (console or Console()).python(session, text)
    assert answer.error == ""
    return answer.text


def lua(session: Session, text: str, console: Console | None = None) -> str:
    """The output of a reading Lua entry that succeeds."""
    answer = (console or Console()).lua(session, text, writes=False)
    assert answer.error == ""
    return answer.text


def test_python_shows_output_and_a_last_value_and_keeps_names(session: Session) -> None:
    console = Console()
    assert python(session, "1 + 2", console) == "3\n"
    assert python(session, "_ * 2", console) == "6\n"
    assert python(session, "x = session.last.values['lives']", console) == ""
    assert python(session, "print('lives', x)\nx", console) == f"lives {LIVES}\n{LIVES}\n"
    assert python(session, "for i in range(3):\n  print(i, end=' ')") == "0 1 2 "
    assert python(session, "len(session.timeline.column('lives'))") == "21\n"
    assert python(session, "import pprint\npprint.pprint({1: np.int64(2).item()})") == "{1: 2}\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("x = 1\nx.nothing", "line 2: AttributeError: 'int' object has no attribute 'nothing'"),
        ("def f():\n  1 / 0\n\nf()", "line 2: ZeroDivisionError: division by zero"),
        ("y = (\n1 +", "line 1: SyntaxError: '(' was never closed"),
        ("session.timeline.seek(999)", "line 1: TimelineError: frame 999 is not held"),
        ("raise SystemExit", "line 1: SystemExit"),
        ("raise GeneratorExit", "line 1: GeneratorExit"),
        ("session.close()", "line 1: SessionError: the game is open in the window; close it there"),
        ("session.__exit__()", "line 1: SessionError: the game is open in the window"),
        ("raise ValueError('a\\nb')", "line 1: ValueError: a b"),
        (
            "class E(Exception):\n  def __str__(self):\n    raise GeneratorExit\nraise E",
            "line 4: E",
        ),
    ],
)
def test_an_error_is_one_line_that_names_the_entrys_own(
    session: Session, text: str, error: str
) -> None:
    answer = Console().python(session, text)
    assert answer.error.startswith(error)
    assert "\n" not in answer.error


def test_the_game_goes_on_after_an_entry_that_ended_its_core(session: Session) -> None:
    assert python(session, "import sys; sys.stdout.close(); session.host.close()") == ""
    assert session.advance(frames=1).values


@pytest.mark.parametrize(
    "text",
    [
        "while True: pass",
        "[x for x in iter(int, 1)]",
        "list(iter(lambda: 0, 1))",
        "def f():\n  while True:\n    1\nf()",
        "while True: 'text'",
    ],
)
def test_python_ends_when_it_is_stopped(session: Session, text: str) -> None:
    looks = iter(range(50))
    answer = Console().python(session, text, lambda: next(looks, None) is None)
    assert answer.error.endswith("KeyboardInterrupt: stopped")


# Python 3.14 warns of the third one.
@pytest.mark.filterwarnings("ignore:'continue' in a 'finally' block:SyntaxWarning")
@pytest.mark.parametrize(
    "turn",
    [
        "try: x = 1\n  except: pass",
        "try: x = 1\n  except BaseException as error: kept.append(error)",
        "try: x = 1\n  finally: continue",
        "with contextlib.suppress(BaseException): x = 1",
        "with Kept(): x = 1",
    ],
)
def test_python_can_not_swallow_that_it_is_stopped(session: Session, turn: str) -> None:
    kept = "class Kept(contextlib.ExitStack):\n  def __exit__(self, *error): return True"
    looks = iter(range(400))
    answer = Console().python(
        session,
        f"import contextlib\nkept = []\n{kept}\nfor turn in range(999):\n  {turn}",
        lambda: next(looks, None) is None,
    )
    assert answer.error.endswith("KeyboardInterrupt: stopped")


def test_functions_of_an_entry_that_was_stopped_can_be_called_later(session: Session) -> None:
    console = Console()
    looks = iter(range(4))
    text = "f = lambda: 7\nwhile True: pass"
    stopped = console.python(session, text, lambda: next(looks, None) is None)
    assert stopped.error == "line 2: KeyboardInterrupt: stopped"
    assert python(session, "f()\n", console) == "7\n"


def test_python_keeps_docstrings_and_future_imports(session: Session) -> None:
    text = "'Text.'\nfrom __future__ import annotations\ndef f(x: nothing):\n  'Doc.'\n  return x"
    assert python(session, f"{text}\nf.__doc__, f(3)") == "('Doc.', 3)\n"


def test_python_edits_are_one_step_and_its_moves_are_told(session: Session) -> None:
    console = Console()
    steps = len(session.integration.history.done)
    copies = "v.set('a', v['lives']); v.set('b', v['lives'])"
    answer = console.python(session, f"v = session.integration.variables\n{copies}")
    assert answer.error == ""
    assert answer.change.subjects == {"variables"}
    assert answer.moved_to is None
    assert session.timeline.values_of(session.memory.ram)["b"] == LIVES
    assert len(session.integration.history.done) == steps + 1
    session.editor.undo()
    assert "a" not in session.integration.variables

    went = console.python(session, "r = session.timeline.seek(5)")
    assert went.moved_to is not None
    assert (went.moved_to.number, went.moved_to.frame is None) == (5, False)
    back = console.python(session, "r = session.timeline.seek(21)\nr = session.advance(frames=4)")
    assert back.moved_to is not None
    assert back.moved_to.number == 25
    assert not back.change.subjects


def test_much_output_is_cut(session: Session) -> None:
    text = python(session, "for i in range(3000): print('spam, spam')")
    assert len(text) == MOST_OUTPUT + 2
    assert text.endswith("…")


def test_lua_reads_variables_and_bytes_of_the_frame_that_is_shown(session: Session) -> None:
    console = Console()
    address = session.integration.variables["lives"].address
    assert lua(session, "data.lives") == f"{LIVES}\n"
    assert lua(session, f"data[{address}] == data.lives, 1 + 1").split() == ["true", "2"]
    assert lua(session, "local x = data.lives * 2; print('twice', x)") == f"twice\t{LIVES * 2}\n"
    assert lua(session, "function twice(x)\n  return 2 * x\nend", console) == ""
    assert lua(session, "twice(21)", console) == "42\n"
    length = session.timeline.length
    session.timeline.seek(7)
    assert lua(session, "scenario.frame", console) == "7\n"
    session.timeline.seek(length)


def test_lua_writes_only_when_it_may_and_then_pokes(session: Session) -> None:
    console = Console()
    before = session.memory.ram.copy()
    refused = console.lua(session, "data.lives = 9", writes=False)
    assert "the console only reads" in refused.error
    assert (session.memory.ram == before).all()
    told = console.lua(session, "data.lives = 9; print(data.lives)", writes=True)
    assert (told.error, told.text) == ("", "9\n")
    assert session.timeline.values_of(session.memory.ram)["lives"] == 9
    assert session.memory.written
    assert "the console only reads" in console.lua(session, "data.lives = 8", writes=False).error
    assert console.lua(session, f"data.lives = {LIVES}", writes=True).error == ""


def test_lua_names_an_unknown_variable_also_while_a_movie_is_recorded(
    session: Session, tmp_path: Path
) -> None:
    session.record(tmp_path / "a.bk2")
    told = [Console().lua(session, "data.nothing = 1", writes=writes) for writes in (True, False)]
    session.stop_recording()
    assert all("no variable 'nothing'" in each.error for each in told)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("while true do end", "endless loop"),
        ("data.nothing", "no variable 'nothing' in data.json"),
        ("data['高さ']", "no variable '高さ' in data.json"),
        ("data[99999999]", "address 0x5F5E0FF is not mapped"),
        ("os.execute('true')", "os"),
        ("1 +", "unexpected"),
    ],
)
def test_lua_has_the_sandboxs_limits(session: Session, text: str, reason: str) -> None:
    answer = Console().lua(session, text, writes=False)
    assert reason in answer.error
    assert "\n" not in answer.error


def test_help_lists_what_a_session_does(session: Session) -> None:
    told = python(session, "help(session)")
    assert "session.causes(address" in told
    assert "session.timeline" in told
    assert "_OpenGame" not in told
