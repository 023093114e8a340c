"""Copies of an entry that change apart and exchange rows, with random steps."""

from __future__ import annotations

import random
import sys

from kb.sync.merge import State, merged
from kb.sync.rows import EXISTS, Row, make_row

WORDS = [
    "حافظه",
    "gradient",
    "شیب",
    "loss",
    "layer",
    "لایه",
    "batch",
    "norm",
    "rate",
    "وزن",
    "bias",
]
ENTRY = "c/attention"


def first_text(rng: random.Random) -> str:
    return "".join(" ".join(rng.choices(WORDS, k=6)) + "\n" for _ in range(rng.randint(1, 8)))


class Copy:
    """One copy: the rows it has, and how it changes them."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name, self.rng = name, rng
        self.rows: dict[str, Row] = {}
        self.clock = rng.randint(-86_400, 86_400)

    @property
    def state(self) -> State:
        return merged(self.rows.values())

    def put(self, fields: dict, parents: tuple[str, ...] | None = None) -> None:
        self.clock += 1
        at = f"2026-11-27T{abs(self.clock) % 24:02}:00:00.000+00:00"
        known = self.state.heads if parents is None else parents
        row = make_row(ENTRY, known, self.name, at, {**fields}, None)
        self.rows[row.id] = row

    def step(self) -> None:
        state, rng = self.state, self.rng
        if state.fields is None:
            self.put({
                EXISTS: True, "kind": "note", "collection": "c", "question.en": "Attention?",
                "tags": ["a"],
                "answers.reference.en": {"role": "reference", "lang": "en",
                                         "text": first_text(rng)},
            })  # fmt: skip
            return
        getattr(self, rng.choice(self.kinds(state)))(state)

    def kinds(self, state: State) -> list[str]:
        kinds = ["edit"] * 6 + ["level", "tag", "move", "annotate", "translate", "undo", "wording"]
        kinds += ["resolve"] * 3 * bool(state.disputes)
        return kinds + ["delete"] * (self.rng.random() < 0.2)

    def edit(self, state: State) -> None:
        name = self.rng.choice([n for n in state.fields if n.startswith("answers.")])
        answer = dict(state.fields[name])
        lines = answer["text"].splitlines(keepends=True) or ["\n"]
        n = self.rng.randrange(len(lines))
        words = lines[n].split()
        how = self.rng.random()
        if how < 0.5 and words:
            words[self.rng.randrange(len(words))] = f"{self.name}{self.rng.randrange(10_000)}"
            lines[n] = " ".join(words) + "\n"
        elif how < 0.8:
            lines.insert(n, f"{self.name} {self.rng.randrange(10_000)}\n")
        elif len(lines) > 1:
            del lines[n]
        answer["text"] = "".join(lines)
        self.put({name: answer})

    def level(self, state: State) -> None:
        self.put({"level": self.rng.choice(["E", "M", "H", None])})

    def wording(self, state: State) -> None:
        self.put({"wording.en": self.rng.choice(["What is attention?", "Why attention?", None])})

    def tag(self, state: State) -> None:
        tags = set(state.fields.get("tags") or ()) ^ {self.rng.choice("abcdef")}
        self.put({"tags": sorted(tags) or None})

    def move(self, state: State) -> None:
        self.put({"collection": f"c/{self.rng.randrange(3)}"})

    def annotate(self, state: State) -> None:
        name = f"annotations.{self.rng.randrange(4)}"
        known = state.fields.get(name) or {
            "id": name, "verdict": "wrong", "severity": "low", "note": {"en": "no\n"},
            "target": {"role": "reference", "lang": "en", "quote": "loss", "start": 0, "end": 4,
                       "file": None},
        }  # fmt: skip
        lang = self.rng.choice(["en", "fa"])
        self.put({name: {**known, "note": {**known["note"], lang: self.rng.choice(WORDS)}}})

    def translate(self, state: State) -> None:
        self.put({"question.fa": self.rng.choice(["توجه چیست؟", "چرا توجه؟"])})

    def delete(self, state: State) -> None:
        self.put({EXISTS: False})

    def undo(self, state: State) -> None:
        """Give the fields of one row of one's own their value before it."""
        mine = [r for r in self.rows.values() if r.author == self.name and EXISTS not in r.fields]
        if mine:
            row = self.rng.choice(mine)
            before = merged(known(self.rows, row.parents))
            self.put({n: (before.fields or {}).get(n) for n in row.fields})

    def resolve(self, state: State) -> None:
        name, dispute = self.rng.choice(sorted(state.disputes.items()))
        self.put({name: self.rng.choice(dispute.versions)[1]})


