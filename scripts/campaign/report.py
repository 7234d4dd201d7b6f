"""Writes docs/reliability.md from the counts of the campaign's parts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

_ZEROS: Final = ("lost", "untyped", "hung", "leaked")
_ORDER: Final = ("mutants", "crashes", "kills", "disks", "lua", "soak", "training", "commands")

_SAVES: Final = ("refused", "done")
_MOMENTS: Final = {
    "mixed": "Kills between two files of one save",
    "left_behind": "in the midst of a file",
    "drafted": "drafts found",
    "recovered": "plays taken up again from the whole journal",
}

_COLUMNS: Final = (*_ZEROS, "outside")
_JOINED: Final = {"died": "lost", "memory": "leaked", "started": "outside", "echo": "untyped"}
_COUNTED: Final[Mapping[str, Sequence[str]]] = {
    "mutants": _COLUMNS,
    "crashes": _ZEROS,
    "kills": ("lost", "leaked"),
    "disks": ("lost", "untyped", "hung"),
    "lua": ("untyped", "hung"),
    "soak": ("leaked",),
    "training": _ZEROS,
    "commands": _ZEROS,
}
"""Faults that each part looks for; the report leaves the others out, which does not mean zero."""
_GOALS: Final[Mapping[str, Mapping[str, int]]] = {
    "mutants": {"inputs": 1_000_000},
    "crashes": {"crashes": 1_000, "hangs": 100},
    "kills": {"kills": 1_000},
    "disks": {"disks": 100},
    "lua": {"tricks": 200},
    "soak": {"minutes": 60},
    "training": {"faults_made": 1_000},
    "commands": {"faults_made": 1_000},
}
_ABOUT: Final[Mapping[str, str]] = {
    "mutants": """Each input is drawn from the seed and its number: changed trees of JSON, changed
texts, zip and gzip files of which every field can lie, journals and drafts whose checksums are
right, and pipes, devices and folders in a file's place. The public reader of its kind reads it,
while an audit hook notes files opened for writing and programs that are started.""",
    "crashes": """Toy cores fail by themselves: a segmentation fault, an exit, an endless loop.
Cores of real consoles get the signals in which such faults end, or are stopped.""",
    "kills": """A session on the test core, without the window, plays and saves every kind of
file, again and again, until SIGKILL ends it at a random moment.""",
    "disks": """A disk is filled up to some KB; everything is saved and 300 frames are played; then
there is room again, and everything is saved once more.""",
    "lua": """Each trick is the body of a function that a scenario calls for three frames.""",
    "soak": """`scripts/soak.py` works in the real window: it opens games, plays, searches, seeks,
branches, edits, saves and changes themes.""",
    "training": """A program plays 12 rounds in `make_env`, and in `make_vec` with threads and with
processes, and records them. It gets a signal at a random moment, its core crashes or hangs, its
movies are on a disk of 16 KB, its temporary folder runs no programs, or it forks. Each round's
observations and rewards are compared with those of a run without a fault. A new interpreter starts
every tenth program; the others are forks of a process that has loaded the modules.""",
    "commands": """`agents`, `scores`, `dataset`, `play`, `check` and `audit` with the same faults.
After a signal or a full disk those that write files run once more, and their numbers are compared.
The files of the game must stay as they are.
Python tries its temporary folder with a file of four bytes, whose name has no prefix; a kill at
that moment leaves the file, and the campaign counts it no longer.""",
}
"""Description of each part."""
LEGEND: Final = """
*Lost*: frames, files, movies or searches, and processes that ended. *Untyped*: errors of no type of
ours, messages of more than a line, and those of programs with an exception of Python or
their file twice. *Hung*: more than 5 s of work or 2 s of sleep for a file,
60 s for a core, 1 s for a script. *Leaked*: processes, threads, descriptors, references to None,
and memory beyond what a kind of file may need. *Outside*: files written elsewhere,
programs started, connections opened. A dash: this part does not look for it.
"""

INTRODUCTION: Final = """# Reliability

The promises of sessions, the window, environments and commands for crashing cores, full disks,
damaged files and the program's sudden death, and the counts that prove them.
`python -m scripts.campaign` counted every number on this page, on the commit named there, with the
seed in the command. A short part of each runs in `make test`. The part that proves a promise stands
after it.

