"""Random changes of a knowledge base, each done to a plain model beside it, and compared."""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from kb import Library, open_library
from kb.errors import Conflict, KbError, NotFound
from kb.formats.registry import read_file
from kb.model.draft import Amendment, Draft
from kb.model.entry import Entry, TextSpan
from kb.model.results import silent
from tests.behind import damaged, raw, unlike_texts
from tests.service import model
from tests.service.model import FileRecord, Model, Said, State

_FA = ["گرادیان", "آنتروپی", "توجه", "یادگیری", "شبکه", "نرم", "وزن", "مدل"]
_EN = ["gradient", "entropy", "attention", "learning", "network", "norm", "weight", "model"]
_COLLECTIONS = [
    "notes",
    "notes/deep",
    "یادداشت",
    "یادداشت/شبکه",
    "a b",
    "reading",
    "x.y",
    "reading/a",
]
_LEVELS = ["E", "M", "H", ""]
_TAGS = ["todo", "مهم", "a b", "x.y"]


class Sequence:
    """One sequence of changes; ``failed`` says what differs from the model, or nothing."""

    def __init__(self, seed: int, template: Path, folder: Path) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.path = folder / "kb.db"
        shutil.copy(template, self.path)
        self.library = open_library(self.path)
        raw(self.library).execute("PRAGMA synchronous = OFF")
        self.model = Model(state_of(self.library))
        self.files: dict[Path, list[tuple[str, str, str, str]]] = {}
        self.count = 0
        self.told: list[str] = []

    def run(self, steps: int) -> str:
        """Make so many changes; return what differs from the model, or nothing."""
        try:
            for _ in range(steps):
                self.step()
                if differing := difference(self.model.state, self.library):
                    return f"{differing} after {self.told}"
            if broken := damaged(self.library):
                return f"the index lacks {broken} after {self.told}"
            if unlike := unlike_texts(self.library):
                return f"SQLite's index is wrong in {unlike} after {self.told}"
            return ""
        except (AssertionError, KbError, LookupError, ValueError) as error:
            return f"{type(error).__name__}: {error} after {self.told}"
        finally:
            self.library.close()

    def step(self) -> None:
        """Make one change, on both sides."""
        names = [name for name, weight in _STEPS.items() for _ in range(weight)]
        name = self.random.choice(names)
        self.told.append(name)
        getattr(self, name)()

    @property
    def state(self) -> State:
        """What the model holds."""
        return self.model.state

    def word(self) -> str:
        """Return words that nothing had before."""
        self.count += 1
        words = self.random.choice([_EN, _FA])
        return f"{self.random.choice(words)} {self.random.choice(words)} {self.count}"

    def some(self, most: int = 3) -> list[str]:
        """Return some entries that are there."""
        there = list(self.state.entries)
        return self.random.sample(there, min(len(there), self.random.randint(1, most)))

    def collection(self) -> str:
        """Return the name of a collection that is there, or may be."""
        return self.random.choice([*_COLLECTIONS, *(name for name, *_ in model.tree(self.state))])

    # What follows is what a reader does.

    def new(self) -> None:
        question, place = self.word(), self.collection()
        lang = "fa" if question[0] in "".join(_FA) else "en"
        answers = {"source": {lang: self.word()}} if self.random.random() < 0.6 else {}
        tags = tuple(self.random.sample(_TAGS, self.random.randint(0, 2)))
        level = self.random.choice(_LEVELS)
        draft = Draft({lang: question}, answers, "note", place, level or None, tags=tags)
        done = self.library.edit.new(draft)
        self.fresh(done.ids[0])
        said = said_of(draft.entry("x"))
        self.model.change(lambda s: model.put(s, done.ids[0], model.Entry(said, place)))

    def amend(self) -> None:
        if not self.state.entries:
            return
        (id,) = self.some(1)
        which = self.random.choice(["level", "tag", "question", "answer", "collection", "back"])
        if which == "back":
            if id in self.state.origins:
                self.back(id)
            return
        said, change = dict(self.state.entries[id].said), self.amendment(which)
        if change.lang:
            name = "question" if which == "question" else "answer.source"
            said[f"{name}.{change.lang}"] = change.question or change.answer
        if change.level is not None:
            said["level"] = change.level or None
        if change.tag is not None:
            said["tags"] = change.tag
        said = {name: value for name, value in said.items() if value not in (None, ())}
        done = self.library.edit.amend(id, change)
        changed = self.model.change(lambda s: model.write(s, id, said, change.collection))
        assert (done.change is not None) == changed

    def amendment(self, which: str) -> Amendment:
        """Return what is to change of an entry."""
        if which == "level":
            return Amendment(level=self.random.choice(_LEVELS))
        if which == "tag":
            return Amendment(tag=tuple(self.random.sample(_TAGS, 2)))
        if which == "collection":
            return Amendment(collection=self.collection())
        lang, text = self.random.choice(["en", "fa"]), self.word()
        if which == "question":
            return Amendment(question=text, lang=lang)
        return Amendment(answer=text, lang=lang)

    def back(self, id: str) -> None:
        """Give an entry what its file says."""
        said = self.state.origins[id].taken
        if any(not name.startswith(("question", "answer.source", "level", "tags", "kind", "topic"))
               for name in said):  # fmt: skip
            return
        question = {n.partition(".")[2]: t for n, t in said.items() if n.startswith("question.")}
        answers = {n.rpartition(".")[2]: t for n, t in said.items() if n.startswith("answer.")}
        entry = self.state.entries[id]
        draft = Draft(
            question, {"source": answers} if answers else {}, said["kind"], entry.collection,
            said.get("level"), None, said.get("topic"), said.get("tags", ()),
        )  # fmt: skip
        self.library.edit.edit(id, draft, seen=self.library.edit.digest_of(id))
        self.model.change(lambda s: model.write(s, id, said))

    def move(self) -> None:
        ids, place = self.some(), self.collection()
        if not ids:
            return

        def moved(state: State) -> None:
            model.make(state, place)
            for id in ids:
                model.write(state, id, state.entries[id].said, place)

        done = self.library.edit.move(ids, place)
        assert (done.change is not None) == self.model.change(moved)

    def tag(self) -> None:
        ids = self.some()
        more, less = self.random.sample(_TAGS, 2)
        if not ids:
            return

        def tagged(state: State) -> None:
            for id in ids:
                said = dict(state.entries[id].said)
                tags = dict.fromkeys((*said.pop("tags", ()), more))
                tags.pop(less, None)
                model.write(state, id, said | ({"tags": tuple(tags)} if tags else {}))

        done = self.library.edit.tag(ids, [more], [less])
        assert (done.change is not None) == self.model.change(tagged)

    def remove(self) -> None:
        ids = self.some()
        if not ids:
            return
        self.library.edit.remove(ids)
        self.model.change(lambda s: _removed(s, ids))
        self.model.removed.update(ids)

    def unhide(self) -> None:
        ids = [id for id, entry in self.state.entries.items() if entry.hidden]
        if not ids:
            return

        def unhidden(state: State) -> None:
            for id in ids:
                state.entries[id].hidden = False

        self.library.edit.unhide(ids)
        self.model.change(unhidden)

    def note(self) -> None:
        asked = [
            (id, name.partition(".")[2], text)
            for id, entry in self.state.entries.items()
            for name, text in entry.said.items()
            if name.startswith("question.")
        ]
        if not asked:
            return
        id, lang, text = self.random.choice(asked)
        said = self.word()
        span = TextSpan("question", lang, 0, min(3, len(text)))
        made = self.library.own.annotate(id, span, said)
        self.model.change(lambda s: s.entries[id].notes.update({made.id: said}))

    def withdraw(self) -> None:
        noted = [(id, n) for id, entry in self.state.entries.items() for n in entry.notes]
        if noted:
            id, name = self.random.choice(noted)
            self.library.own.withdraw(name)
            self.model.change(lambda s: s.entries[id].notes.pop(name))

    def make_collection(self) -> None:
        name, title = self.collection(), self.random.choice(["", self.word()])
        free = not model.below(self.state, name)
        try:
            self.library.collections.new(name, title=title)
        except Conflict:
            assert not free, f"{name} was not there"
            return
        assert free, f"{name} was there"
        self.model.change(lambda s: model.make(s, name, title))

    def rename(self) -> None:
        names = [name for name, *_ in model.tree(self.state)]
        if not names:
            return
        old, new = self.random.choice(names), self.collection()
        within = model.below(self.state, old)
        bundled = any(self.state.entries[id].bundled
                      for each in within for id in self.state.order[each])  # fmt: skip
        free = not model.below(self.state, new) and not f"{new}/".startswith(f"{old}/")
        try:
            done = self.library.collections.rename(old, new)
        except Conflict:
            assert bundled or not free, f"{old} could have been renamed to {new}"
            return
        assert done is None or (free and not bundled)
        if done is not None:
            self.model.change(lambda s: model.rename(s, old, new))

    def remove_collection(self) -> None:
        names = [name for name, *_ in model.tree(self.state)]
        if not names:
            return
        name = self.random.choice(names)
        within = model.below(self.state, name)
        held = any(self.state.order[each] for each in within)
        try:
            self.library.collections.remove(name)
        except Conflict:
            assert held
            return
        assert not held

        def removed(state: State) -> None:
            for each in within:
                del state.titles[each], state.order[each]

        self.model.change(removed)

    def take(self) -> None:
        """Import a file that is there, changed or not, or a new one."""
        path = self.file()
        self.write(path)
        named = self.random.choice([None, None, "mine"])
        batch = read_file(path, None, silent)
        records = [
            FileRecord(e.id if e.id in batch.given else None, said_of(e))
            for e in batch.book.entries
        ]
        key = self.key(path, named)
        known = {id: o for id, o in self.state.origins.items() if o.file == key}
        was = model.matched(known, records)
        before = set(self.state.entries)
        report = self.library.import_file(path, collection=named)
        ids = [entry.id for entry in report.entries]
        for number, id in enumerate(ids):
            if number in was:
                assert id == was[number], f"{id} is not {was[number]}"
            else:
                assert id not in before, f"{id} is another's"
                self.fresh(id)
        outcomes: dict[str, list[str]] = {}

        def taken(state: State) -> None:
            outcomes.update(model.take(state, key, report.collection, records, ids))

        place = named or self.state.files.get(key, report.collection)
        assert report.collection == place, f"{report.collection} is not {place}"
        changed = self.model.change(taken)
        assert changed == (report.change is not None), f"changed {changed}, {report.change}"
        told = (report.added, report.updated, sorted(report.conflicts), sorted(report.gone))
        mine = (len(outcomes["added"]), len(outcomes["updated"]),
                sorted(outcomes["conflict"]), sorted(outcomes["gone"]))  # fmt: skip
        assert told == mine, f"told {told}, not {mine}"

    def key(self, path: Path, named: str | None) -> str:
        """Return what a file is known by: by another name where it is put elsewhere, too."""
        known = self.state.files.get(str(path))
        return str(path) if named is None or known in (None, named) else f"{path}\n{named}"

    def file(self) -> Path:
        """Return a file that is there, or a new one of a name that others may have, too."""
        if self.files and self.random.random() < 0.7:
            return self.random.choice(list(self.files))
        folder = self.folder / self.random.choice(["one", "two"])
        folder.mkdir(exist_ok=True)
        path = folder / self.random.choice(["bank.md", "bank.jsonl", "بانک.md"])
        self.files.setdefault(path, [])
        return path

    def write(self, path: Path) -> None:
        """Change the records of a file, and write it."""
        records = self.files[path]
        for number, (id, title, text, level) in enumerate(records):
            chance = self.random.random()
            if chance < 0.12:
                records[number] = (id, self.word() + "?", text, level)
            elif chance < 0.3:
                records[number] = (id, title, self.word(), level)
            elif chance < 0.4:
                records[number] = (id, title, text, self.random.choice("EMH"))
        if len(records) > 1 and self.random.random() < 0.3:
            records.pop(self.random.randrange(len(records)))
        for _ in range(self.random.choice([0, 0, 1, 2]) or (not records)):
            self.count += 1
            records.append((f"r{self.count}", self.word() + "?", self.word(), "M"))
        if self.random.random() < 0.2:
            self.random.shuffle(records)
        path.write_text(_jsonl(records) if path.suffix == ".jsonl" else _markdown(records))

    def resolve(self) -> None:
        ids = [id for id, origin in self.state.origins.items()
               if origin.theirs is not None and id in self.state.entries]  # fmt: skip
        if not ids:
            return
        id, side = self.random.choice(ids), self.random.choice(["mine", "theirs"])
        self.library.files.resolve([id], side)  # type: ignore[arg-type]
        self.model.change(lambda s: model.resolve(s, id, side))

    def prune(self) -> None:
        ids = model.prunable(self.state)
        done = self.library.files.prune()
        assert sorted(done.ids) == sorted(ids), f"pruned {done.ids}, not {ids}"
        self.model.change(lambda s: _removed(s, ids))
        self.model.removed.update(ids)

    def undo(self) -> None:
        self.replay(self.library.changes.undo, self.model.undo)

    def redo(self) -> None:
        self.replay(self.library.changes.redo, self.model.redo)

    def replay(self, theirs: Callable[[], object], ours: Callable[[], bool]) -> None:
        before = set(self.state.entries)
        there = ours()
        try:
            theirs()
        except NotFound:
            assert not there, "there was something to take back or do again"
        else:
            assert there, "there was nothing to take back or do again"
        self.model.removed.update(before - set(self.state.entries))

    def reopen(self) -> None:
        self.library.close()
        self.library = open_library(self.path)
        raw(self.library).execute("PRAGMA synchronous = OFF")

    def fresh(self, id: str) -> None:
        """Check that no entry has, or had, this id."""
        assert id not in self.state.entries, f"{id} is taken"


