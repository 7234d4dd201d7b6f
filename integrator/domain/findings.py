"""Findings in the files of an integration, and every code with its meaning and cure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from integrator.domain.errors import one_line


class Severity(StrEnum):
    """``error``: training fails or learns from garbage. ``warning``: probably meant differently."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class LintCode:
    """One kind of finding. ``live``: found only by running the game."""

    code: str
    severities: tuple[Severity, ...]
    meaning: str
    cure: str
    live: bool = False

    @property
    def text(self) -> str:
        found = "found by running the game" if self.live else "found in the files"
        severities = " or ".join(self.severities)
        return f"{self.code} ({severities}, {found})\n\n{self.meaning}\n\nCure: {self.cure}"


_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


def _table(rows: Iterable[LintCode]) -> Mapping[str, LintCode]:
    return {row.code: row for row in rows}


LINT_CODES: Final = _table(
    (
        # -- files ----------------------------------------------------------------------------
        LintCode(
            "document-unreadable", (_E,),
            "A document is missing, is no JSON, or cannot be read, so the directory does not load "
            "here, and stable-retro fails on it too.",
            "Correct the file at the line that is named, or restore it from a copy.",
        ),
        LintCode(
            "json-invalid", (_W,),
            "A JSON file next to data.json, scenario.json and metadata.json cannot be read. "
            "Training does not ask for it by itself, so the rest of the integration stays usable.",
            "Correct or remove the file.",
        ),
        LintCode(
            "duplicate-key", (_W,),
            "An object has the same key twice. stable-retro takes the first value, most other "
            "programs take the last.",
            "Delete one of the two.",
        ),
        LintCode(
            "schema", (_W,),
            "A value is not of the kind that the file format asks for at this place.",
            "Write what the message says; the JSON Schemas beside the program describe each key.",
        ),
        LintCode(
            "link-outside", (_W,),
            "A document, script or start state is a symbolic link to a file outside of the "
            "directory: saving would write there. Saving asks first, and does nothing unasked.",
            "Replace the link by a file of its own, or agree when you save.",
        ),
        LintCode(
            "name-without-system", (_W,),
            "The directory's name does not end with the name of a console, by which the core is "
            "chosen when the ROM's suffix does not tell.",
            "Rename the directory, for instance to SuperGame-Nes-v0.",
        ),
        LintCode(
            "sha-missing", (_W,),
            "There is no rom.sha. stable-retro lists only games that have one, and its import "
            "finds ROMs by it.",
            "Write the ROM's SHA-1 into rom.sha, one a line.",
        ),
        LintCode(
            "sha-empty", (_W,),
            "rom.sha holds no hash. stable-retro lists the game, but its import cannot find the "
            "ROM.",
            "Write the ROM's SHA-1 into rom.sha, one a line.",
        ),
        LintCode(
            "sha-mismatch", (_E,),
            "The ROM is another one than rom.sha names, so addresses and states may not fit it.",
            "Use the ROM that the integration was made for, or add the hash of yours.",
        ),
        LintCode(
            "rom-unreadable", (_E,),
            "The ROM in the directory cannot be read, or is too large to be one.",
            "Copy the ROM there again.",
        ),
        LintCode(
            "rom-cut-off", (_W,),
            "The ROM's header counts more bytes than the file has, so its end is missing.",
            "Find a whole dump of the game.",
        ),
        LintCode(
            "sha-unreadable", (_E,),
            "The file rom.sha cannot be read, or is something else than a file.",
            "Put a file with the ROM's SHA-1 in its place.",
        ),
        LintCode(
            "metadata-missing", (_E,),
            "There is no metadata.json. stable_retro.make() fails without it unless a start state "
            "is asked for by name.",
            "Make a start state the default; a file with {} is enough to start at power on.",
        ),
        LintCode(
            "scenario-missing", (_W,),
            "There is no scenario.json, so the reward is always 0 and no episode ends.",
            "Say what is rewarded and when an episode ends.",
        ),
        # -- states ---------------------------------------------------------------------------
        LintCode(
            "states-none", (_W,),
            "There is no start state. In training, the first episode begins at power on, in front "
            "of title screens, and each later one where the one before ended, because "
            "stable-retro's reset() only restores a start state. Here, episodes begin at power on.",
            "Play to where an episode should begin, and save that moment.",
        ),
        LintCode(
            "default-state-missing", (_E,),
            "metadata.json names a start state whose file is not there, so stable-retro fails.",
            "Save a state of that name, or name another one.",
        ),
        LintCode(
            "default-state-unset", (_W,),
            "There are start states, but metadata.json names no default_state: training begins at "
            "power on unless a state is asked for.",
            "Make one of the states the default.",
        ),
        LintCode(
            "state-damaged", (_E,),
            "A state file is not gzip, is cut off or damaged, so it cannot be loaded.",
            "Save the state again, or restore the file from a copy.",
        ),
        # -- variables ------------------------------------------------------------------------
        LintCode(
            "variable-invalid", (_E,),
            "A variable in data.json has no usable address or type. stable-retro then refuses the "
            "whole file, and with it all variables.",
            "Correct or remove the variable.",
        ),
        LintCode(
            "variable-outside-memory", (_E,),
            "The bytes of a variable are not memory of the console, or reach behind its end: it "
            "cannot be read.",
            "Correct the address, or use a narrower type.",
        ),
        LintCode(
            "variables-overlap", (_N,),
            "Two variables without masks share bytes. Sometimes that is meant; often one of the "
            "addresses or widths is wrong.",
            "Check both in the Memory panel; give masks to variables that share a byte by bits.",
        ),
        LintCode(
            "variable-unknown", (_E, _W),
            "The scenario reads a variable that data.json does not have. stable-retro fails when "
            "it resets the game; with a script it may be a custom variable, which must be set "
            "before it is read.",
            "Add the variable, or correct the name.",
        ),
        # -- scenario -------------------------------------------------------------------------
        LintCode(
            "scenario-invalid", (_E,),
            "The scenario has a shape on which stable-retro fails too.",
            "Correct the place that the message names.",
        ),
        LintCode(
            "scenario-ignored", (_W,),
            "stable-retro reads this value as something else, or passes over it, and says nothing.",
            "Write what you mean in the way that it understands; the message says how it is read.",
        ),
        LintCode(
            "reward-zero", (_W,),
            "Nothing in the scenario can make the reward differ from 0.",
            "Give a variable a reward or a penalty, or name a script.",
        ),
        LintCode(
            "term-zero", (_W,),
            "A variable stands among the rewards without a factor for either sign, so it counts "
            "nothing.",
            "Give it a reward or a penalty, or remove it.",
        ),
        LintCode(
            "factor-unused", (_W,),
            "The measured number can never have the sign of this factor: reward multiplies "
            "numbers above zero, penalty those below. An op gives 1 or 0, so a check never has a "
            "penalty.",
            "Remove the factor, or correct measurement, op or data type.",
        ),
        LintCode(
            "time-penalty", (_W,),
            "time.penalty has no effect in stable-retro: time counts +1 a frame, which only reward "
            "multiplies.",
            "Write a negative time.reward instead.",
        ),
        LintCode(
            "op-never", (_E,),
            "No number that the variable's type and mask can hold satisfies the op.",
            "Correct the op, the reference or the data type.",
        ),
        LintCode(
            "op-always", (_E,),
            "Every number that the variable's type and mask can hold satisfies the op.",
            "Correct the op, the reference or the data type.",
        ),
        LintCode(
            "done-at-once", (_E,),
            "A group of done with the condition all has nothing in it, which holds always: the "
            "episode ends on its first frame.",
            "Add a check, or use any.",
        ),
        LintCode(
            "done-never", (_N,),
            "Nothing in the scenario ends an episode.",
            "Add a check, or limit the number of steps in training.",
        ),
        LintCode(
            "button-unknown", (_E,),
            "The actions name a button that the console does not have, so that combination can "
            "never be pressed.",
            "Use one of the console's buttons, which the message lists.",
        ),
        LintCode(
            "start-filtered", (_N, _W),
            "No action lists START (or RUN), so that agents cannot press it: by default, training "
            "passes only listed combinations. It is a warning when there is no start state behind "
            "the title screen.",
            'Add a group [[], ["START"]] to actions, or save a start state where play begins.',
        ),
        # -- scripts --------------------------------------------------------------------------
        LintCode(
            "script-invalid", (_E,),
            "A script is no Lua, so nothing of it is defined.",
            "Correct the line that is named.",
        ),
        LintCode(
            "script-missing", (_E,),
            "The scenario lists a script that is not in the directory.",
            "Add the file, or remove the entry.",
        ),
        LintCode(
            "script-unused", (_W,),
            "No scenario lists this script, so it never runs.",
            "Add it to the scenario's scripts, or delete the file.",
        ),
        LintCode(
            "function-missing", (_E,),
            "Reward or done name a Lua function that no script of the scenario defines.",
            "List the script that has it, or correct the name.",
        ),
        # -- only seen when the game runs -------------------------------------------------------
        LintCode(
            "console-skipped", (_W,),
            "A descriptor among your own consoles makes no sense, so its console is unknown. All "
            "other consoles work.",
            "Correct the file as the message says, or remove it.",
        ),
        LintCode(
            "live-skipped", (_W,),
            "The game could not be run because this computer lacks its core or a BIOS, so the "
            "checks that need a running game were skipped.",
            "Install what is missing; the integration itself may be all right.",
            live=True,
        ),
        LintCode(
            "game-not-started", (_E,),
            "The core refused the game, or died while it started.",
            "Try another dump of the ROM; the message quotes the core.",
            live=True,
        ),
        LintCode(
            "core-failed", (_E,),
            "The core died or hung while the game ran.",
            "Try another core, or another dump of the game.",
            live=True,
        ),
        LintCode(
            "state-refused", (_E,),
            "The core refuses this state; another core or version may have saved it.",
            "Save the state again with the core that training uses.",
            live=True,
        ),
        LintCode(
            "core-without-memory", (_W,),
            "The core shows no memory: the game can be played, but it has no variables, and so "
            "neither reward nor done.",
            "Try another core of the console.",
            live=True,
        ),
        LintCode(
            "core-not-training", (_W,),
            "The game runs here on another core than in training, or on one that stable-retro "
            "does not ship. States, timing and memory may differ.",
            "Use training's core here, or lay this one where stable-retro finds it: integrator "
            "systems export.",
            live=True,
        ),
        LintCode(
            "core-other-memory", (_W,),
            "The core shows memory at other addresses, or of other sizes, than training's core: "
            "variables found here may be missing there.",
            "Find the variables again on training's core.",
            live=True,
        ),
        LintCode(
            "states-inexact", (_W,),
            "After a load, the core went on otherwise than it had played. Frames are compared with "
            "the recording, so those that are shown are right, but seeks take longer, and training "
            "from a state goes on otherwise than the play in which the state was saved.",
            "Begin training at states of quiet moments, or at power-on; to edit movies, play on "
            "another core of the console.",
            live=True,
        ),
        LintCode(
            "subsystem-not-training", (_W,),
            "The game is made of several files by a subsystem of its core. stable-retro opens "
            "games of one file only, so it cannot train on this one.",
            "Train on it with the integrator's own environments: integrator.make_env or make_vec.",
            live=True,
        ),
        LintCode(
            "option-not-training", (_W,),
            "An option of the core has another value than in training. Memory, timing and "
            "determinism may depend on it, so that play here says little of training.",
            "Choose training's value, in Cores or in your descriptor of the console.",
            live=True,
        ),
        LintCode(
            "state-other-core", (_W,),
            "The state was saved with another core or version. It loads, but it may not go on as "
            "it did there.",
            "Save the state again with this core.",
            live=True,
        ),
        LintCode(
            "done-at-start", (_E,),
            "The first step of an episode is done already, so every episode has one step.",
            "Correct done, or save the state at a later moment.",
            live=True,
        ),
        LintCode(
            "observation-differs", (_W,),
            "The game draws pictures of another size than stable-retro hands to agents, so they "
            "miss a part of it, or see old memory beside it; or the crop reaches beyond their "
            "picture.",
            "Look at the Observation panel; choose a state in which the sizes agree, or a crop "
            "within the agents' picture.",
            live=True,
        ),
        LintCode(
            "script-error", (_E,),
            "A script failed while the game ran with random buttons.",
            "Correct the script at the line that is named.",
            live=True,
        ),
        LintCode(
            "movie-beyond-training", (_W,),
            "A movie moves a stick, touches a screen, or has more than two players. Training has "
            "the joypads of two players, so no agent can play this movie, and stable-retro cannot "
            "replay it.",
            "Record the movie with buttons alone, or keep it out of demonstrations and datasets.",
        ),
        LintCode(
            "expectation-failed", (_E,),
            "A movie gives another reward, done, variable or total than expectations.json says.",
            "Correct the integration; after a change that was meant, accept the new value in the "
            "Expectations panel, or all of them with `integrator check --accept`.",
            live=True,
        ),
        LintCode(
            "expectation-not-checked", (_E,),
            "An expectation could not be compared: its entry makes no sense, its movie is missing, "
            "too short or out of step, or a variable is gone.",
            "Put the movie back or record it again; or remove the entry.",
            live=True,
        ),
    )
)  # fmt: skip
"""Every code, in the order in which they are listed."""


