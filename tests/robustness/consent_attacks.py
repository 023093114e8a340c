"""Attacks on consent through files, names and the library's door.

Each returns all that came of it. What holds `TOKEN` was run without a yes; what begins
with ``WRONG`` says what else should not be.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

from kb.content.bundled import bundled_folder
from kb.model.draft import Amendment
from kb.model.entry import Evidence, TextSpan, digest
from kb.text.program import lines_of
from tests.robustness.consent_ground import EVIL, FINE, TOKEN, Ground, entry

Attack = Callable[[Ground], str]
ATTACKS: dict[str, Attack] = {}

BUNDLED, PROGRAM = "radius-mask", "matrix_chain_order"
"""An entry and a program that came with danesh."""

HIDING = {
    "carriage return": "\r", "form feed": "\x0c", "vertical tab": "\x0b", "file": "\x1c",
    "group": "\x1d", "record": "\x1e", "next line": "\x85", "line separator": "\u2028",
    "paragraph separator": "\u2029", "nul": "\0", "override": "\u202e", "isolate": "\u2067",
    "byte order mark": "\ufeff", "zero width space": "\u200b", "filler": "\u3164", "escape": "\x1b",
    "delete": "\x7f", "backspace": "\x08", "tag": "\U000e0041", "selector": "\ufe01",
    "picture selector": "\ufe0f", "later selector": "\U000e0100", "half-space": "\u200c",
    "run of joiners": "\u200c\u200d" * 30, "no-break space": "\u00a0", "Braille blank": "\u2800",
    "soft hyphen": "\u00ad", "Mongolian separator": "\u180e", "Mongolian selector": "\u180b",
    "jamo filler": "\u1160", "halfwidth filler": "\uffa0", "null notehead": "\U0001d159",
    "beam": "\U0001d173", "annotation": "\ufff9", "mark on a blank": "\u0301", "private": "\ue000",
    "unassigned": "\u0378", "left-to-right mark": "\u200e", "blank hieroglyph": "\U00013441",
}  # fmt: skip


def attack(attempt: Attack) -> Attack:
    """Add an attack under its own name."""
    ATTACKS[attempt.__name__.replace("_", " ")] = attempt
    return attempt


def hiding(name: str, sign: str) -> None:
    """Add the attack of a character in code that hides what Python runs."""

    def attempt(ground: Ground) -> str:
        code = f"# all fine here{sign}{EVIL}" if sign == "\r" else f"# fine {sign}\n{EVIL}"
        name = ground.chance.choice(["a.json", "a.jsonl"])
        file = ground.file(entry(code=code), name=name)
        told = ground.said(lambda library: library.import_file(file).unfit)
        ran = ground.run("evil_prog", trust=True)
        known = "line 1 of its code" in told or (sign == "\0" and "the character NUL" in told)
        return f"{'' if known else f'WRONG it was not told: {told} '}{ran}"

    ATTACKS[f"a program with a {name} in it"] = attempt


for _name, _sign in HIDING.items():
    hiding(_name, _sign)


@attack
def a_program_called_ones_own(ground: Ground) -> str:
    name = ground.chance.choice(["a.json", "a.jsonl"])
    ground.brought(entry(snippet={"own": True}), name=name)
    return ground.run("evil_prog") + ground.run("evil")


@attack
def an_own_main_program_for_a_bundled_entry(ground: Ground) -> str:
    whole = json.loads(_exported(ground, BUNDLED))["entries"][0]
    own = {"id": "evil_prog", "title": {}, "code": EVIL, "main": True, "own": True}
    ground.brought({**whole, "snippets": [*whole["snippets"], own]})
    return ground.run(BUNDLED) + ground.run("evil_prog")


@attack
def an_own_program_over_the_readers(ground: Ground) -> str:
    ground.said(lambda library: library.own.save_snippet(BUNDLED, FINE, name="mine"))
    whole = entry("other", "mine", snippet={"own": True})
    ground.brought(whole)
    return ground.run("mine") + ground.run("other")


@attack
def a_note_called_ones_own(ground: Ground) -> str:
    note = {"own": True, "verdict": "note", "evidence": [], "id": "own-1"}
    ground.brought(entry(evidence="evil_prog", note=note))
    return _wrong(ground, "it is the reader's own", lambda a: a.own)


@attack
def a_state_that_nobody_measured(ground: Ground) -> str:
    status = ground.chance.choice(["confirmed", "refuted", "cannot-run"])
    ground.brought(entry(evidence="evil_prog", note={"status": status, **_looked_at()}))
    return _wrong(ground, f"it is {status}", lambda a: a.status == status)


@attack
def a_state_of_what_looks_bundled(ground: Ground) -> str:
    whole = json.loads(_exported(ground, "matrix-chain-three"))["entries"][0]
    for each in whole["annotations"]:
        each |= {"id": f"{each['id']}-x", "status": "confirmed"}
    ground.brought({**whole, "id": "evil"})
    return _wrong(ground, "it is confirmed", lambda a: a.status == "confirmed")


@attack
def a_program_named_like_a_bundled_entry(ground: Ground) -> str:
    ground.brought(entry(program="matrix-chain-three"))
    return ground.run("matrix-chain-three", trust=True)


@attack
def a_program_named_like_an_entry_without_one(ground: Ground) -> str:
    bare = {**entry("bare"), "snippets": []}
    ground.brought(bare, entry(program="bare"))
    return ground.run("bare", trust=True)


@attack
def a_program_named_like_a_bundled_one(ground: Ground) -> str:
    ground.brought(entry(program=PROGRAM))
    return ground.run(PROGRAM, trust=True)


@attack
def a_program_named_like_the_file_of_a_bundled_one(ground: Ground) -> str:
    ground.brought(entry(program=f"{PROGRAM}.py"))
    return ground.run(f"{PROGRAM}.py", trust=True)


@attack
def an_entry_named_like_a_bundled_program(ground: Ground) -> str:
    ground.brought(entry(PROGRAM))
    return ground.run(PROGRAM, trust=True)


@attack
def an_entry_named_like_a_program_said_in_full(ground: Ground) -> str:
    full = f"matrix-chain-three::{PROGRAM}"
    ground.brought(entry(full))
    return ground.run(full, trust=True)


@attack
def an_annotation_named_like_a_bundled_program(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog", note={"id": PROGRAM}))
    return ground.run(PROGRAM, trust=True)


@attack
def a_program_named_like_a_bundled_annotation(ground: Ground) -> str:
    ground.brought(entry(program="epsilon-adds-noise"))
    return ground.run("epsilon-adds-noise", trust=True)


@attack
def a_name_in_letters_that_look_alike(ground: Ground) -> str:
    alike = PROGRAM.replace("a", "\u0430")
    ground.brought(entry(program=alike))
    return ground.run(PROGRAM, trust=True) + ground.run(alike)


@attack
def a_name_that_differs_by_case(ground: Ground) -> str:
    ground.brought(entry(program=PROGRAM.upper()))
    return ground.run(PROGRAM, trust=True) + ground.run(PROGRAM.upper())


@attack
def a_name_that_differs_by_a_half_space(ground: Ground) -> str:
    name = PROGRAM.replace("_", "\u200c_", 1)
    ground.brought(entry(program=name))
    return ground.run(PROGRAM, trust=True) + ground.run(name)


@attack
def a_name_in_another_normal_form(ground: Ground) -> str:
    ground.said(lambda library: library.own.save_snippet(BUNDLED, FINE, name="caf\u00e9"))
    name = unicodedata.normalize("NFD", "caf\u00e9")
    ground.brought(entry(program=name))
    return ground.run("caf\u00e9", trust=True) + ground.run(name)


@attack
def evidence_that_points_elsewhere(ground: Ground) -> str:
    ground.brought(entry("victim", "fine", FINE, evidence="evil_prog"), entry())
    ground.said(lambda library: library.verify(["victim"], accept=True))
    return ground.said(lambda library: library.verify(["victim"], trust=True))


@attack
def evidence_of_a_bundled_entry_that_points_elsewhere(ground: Ground) -> str:
    ground.brought(entry())
    change = (
        "UPDATE evidence SET snippet = 'evil_prog', figure = ? WHERE annotation LIKE 'epsilon%'"
    )
    ground.behind(change, TOKEN)
    ground.said(lambda library: library.verify(["batch-norm-epsilon"], accept=True, trust=True))
    return ground.said(lambda library: library.verify(["batch-norm-epsilon"], trust=True))


@attack
def digests_that_a_file_calls_looked_at(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog", note=_looked_at()))
    return ground.said(lambda library: library.verify(["evil"]))


@attack
def accepted_without_a_yes(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog"))
    return ground.said(lambda library: library.verify(["evil"], accept=True))


@attack
def code_swapped_after_the_question(ground: Ground) -> str:
    ground.brought(entry(code=FINE))
    with ground.library() as library:
        yes = [each.digest for each in library.programs.of_run("evil")]
    ground.behind("UPDATE snippet SET code = ? WHERE id = 'evil_prog'", EVIL)
    return ground.run("evil", yes=yes)


@attack
def code_swapped_after_the_question_of_a_verification(ground: Ground) -> str:
    ground.brought(entry(code=FINE, evidence="evil_prog"))
    ground.said(lambda library: library.verify(["evil"], accept=True))
    with ground.library() as library:
        yes = [each.digest for each in library.programs.of_verify(["evil"])]
    ground.behind("UPDATE snippet SET code = ? WHERE id = 'evil_prog'", EVIL)
    return ground.said(lambda library: library.verify(["evil"], accept=True, yes=yes))


@attack
def a_yes_by_name(ground: Ground) -> str:
    ground.brought(entry())
    return ground.run("evil", yes=["evil", "evil_prog", ""])


@attack
def a_file_that_changes_after_a_yes(ground: Ground) -> str:
    ground.brought(entry(code=FINE))
    _always(ground, "evil")
    ground.brought(entry())
    return ground.run("evil") + ground.run("evil_prog")


@attack
def a_yes_once_is_no_yes_for_good(ground: Ground) -> str:
    ground.brought(entry(code=FINE))
    with ground.library() as library:
        (asked,) = library.programs.of_run("evil")
        library.run("evil", yes=[asked.digest])
        (again,) = library.programs.of_run("evil")
    ground.brought(entry())
    return f"{'' if again.asks else 'WRONG it asks no more '}{ground.run('evil', yes=[])}"


@attack
def code_done_again_from_the_journal(ground: Ground) -> str:
    ground.brought(entry(code=FINE))
    _always(ground, "evil")
    ground.brought(entry())
    ground.said(lambda library: library.changes.undo())
    ground.said(lambda library: library.changes.redo())
    return ground.run("evil")


@attack
def a_program_of_an_import_that_was_taken_back(ground: Ground) -> str:
    ground.brought(entry())
    ground.said(lambda library: library.changes.undo())
    return ground.run("evil_prog", trust=True)


@attack
def the_file_wins_a_bundled_entry(ground: Ground) -> str:
    whole = json.loads(_exported(ground, BUNDLED))["entries"][0]
    whole["snippets"][0]["code"] = EVIL
    ground.brought(whole)
    ground.said(lambda library: library.files.resolve([BUNDLED], "theirs"))
    return ground.run(BUNDLED) + ground.run(whole["snippets"][0]["id"])


@attack
def an_entry_that_the_reader_changed(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog"))
    ground.said(lambda library: library.edit.amend("evil", Amendment(question="Mine?")))
    ground.said(lambda library: library.edit.tag(["evil"], ["mine"]))
    ground.said(lambda library: library.edit.move(["evil"], "mine"))
    return ground.run("evil") + ground.said(lambda library: library.verify(["evil"], accept=True))


@attack
def an_entry_that_came_back(ground: Ground) -> str:
    ground.brought(entry())
    ground.said(lambda library: library.edit.remove(["evil"]))
    ground.said(lambda library: library.changes.undo())
    return ground.run("evil")


@attack
def the_name_of_a_hidden_entry(ground: Ground) -> str:
    ground.said(lambda library: library.edit.remove([BUNDLED]))
    ground.brought(entry(program=BUNDLED), entry(BUNDLED, "evil_two"))
    return ground.run(BUNDLED, trust=True)


@attack
def typed_code_that_is_stored_as_foreign(ground: Ground) -> str:
    ground.brought(entry())
    return ground.said(lambda library: library.run_code(EVIL + "\n \n", name="mine"))


@attack
def foreign_code_with_a_sign_typed(ground: Ground) -> str:
    ground.brought(entry())
    return ground.said(lambda library: library.run_code(EVIL + "#", based_on=EVIL))


@attack
def foreign_code_saved_as_it_is(ground: Ground) -> str:
    ground.brought(entry())
    based_on = ground.chance.choice([EVIL, None])
    name = ground.chance.choice(["mine", None])
    saved = ground.said(
        lambda library: library.own.save_snippet("evil", EVIL, name=name, based_on=based_on).id
    )
    return ground.run(saved) + ground.run("evil")


@attack
def foreign_code_changed_and_saved(ground: Ground) -> str:
    ground.brought(entry())
    ground.said(
        lambda library: library.own.save_snippet(
            BUNDLED, EVIL + "# mine\n", name="mine", main=True, based_on=EVIL
        )
    )
    return ground.run("mine") + ground.run(BUNDLED)


@attack
def foreign_code_changed_in_two_steps(ground: Ground) -> str:
    ground.brought(entry())
    code = EVIL
    for number in range(ground.chance.randint(2, 4)):
        changed, before = f"{code}# {number}\n", code
        ground.said(
            lambda library, changed=changed, before=before: library.own.save_snippet(
                "evil", changed, name="mine", based_on=before
            )
        )
        code = changed
    return ground.run("mine") + ground.said(lambda library: library.run_code(code))


@attack
def a_claimed_program_made_the_main_one(ground: Ground) -> str:
    ground.brought(entry(snippet={"own": True}), mine=True)
    made = ground.said(
        lambda library: library.own.save_snippet("evil", EVIL, name="evil_prog", main=True)
    )
    return ground.run("evil") + ground.run("evil_prog") + made


@attack
def a_program_saved_under_a_foreign_name(ground: Ground) -> str:
    ground.brought(entry())
    ground.said(lambda library: library.own.save_snippet("evil", FINE, name="evil_prog"))
    return ground.run("evil_prog") + ground.run("evil")


@attack
def what_the_reader_vouches_for_is_not_trusted(ground: Ground) -> str:
    ground.brought(entry(snippet={"own": True}), mine=True)
    return ground.run("evil") + ground.run("evil_prog")


@attack
def a_course_with_programs(ground: Ground) -> str:
    folder = _course(ground, f'"""Fine."""\n{EVIL}')
    ground.said(lambda library: library.import_file(folder))
    return ground.run("lesson-1") + ground.said(lambda library: library.verify(["lesson-1"]))


@attack
def a_course_that_hides_code(ground: Ground) -> str:
    sign = ground.chance.choice(["\r", "\x0c", "\u2028", "\u202e"])
    folder = _course(ground, f'"""Fine."""\n# all fine here{sign}{EVIL}')
    told = ground.said(lambda library: library.import_file(folder).unfit)
    ran = ground.run("lesson-1", trust=True)
    return f"{'' if 'line 2 of its code' in told else 'WRONG it was not told '}{ran}"


@attack
def an_encoding_that_python_might_believe(ground: Ground) -> str:
    coding = ground.chance.choice(["utf-7", "rot13", "utf-16", "latin-1"])
    ground.brought(entry(code=f"# coding: {coding}\n{EVIL}"))
    return ground.run("evil", trust=True)


@attack
def line_ends_of_windows_and_a_mark_before_them(ground: Ground) -> str:
    ground.brought(entry(code="\ufeff" + EVIL.replace("\n", "\r\n")))
    with ground.library() as library:
        kept = library.snippet("evil").code
    wrong = "" if kept == EVIL else "WRONG its lines are not ended by a newline "
    return wrong + ground.run("evil")


@attack
def questions_with_code_in_markdown(ground: Ground) -> str:
    file = ground.folder / "q.md"
    file.write_text(f"# T\n\n## What is evil?\n\n```python\n{EVIL}```\n")
    ground.said(lambda library: library.import_file(file))
    return ground.run("q/what-is-evil") + ground.run("q", trust=True)


@attack
def a_database_that_hides_code(ground: Ground) -> str:
    ground.brought(entry(code=FINE))
    code = f"# all fine here\r{EVIL}"
    ground.behind("UPDATE snippet SET code = ? WHERE id = 'evil_prog'", code)
    told = ground.command("show", "evil", "--code").split("```python\n")[1]
    shown = told.split("\n```")[0].split("\n")
    wrong = len([line for line in shown if line.strip()]) != len(lines_of(code.rstrip()))
    told = "WRONG it is shown in other lines " if wrong else ""
    return told + ground.run("evil", trust=True)


@attack
def a_payload_of_selectors_in_a_database(ground: Ground) -> str:
    ground.brought(entry(code=FINE))
    payload = "".join(chr(0xE0100 + byte) for byte in EVIL.encode())
    code = f'NAME = "Ada{payload}"\nexec(bytes(ord(c) - 0xE0100 for c in NAME[3:]))\n'
    ground.behind("UPDATE snippet SET code = ? WHERE id = 'evil_prog'", code)
    return ground.run("evil", trust=True)


@attack
def a_database_that_calls_code_bundled(ground: Ground) -> str:
    ground.behind("UPDATE snippet SET code = ? WHERE id = ?", EVIL, PROGRAM)
    verified = ground.said(lambda library: library.verify(["matrix-chain-three"], accept=True))
    return ground.run(PROGRAM) + ground.run("matrix-chain-three") + verified


@attack
def a_database_that_calls_code_the_readers(ground: Ground) -> str:
    ground.said(lambda library: library.own.save_snippet(BUNDLED, FINE, name="mine", main=True))
    ground.behind("UPDATE snippet SET code = ? WHERE id = 'mine'", EVIL)
    with ground.library() as library:
        (told,) = library.programs.of_run("mine")
    wrong = "WRONG it is called yours " if told.whose == "yours" else ""
    return wrong + ground.run("mine") + ground.run(BUNDLED)


@attack
def a_note_of_ones_own_on_a_foreign_figure(ground: Ground) -> str:
    ground.brought(entry())
    proof = [Evidence("evil_prog", TOKEN, 1.0)]
    words = TextSpan("source", "en", 0, 5)
    made = ground.said(lambda lib: lib.own.annotate("evil", words, "Mine.", evidence=proof).id)
    return ground.said(lambda library: library.verify([made])) + ground.run(made)


def _looked_at() -> dict[str, Any]:
    """Return evidence of which a file says that somebody has looked at quote and program."""
    looked = {"quote": digest("It is 1"), "snippet": digest(EVIL)}
    proof = {"snippet": "evil_prog", "figure": TOKEN, "expected": 1, "accepted": looked}
    return {"evidence": [proof]}


def _always(ground: Ground, name: str) -> None:
    with ground.library() as library:
        library.programs.allow(each.digest for each in library.programs.of_run(name))


def _exported(ground: Ground, id: str) -> str:
    path = ground.folder / "out.json"
    with ground.library() as library:
        library.export("json", path, ids=[id])
    return path.read_text(encoding="utf-8")


def _wrong(ground: Ground, said: str, is_wrong: Callable[[Any], bool]) -> str:
    with ground.library() as library:
        try:
            found = library.show("evil").annotations
        except Exception as error:  # noqa: BLE001  # whatever it is, nothing was imported
            return str(error)
    return f"WRONG {said}" if any(map(is_wrong, found)) else ""


def _course(ground: Ground, code: str) -> Any:
    folder = ground.folder / "course"
    (folder / "one").mkdir(parents=True)
    (folder / "snippets").mkdir()
    (folder / "one" / "collection.toml").write_text('order = 1\ntitle.en = "One"\n')
    (folder / "one" / "01-lesson-1.toml").write_text(
        'id = "lesson-1"\nkind = "card"\ntopic = "t"\nsnippets = ["lesson"]\n'
        '[question.en]\ntext = "What?"\n'
    )
    (folder / "snippets" / "lesson.py").write_bytes(code.encode())
    assert bundled_folder() != folder
    return folder
