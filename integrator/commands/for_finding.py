"""The words after ``integrator suggest``, ``ends``, ``prove``, ``search``."""

from pathlib import Path
from typing import Annotated

import typer

from integrator.commands.shared.options import GameOption, JsonFlag, game_argument

PlayArgument = Annotated[
    list[Path],
    game_argument(
        "Movies of one game or folders of them, or a game, which is played for a minute."
    ),
]
StateOption = Annotated[str | None, typer.Option(help="The start state of a game's minute.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Chooses the buttons of a game's minute.")]


def suggest(
    movies: PlayArgument,
    kind: Annotated[
        list[str] | None, typer.Option(help="Kind of variable, such as score; can be given again.")
    ] = None,
    prove: Annotated[bool, typer.Option("--prove", help="Prove the best of each kind.")] = False,
    game: GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: JsonFlag = False,
) -> None:
    """Name the likely variables in movies or in a minute of play."""
    from integrator.commands import finding as command

    kinds = command.kinds_of(kind)
    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.suggest(kinds, prove=prove)
    command.show_suggestions(found, as_json=as_json)


def ends(
    movies: PlayArgument,
    mark: Annotated[
        list[int] | None,
        typer.Option(metavar="FRAME", help="Frame on which an episode ended; can be given again."),
    ] = None,
    game: GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: JsonFlag = False,
) -> None:
    """Find done conditions that hold at the ends of episodes.

    Without marks, each movie is an episode to its last frame.
    """
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (
        session,
        last,
    ):
        found = session.episode_ends(mark or last or None)
    command.show_ends(found, as_json=as_json)


def prove(
    movies: PlayArgument,
    of: Annotated[
        list[str],
        typer.Option(
            metavar="NUMBER", help="A variable, or an address as 0xFF0000:>u2; can be given again."
        ),
    ],
    game: GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: JsonFlag = False,
) -> None:
    """Poke numbers of a hidden copy of the game: originals or copies?"""
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.prove(command.targets(session, of))
    command.show_verdicts(found, as_json=as_json)


def search(
    movies: PlayArgument,
    fact: Annotated[
        list[str],
        typer.Option(
            metavar="FACT",
            help="A frame and what the screen showed: '300 = 1200', '512: 3 -> 2', "
            "'300..400 up'; can be given again.",
        ),
    ],
    game: GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: JsonFlag = False,
) -> None:
    """Find the numbers that fit facts about recorded frames.

    Frames count on through all movies, in their order.
    """
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.timeline.query("\n".join(fact))
    command.show_solution(found, as_json=as_json)
