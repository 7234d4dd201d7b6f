"""Builds the test core, and hands out hosts that are closed after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_host import FakeHost
from toy_requests import BuildToycore, MakeRemote, ToyRequest

from libretro_host.host import CoreHost, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost
from scripts.campaign import toys

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def build_toycore(tmp_path_factory: pytest.TempPathFactory) -> BuildToycore:
    """Compiles a variant of toycore: ``build_toycore("TOYCORE_API=2")`` returns its path.

    ``name="gltoy"`` compiles the core that draws with OpenGL."""

    def build(*defines: str, name: str = "toycore") -> Path:
        return toys.build_toycore(tmp_path_factory.mktemp(name), *defines, name=name)

    return build


@pytest.fixture(scope="session")
def toycore(build_toycore: BuildToycore) -> Path:
    """The path of the compiled test core."""
    return build_toycore()


@pytest.fixture
def toy(toycore: Path, tmp_path: Path) -> ToyRequest:
    """Makes LoadRequests: content keys as keywords, ``request_`` fields with that prefix."""

    def make(core: Path = toycore, **keys: object) -> LoadRequest:
        fields = {k.removeprefix("request_"): v for k, v in keys.items() if k[:8] == "request_"}
        lines = [f"{key}={value}\n" for key, value in keys.items() if key[:8] != "request_"]
        content = tmp_path / f"content{len(list(tmp_path.iterdir()))}.toy"
        content.write_text("".join(lines))
        return LoadRequest(core=core, content=content, **fields)  # type: ignore[arg-type] # free-form keywords

    return make


@pytest.fixture
def inprocess() -> Iterator[InProcessHost]:
    """An InProcessHost, closed afterwards: there may be one open core in a process."""
    host = InProcessHost()
    yield host
    host.close()


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeRemote]:
    """Makes RemoteHosts whose children can import the host classes of this folder."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    made: list[RemoteHost] = []

    def make(inner: str = "libretro_host.inprocess:InProcessHost", **kwargs: int) -> RemoteHost:
        made.append(RemoteHost(inner=inner, **kwargs))
        return made[-1]

    yield make
    for host in made:
        host.close()


_HOSTS: dict[str, Callable[[], CoreHost]] = {
    "fake": FakeHost,
    "inprocess": InProcessHost,
    "remote": RemoteHost,
}


@pytest.fixture(params=["inprocess", "remote"])
def core_host(request: pytest.FixtureRequest) -> Iterator[CoreHost]:
    """Each host that runs real cores, in turn."""
    host = _HOSTS[request.param]()
    yield host
    host.close()


@pytest.fixture(params=_HOSTS)
def host(request: pytest.FixtureRequest) -> Iterator[CoreHost]:
    """Each host in turn; all of them keep one contract."""
    host = _HOSTS[request.param]()
    yield host
    host.close()
