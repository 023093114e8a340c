/* Words made of the parts of a text, with their terms and other forms: kb.text.analyzer. */

const LONGEST_TERM = ANALYSIS.longestTerm;
const PROFILES = new Map(ANALYSIS.profiles.map(([code, ...rest]) => [code, rest]));
const USUAL = new Map(ANALYSIS.usual);
const FUNCTION_WORDS = new Set(ANALYSIS.functionWords);
const PLURALS = new Map(ANALYSIS.english.plurals);
const BRITISH = ANALYSIS.english.british.map(([of, to]) => [new RegExp(of, "g"), to]);
const IRREGULAR = new Map(ANALYSIS.persian.irregular);
const NO_AFFIXES = { verbPrefixes: [], apart: [], halfJoined: [], wordPrefixes: [], degrees: [] };
const STEMMERS = { en: englishStem, fa: persianStem, prs: persianStem };
const STEMS = new Map(INDEX.stems.map(([lang, pairs]) => [lang, new Map(pairs)]));
const STEMMED = new Map(), JOINED = new Map();

function englishStem(word) {
  const regular = PLURALS.get(word) ?? word;
  const spelled = BRITISH.reduce((text, [of, to]) => text.replace(of, to), regular);
  return withoutAccents(snowballEnglish(spelled));
}

function persianStem(word) {
  if (IRREGULAR.has(word)) return IRREGULAR.get(word);
  const { suffixes, shortest } = ANALYSIS.persian;
  for (const suffix of suffixes) {
    if (word.endsWith(suffix) && word.length - suffix.length >= shortest) {
      const base = word.slice(0, -suffix.length);
      return IRREGULAR.get(base) ?? base;
    }
  }
  return word;
}

/* Return the code of the language that reads a word of a script in a text of a language. */
function readerOf(lang, script) {
  const [writtenIn, stemmed] = PROFILES.get(lang) ?? ["latin", false];
  return writtenIn === script ? (stemmed ? lang : undefined) : USUAL.get(script);
}

function defaultLanguage(word) {
  return USUAL.get(scriptOf(word)) ?? "en";
}

/* Return stem, folded spelling and affixes of a part of a word. */
function stemOf(part, lang) {
  const key = lang + " " + part;
  let found = STEMMED.get(key);
  if (!found) STEMMED.set(key, (found = stemmed(part, lang)));
  return found;
}

function stemmed(part, lang) {
  const folded = fold(part);
  const surface = withoutAccents(folded);
  const reader = readerOf(lang, scriptOf(folded));
  const stemmer = Object.hasOwn(STEMMERS, reader) ? STEMMERS[reader] : undefined;
  const known = () => STEMS.get(reader)?.get(folded) ?? (reader ? surface : folded);
  const stem = stemmer ? stemmer(folded) : known();
  const affixes = stemmer === persianStem ? ANALYSIS.persian.affixes : NO_AFFIXES;
  return { stem: stem || folded, surface, affixes };
}

/* Return the words of a text as a language reads them. */
function analyze(text, lang) {
  const chars = charsOf(text), words = [];
  for (const group of grouped(partsOf(text), chars, lang)) {
    const kind = group[0].kind;
    if (kind === "pairs") words.push(...pairsOf(chars, group[0]));
    else if (kind === "symbol" && group.length === 1) words.push(symbolOf(chars, group[0]));
    else {
      const word = wordOf(chars, group, lang);
      if (word) words.push(word);
    }
  }
  return words;
}

/* Group parts into words: by what glues them, and by the affixes that are written apart. */
function grouped(parts, chars, lang) {
  const groups = [];
  for (const part of parts) {
    const group = groups[groups.length - 1];
    if (group && part.glue) group.push(part);
    else if (group && isAffixApart(chars, lang, group[group.length - 1], part)) {
      group.push({ ...part, glue: "j" });
    } else groups.push([part]);
  }
  return groups;
}

function isAffixApart(chars, lang, left, right) {
  if (right.start - left.end !== 1 || classOf(chars[left.end]) !== "_") return false;
  return areOneWord(sliced(chars, left), sliced(chars, right), lang);
}

function areOneWord(before, after, lang) {
  if (ASCII.test(before) || ASCII.test(after)) return false;
  const key = `${lang} ${before} ${after}`;
  let found = JOINED.get(key);
  if (found === undefined) JOINED.set(key, (found = isWordAndAffix(before, after, lang)));
  return found;
}

