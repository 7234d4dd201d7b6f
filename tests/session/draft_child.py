"""Edits an integration as the window would, keeps its draft, says so, and waits to be killed."""

from __future__ import annotations

import sys
import time

from integrator.domain.integration.directory import load_integration
from integrator.session.journal.drafts import DraftKeeper


def main(directory: str) -> None:
    integration = load_integration(directory)
    with integration.variables.edit() as value:
        value["unsaved"] = "edit"
    integration.scenario.value = {"done": {"condition": "all"}, "kept": 1}
    del integration.scripts["gone.lua"]
    integration.scripts["new.lua"] = "-- unsaved\xe9\n"
    integration.add_scenario("other", {"reward": {"time": {"reward": 1}}})
    keeper = DraftKeeper()
    keeper.keep(integration)
    print("kept", flush=True)  # noqa: T201 - the parent waits for this line
    time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1])
