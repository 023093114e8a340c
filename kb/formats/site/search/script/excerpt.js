/* The passage of a text that holds most of what was asked, with the places that match. */

const PASSAGE = 160, BEFORE = 40, MOST_READ = 100_000, SLICE_MS = 4;
const READ = new Map();

/* Return the forms that a match is marked by, and the beginnings of such forms. */
function wantedOf(nodes, names) {
  const forms = new Set(), begun = [];
  for (const node of nodes) {
    for (const words of readings(node.text)) {
      if (node.kind === "prefix" && words.length) begun.push(beginningOf(words).pop());
      else words.forEach((word) => spellingsOf(word).forEach((form) => forms.add(form)));
    }
  }
  for (const { phrases } of names) {
    for (const { terms } of phrases) terms.forEach((term) => forms.add(term));
  }
  const telling = new Set([...forms].filter((form) => !FUNCTION_WORDS.has(form)));
  return { forms: telling.size || begun.length ? telling : forms, begun, known: new Map() };
}

/* Return the places of a text, counted in characters, that match, in order and apart. */
function matchesIn(text, lang, wanted) {
  const chars = charsOf(text), places = [];
  for (const group of grouped(partsOf(text), chars, lang)) {
    const start = group[0].start, end = group[group.length - 1].end;
    const key = `${lang} ${sliced(chars, { start, end })}`;
    let found = wanted.known.get(key);
    if (!found) wanted.known.set(key, (found = matchesOf(key, lang, wanted)));
    for (const each of found) places.push({ start: start + each.start, end: start + each.end });
  }
  places.sort((one, other) => one.start - other.start || other.end - one.end);
  return places.reduce(apart, []);
}

/* Return which of the terms of a word match; what a word has is read once. */
function matchesOf(key, lang, { forms, begun }) {
  if (!READ.has(key)) {
    if (READ.size >= MOST_READ) READ.clear();
    const words = analyze(key.slice(lang.length + 1), lang);
    READ.set(key, words.flatMap((word) => [...word.terms, ...word.forms]));
  }
  return READ.get(key).filter(({ text }) => (
    forms.has(text) || begun.some((beginning) => text.startsWith(beginning))
  ));
}

function apart(merged, { start, end }) {
  const last = merged[merged.length - 1];
  if (last && start < last.end) last.end = Math.max(last.end, end);
  else merged.push({ start, end });
  return merged;
}

/* Read what may be shown while nothing is typed, a little at a time: the first answer is quick. */
function readAhead(place = 0) {
  const until = performance.now() + SLICE_MS, nothing = wantedOf([], []);
  let next = place;
  while (next < COUNT && READ.size < MOST_READ / 2 && performance.now() < until) {
    const { title, lead, lang } = DOCUMENTS[next++];
    for (const text of [title, lead]) matchesIn(text, lang, nothing);
  }
  if (next < COUNT && READ.size < MOST_READ / 2) setTimeout(readAhead, 0, next);
}

/* Return pieces of a text, in order: each with whether it is one of some places. */
function piecesOf(chars, places, from = 0, to = chars.length) {
  const pieces = [];
  let last = from;
  for (const { start, end } of places.filter((each) => each.start >= from && each.end <= to)) {
    if (start > last) pieces.push({ text: sliced(chars, { start: last, end: start }), match: false });
    pieces.push({ text: sliced(chars, { start, end }), match: true });
    last = end;
  }
  if (to > last) pieces.push({ text: sliced(chars, { start: last, end: to }), match: false });
  return pieces;
}

/* Return the pieces of a whole text, such as a title. */
function marked(text, lang, wanted) {
  return piecesOf(charsOf(text), matchesIn(text, lang, wanted));
}

/* Return the pieces of the passage of a document to be shown. */
function excerptOf({ lead, lang }, wanted) {
  const chars = charsOf(lead), places = matchesIn(lead, lang, wanted);
  if (chars.length <= PASSAGE + BEFORE) return piecesOf(chars, places);
  const held = places.map(({ start }) => (
    places.filter((each) => each.start >= start && each.end <= start + PASSAGE - BEFORE).length
  ));
  const first = places.length ? places[held.indexOf(Math.max(...held))].start : 0;
  const from = blankFrom(chars, Math.max(0, first - BEFORE), first);
  let to = Math.min(chars.length, from + PASSAGE);
  while (to < chars.length && to > first && classOf(chars[to]) !== "_") to--;
  const pieces = piecesOf(chars, places, from, to);
  if (from) pieces.unshift({ text: "… ", match: false });
  if (to < chars.length) pieces.push({ text: " …", match: false });
  return pieces;
}

function blankFrom(chars, place, most) {
  if (!place) return 0;
  for (let start = place; start < most; start++) if (classOf(chars[start]) === "_") return start + 1;
  return most;
}
