"""The subcommands of ``integrator`` for agents, audits and finding variables."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from integrator.commands.shared import options
from integrator.domain.errors import IntegratorError, SessionError, message_of
from integrator.unattended import MINUTES

if TYPE_CHECKING:
    from integrator.agents.result import EpisodeResult
    from integrator.unattended.job import AutoResult


def agents(
    game: Annotated[
        Path, options.game_argument("Integration directory, ROM, or the name of an integration.")
    ],
    agent: Annotated[
        list[str],
        typer.Option(
            "--agent",
            help="no-op, random, held:BUTTON+BUTTON, jerk, brute, ppo, or module:factory; can be "
            "given again.",
            autocompletion=options.complete_agents,
        ),
    ],
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="A start state's name, or all; can be given again."),
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes of each agent and state.")] = 10,
    frames: Annotated[int, typer.Option(min=1, help="Most frames of an episode.")] = 18_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same movies.")] = 0,
    scenario: Annotated[str | None, typer.Option(help="A scenario file without suffix.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder that gets each episode as a movie.")
    ] = None,
    live: Annotated[Path | None, typer.Option(hidden=True, help="For the window.")] = None,
    jobs: options.JobsOption = 0,
    cluster: options.ClusterOption = None,
    as_json: options.JsonFlag = False,
) -> None:
    """Let agents play a game, and sum up their episodes."""
    from integrator.agents.result import AgentTrial
    from integrator.commands import agents as command

    if live is not None:
        command.end_with_parent()
    names, states = tuple(agent), tuple(state or ())
    trial = AgentTrial(
        game, names, states, episodes, frames, seed, scenario, jobs, cluster, out, live
    )
    rows = None if as_json else command.ResultRows(trial)
    results: list[EpisodeResult] = []
    try:
        for ended in command.play_agents(trial, quiet=as_json):
            results += ended
            if rows is not None:
                rows.add(ended)
    except (IntegratorError, OSError) as error:
        if as_json and results:
            raise options.FailedAfterJsonError(message_of(error)) from error
        raise
    finally:
        if as_json and results:
            options.print_json(command.to_json(results))
    options.fail_if(any(each.error for each in results))


def auto(
    places: Annotated[list[Path], typer.Argument(help="ROMs, or folders of ROMs.")],
    root: options.RootOption = None,
    minutes: Annotated[
        float, typer.Option(min=0.5, help="Minutes of play for a game, in the game's own time.")
    ] = MINUTES,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same files.")] = 0,
    update: Annotated[
        bool, typer.Option("--update", help="Add what a person's integration lacks.")
    ] = False,
    jobs: options.JobsOption = 0,
    cluster: options.ClusterOption = None,
    as_json: options.JsonFlag = False,
) -> None:
    """Make integrations of ROMs without a person.

    Each is played, searched and checked. auto.json says how sure each part is, and why."""
    from integrator.commands import audit as command

    results: list[AutoResult] = []
    try:
        for result in command.make_all(
            places, root=root, minutes=minutes, seed=seed, update=update, jobs=jobs, cluster=cluster
        ):
            results.append(result)
            if not as_json:
                command.print_made(result)
    finally:
        if as_json and results:
            options.print_json({"games": [asdict(each) for each in results]})
    options.fail_if(any(each.outcome == "failed" for each in results))


def audit(
    paths: Annotated[
        list[Path],
        options.game_argument("Movies, folders of movies, integration directories or their names."),
    ],
    game: options.GameOption = None,
    probes: Annotated[
        bool, typer.Option("--probes/--no-probes", help="Also play by held and random buttons.")
    ] = True,
    attack: Annotated[
        bool, typer.Option("--attack", help="Also search for loops of buttons that farm reward.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The attack's random numbers.")] = 0,
    jobs: options.JobsOption = 0,
    cluster: options.ClusterOption = None,
    as_json: options.JsonFlag = False,
) -> None:
    """Look for reward farming and other traps; exit 1 if there is one."""
    from integrator.commands import audit as command

    report = command.audit(
        paths,
        game=game,
        probes=probes,
        attack_seed=seed if attack else None,
        jobs=jobs,
        cluster=cluster,
        quiet=as_json,
    )
    options.show(report.to_json(), command.print_report, report, as_json=as_json)
    options.fail_if(not report.is_clean)


def dataset(
    movies: Annotated[list[Path], typer.Argument(help="Movies, or folders of movies.")],
    out: Annotated[
        Path, typer.Option(help="A new folder; for Minari its name is the id, such as moth-v0.")
    ],
    form: Annotated[Literal["minari", "npz"], typer.Option("--format")] = "minari",
    game: options.GameOption = None,
    observation: Literal["image", "ram"] = "image",
    actions: Literal["all", "filtered", "discrete"] = "all",
    gray: Annotated[bool, typer.Option("--gray", help="Write grayscale pictures.")] = False,
    size: Annotated[
        tuple[int, int] | None, typer.Option(help="Width and height of pictures, as 84 84.")
    ] = None,
    keep_desynced: Annotated[
        bool, typer.Option("--keep-desynced", help="Keep movies that go out of step, and say so.")
    ] = False,
    as_json: options.JsonFlag = False,
) -> None:
    """Write movies as training data.

    An episode has observations, actions, rewards, ends and variables."""
    from integrator.commands import dataset as command

    wanted = command.DatasetContent(observation, actions, gray, size, keep_desynced)
    made = command.make_dataset(movies, out, form=form, wanted=wanted, game=game, quiet=as_json)
    options.show({"episodes": made}, command.print_dataset, made, out, form, as_json=as_json)


def mcp(
    game: Annotated[
        Path | None,
        options.game_argument("A game, or a folder of games, that the assistant may open."),
    ] = None,
    root: options.RootOption = None,
) -> None:
    """Serve an assistant by the Model Context Protocol.

    The server uses standard input and output; it reads and writes only below the root."""
    from integrator import paths

    if game is not None:
        options.require_path(game)
    try:
        from integrator.assistant.server import serve
        from integrator.assistant.workbench import AssistantBench
    except ModuleNotFoundError as error:
        raise SessionError(
            f'{error.name} is missing: pip install "retro-integrator[mcp]"'
        ) from error
    serve(AssistantBench(root or paths.user_integrations_dir(), game))


def reward(
    movies: Annotated[list[Path], typer.Argument(help="Movies, or folders of movies.")],
    game: options.GameOption = None,
    scenario: Annotated[str | None, typer.Option(help="A scenario file without suffix.")] = None,
    player: Annotated[int, typer.Option(min=1, help="The player who is paid.")] = 1,
    first: Annotated[int, typer.Option(min=1, help="The first frame.")] = 1,
    last: Annotated[int | None, typer.Option(min=1, help="The last frame; by default all.")] = None,
    as_json: options.JsonFlag = False,
) -> None:
    """Show how much of a movie's reward each term gave.

    Each frame with a reward is listed, with the variables that changed."""
    from integrator.commands import finding as command

    explained = command.explain_rewards(
        movies, game=game, scenario=scenario, player=player, first=first, last=last, quiet=as_json
    )
    report = {"movies": [each.to_json() for each in explained]}
    options.show(report, command.print_rewards, explained, as_json=as_json)


def scores(
    levels: Annotated[Path, typer.Argument(help="CSV with a row game,state for each level.")],
    agent: Annotated[
        str | None,
        typer.Option(
            help="An agent of integrator agents, or module:factory.",
            autocompletion=options.complete_agents,
        ),
    ] = None,
    movies: Annotated[Path | None, typer.Option(help="Movies instead of an agent.")] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes of each level.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same score.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="File of results, from which an ended run is continued.")
    ] = None,
    jobs: options.JobsOption = 0,
    cluster: options.ClusterOption = None,
    as_json: options.JsonFlag = False,
) -> None:
    """Score an agent, or movies, by the Retro Contest's protocol.

    The score is the mean of the levels' mean rewards."""
    from integrator.commands import scores as command

    if (agent is None) == (movies is None):
        raise typer.BadParameter("give either --agent or --movies")
    listed = command.read_levels(levels)
    if agent is not None:
        work = command.agent_jobs(listed, agent, episodes, seed)
    else:
        work = command.movie_jobs(listed, movies or Path())
    results = command.play_all(work, out=out, processes=jobs, cluster=cluster, quiet=as_json)
    options.show(command.to_json(results), command.print_scores, results, as_json=as_json)
    options.fail_if(any(each.error for each in results))


