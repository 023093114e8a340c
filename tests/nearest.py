"""Makes the table of nearest words: ``python -m tests.nearest FOLDER``.

It needs danesh[meaning], and in FOLDER bare clones of the repositories below, named owner+name. It
takes seven minutes of one core. Nothing of their texts is in the table, but words.

1. Words: lemmas of WordNet and words of the texts; words of hazm and Persian pieces of the
   encoder's tokenizer. Each is encoded in a sentence ("It is {}."), less the mean of its language.
2. The vectors are fitted so that sums of words are close to the encoder's vectors of sentences
   (ridge regression to the words' own vectors).
3. Linear maps of both languages to their middle are fitted to pairs of glossary and vocabulary.
4. The nearest words are those of highest cosine less the mean cosine to near words: Conneau,
   Lample, Ranzato, Denoyer and Jégou, "Word Translation Without Parallel Data" (ICLR 2018).
"""

from __future__ import annotations

import csv
import math
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from kb.content.bundled import GLOSSARY_FILE, VOCABULARY_FILE, bundled_folder
from kb.service.meaning import NEAREST, load_encoder
from kb.text.analyzer import analyze, is_function_word, stems

SOURCES = {
    "microsoft+Security-101": ("2e6e0f30cd6914594640191a5bdd14c6914ebeab", "CC0-1.0"),
    "microsoft+IoT-For-Beginners": ("8bd535533b39c8b70e2b027f69e18ac842812968", "MIT"),
    "huggingface+course": ("16af5667532d6966f0fe83f44cc848dd7698a215", "Apache-2.0"),
    "tldr-pages+tldr": ("08e345f42639f67d99282813247ac670dc6e87cb", "CC-BY-4.0"),
    "globalwordnet+english-wordnet": ("d94538ad0df3d7a4c77837bde6af69d7a6592c32", "CC-BY-4.0"),
    "roshan-research+hazm": ("d97a5ba13a680a29f2ae5bc6f862e941329890fb", "MIT"),
}
"""The inputs, each with its commit and licence; hazm and WordNet give words as well."""

DIGEST = "3e43202e54b5df0ad5fa16e61434e5b7c2b2b7bf301ae251381f53f6ae878db9"
"""The digest of the table, SHA-256: numbers rounded in another way may change some of its words."""

SECURITY, IOT, COURSE, TLDR, WORDNET, HAZM = SOURCES
SENTENCE = {"en": "It is {}.", "fa": "آن {} است."}
MOST, LEAST = 2, 0.1
"""The most nearest words of a word, and their least similarity."""

_SENTENCES = re.compile(r"(?<=[.!?؟])\s+")
_PERSIAN = re.compile("[آ-ی]")
_PIECE = re.compile("[ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی]+")


# Texts.


def git(folder: Path, name: str, *arguments: str) -> str:
    command = [
        "git",
        "-C",
        str(next(p for p in (folder / name / "repo", folder / name) if p.exists())),
    ]
    return subprocess.run([*command, *arguments], capture_output=True, check=True).stdout.decode(
        "utf-8", "replace"
    )


def show(folder: Path, name: str, path: str) -> str:
    return git(folder, name, "show", f"{SOURCES[name][0]}:{path}")


def files(folder: Path, name: str) -> list[str]:
    rows = git(folder, name, "ls-tree", "-r", SOURCES[name][0]).splitlines()
    return sorted(row.split("\t")[1] for row in rows)


def clean(text: str) -> str:
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"https?://\S+", "", text)
    text = re.sub(r"\{\{[^}]*\}\}", "", re.sub(r"[`*_#>|]+", " ", text))
    return re.sub(r"\s+", " ", text).strip(" -:")


def lines(text: str) -> list[str]:
    text = re.sub(r"(?s)```.*?```", "\n", re.sub(r"(?s)<!--.*?-->", "", text))
    return [line for line in text.splitlines() if line.strip()]


