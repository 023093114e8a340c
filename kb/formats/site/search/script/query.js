/* What a query asks for: its words with all their spellings, as kb.search.compile has them. */

const LANGUAGES = INDEX.languages;
const MOST_WORDS = 64, LONGEST_QUERY = 512, RARE = 3;
const JOINT = /[\p{L}\p{N}_][-_./][\p{L}\p{N}_]/u;
const MEMBER = /^[^\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]+\.([\p{L}_][\p{L}\p{N}_]{2,})[^\p{L}\p{N}_]*$/u;

/* Return the words of a query as they were typed, each once. */
function wordsOf(typed) {
  const texts = typed.slice(0, LONGEST_QUERY * MOST_WORDS).split(/\s+/).filter(Boolean);
  const words = [...new Set(texts)].slice(0, MOST_WORDS);
  return words.map((text) => ({ kind: "word", text: text.slice(0, LONGEST_QUERY) }));
}

/* Return the words of a text as texts in each language are indexed. */
function readings(text) {
  const spoken = LANGUAGES.length ? LANGUAGES : [defaultLanguage(text)];
  return spoken.map((lang) => analyze(text, lang));
}

/* Return in how many documents the rarest word of a text stands, in any spelling. */
function textFrequency(text) {
  const spelled = new Map();
  for (const word of readings(text).flat()) {
    const known = spelled.get(word.start) ?? 0;
    const held = spellingsOf(word).map(frequency);
    spelled.set(word.start, Math.max(known, ...held));
  }
  return spelled.size ? Math.min(...spelled.values()) : undefined;
}

function spellingsOf(word) {
  return [...word.terms, ...word.forms].map((term) => term.text);
}

/* Say whether every word of a text is indexed in some spelling, or it holds no word. */
function isKnown(text) {
  return FUNCTION_WORDS.has(fold(text)) || textFrequency(text) !== 0;
}

/* Join what Persian writers write apart: affixes, and compounds that are indexed as one. */
function compounded(nodes) {
  const joined = [];
  for (const node of nodes) {
    const last = joined[joined.length - 1];
    const text = last && oneWord(last.text, node.text);
    if (text) joined[joined.length - 1] = { kind: "word", text };
    else joined.push(node);
  }
  return joined;
}

function oneWord(left, right) {
  const lang = defaultLanguage(left);
  if (areOneWord(left.split(/\s+/).pop(), right, lang)) return `${left} ${right}`;
  const before = stemOf(left, lang);
  const compound = `${left}\u200c${right}`;
  return before.affixes.wordPrefixes.includes(before.surface) && isIndexedAsOne(compound)
    ? compound : undefined;
}

function isIndexedAsOne(text) {
  const words = analyze(text, defaultLanguage(text));
  return words.some((word) => word.forms.some((form) => frequency(form.text)));
}

/* Return a text read as a beginning, if a term begins so. */
function beginning(text, shortest = 2) {
  const begun = fold(text);
  const enough = [...begun].length >= shortest && /^[\p{L}\p{N}]+$/u.test(begun);
  return enough && begins(begun) ? { kind: "prefix", text } : undefined;
}

/* Read the last word as a beginning, too, where few documents hold it as it stands. */
function unfinished(nodes) {
  const last = nodes[nodes.length - 1];
  if (!last || (textFrequency(last.text) ?? 0) >= RARE) return nodes;
  const begun = beginning(last.text, 1);
  return begun ? [...nodes, begun] : nodes;
}

/* Look for a name of a module's member by the member's own name. */
function withOwnNames(nodes) {
  return nodes.map((node) => {
    const name = node.kind === "word" && MEMBER.exec(node.text);
    return name ? { kind: "word", text: name[1] } : node;
  });
}