_STEPS = {
    "new": 4, "amend": 8, "move": 3, "tag": 2, "remove": 3, "unhide": 1, "note": 2, "withdraw": 1,
    "make_collection": 1, "rename": 3, "remove_collection": 2, "take": 10, "resolve": 3,
    "prune": 2, "undo": 8, "redo": 4, "reopen": 1,
}  # fmt: skip


def said_of(entry: Entry) -> Said:
    """Return what an entry says, without its id, its place, and what a reader added."""
    plain = {
        **{f"question.{lang}": text for lang, text in entry.question.items()},
        **{f"answer.{a.role}.{a.lang}": a.text.rstrip("\n") for a in entry.answers},
        **{f"wording.{lang}": text for lang, text in entry.wording.items()},
        **{f"origins.{lang}": spans for lang, spans in entry.origins.items()},
        "kind": entry.kind, "level": entry.level, "topic": entry.topic, "number": entry.number,
        "tags": entry.tags, "related": entry.related,
        "snippets": tuple(each for each in entry.snippets if not each.own),
        "annotations": tuple(
            dataclasses.replace(each, release=None) for each in entry.annotations if not each.own
        ),
    }  # fmt: skip
    return {name: value for name, value in plain.items() if value not in (None, ())}


def state_of(library: Library) -> State:
    """Return what a library holds that was only just made."""
    state = State()
    for each in library.collections.tree():
        model.make(state, each.id, next(iter(each.title.values()), ""))
    for hit in library.list().hits:
        entry = library.show(hit.id)
        model.put(state, entry.id, model.Entry(said_of(entry), entry.collection, bundled=True))
    return state


