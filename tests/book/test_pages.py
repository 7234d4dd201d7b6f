"""Pages written by hand agree with the program: messages, JSON and Lua in them are its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from integrator.agents.table import AGENTS
from integrator.assistant.server import TOOLS
from integrator.cli import app
from integrator.domain.audit.rules import GAME_RULES, TERM_RULES
from integrator.domain.lint.lint import SchemaSet
from integrator.domain.notes.formats import NOTES_FORMATS
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import ScriptCall
from integrator.paths import shipped
from integrator.ui.help import table_code
from scripts.book.commands import commands_page

TREE = Path(__file__).parents[2]
DOCS = TREE / "docs"


def blocks(language: str) -> dict[str, str]:
    """The blocks of a language by page and number."""
    block = re.compile(rf"^```{language}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    found: dict[str, str] = {}
    for page in sorted(DOCS.rglob("*.md")):
        texts = block.findall(page.read_text(encoding="utf-8"))
        found |= {f"{page.relative_to(DOCS)}:{index}": text for index, text in enumerate(texts)}
    return found


MEMBERS = {
    "agents.md": [agent.name for agent in AGENTS],
    "assistants.md": [tool.__name__ for tool in TOOLS],
    "audit.md": sorted({r.kind for r in TERM_RULES} | {r.kind for r in GAME_RULES}),
    "formats.md": [each.suffix for each in NOTES_FORMATS],
}


@pytest.mark.parametrize("page", MEMBERS)
def test_a_page_has_a_row_for_each_member_of_its_table(page: str) -> None:
    rows = [row for row in (DOCS / page).read_text(encoding="utf-8").splitlines() if row[:1] == "|"]
    firsts = " ".join(row.split("|")[1] for row in rows)
    assert MEMBERS[page]
    assert [name for name in MEMBERS[page] if f"`{name}`" not in firsts] == []


def test_the_command_line_names_each_agent() -> None:
    told = CliRunner().invoke(app, ["agents", "--help"], env={"COLUMNS": "200"}).output
    assert [agent.name for agent in AGENTS if agent.name not in told] == []


SCENARIOS = {
    place: text
    for place, text in blocks("json").items()
    if json.loads(text).keys() & {"reward", "rewards", "done", "actions"}
}


@pytest.mark.parametrize("place", SCENARIOS)
def test_scenarios_of_the_book_are_valid(place: str) -> None:
    schemas = SchemaSet(shipped("resources") / "schemas")
    assert list(schemas.problems("scenario", json.loads(SCENARIOS[place]))) == []
    ScenarioSpec.parse(json.loads(SCENARIOS[place]))


def test_some_scenarios_are_looked_at() -> None:
    assert len(SCENARIOS) >= 4


class Memory:
    """A moth that flies right, on its last life."""

    def __init__(self) -> None:
        self.values = {"x": 10, "screen": 0, "lives": 0}

    def read_variable(self, name: str) -> int:
        return self.values[name]

    def write_variable(self, name: str, value: int) -> None:
        self.values[name] = value

    def read_byte(self, address: int) -> int:
        return address & 0xFF


def test_the_lua_example_pays_progress_once() -> None:
    memory = Memory()
    [text] = blocks("lua").values()
    hooks = ScriptHooks({"script.lua": text}, memory)
    hooks.reset()

    def paid(x: int, screen: int) -> float | bool:
        memory.values |= {"x": x, "screen": screen}
        return hooks.call(ScriptCall("reward"))

    assert [paid(10, 0), paid(14, 0), paid(9, 0), paid(14, 0), paid(0, 1)] == [10, 4, 0, 0, 242]
    assert hooks.call(ScriptCall("done")) is False
    memory.values["lives"] = -1
    assert hooks.call(ScriptCall("done")) is True


def sources() -> str:
    """The program's texts, with those that go on in the next line in one piece."""
    texts = [
        path.read_text(encoding="utf-8")
        for package in ("integrator", "libretro_host")
        for suffix in ("py", "lua")
        for path in sorted((TREE / package).rglob(f"*.{suffix}"))
    ]
    joined = re.sub(r'"\s*\n\s*f?"', "", "\n".join(texts))
    return joined.replace(r"\"", '"')


def test_each_message_of_the_troubleshooting_is_one_of_the_program() -> None:
    page = (DOCS / "how-to" / "6-troubleshooting.md").read_text(encoding="utf-8")
    messages = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    program = sources()
    pieces = [piece.strip() for text in messages for piece in text.split("…")]
    assert len(messages) > 40
    assert [piece for piece in pieces if piece not in program] == []


def test_a_bar_in_the_code_of_a_table_is_shown_without_backslash() -> None:
    assert table_code(r"| `\|u1` | `a` |") == "| <code>&#124;u1</code> | `a` |"
    assert table_code("`a` | `b`") == "`a` | `b`"


def test_no_option_has_lost_its_words() -> None:
    rows = re.findall(r"^\| `--[^|]*` \|(.*)\|$", commands_page(), re.MULTILINE)
    assert len(rows) > 40
    assert all(row.strip() for row in rows)
