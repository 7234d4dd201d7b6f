"""Edits that keep a found number: its reward by the screen's scale, its function for scripts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from integrator.domain.scenario.sandbox import syntax_error
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import change_scenario, list_script, set_in_scenario
from integrator.session.edits.editor import Edit
from integrator.session.edits.snapshot import Documents
from integrator.session.setup.game import Game

SCRIPT: Final = "script.lua"


@dataclass(frozen=True, slots=True)
class Naming:
    """A wanted variable; ``factor`` and ``lua`` count as the screen does; ``real``: a float."""

    spec: VariableSpec
    scale: Scale
    factor: float | None = None
    lua: bool = False
    real: bool = False


def scaled_edits(naming: Naming, documents: Documents | None) -> Iterator[tuple[Edit, bool]]:
    """The edits that use a variable's scale, and false where the game need not follow yet."""
    name = naming.spec.name
    if naming.factor is not None:
        several = documents is not None and "rewards" in documents.scenario
        reward = ("rewards", 0) if several else ("reward",)
        path = (*reward, "variables", name)
        yield set_in_scenario(path, {"reward": naming.factor}), True
    if naming.lua:
        text = float_function(name) if naming.real else lua_function(name, naming.scale)
        yield _add_function(text), False
        yield change_scenario(lambda root: list_script(root, SCRIPT)), True


def factor_of(scale: Scale) -> float:
    """By how much the screen changes when memory changes by one."""
    return float(scale.shown(1) - scale.shown(0))


def lua_name(name: str) -> str:
    """Name of the function that returns a variable's number on the screen."""
    return f"shown_{name}"


def lua_function(name: str, scale: Scale) -> str:
    """Its text: ``shown = (stored - bias) * divisor / multiplier``."""
    stored = f"data.{name}"
    if scale.bias:
        sign = "-" if scale.bias > 0 else "+"
        stored = f"({stored} {sign} {abs(scale.bias)})"
    if scale.divisor != 1:
        stored = f"{stored} * {scale.divisor}"
    if scale.multiplier != 1:
        stored = f"{stored} / {scale.multiplier}"
    if scale.offset:
        stored = f"{stored} {'-' if scale.offset < 0 else '+'} {abs(scale.offset)}"
    return (
        f"-- {name} as the screen shows it.\nfunction {lua_name(name)}()\n  return {stored}\nend\n"
    )


def float_function(name: str) -> str:
    """The same function for a variable with the bytes of a float; NaN and infinity are 0."""
    return f"""\
-- {name} holds the four bytes of a floating-point number; this is the number.
function {lua_name(name)}()
  local bytes = data.{name}
  local sign = bytes >= 2147483648 and -1 or 1
  local exponent = math.floor(bytes / 8388608) % 256
  local fraction = bytes % 8388608 / 8388608
  if exponent == 255 then return 0 end
  if exponent == 0 then return sign * fraction * 2 ^ -126 end
  return sign * (1 + fraction) * 2 ^ (exponent - 127)
end
"""


def _add_function(function: str) -> Edit:

    def edit(game: Game) -> None:
        scripts = game.integration.scripts
        before = scripts.get(SCRIPT, "")
        gap = "\n" if before and not before.endswith("\n\n") else ""
        text = before + gap + function
        if syntax_error(text, SCRIPT) is None or syntax_error(before, SCRIPT) is not None:
            scripts[SCRIPT] = text

    return edit
