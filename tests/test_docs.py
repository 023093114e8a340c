"""Documentation and help: plain words, short sentences, links that resolve, current pages."""

from __future__ import annotations

import copy
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

import kb
from kb import Library, i18n
from kb.cli.main import COMMANDS, GROUPS, paragraphs, spoken, summary
from kb.cli.main import kb as kb_group
from kb.formats.registry import EXPORTERS, IMPORTERS
from kb.i18n import LRM, RLM
from tests import catalog
from tests.reference import CHOICES, GENERATED, MARKED, all_commands, current

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").rglob("*.md"))
FOR_ENGINEERS = {"content.md", "testing.md", "architecture.md", "decisions.md", "search-index.md"}
PAGES = [
    README,
    *(page for page in DOCS if page.parent.name != "docs" or page.name not in FOR_ENGINEERS),
]
CHANGELOG = ROOT / "CHANGELOG.md"
SECURITY = ROOT / "SECURITY.md"
LINKED = [README, CHANGELOG, *DOCS, ROOT / "CONTRIBUTING.md", SECURITY]

LONGEST = {"summary": 60, "help": 20, "median": 10, "docs": 25, "README": 900}
"""Letters of a summary; words of a sentence in help, half of them, and in docs; of README."""

BANNED = re.compile(
    r"""\b(?: tak(?:e|es|en|ing)\ (?:it\ |that\ |this\ )?back | tak(?:e|es|en)\ in | set\ aside
    | leave\ out\ so | so\ many | at\ once\ with | kept\ twice | do(?:es)?\ again | became\ of
    | as\ settled | is\ settled | lies?\ in | made?\ (?:it\ )?anew | make\ it\ anew | mend(?:s|ed)?
    | tidy\w* | put\ away | deeds? | telling | tell(?:s|ing)?\ of | namesakes? | skeletons?
    | inert | your\ yes | a\ yes | after\ a\ look | vouch\w* | by\ halves | of\ decks:
    | by\ now | (?<!there\ )is\ no\ (?!input|longer) )\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Said where everybody knows a word: undo, import, skip, rebuild, repair, settings, consent."""


def prose(text: str) -> Iterator[str]:
    """Yield the paragraphs and list items of a page, without code, tables, comments, titles."""
    text = re.sub(r"^ *```.*?^ *```$|<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(?:\||#|!).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        if block.strip():
            yield " ".join(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block).split())


def words(text: str) -> list[str]:
    return [word for word in re.sub(r"`[^`]*`", "code", text).split() if re.search(r"\w", word)]


def sentences(text: str) -> Iterator[str]:
    yield from re.split(r"(?<=[.!?])[*\"]*\s+", text)


def helps() -> Iterator[tuple[str, str]]:
    """Yield what the help of each command says, but not its examples."""
    for name, command in all_commands():
        texts = [each for each in paragraphs(command.help or "") if not each.startswith("\b")]
        options = [each for each in command.params if isinstance(each, click.Option)]
        yield from ((name, text) for text in (*texts, *(each.help or "" for each in options)))


@pytest.mark.parametrize(
    "page", [*PAGES, CHANGELOG, SECURITY], ids=lambda page: str(page.relative_to(ROOT))
)
def test_a_page_is_in_plain_words_and_short_sentences(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in prose(text):
        assert not BANNED.search(block), block
        for sentence in sentences(block):
            assert len(words(sentence)) <= LONGEST["docs"], sentence


def test_the_help_is_in_plain_words_and_short_sentences() -> None:
    for name, text in helps():
        assert not BANNED.search(text), f"{name}: {text}"
        assert ";" not in text, f"{name}: {text}"
        for sentence in sentences(text):
            assert len(words(sentence)) <= LONGEST["help"], f"{name}: {sentence}"


def test_the_messages_are_in_plain_words_and_short_sentences() -> None:
    lengths = []
    for message in catalog.messages():
        for text in (message,) if isinstance(message, str) else message:
            assert not BANNED.search(text), text
            lengths += [(len(words(each)), each) for each in sentences(text)]
    assert max(lengths)[0] <= LONGEST["help"], max(lengths)
    assert statistics.median(length for length, _ in lengths) <= LONGEST["median"]


@pytest.mark.parametrize(
    ("banned", "plain"),
    [
        ("What is settled lies in a file.", "Settings are stored in a file."),
        ("Undone changes can be taken back.", "Changes can be undone."),
        ("x is no level", "there is no level x"),
        ("At most so many", "Show at most N results"),
    ],
)
def test_what_is_banned_is_seen(banned: str, plain: str) -> None:
    assert BANNED.search(banned)
    assert not BANNED.search(plain)


def test_readme_is_short_and_has_no_semicolon() -> None:
    blocks = list(prose(README.read_text(encoding="utf-8")))
    assert sum(len(words(block)) for block in blocks) <= LONGEST["README"]
    assert not [block for block in blocks if ";" in block]


def test_every_command_and_option_says_in_short_what_it_does() -> None:
    for name, command in all_commands():
        first = summary(command)
        assert first.endswith(".") and first[0].isupper(), name
        assert len(first) <= LONGEST["summary"], f"{name}: {first}"
        for option in command.params:
            assert not isinstance(option, click.Option) or option.help, f"{name} {option.name}"


@pytest.fixture(params=["en", "fa"])
def shown_help(request: pytest.FixtureRequest) -> Iterator[Callable[[str, int], str]]:
    """Give what shows a help in each language, in a terminal so many columns wide."""
    i18n.use_language(request.param)

    def shown(name: str, width: int) -> str:
        group = copy.deepcopy(kb_group)
        command: click.Command = spoken(group)
        context = command.context_class(command, info_name="kb", max_content_width=width)
        for word in name.split():
            command = command.get_command(context, word)  # type: ignore[attr-defined]
            context = spoken(copy.deepcopy(command)).context_class(command, context)
        context.terminal_width = width
        return command.get_help(context)

    try:
        yield shown
    finally:
        i18n.use_language("en")


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_help_lists_the_commands_in_groups_and_cuts_no_summary(
    shown_help: Callable[[str, int], str], width: int
) -> None:
    shown = shown_help("", width)
    assert "..." not in shown.split(f"{i18n._('Read and search')}:")[1]
    told = " ".join(shown.replace(LRM, "").replace(RLM, "").split())
    for group, names in GROUPS.items():
        assert f"\n{i18n._(group)}:\n" in "\n".join(map(str.strip, shown.splitlines())), group
        for name in names:
            command = kb_group.get_command(click.Context(kb_group), name)
            assert command is not None
            assert f"{name} {i18n._(summary(command))}" in told, name
    assert len({*COMMANDS}) == len(COMMANDS)


def test_a_group_of_commands_cuts_no_summary(shown_help: Callable[[str, int], str]) -> None:
    told = " ".join(shown_help("collection", 40).split())
    assert i18n._("List collections with their number of entries.") in told


def test_the_summaries_are_as_short_in_persian() -> None:
    i18n.use_language("fa")
    try:
        told = {name: i18n._(summary(command)) for name, command in all_commands()}
    finally:
        i18n.use_language("en")
    assert [each for each in told.items() if len(each[1]) > LONGEST["summary"]] == []


LETTERS = {
    "-n": "--limit",
    "-c": "--collection",
    "-f": "--format",
    "-o": "--output",
    "-y": "--yes",
}
"""The options with a letter, which is the same in every command; click adds -h to all."""


def test_an_option_has_the_same_letter_in_every_command() -> None:
    found: dict[str, set[tuple[str, ...]]] = {}
    for _, command in (("kb", kb_group), *all_commands()):
        for option in command.params:
            if isinstance(option, click.Option):
                *letters, name = sorted((*option.opts, *option.secondary_opts), key=len)
                found.setdefault(name, set()).add(tuple(letters))
    assert [name for name, letters in found.items() if len(letters) > 1] == []
    assert {letter: name for name, (letters,) in found.items() for letter in letters} == LETTERS


@pytest.mark.parametrize("name", ["rm", "prune", "compact", "collection rm"])
def test_a_command_that_deletes_says_so_first(name: str) -> None:
    assert summary(dict(all_commands())[f"kb {name}"]).startswith("Delete ")


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_what_is_generated_is_current(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert current(text) == text, "run: python -m tests.reference"


def test_every_generated_part_has_its_place_and_lists_everything() -> None:
    texts = [page.read_text(encoding="utf-8") for page in DOCS]
    assert sorted(part[1] for text in texts for part in MARKED.finditer(text)) == sorted(GENERATED)
    reference = "\n".join(line for lines in GENERATED.values() for line in lines())
    for name in COMMANDS:
        assert f"## kb {name}\n" in reference, name
    for name in (*EXPORTERS, *IMPORTERS, *CHOICES, "keys"):
        assert f"| `{name}` |" in reference, name


def anchors(page: Path) -> set[str]:
    """Return the names by which headings of a page are linked to, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_links_and_pictures_resolve(page: Path) -> None:
    text = re.sub(r"```.*?```|<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.long
def test_the_documentation_becomes_a_site_whose_links_resolve(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="the extra 'dev' is not installed")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    shutil.copytree(ROOT, tmp_path / "danesh", ignore=shutil.ignore_patterns(".*"))
    subprocess.run(command, cwd=tmp_path / "danesh", check=True, capture_output=True)
    site = tmp_path / "danesh/site"
    pages = [site / "index.html", *(site / "docs").rglob("*.html")]
    assert len(pages) >= len(DOCS)
    for page in pages:
        for target in re.findall(r'(?:href|src)="([^"#:]+)["#]', page.read_text(encoding="utf-8")):
            assert (page.parent / unquote(target)).is_file(), f"{page.name}: {target}"


def test_the_menu_of_the_site_lists_every_page() -> None:
    listed = re.findall(r'"([^"]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    pages = {str(page.relative_to(ROOT)) for page in LINKED} - {"docs/README.md"}
    assert {*listed} - {"tests/bench/README.md"} == pages


def test_the_pictures_of_readme_are_small_enough_to_load() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert pictures == ["docs/pictures/app.gif", "docs/pictures/app-fa.png"]
    assert all((ROOT / each).stat().st_size < 2_000_000 for each in pictures)


def test_the_change_log_begins_with_this_version_and_its_day() -> None:
    versions = re.findall(r"^## (.+)$", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert re.fullmatch(rf"{re.escape(kb.__version__)} \(\d{{4}}-\d\d-\d\d\)", versions[0])
    assert len(versions) > 1


def test_every_page_is_linked_from_readme_and_from_the_list_of_pages() -> None:
    for start in (README, ROOT / "docs/README.md"):
        found = re.findall(r"\]\(([^)#\s]+)", start.read_text(encoding="utf-8"))
        targets = {(start.parent / target).resolve() for target in found}
        for page in PAGES[1:]:
            assert page in targets or page.name == "README.md", f"{start.name}: {page.name}"


def test_the_python_page_names_all_that_is_public() -> None:
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    public = [name for name in vars(Library) if not name.startswith("_")]
    for name in (*kb.__all__, *public):
        assert re.search(rf"\b{name}\b", text), name
