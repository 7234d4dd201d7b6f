"""The names that a script may import from the package."""

from __future__ import annotations

import inspect

import pytest

import integrator
from integrator.domain import errors as of_domain
from libretro_host import errors as of_host


def errors_of(module: object) -> set[str]:
    return {
        name
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, Exception)
    }


def test_every_error_is_public_and_has_one_root() -> None:
    names = errors_of(of_domain) | errors_of(of_host)
    assert names <= set(integrator.__all__)
    for name in names:
        assert issubclass(getattr(integrator, name), integrator.IntegratorError)


def test_all_names_are_there() -> None:
    for name in integrator.__all__:
        assert getattr(integrator, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(integrator, "nothing")  # noqa: B009 - a type checker knows better