def difference(state: State, library: Library) -> str:
    """Return in what a library differs from a state; nothing where it does not."""
    listed = [hit.id for hit in library.list().hits]
    hidden = [hit.id for hit in library.find.list(hidden=True).hits]
    order = [id for name in state.titles for id in state.order[name]]
    checks: list[tuple[str, object, object]] = [
        ("list", [id for id in order if not state.entries[id].hidden], listed),
        ("hidden", [id for id in order if state.entries[id].hidden], hidden),
        ("tree", model.tree(state), [
            (c.id, next(iter(c.title.values()), ""), c.entries) for c in library.collections.tree()
        ]),
        ("contested", _contested(state),
         sorted({c.entry for c in library.files.contested() if c.field != "languages"})),
        ("gone", sorted(id for id, o in state.origins.items() if o.gone and id in state.entries),
         sorted(each.entry for each in library.files.gone())),
        ("prunable", sorted(model.prunable(state)),
         sorted(each.entry for each in library.files.gone() if not each.kept)),
    ]  # fmt: skip
    found = library._base.store.entries.get([*listed, *hidden])
    for id, entry in found.items():
        known = state.entries.get(id)
        if known is None:
            continue
        notes = {each.id: next(iter(each.note.values())) for each in entry.annotations if each.own}
        here = (known.said, known.collection, list(known.notes.items()))
        checks.append((id, here, (said_of(entry), entry.collection, list(notes.items()))))
    return next(
        (f"{what}: {ours} but {theirs}" for what, ours, theirs in checks if ours != theirs), ""
    )


def _contested(state: State) -> list[str]:
    """Return the entries of which a file says something that is neither taken nor here."""
    found = []
    for id, origin in state.origins.items():
        if origin.theirs is not None and id in state.entries:
            here, was, there = state.entries[id].said, origin.taken, origin.theirs
            names = {*here, *was, *there}
            if any(there.get(n) not in (here.get(n), was.get(n)) for n in names):
                found.append(id)
    return sorted(found)


def _removed(state: State, ids: list[str]) -> None:
    for id in ids:
        if state.entries[id].bundled:
            state.entries[id].hidden = True
        else:
            model.drop(state, id)


def _markdown(records: list[tuple[str, str, str, str]]) -> str:
    return "\n".join(f"## {title}\n\n{text}\n" for _, title, text, _ in records)


def _jsonl(records: list[tuple[str, str, str, str]]) -> str:
    return "\n".join(
        json.dumps({"id": id, "title": title, "text": text, "level": level})
        for id, title, text, level in records
    )
