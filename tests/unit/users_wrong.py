"""Code as users write it by mistake, which nothing runs.

Type checkers refuse each line with an ignore: `make check` refuses an ignore without a fault."""

import integrator

integrator.make_env("game", actions="discreet")  # type: ignore[arg-type]
integrator.make_env("game", observation="picture")  # type: ignore[arg-type]
integrator.make_vec("game", 2, autoreset="sometimes")  # type: ignore[arg-type]
integrator.make_env(integrator.MISSING)  # type: ignore[attr-defined]
with integrator.open_session("game") as session:
    session.search("score").refine("notanop")  # type: ignore[arg-type]
    session.search("score").preview("notanop")  # type: ignore[arg-type]
    session.suggest(["points"])  # type: ignore[list-item]
    session.advance((0,)).frame.rgb()  # type: ignore[union-attr]