## Promises
"""

PROMISES: Final = (
    ("mutants", "A damaged file of any kind is read, or refused with one typed error on one line."),
    ("mutants", "No message shows more than a line of a file, and no control character of it."),
    ("mutants", "No file makes the program hang, take all memory or end."),
    ("mutants", "Reading a file writes nothing outside of its game and the user's own folders."),
    ("mutants", "Reading a file starts no program and opens no connection."),
    ("crashes", "A core that crashes or hangs takes only its own process along."),
    ("crashes", "After a crash or hang, every frame of the timeline has the RAM that it had."),
    ("crashes", "A movie that was being recorded is complete up to the last frame shown."),
    ("crashes", "Branches and searches outlive the core."),
    ("crashes", "A game that is closed leaves no process, thread, descriptor or journal behind."),
    ("kills", "After a kill at any moment each file is whole: the old one or the new one."),
    ("kills", "No file goes back to an older version than it had at the last kill."),
    ("kills", "Temporary files of killed programs are removed, and their core ends with them."),
    ("kills", "Play goes on from the journal of a killed program."),
    ("disks", "On a full disk, a failed save is reported and the old file stays whole."),
    ("disks", "A full disk does not end play."),
    ("disks", "With room again, saves succeed, and the journal gets all play since then."),
    ("lua", "No script of a stranger's makes the program hang, grow without bound or reach out."),
    ("training", "No whole episode's movie is lost, whatever ends the program."),
    ("training", "After a fault, the next reset gives the numbers that it gives without one."),
    ("training", "An isolated core that crashes or hangs ends its episode, and training goes on."),
    ("training", "Environments that end leave no process, and no file after the next start."),
    ("commands", "A core that crashes or hangs costs a command one line and status 1."),
    ("commands", "A command that is ended leaves no process, and no file that is not whole."),
    ("commands", "The same command then gives the numbers that it gives without a fault."),
    (
        "soak",
        "Work in the window leaves memory, processes, threads and files as they were.",
    ),
)
"""The part that proves it, and the promise."""


def faults(found: Mapping[str, Any]) -> int:
    """Number of faults that a part found."""
    listed = found.get("faults", ())
    by_sort = sum(listed.values()) if isinstance(listed, Mapping) else len(listed)
    return int(by_sort) or sum(int(found.get(name, 0)) for name in _ZEROS)


def write(out: Path, document: Path) -> None:
    """Write the document of the parts that were run."""
    parts = {
        name: json.loads((out / f"{name}.json").read_text("utf-8"))
        for name in _ORDER
        if (out / f"{name}.json").exists()
    }
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(text(parts), encoding="utf-8")


def text(parts: Mapping[str, Mapping[str, Any]]) -> str:
    """The document."""
    lines = [INTRODUCTION]
    for name in _ORDER:
        if name in parts:
            lines += [f"- {promise} (*{part}*)" for part, promise in PROMISES if part == name]
    lines += ["", "## Counts", ""]
    lines += ["| part | done | lost | untyped | hung | leaked | outside | commit |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    lines += [_row(name, parts[name]) for name in _ORDER if name in parts]
    lines += [LEGEND.rstrip()]
    for name in _ORDER:
        if name in parts:
            lines += ["", *_section(name, parts[name])]
    return "\n".join(lines) + "\n"


def _row(name: str, found: Mapping[str, Any]) -> str:
    sorts = found.get("faults", {})
    counts = dict.fromkeys(_COLUMNS, 0) | {sort: int(found.get(sort, 0)) for sort in _ZEROS}
    if isinstance(sorts, Mapping):
        for sort, number in sorts.items():
            counts[_JOINED.get(str(sort), str(sort))] += number
    cells = [f"{counts[sort]:,}" if sort in _COUNTED[name] else "-" for sort in _COLUMNS]
    return f"| {' | '.join([name, _done(name, found), *cells, found['commit'][:10]])} |"


def _done(name: str, found: Mapping[str, Any]) -> str:
    parts = [
        f"{found[key]:,.10g} of {goal:,} {key.replace('_', ' ')}"
        for key, goal in _GOALS[name].items()
    ]
    return ", ".join(parts)


def _section(name: str, found: Mapping[str, Any]) -> list[str]:
    lines = [f"### {name}", "", _ABOUT[name], "", f"`{found['command']}`", ""]
    match name:
        case "mutants":
            lines += [
                "| kind of file | inputs | read | refused | faults |",
                "|---|---|---|---|---|",
            ]
            lines += [
                f"| {kind} | {c['inputs']:,} | {c['ok']:,} | {c['typed']:,} | {c['faults']:,} |"
                for kind, c in found["kinds"].items()
                if c["inputs"]
            ]
        case "crashes":
            lines += [
                f"While: {_counts(found['doings'])}.",
                "",
                f"Games: {_counts(found['games'])}.",
            ]
            lines += ["", _references(found)]
        case "kills":
            moments = ("mixed", "left_behind", "drafted", "recovered")
            lines += [_counts({_MOMENTS[each]: found[each] for each in moments}) + "."]
        case "disks":
            lines += [f"Made full by {found['by']}."]
            lines += [
                _counts({each: found[each] for each in ("saves_refused", "saves_done")}) + "."
            ]
        case "lua":
            lines += [f"The slowest took {found['slowest_s']:g} s of processor time."]
        case "training" | "commands":
            lines += [_counts(found["doings"]) + "."]
            if found["faults"]:
                lines += ["", *(f"- {each}" for each in found["faults"])]
        case "soak":
            before, after = found["memory_mb"]
            lines += [f"Resident memory after a sixth and at the end: {before:g} and {after:g} MB."]
            lines += [f"Held at the end: {_counts(found['held'])}.", _references(found)]
    return lines


def _counts(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in numbers.items())


def _references(found: Mapping[str, Any]) -> str:
    before, after = found["none_references"]
    return f"References to None early on and at the end: {before:,} and {after:,}."
