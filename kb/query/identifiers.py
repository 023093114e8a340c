"""Dotted names, as programs have them: np.float16 is asked for as a float16."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.query.tree import Bare, Keyword, Node, Quoted

_MEMBER = re.compile(r"\W*[^\W\d]\w+\.([^\W\d]\w{2,})\W*")
_WHOLE_SHARE = 0.25


def with_own_names(node: Node) -> Node:
    """Return a tree in which a name of a module's member is looked for by the member's own name.

    A module's name before the full stop says where something is found, not what it is; what has
    the whole name is worth more.

    >>> with_own_names(Keyword("np.float16")).of
    (Keyword(text='float16'), Quoted(text='np.float16', share=0.25, sought=False))
    >>> with_own_names(Keyword("e.g.")), with_own_names(Keyword("x.shape"))
    (Keyword(text='e.g.'), Keyword(text='x.shape'))
    """
    parts = tuple(_named(node.of if isinstance(node, Bare) else (node,)))
    return Bare(parts) if isinstance(node, Bare) or len(parts) > 1 else node


def _named(of: tuple[Node, ...]) -> Iterator[Node]:
    for part in of:
        name = _MEMBER.fullmatch(part.text) if isinstance(part, Keyword) else None
        if name is None or not isinstance(part, Keyword):
            yield part
        else:
            yield Keyword(name[1])
            yield Quoted(part.text, _WHOLE_SHARE, sought=False)