/* Return what the nodes of a query ask for: for each word the phrases that are it. */
function termsOf(nodes, loose = false) {
  const words = distinct(nodes.flatMap((node) => termsOfNode(node, loose)));
  const typed = nodes.filter((node) => node.kind === "word");
  const line = words.some((word) => word.content) ? typed.map((node) => node.text).join(" ") : "";
  const joined = joinedPairs(line).map((term) => termFor([[term]]));
  const jointed = typed.filter((node) => JOINT.test(node.text));
  const parts = partsAlone(jointed.flatMap((node) => termsOfNode(node, loose)));
  return { words, asked: distinct([...words, ...joined, ...parts]) };
}

function termsOfNode(node, loose) {
  if (node.kind === "name") return [{ ...termFor([node.terms]), share: node.share }];
  const read = readings(node.text);
  if (node.kind === "prefix") {
    const begun = read.filter((words) => words.length).map(beginningOf);
    return begun.length ? [{ ...termFor(begun, true) }] : [];
  }
  const places = new Map();
  for (const word of read.flat()) places.set(word.start, [...(places.get(word.start) ?? []), word]);
  return [...places.values()].map((words) => termOfWord(words, loose));
}

/* Return what a word asks for: its stem or its parts in order, or their joined spelling. */
function termOfWord(read, loose) {
  const spellings = [], surfaces = [];
  for (const word of read) {
    const terms = word.terms.map((term) => term.text);
    spellings.push(...(loose ? terms.map((term) => [term]) : [terms]));
    const whole = word.forms.filter((f) => f.start === word.start && f.end === word.end)
      .map((form) => form.text);
    if (terms.length > 1) spellings.push(...whole.slice(-1).map((form) => [form]));
    else {
      spellings.push(...whole.filter(isKeptWhole).map((form) => [form]));
      surfaces.push(...whole);
    }
  }
  const single = spellings.filter((terms) => terms.length === 1).map(([term]) => term);
  const content = ![...surfaces, ...single].some((form) => FUNCTION_WORDS.has(form));
  return { ...termFor(spellings), surfaces: [...new Set(surfaces)], content };
}

function isKeptWhole(form) {
  const { stem, affixes } = stemOf(form, defaultLanguage(form));
  return affixes !== NO_AFFIXES && stem === form;
}

function beginningOf(words) {
  const terms = words.flatMap((word) => word.terms.map((term) => term.text));
  const last = words[words.length - 1], { start, end, text } = last.terms[last.terms.length - 1];
  const surface = last.forms.find((form) => form.start === start && form.end === end);
  return [...terms.slice(0, -1), surface ? surface.text : text];
}

function termFor(spellings, open = false) {
  const phrases = new Map(spellings.map((terms) => [terms.join(" "), { terms, open }]));
  return { phrases: [...phrases.values()], surfaces: [], content: true, share: 1, weight: 1 };
}

function keyOf(term) {
  return JSON.stringify([term.phrases, term.share]);
}

function distinct(terms) {
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

/* Return the parts of words that have some: what holds a part is found behind the whole. */
function partsAlone(words) {
  const asked = new Set(words.flatMap((word) => word.phrases.map((each) => each.terms.join(" "))));
  const parts = new Set(words.flatMap(({ phrases: [first] }) => (
    first && first.terms.length > 1 ? first.terms : []
  )));
  return [...parts].filter((part) => [...part].length > 1 && !asked.has(part)).map((part) => (
    { ...termFor([[part]]), weight: WEIGHTS.part, content: !FUNCTION_WORDS.has(part) }
  ));
}

/* Return the joined spellings of neighbours: a data set may be a dataset elsewhere. */
function joinedPairs(line) {
  const chars = charsOf(line), words = analyze(line, "en");
  return words.slice(1).flatMap((right, number) => {
    const left = words[number];
    const between = sliced(chars, { start: left.end, end: right.start });
    if (!/^_+$/.test(classesOf(between))) return [];
    if (left.forms.length && left.terms.length > 1) return [];
    const joined = fold(sliced(chars, left)) + fold(sliced(chars, right));
    return isShort(joined) ? [joined] : [];
  });
}