def help_page() -> str:
    intro = "Messages of the Lint panel and of `integrator check`, by code."
    lines = ["# Errors, warnings and notes", "", intro]
    for title, live in (("Found in the files", False), ("Found by running the game", True)):
        lines += ["", f"## {title}"]
        for code in LINT_CODES.values():
            if code.live is live:
                lines += ["", f"### {code.code}", "", f"({' or '.join(code.severities)})"]
                lines += [code.meaning, "", f"*Cure:* {code.cure}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, explained by ``LINT_CODES``; lines count from 1. Raises ValueError."""

    code: str
    severity: Severity
    file: Path
    message: str
    cure: str = ""
    path: str = ""
    line: int = 0

    def __post_init__(self) -> None:
        known = LINT_CODES.get(self.code)
        if known is None or self.severity not in known.severities:
            raise ValueError(f"{self.code} ({self.severity}) is not among the lint codes")
        # Files may hold names of megabytes, and findings quote names.
        for text in ("message", "cure"):
            object.__setattr__(self, text, one_line(getattr(self, text)))

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else f"{self.file}"
        subject = f"{one_line(self.path)}: " if self.path else ""
        cure = f"; {self.cure}" if self.cure else ""
        return f"{where}: {self.severity}: {subject}{self.message}{cure} [{self.code}]"
