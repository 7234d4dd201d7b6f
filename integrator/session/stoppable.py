"""Python text compiled so that its code asks before each statement if it is to stop.

A trace function was considered. Python disarms a trace function that raises, so that a bare
``except:`` in an endless loop could swallow the interruption and go on for ever.
"""

from __future__ import annotations

import ast
from typing import Final, TypeVar

ASK: Final = " ask"
"""The global function that the code calls; no name in a text can be the same.

It returns True, or raises, and raises again each time that it is called, until the code has ended.
"""

_Node = TypeVar("_Node", bound=ast.AST)
_BODIES: Final = ("body", "orelse", "finalbody")
_DOCUMENTED: Final = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def stoppable(tree: ast.Module) -> ast.Module:
    """Let the code of ``tree`` ask. Functions of the libraries that it calls do not."""
    _Asking().visit(tree)
    return tree


class _Asking(ast.NodeTransformer):
    """Adds a question before statements, elements of comprehensions and bodies of lambdas."""

    def generic_visit(self, node: _Node) -> _Node:
        super().generic_visit(node)
        for name in _BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list):
                first = _first(node, body)
                asked = [each for one in body[first:] for each in (_asking(one), one)]
                setattr(node, name, body[:first] + asked)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs.insert(0, _question(node.iter))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.generic_visit(node)
        both = ast.BoolOp(ast.And(), [_question(node.body), node.body])
        node.body = ast.copy_location(both, node.body)
        return node


def _first(node: ast.AST, body: list[ast.stmt]) -> int:
    """Index behind the docstring and the future imports, which have to stand first."""
    first = 0
    if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        first = 1
    while first < len(body) and _is_future(body[first]):
        first += 1
    return first


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _asking(statement: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(_question(statement)), statement)


def _question(place: ast.AST) -> ast.expr:
    call = ast.Call(ast.Name(ASK, ast.Load()), [], [])
    return ast.fix_missing_locations(ast.copy_location(call, place))