def known(rows: dict[str, Row], ids) -> list[Row]:
    found, left = {}, list(ids)
    while left:
        id = left.pop()
        if id not in found:
            found[id] = rows[id]
            left += rows[id].parents
    return list(found.values())


def exchange(one: Copy, other: Copy, cut: float = 1.0) -> None:
    """Exchange rows both ways; a cut exchange brings only some of them."""
    for giver, taker in ((one, other), (other, one)):
        news = [row for id, row in giver.rows.items() if id not in taker.rows]
        for row in news[: int(len(news) * cut)]:
            taker.rows[row.id] = row


def trial(seed: int, steps: int) -> tuple[list[Copy], int]:
    """Make random steps on 2 to 7 copies, then exchange everything; return the copies."""
    rng = random.Random(seed)
    copies = [Copy(f"r{n}", rng) for n in range(rng.randint(2, 7))]
    copies[0].step()
    if rng.random() < 0.8:
        for copy in copies[1:]:
            exchange(copies[0], copy)
    done = 0
    while done < steps:
        if rng.random() < 0.75:
            rng.choice(copies).step()
        else:
            exchange(*rng.sample(copies, 2), cut=rng.choice([1, 1, 0.5]))
        done += 1
    for copy in copies:
        for other in copies:
            exchange(copy, other)
    return copies, done


def lost(rows: dict[str, Row], state: State) -> list[str]:
    """Return what the last writers of fields said and what neither state nor disputes say."""
    over = {id: {r.id for r in known(rows, [id])} for id in rows}
    said = []
    for row in rows.values():
        for name, value in row.fields.items():
            # Who replaced the same value, of this row or of another one, knew it.
            same = {r.id for r in rows.values() if r.fields.get(name) == value and name in r.fields}
            later = (r for r in rows.values() if name in r.fields)
            if any(same & (over[r.id] - {r.id}) for r in later) or name == EXISTS:
                continue
            dispute = state.disputes.get(name)
            versions = [v for _, v in dispute.versions] if dispute else []
            shown = (state.fields or {}).get(name)
            if state.fields is None or value in (shown, *versions):
                continue
            # What an undo gives back is no news.
            before = {
                w for id in over[row.id] - {row.id} for w in words_of(rows[id].fields.get(name))
            }
            news = set(words_of(value)) - before
            if isinstance(value, list):  # somebody knew the same tag, and removed it
                lists = {id: set(words_of(r.fields.get(name))) for id, r in rows.items()}
                news -= {
                    w for id in lists for over_id in over[id] for w in lists[over_id] - lists[id]
                }
            visible = {w for v in (shown, *versions) for w in words_of(v)}
            if news - visible:
                said.append(f"{row.id[:8]} {name}: {news - visible}")
    return said


def words_of(value) -> list[str]:
    if isinstance(value, dict):
        return [w for each in value.values() for w in words_of(each)]
    if isinstance(value, list):
        return [w for each in value for w in words_of(each)]
    return str(value).split() if value is not None else []


def main() -> None:
    """Make so many trials of 40 steps: ``python -m tests.sync.copies TRIALS``."""
    steps = wrong = 0
    for seed in range(10_000_000, 10_000_000 + int(sys.argv[1])):
        copies, done = trial(seed, 40)
        steps += done
        state = merged(copies[0].rows.values())
        shuffled = random.Random(seed).sample(list(copies[0].rows.values()), len(copies[0].rows))
        equal = all(each.state == state for each in copies) and merged(shuffled) == state
        if not equal or lost(copies[0].rows, state):
            wrong += 1
            print("wrong:", seed, flush=True)
        if seed % 500 == 0:
            print(steps, "steps,", wrong, "wrong", flush=True)
    print(steps, "steps,", wrong, "wrong")


if __name__ == "__main__":
    main()
