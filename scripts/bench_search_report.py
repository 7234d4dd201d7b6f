"""The report of the search benchmark: measurements, the claims they have to show, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from integrator.commands.shared.console import plain_console
from scripts.bench_search_speed import LargeStep
from scripts.reporting import show_missing, show_table

MOST_FACTS: Final = 4
_DECOY: Final = "high_score"
_TIMES_AS_QUICK: Final = {"changed": 300, "unchanged": 300, "value": 100}
_FIRST_MILLISECONDS: Final = 400
_LATER_MILLISECONDS: Final = 150
_QUERY_SECONDS: Final = 1
_PROOF_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class Row:
    """The search for one variable. ``rank`` is 1 for the first candidate, 0 when it is not listed.

    ``copies`` are readings beside it that showed the same number in the whole recording, ``others``
    those that only the facts cannot tell from it, ``listed`` candidates after it. ``proof`` is the
    ruling of the verdict, ``of`` the reading that a copy follows."""

    game: str
    variable: str
    reading: str
    facts: tuple[str, ...]
    rank: int
    copies: int
    others: int
    listed: int
    proof: str
    of: str
    query_seconds: float
    proof_seconds: float

    @property
    def found(self) -> bool:
        """True when the variable alone is the first candidate after at most four facts."""
        return self.rank == 1 and not self.others and len(self.facts) <= MOST_FACTS


class Claim(TypedDict):
    """A promise of speed or quality, its wanted and its measured value."""

    claim: str
    wanted: str
    measured: str
    holds: bool


class SearchReport(TypedDict):
    """The document of ``--json``."""

    claims: list[Claim]
    rows: list[dict[str, object]]
    missing: dict[str, str]
    ratios_to_stable_retro: dict[str, float]
    large: list[dict[str, object]]
    query_seconds_10_minutes: dict[str, float]


def claims(
    rows: Sequence[Row],
    ratios: Mapping[str, float],
    large: Sequence[LargeStep],
    query_seconds: Mapping[str, float],
) -> list[Claim]:
    """Promises about the measurements that were made."""
    slow = max(query_seconds, key=lambda name: query_seconds[name])
    facts = _claim(
        "five facts over 36,000 frames of 64 KiB",
        f"{_QUERY_SECONDS} s",
        f"{query_seconds[slow]} s ({slow})",
        holds=query_seconds[slow] < _QUERY_SECONDS,
    )
    return [*_speed_claims(ratios, large), facts, *_variable_claims(rows)]


def _speed_claims(ratios: Mapping[str, float], large: Sequence[LargeStep]) -> Iterator[Claim]:
    for name, least in _TIMES_AS_QUICK.items():
        if name in ratios:
            claim = f"first search for {name}, all Genesis types, beside stable-retro"
            yield _claim(claim, f"{least} x", f"{ratios[name]:.0f} x", holds=ratios[name] >= least)
    for first, most, words in (
        (True, _FIRST_MILLISECONDS, "first comparison"),
        (False, _LATER_MILLISECONDS, "every later one"),
    ):
        steps = [step for step in large if step.first is first and not step.scales]
        if steps:
            slowest = max(steps, key=lambda step: step.milliseconds)
            measured = f"{slowest.milliseconds:.0f} ms ({slowest.op}), {slowest.ratio} of copying"
            claim = f"8 MiB, all types: {words}"
            yield _claim(claim, f"{most} ms", measured, holds=slowest.milliseconds <= most)


def _variable_claims(rows: Sequence[Row]) -> Iterator[Claim]:
    seconds = [row.proof_seconds for row in rows if row.game == "Airstriker"]
    if seconds:
        slowest = max(seconds)
        claim = "proof of a candidate on Airstriker"
        yield _claim(claim, f"{_PROOF_SECONDS} s", f"{slowest} s", holds=slowest < _PROOF_SECONDS)
    for game in dict.fromkeys(row.game for row in rows):
        own = [row for row in rows if row.game == game]
        good = sum(row.found for row in own)
        claim = f"{game}: variables first after at most {MOST_FACTS} facts"
        yield _claim(claim, str(len(own)), str(good), holds=good == len(own))
    for row in rows:
        if row.variable == _DECOY:
            told = f"{row.proof} of {row.of}" if row.of else row.proof
            claim = f"{row.game}: the decoy {_DECOY}"
            yield _claim(claim, "copy", told, holds=row.proof == "copy")


def _claim(claim: str, wanted: str, measured: str, *, holds: bool) -> Claim:
    return {"claim": claim, "wanted": wanted, "measured": measured, "holds": holds}


def print_search_bench(report: SearchReport) -> None:
    """Print the report; seconds are of the query and of the proof."""
    _show_rows(report["rows"])
    _show_large(report["large"])
    for name, seconds in report["query_seconds_10_minutes"].items():
        plain_console().print(f"{name}: {seconds} s")
    claims = (
        (each["claim"], each["wanted"], each["measured"], "yes" if each["holds"] else "no")
        for each in report["claims"]
    )
    show_table("Claims", ("claim", "wanted", "measured", "holds"), claims)
    show_missing(report["missing"])


def _show_rows(rows: Sequence[Mapping[str, object]]) -> None:
    columns = ("game", "variable", "read as", "facts", "rank", "copies", "others", "proof", "s")
    shown = []
    for row in rows:
        facts = row["facts"]
        shown.append(
            (
                *(row[key] for key in ("game", "variable", "reading")),
                "; ".join(facts) if isinstance(facts, (tuple, list)) else "",
                *(row[key] for key in ("rank", "copies", "others")),
                f"{row['proof']} of {row['of']}" if row["of"] else row["proof"],
                f"{row['query_seconds']} + {row['proof_seconds']}",
            )
        )
    show_table("Documented variables, from a minute of play", columns, shown)


def _show_large(large: Sequence[Mapping[str, object]]) -> None:
    rows = (
        (
            step["op"],
            "first" if step["first"] else "later",
            "yes" if step["scales"] else "no",
            step["milliseconds"],
            step["ratio"],
        )
        for step in large
    )
    title = "8 MiB, all types; of copying: the memory copied 20 times is 1"
    show_table(title, ("comparison", "", "scales", "ms", "of copying"), rows)