def paired(english: list[str], persian: list[str]) -> list[tuple[str, str]]:
    """Return sentences with their translations, of texts that have as many lines."""
    if not 0 <= len(persian) - len(english) < 5 or not english:
        return []
    found = []
    for one, other in zip(english, persian, strict=False):
        one, other = clean(one), clean(other)
        parts = _SENTENCES.split(one), _SENTENCES.split(other)
        both = zip(*parts, strict=True) if len(parts[0]) == len(parts[1]) else [(one, other)]
        found += [
            (u, v)
            for u, v in both
            if 15 < len(u) < 260 and 15 < len(v) < 280
            if re.search("[آ-ی]{2}", v) and not re.search("[آ-ی]{2}", u)
        ]
    return found


def read_texts(folder: Path):
    """Return pairs by repository, Persian sentences and English ones."""
    places = {SECURITY: ("translations/fa/", ""), IOT: ("translations/fa/", "")}
    places |= {COURSE: ("chapters/fa/", "chapters/en/"), TLDR: ("pages.fa/", "pages/")}
    pairs, persian = {}, []
    for name, (there, here) in places.items():
        all_files = files(folder, name)
        known, found = set(all_files), []
        for path in all_files:
            if not path.startswith(there) or not path.endswith((".md", ".mdx")):
                continue
            text = lines(show(folder, name, path))
            original = here + path.removeprefix(there)
            if original in known:
                found += paired(lines(show(folder, name, original)), text)
            parts = (part for line in text for part in _SENTENCES.split(clean(line)))
            persian += [
                (name, part)
                for part in parts
                if 20 < len(part) < 260
                if len(_PERSIAN.findall(part)) > len(part.replace(" ", "")) / 2
            ]
        pairs[name] = list(dict.fromkeys(found))
    return pairs, list(dict.fromkeys(persian)), english_texts(folder)


def english_texts(folder: Path) -> list[tuple[str, str]]:
    """Return English sentences of the course, and the definitions and examples of WordNet."""
    english = []
    for path in files(folder, COURSE):
        if path.startswith("chapters/en/") and path.endswith(".mdx"):
            for line in lines(show(folder, COURSE, path)):
                parts = _SENTENCES.split(clean(line))
                english += [(COURSE, part) for part in parts if 20 < len(part) < 260]
    items = re.compile(r"(?m)^  (?:definition|example):\n((?:  - .*\n(?:    .*\n)*)+)")
    for path in files(folder, WORDNET):
        if re.match(r"src/yaml/(noun|verb|adj|adv)\.", path):
            for found in items.findall(show(folder, WORDNET, path)):
                for item in re.split(r"(?m)^  - ", found)[1:]:
                    part = re.sub(r"\s+", " ", item).strip(" '\"")
                    if 25 < len(part) < 200 and not part.startswith("source"):
                        english.append((WORDNET, part))
    return list(dict.fromkeys(english))


def drawn(pairs, persian, english, most):
    """Return the sentences to fit to, those of pairs first."""
    draw = random.Random(7)
    every = [(name, pair) for name, of in pairs.items() for pair in of if len(pair[0]) < 170]
    draw.shuffle(every)
    of = {name: [pair for other, pair in every if other == name] for name in pairs}
    both = of[IOT][:3600] + of[SECURITY][:900] + of[TLDR][:500]
    glosses = [text for name, text in english if name == WORDNET and 30 < len(text) < 110]
    draw.shuffle(glosses)
    more = [text for name, text in persian if name == COURSE and len(text) < 200]
    texts = {"en": [u for u, _ in both] + glosses[:800], "fa": [v for _, v in both] + more[:400]}
    return {lang: of[:most] for lang, of in texts.items()}


# Words.


def names(lang: str) -> list[tuple[str, str]]:
    """Return the first English name of each concept with each of its names in a language."""
    found = []
    for file in (GLOSSARY_FILE, VOCABULARY_FILE):
        with (bundled_folder() / file).open(encoding="utf-8") as rows:
            for row in csv.DictReader(rows, delimiter="\t"):
                variants = [row[lang], *row[f"{lang}_variants"].split("|")]
                found += [(f"{file} {row['en']}", name) for name in variants if name]
    return found


