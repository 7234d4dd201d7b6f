"""Resources and prompts: the book, open documents, plots as pictures, and three jobs in words."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.mcpserver.resources import FileResource

from integrator import paths
from integrator.assistant.workbench import AssistantBench
from integrator.domain.errors import ChoiceError, IntegratorError
from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.session.session import Session
from integrator.session.stills import png_bytes

T = TypeVar("T")

_WIDTH, _HEIGHT, _GAP = 640, 120, 6
_PAPER, _FRAME, _INK = (24, 26, 31), (60, 64, 72), (122, 190, 255)


def integrate_game(game: str) -> str:
    """Integrate a game: from its ROM to an integration that training agrees with."""
    return (
        f"Integrate the game {game} with the tools of this server. Open it and play to where the "
        "player has control; save a start state there, save the integration, and open it again. "
        "Play for about a minute with all buttons, and lose a life. Find score and lives by "
        "suggest, or read numbers off pictures of look for facts, and prove what you take: an "
        "original, not a copy. Make them variables, reward what the game is about, and let the "
        "tool ends find a done condition. Then check, verify, audit, and mend what they find. "
        "Say in the end which evidence each variable, reward and done rests on."
    )


def review_integration(game: str) -> str:
    """Review an integration: is it what an agent should learn from?"""
    return (
        f"Review the integration {game}. Open it; read its data.json and scenario.json among the "
        "resources; run check, verify and audit; play, and compare each variable with the picture; "
        "prove the variables that are rewarded. Report faults, each with its evidence and a fix, "
        "the serious ones first. Change nothing."
    )


def explain_my_reward(game: str, movie: str) -> str:
    """Why does my agent get this reward? From a movie of its play."""
    return (
        f"My agent's play in the movie {movie} of {game} gets a reward that I do not understand. "
        "Open the game, play the movie with the tool movies, and use explain_reward on it as a "
        "whole and on the frames that paid most. Look at the pictures there. Say which term paid "
        "for what, whether the game was played as it is meant, and what to change if it was not."
    )


def add_reading(server: MCPServer[Any], bench: AssistantBench) -> None:
    """Add all resources and prompts to a server."""
    book = paths.shipped("docs")
    for page in sorted(book.glob("[fgh]*/*.md")):  # the chapters that are shipped
        name = page.relative_to(book).as_posix()
        title = read_text(page, TEXT_BYTES).partition("\n")[0].lstrip("# ")
        uri, kind = f"book://{name}", "text/markdown"
        shown = FileResource(uri=uri, name=name, title=title, path=page, mime_type=kind)
        server.add_resource(shown)

    def document(file: str) -> str:
        """A document of the open integration: data.json, scenario.json, metadata.json, a script."""
        return _asked(bench, lambda session: _document(session, file))

    def plot(series: str) -> bytes:
        """Variables, or reward, over the timeline: a row each, from its least to its greatest."""
        return _asked(bench, lambda session: _plot(session, series.split(",")))

    server.resource("integration://{file}", mime_type="text/plain")(document)
    server.resource("plot://{+series}", mime_type="image/png")(plot)
    for prompt in (integrate_game, review_integration, explain_my_reward):
        server.prompt()(prompt)


def _asked(bench: AssistantBench, command: Callable[[Session], T]) -> T:
    try:
        return bench.post(command).result(60)
    except (IntegratorError, TimeoutError) as error:
        raise ResourceError(str(error)) from error


def _document(session: Session, file: str) -> str:
    integration = session.integration
    known = [each.path.name for each in integration.documents] + list(integration.scripts)
    content = integration.content(file) if file in known else None
    if content is None:
        raise ChoiceError(f"{file}: no such document; there are {', '.join(known)}")
    return content if isinstance(content, str) else str(getattr(content, "text", content))


def _plot(session: Session, names: list[str]) -> bytes:
    """A row for each series: in each column a bar over the values of its frames."""
    travel = session.timeline
    rows = np.full((len(names[:8]), _HEIGHT + _GAP, _WIDTH, 3), _PAPER, np.uint8)
    rows[:, [0, _HEIGHT - 1]] = _FRAME
    for name, picture in zip(names, rows, strict=False):
        paid = name == "reward"
        values = (travel.log.rewards(1)[:, 0] if paid else travel.column(name)).astype(np.float64)
        if not len(values):
            continue
        level = values.cumsum() if paid else values
        level -= level.min()
        y = _HEIGHT - 3 - (level / (level.max() or 1) * (_HEIGHT - 5)).round().astype(np.intp)
        edges = np.linspace(0, len(y) - 1, _WIDTH + 1).astype(np.intp)
        for x, (first, last) in enumerate(pairwise(edges.tolist())):
            part = y[first : last + 1]
            picture[part.min() : part.max() + 1, x] = _INK
    return png_bytes(np.vstack(list(rows)))
