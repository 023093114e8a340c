"""Attacks on consent through the command line, at a terminal and without one, and the app."""

from __future__ import annotations

from typing import Any

from tests.robustness.consent_attacks import ATTACKS, attack
from tests.robustness.consent_ground import EVIL, FINE, Ground, entry


@attack
def a_command_where_nobody_sits(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog"))
    return ground.command("run", "evil", stdin="y\ny\n")


@attack
def a_verification_where_nobody_sits(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog"))
    return ground.command("verify", "evil", "--accept", stdin="y\ny\n")


@attack
def an_answer_that_is_no_yes(ground: Ground) -> str:
    ground.brought(entry())
    answer = ground.chance.choice(["\n", "n\n", "yeah\n", "\ny\n", "ye s\n", "\x04", "1\n"])
    out, shown = ground.terminal("run", "evil", answer=answer)
    return out + shown


@attack
def a_verification_that_is_answered_by_reflex(ground: Ground) -> str:
    ground.brought(entry(evidence="evil_prog"))
    return "".join(ground.terminal("verify", "--accept", "evil", answer="\n"))


@attack
def an_answer_typed_before_the_question(ground: Ground) -> str:
    ground.brought(entry())
    return "".join(ground.terminal("run", "evil", answer="\n", ahead="y\ny\ny\n"))


@attack
def a_yes_to_code_that_is_swapped_meanwhile(ground: Ground) -> str:
    ground.brought(entry(code=FINE))

    def swap() -> None:
        ground.behind("UPDATE snippet SET code = ? WHERE id = 'evil_prog'", EVIL)

    return "".join(ground.terminal("run", "evil", answer="y\n", asked=swap))


@attack
def a_yes_before_which_not_all_is_shown(ground: Ground) -> str:
    """The yes runs it; what is wrong here is a line that was not on the screen before."""
    blanks = ground.chance.choice([200, 3000])
    lines = [
        f"x = 1;{' ' * blanks}y = 2",
        *(f"a{number} = {number}" for number in range(300)),
        EVIL,
    ]
    ground.brought(entry(code="\n".join(lines)))
    out, screen = ground.terminal("run", "evil", answer="y\n")
    shown = screen.replace("\r\n", "\n").split("[y/N]")[0]
    counted = [f"x = 1;⟨␣ × {blanks}⟩y = 2", *"\n".join(lines).split("\n")[1:]]
    numbered = [f"{number:>3}  {line}" for number, line in enumerate(counted, 1)]
    missing = [line for line in numbered[:-1] if line not in shown]
    ran = "PWNED" in out and ": 1" in out
    return f"WRONG {len(missing)} lines were not shown, ran: {ran}" if missing or not ran else ""


@attack
def trust_that_reaches_another_entry(ground: Ground) -> str:
    ground.brought(entry("victim", "fine", FINE, evidence="evil_prog"), entry())
    return ground.command("verify", "--accept", "--trust", "victim")


@attack
def trust_of_a_name_that_two_have(ground: Ground) -> str:
    ground.brought(entry(program="matrix-chain-three"), entry("matrix_chain_order", "evil_two"))
    return ground.command("run", "--trust", "matrix-chain-three") + ground.command(
        "run", "--trust", "matrix_chain_order"
    )


@attack
def trust_that_is_not_told(ground: Ground) -> str:
    """The yes of a script runs it; what is wrong here is that its digest was not told."""
    ground.brought(entry())
    with ground.library() as library:
        digest = library.snippet("evil").digest
    said = ground.command("run", "--trust", "evil")
    return "" if digest in said and "PWNED42" in said else f"WRONG it was not told: {said}"


@attack
def an_import_the_reader_vouches_for(ground: Ground) -> str:
    file = ground.file(entry(snippet={"own": True}))
    return ground.command("import", "--mine", str(file)) + ground.command("run", "evil")


@attack
def show_and_run_of_one_name(ground: Ground) -> str:
    """What ``run --trust`` runs has to be what ``show`` prints under that name."""
    ground.brought(entry("one", "two", FINE), entry("two", "three", evidence=None))
    shown = ground.command("show", "two", "--code")
    ran = ground.command("run", "--trust", "two")
    same = ("PW" in shown) == ("PWNED42" in ran)
    return "" if same else "WRONG another program was run than is shown"


_FALSE = "9  if x > y:"
FALSE_LINES = {
    "blanks": "y = 2  #" + " " * 3000 + _FALSE,
    "code behind blanks": "x = 1" + " " * 3000 + "; x = 2",
    "tabs": "y = 2  #" + "\t" * 900 + _FALSE,
    "a long word": "# " + "z" * 3000,
    "wide letters": "# " + "机" * 900 + _FALSE,
    "new pictures": "# " + "\U0001fae8" * 900 + _FALSE,
    "marks": "# " + "e\u0301" * 900 + _FALSE,
    "letters from the right": "# " + "سلام " * 300 + _FALSE,
    "half-spaces": "# " + "می‌شود " * 300 + _FALSE,
}


def _false(rows: list[str], before: str) -> str:
    """Say which row has something of a program where numbers stand, ``before`` its code."""
    heads = [row.removeprefix("\u200e").removeprefix(before)[:3] for row in rows]
    wrong = [head for head in heads if head not in ("1  ", "2  ", " ↳ ")]
    told = heads.count("1  ") == heads.count("2  ") == 1
    return "" if told and not wrong else f"WRONG its rows begin with {wrong or heads}"


def false_line(name: str, line: str) -> None:
    """Add the attack of a line that is to look like several, at a terminal and in the app."""
    code = f"{line}\n{FINE}"

    def at_terminal(ground: Ground) -> str:
        ground.brought(entry(code=code))
        out, shown = ground.terminal("run", "evil", answer="n\n")
        rows = shown.replace("\r\n", "\n").split("\n\n")[1].split("\n")
        return out + _false(rows, "  ")

    async def rows_of(ground: Ground, reader: Any) -> str:
        from tui.screens.consent import ProgramRows

        await reader.press("r")
        block = reader.app.screen.query_one(ProgramRows)
        drawn = [block.render_line(y).text for y in range(block.content_size.height)]
        return _false(drawn, "")

    ATTACKS[f"a false line by {name} at a terminal"] = at_terminal
    in_app(f"a false line by {name} in the app", rows_of, code)


def in_app(name: str, entry_keys: Any, code: str = EVIL, **more: Any) -> None:
    """Add an attack by keys on an entry from elsewhere."""

    def attempt(ground: Ground) -> str:
        ground.brought(entry(code=code, evidence="evil_prog", **more))
        return ground.app("evil", lambda reader: entry_keys(ground, reader))

    attempt.__name__ = name
    attack(attempt)


async def _seen(reader: Any, *keys: str) -> str:
    """Press keys; return all that programs have written and all that stands on the screen."""
    from tui.widgets.bidi_text import BidiText

    await reader.press(*keys)
    outputs = [each.text for each in reader.main.query(".output").results(BidiText)]
    return reader.text() + "\n".join(outputs) + reader.notices()


async def _typed(reader: Any, text: str) -> None:
    from tui.widgets.text_area import CodeArea

    area = reader.main.query_one(CodeArea)
    area.move_cursor(area.document.end)
    await reader.press(*text)


async def _reflex(ground: Ground, reader: Any) -> str:
    key = ground.chance.choice(["enter", "escape", "space", "n", "r", "q", "tab"])
    return await _seen(reader, "r", key, "escape")


async def _saved(ground: Ground, reader: Any) -> str:
    await reader.press(":change-code", "ctrl+s")
    return await _seen(reader, "r", "enter") + await _seen(reader, ":make-main", "r", "enter")


async def _changed(ground: Ground, reader: Any) -> str:
    await reader.press(":change-code")
    await _typed(reader, "#")
    return await _seen(reader, "f5", "enter")


async def _changed_and_left(ground: Ground, reader: Any) -> str:
    await reader.press(":change-code")
    await _typed(reader, "#")
    return await _seen(reader, "escape", "r", "enter")


async def _changed_and_saved(ground: Ground, reader: Any) -> str:
    await reader.press(":change-code")
    await _typed(reader, "#")
    return await _seen(reader, "ctrl+s", "r", "enter")


async def _after_a_yes(ground: Ground, reader: Any) -> str:
    await reader.press("r", "y", ":change-code")
    area_end = ground.chance.choice(["#", " "])
    await _typed(reader, f"{EVIL.strip()}{area_end}")
    return await _seen(reader, "f5", "enter")


async def _verified(ground: Ground, reader: Any) -> str:
    reader.main.session.library.verify(["evil"], accept=True)
    return await _seen(reader, ":verify", "enter") + await _seen(reader, "r", "enter")


async def _swapped(ground: Ground, reader: Any) -> str:
    await reader.press("r")
    ground.behind("UPDATE snippet SET code = ? WHERE id = 'evil_prog'", EVIL)
    return await _seen(reader, "y", "enter")


async def _written_under_its_name(ground: Ground, reader: Any) -> str:
    from textual.widgets import TextArea

    await reader.press(":new-program", *"evil_prog", "enter")
    reader.app.screen.query_one(TextArea).load_text(EVIL)
    await reader.press("ctrl+s", "escape")
    return await _seen(reader, "r", "enter")


async def _twice(ground: Ground, reader: Any) -> str:
    from tui.screens.consent import ConsentScreen

    seen = await _seen(reader, "r", "y")
    await reader.press("r")
    asked = isinstance(reader.app.screen, ConsentScreen)
    return "" if asked and "figure: 1" in seen else "WRONG it was not asked again"


in_app("a reflex at the question", _reflex)
in_app("code saved with nothing typed", _saved)
in_app("code changed and run in its place", _changed)
in_app("code changed and run from outside", _changed_and_left)
in_app("code changed and saved", _changed_and_saved)
in_app("code changed after a yes", _after_a_yes, FINE)
in_app("a verification in the app", _verified)
in_app("code swapped behind the open question", _swapped, FINE)
in_app("a program written under the name of it", _written_under_its_name)
in_app("a second run after a yes for one", _twice, FINE)
in_app("a program called ones own in the app", _saved, snippet={"own": True})

for _name, _line in FALSE_LINES.items():
    false_line(_name, _line)