_PLAY = "Movies of one game or folders of them, or a game, which is played for a minute."
PlayArgument = Annotated[list[Path], options.game_argument(_PLAY)]
StateOption = Annotated[str | None, typer.Option(help="The start state of a game's minute.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Chooses the buttons of a game's minute.")]


def suggest(
    movies: PlayArgument,
    kind: Annotated[
        list[str] | None, typer.Option(help="Kind of variable, such as score; can be given again.")
    ] = None,
    prove: Annotated[bool, typer.Option("--prove", help="Prove the best of each kind.")] = False,
    game: options.GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: options.JsonFlag = False,
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
    game: options.GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: options.JsonFlag = False,
) -> None:
    """Find done conditions that hold at the ends of episodes.

    Without marks, each movie is an episode to its last frame."""
    from integrator.commands import finding as command

    playing = command.played(movies, game=game, state=state, seed=seed, quiet=as_json)
    with playing as (session, last):
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
    game: options.GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: options.JsonFlag = False,
) -> None:
    """Poke numbers in a hidden core: are they originals or copies?"""
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.prove([command.target(session, each) for each in of])
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
    game: options.GameOption = None,
    state: StateOption = None,
    seed: SeedOption = 1,
    as_json: options.JsonFlag = False,
) -> None:
    """Find the numbers that fit facts about recorded frames.

    The frames of all movies are numbered in one sequence, in their order."""
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.timeline.query("\n".join(fact))
    command.show_solution(found, as_json=as_json)


COMMANDS = (agents, audit, auto, dataset, ends, mcp, prove, reward, scores, search, suggest)