def words_of(folder, encoder, pairs, persian, english):
    """Return the words of each language, those that are used more first."""
    tokenizer = encoder._tokenizer
    often = Counter(
        w for of in pairs.values() for u, _ in of for w in re.findall("[a-z]+", u.lower())
    )
    often.update(w for _, u in english for w in re.findall("[a-z]+", u.lower()))
    ours = {name.lower() for _, name in names("en") if re.fullmatch("[a-z][a-z-]+", name.lower())}
    lemmas = set()
    for letter in "abcdefghijklmnopqrstuvwxyz":
        text = show(folder, WORDNET, f"src/yaml/entries-{letter}.yaml")
        lemmas |= {word.lower() for word in re.findall(r"(?m)^([A-Za-z]+):$", text)}
    chosen = lemmas | {word for word, n in often.items() if n >= 2} | ours
    chosen = {word for word in chosen if len(word) > 2 or (len(word) > 1 and word in ours)}

    def rarity(word: str) -> float:
        tokens = tokenizer.tokens(word)
        score = sum(max(tokenizer._scores[each], -20) - 3 for each in tokens) + 3
        return -score - 2 * (word in ours) - min(3, math.log1p(often[word]))

    first = sorted(chosen, key=lambda word: (rarity(word), word))[:24_000]
    also = [w for w, n in often.most_common() if n >= 5 and w not in set(first) and len(w) > 2]
    every = first + also[:5_000]
    order = [n for n, word in enumerate(every) if often[word] >= 2 or n < 16_000]
    order.sort(key=lambda n: (-often[every[n]] - 200 * (n < 4_000), n))

    texts = [v for of in pairs.values() for _, v in of] + [v for _, v in persian]
    seen = Counter(w.strip("\u200c") for text in texts for w in re.findall("[آ-ی\u200c]+", text))
    known: Counter[str] = Counter()
    for row in show(folder, HAZM, "hazm/data/words.dat").splitlines():
        word, count, *_ = row.split("\t")
        if count.isdigit() and re.fullmatch("[آ-ی\u200c]+", word):
            known[word] = int(count)
    named = {name for _, name in names("fa") if " " not in name}
    rank = {
        w: math.log1p(known[w]) + 2 * math.log1p(seen[w]) + 3 * (w in named)
        for w in {*known, *seen, *named}
        if re.fullmatch("[آ-یءئؤأ\u200c]+", w) and len(w) > 1
        if known[w] >= 5 or seen[w] >= 2 or w in named
    }
    persian_words = sorted(rank, key=lambda word: (-rank[word], word))[:22_000]
    pieces = persian_pieces(encoder, persian_words)
    return {"en": [every[n] for n in order], "fa": persian_words}, pieces


def persian_pieces(encoder, words):
    """Return further words among the pieces of the tokenizer: not Arabic, by a discriminant."""
    tokenizer, have = encoder._tokenizer, set(words)
    pieces = [
        (k[1:], tokenizer._scores[n]) for k, n in tokenizer._pieces.items() if k[0] == "\u2581"
    ]
    pieces = [piece for piece in pieces if len(piece[0]) > 1]
    new = sorted((p for p in pieces if _PIECE.fullmatch(p[0])), key=lambda piece: -piece[1])
    new = [w for w, _ in new if w not in have and not w.startswith("ال") and len(w) > 2]
    arabic = [w for w, _ in pieces if re.fullmatch("[\u0621-\u064a]+", w) and re.search("[ةيك]", w)]
    a, b = encoder.queries(words[:4_000]), encoder.queries(arabic[:400])
    spread = (np.cov(a.T) + np.cov(b.T)) / 2 + 0.0005 * np.eye(a.shape[1])
    normal = np.linalg.solve(spread, a.mean(0) - b.mean(0))
    middle = (a.mean(0) + b.mean(0)) @ normal / 2
    return [w for w, v in zip(new, encoder.queries(new), strict=True) if v @ normal > middle]


# Vectors.


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def stemmed(word: str, lang: str) -> str:
    return " ".join(stems(word, lang))


def grouped(words, lang):
    """Return the first word of each stem, by its stem."""
    found: dict[str, str] = {}
    for word in words:
        if key := stemmed(word, lang):
            found.setdefault(key, word)
    return found


