"""The guide "teach a course with danesh", done command by command as its readers would."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from kb.model.draft import Draft
from tests.cli.process import run
from tests.databases import new_library

GUIDE = Path(__file__).parents[2] / "docs/guides/teach.md"
_BLOCK = re.compile(r"^```sh\n# (\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.long
def test_the_guide_leads_from_nothing_to_the_first_accepted_proposal(server, database, tmp_path):
    course = tmp_path / "my-course"
    with new_library(tmp_path / "first.db") as first:
        first.edit.new(Draft({"en": "Momentum"}, {"source": {"en": "It grows."}}, "card", "ml"))
        course.mkdir()
        first.export("json", course / "ml.json")

    def kb(who: str, *arguments: str):
        return run("--db", str(tmp_path / f"{who}.db"), *arguments)

    for who in ("teacher", "ada"):
        kb(who, "init", "--empty")
    done = []
    for who, commands in _BLOCK.findall(GUIDE.read_text(encoding="utf-8")):
        for line in commands.splitlines():
            said = re.sub(
                r"postgresql://(\w+)@db.example.org/course",
                lambda found: server.url(database, found[1]), line,
            ).replace("my-course", str(course))  # fmt: skip
            command = shlex.split(said)[1:]
            if command[0] == "import":  # its file has the name of the collection
                command = ["import", str(course / "ml.json")]
            done.append(kb(who, *command))
            assert done[-1].returncode == 0, (line, done[-1].stderr)
    assert len(done) == 13
    assert "pending" in done[9].stdout
    assert "+The step grows ten times, if the gradient stays the same." in done[10].stdout
    assert "accepted" in done[11].stderr
    for who in ("teacher", "ada"):
        kb(who, "sync")
        shown = json.loads(kb(who, "show", "ml/momentum", "--json").stdout)
        assert shown["answers"][0]["text"].startswith("The step grows ten times")