function isWordAndAffix(before, after, lang) {
  if (scriptOf(before) !== scriptOf(after)) return false;
  const left = stemOf(before, lang), right = stemOf(after, lang);
  if (right.affixes.degrees.includes(right.surface) && FUNCTION_WORDS.has(left.surface)) {
    return false;
  }
  return right.affixes.apart.includes(right.surface)
    || left.affixes.verbPrefixes.includes(left.surface);
}

function wordOf(chars, group, lang) {
  const start = group[0].start, end = group[group.length - 1].end;
  const units = unitsOf(chars, group, lang);
  if (!units.length) return undefined;
  const terms = units.map((unit) => termOf(shortened(unit.stem), unit));
  return { start, end, terms, forms: formsOf(chars, units, { start, end }) };
}

/* Fold and stem the parts of a word, each with the affixes that belong to it. */
function unitsOf(chars, group, lang) {
  const units = [];
  let prefix;
  group.forEach((part, place) => {
    const { stem, surface, affixes } = stemOf(sliced(chars, part), lang);
    if (!surface) return;
    const last = units[units.length - 1];
    if (last && part.glue === "j" && affixes.halfJoined.includes(surface)) {
      units[units.length - 1] = { ...last, surface: last.surface + surface, end: part.end };
    } else if (prefix) {
      units[units.length - 1] = {
        stem, surface: prefix.surface + surface, start: prefix.start, end: part.end,
      };
      prefix = undefined;
    } else {
      units.push({ stem, surface, start: part.start, end: part.end });
      const follows = place + 1 < group.length && group[place + 1].glue === "j";
      if (affixes.verbPrefixes.includes(surface) && follows) prefix = units[units.length - 1];
    }
  });
  return units;
}

function formsOf(chars, units, whole) {
  const forms = [];
  for (const unit of units) {
    if (unit.surface !== unit.stem && isShort(unit.surface)) forms.push(termOf(unit.surface, unit));
    forms.push(...humpsOf(chars, unit));
  }
  const joined = units.map((unit) => unit.surface).join("");
  if (units.length > 1 && isShort(joined)) {
    forms.push(termOf(joined, whole));
    const last = units[units.length - 1];
    const stem = joined.slice(0, joined.length - last.surface.length) + last.stem;
    if (stem !== joined) forms.push(termOf(stem, whole));
  }
  return forms;
}

/* Return the halves of a name in mixed case: AllReduce is also found by reduce. */
function humpsOf(chars, unit) {
  const name = sliced(chars, unit);
  if (!/^[A-Za-z0-9]+$/.test(name) || !/[A-Z]/.test(name.slice(1)) || !/[a-z]/.test(name)) return [];
  const humps = [...name.matchAll(/(?:^|(?<=[^A-Z])[A-Z]).*?(?=(?<=[^A-Z])[A-Z]|$)/g)];
  return humps.length < 2 ? [] : humps.map(({ 0: hump, index }) => {
    const start = unit.start + index;
    return termOf(hump.toLowerCase(), { start, end: start + hump.length });
  });
}

function symbolOf(chars, part) {
  const { start, end } = part;
  const spelled = Array.from(casefold(sliced(chars, part)), (char) => ANALYSIS.symbols[char] ?? char);
  return { start, end, terms: [termOf(spelled.join(""), part)], forms: [] };
}

/* Return overlapping pairs of characters, for scripts that write no spaces. */
function pairsOf(chars, part) {
  const starts = [part.start];
  for (let place = part.start + 1; place < part.end; place++) {
    if (!/\p{M}/u.test(chars[place])) starts.push(place);
  }
  const ends = [...starts.slice(1), part.end];
  const single = starts.length === 1;
  return starts.slice(0, single ? 1 : -1).map((start, number) => {
    const end = ends[single ? 0 : number + 1];
    const term = termOf(fold(sliced(chars, { start, end })), { start, end });
    return { start, end, terms: [term], forms: [] };
  });
}

/* Return the stems of a text in the language of its script: what a name is known by. */
function stemsOf(text) {
  const words = analyze(text, defaultLanguage(text));
  return words.flatMap((word) => word.terms.map((term) => term.text));
}

function termOf(text, { start, end }) {
  return { text, start, end };
}

function isShort(text) {
  return text.length <= LONGEST_TERM || [...text].length <= LONGEST_TERM;
}

function shortened(text) {
  return isShort(text) ? text : [...text].slice(0, LONGEST_TERM).join("");
}