def fitted(keys, vectors, texts, targets, lang, ridge=3.0):
    """Return word vectors whose sums are close to those of sentences."""
    place = {key: n for n, key in enumerate(keys)}
    rows = []
    for text in texts:
        terms = [[term.text for term in word.terms] for word in analyze(text, lang)]
        found = [[" ".join(of)] if " ".join(of) in place else of for of in terms]
        rows.append([place[term] for of in found for term in of if term in place])
    counts = Counter(n for row in rows for n in row)
    used = sorted(counts)
    column = {n: c for c, n in enumerate(used)}
    total = sum(counts.values())
    x = np.zeros((len(rows), len(used)), np.float32)
    for r, row in enumerate(rows):
        for n in row:
            x[r, column[n]] += 1e-3 / (1e-3 + counts[n] / total)
    x, targets = x[x.any(axis=1)], targets[x.any(axis=1)]
    x = unit(x)
    sums = x @ vectors[used]
    scale = (sums * targets).sum() / (sums * sums).sum()
    kernel = x @ x.T
    kernel[np.diag_indices(len(kernel))] += ridge
    result = scale * vectors
    result[used] += x.T @ np.linalg.solve(kernel, targets - scale * sums)
    return result


def joined(a, b, pairs, ridge=1.0):
    """Return both languages mapped to their middle, by known pairs."""
    left, right, weight = (np.array(column) for column in zip(*pairs, strict=True))
    one, other, weight = unit(a)[left], unit(b)[right], weight[:, None]
    middle, eye = (one + other) / 2, ridge * np.eye(a.shape[1])

    def mapped(every, some):
        return unit(
            every
            @ np.linalg.solve((some * weight).T @ some + eye, (some * weight).T @ middle + eye)
        )

    return mapped(unit(a), one).astype(np.float32), mapped(unit(b), other).astype(np.float32)


def nearness(others, words):
    """Return the mean cosine of each word to the three nearest of a sample of others."""
    some = np.random.default_rng(5).choice(len(others), min(2_500, len(others)), replace=False)
    return np.sort(words @ others[some].T, axis=1)[:, -3:].mean(axis=1)


def main() -> None:
    """Make the table. A second argument limits words and sentences, to try it."""
    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 30
    encoder = load_encoder()
    texts = read_texts(folder)
    words, pieces = words_of(folder, encoder, *texts)
    words["fa"] += pieces
    forms, vectors = {}, {}
    for lang, limit in (("en", 15_000), ("fa", 18_000)):
        all_forms = list(grouped(words[lang], lang).items())
        last = all_forms[-1_000:] if lang == "fa" else []
        forms[lang] = dict([*all_forms[: min(limit, most)], *last])
        found = unit(encoder.passages([SENTENCE[lang].format(w) for w in forms[lang].values()]))
        vectors[lang] = unit(found - found[:8_000].mean(axis=0))
    for lang, sentences in drawn(*texts, most).items():
        targets = unit(encoder.passages(sentences))
        targets = unit(targets - targets.mean(axis=0))
        vectors[lang] = fitted(list(forms[lang]), vectors[lang], sentences, targets, lang)
    place = {lang: {key: n for n, key in enumerate(forms[lang])} for lang in forms}
    by_concept = defaultdict(list)
    for concept, name in names("fa"):
        by_concept[concept].append(name)
    order: Counter[str] = Counter()
    pairs = []
    for concept, name in names("en"):
        for rank, other in enumerate(by_concept[concept]):
            left = place["en"].get(stemmed(name, "en"))
            right = place["fa"].get(stemmed(other, "fa"))
            if left is not None and right is not None:
                pairs.append((left, right, 0.7 ** (order[concept] + rank)))
        order[concept] += 1
    a, b = joined(vectors["en"], vectors["fa"], pairs)
    near = {"en": nearness(b, a), "fa": nearness(a, b)}
    rows = []
    for lang, other, mine, theirs in (("en", "fa", a, b), ("fa", "en", b, a)):
        keys, found = list(forms[lang]), list(forms[other].values())
        for n, key in enumerate(keys):
            close = 2 * (theirs @ mine[n]) - near[other] - near[lang][n]
            best = [found[each] for each in np.argsort(-close)[:MOST] if close[each] >= LEAST]
            if best and not is_function_word(key):
                rows.append(f"{lang}\t{key}\t{'|'.join(best)}\n")
    out = Path(sys.argv[3]) if len(sys.argv) > 3 else bundled_folder() / NEAREST
    out.write_text("lang\tstems\tnearest\n" + "".join(sorted(rows)), encoding="utf-8")
    print(f"{len(rows)} words")


if __name__ == "__main__":
    main()
