/* The passage of a text that holds most of what was asked, with the places that match. */

const PASSAGE = 160, BEFORE = 40;
const ANALYZED = new Map();

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
  return { forms: telling.size || begun.length ? telling : forms, begun };
}

/* Return the places of a text, counted in characters, that match, in order and apart. */
function matchesIn(text, lang, { forms, begun }) {
  const places = [];
  for (const word of analyzedText(text, lang)) {
    for (const term of [...word.terms, ...word.forms]) {
      if (forms.has(term.text) || begun.some((beginning) => term.text.startsWith(beginning))) {
        places.push(term);
      }
    }
  }
  places.sort((one, other) => one.start - other.start || other.end - one.end);
  return places.reduce(apart, []);
}

function apart(merged, { start, end }) {
  const last = merged[merged.length - 1];
  if (last && start < last.end) last.end = Math.max(last.end, end);
  else merged.push({ start, end });
  return merged;
}

function analyzedText(text, lang) {
  const key = `${lang} ${text}`;
  if (!ANALYZED.has(key)) ANALYZED.set(key, analyze([...text], lang));
  return ANALYZED.get(key);
}

/* Return pieces of a text, in order: each with whether it matches. */
function marked(text, lang, wanted, from = 0, to = Infinity) {
  const chars = [...text], pieces = [];
  let last = from;
  const inside = matchesIn(text, lang, wanted).filter(({ start, end }) => start >= from && end <= to);
  for (const { start, end } of inside) {
    if (start > last) pieces.push({ text: sliced(chars, { start: last, end: start }), match: false });
    pieces.push({ text: sliced(chars, { start, end }), match: true });
    last = end;
  }
  const rest = chars.slice(last, to).join("");
  return rest ? [...pieces, { text: rest, match: false }] : pieces;
}

/* Return the pieces of the passage of a document to be shown. */
function excerptOf({ lead, lang }, wanted) {
  const chars = [...lead];
  if (chars.length <= PASSAGE + BEFORE) return marked(lead, lang, wanted);
  const places = matchesIn(lead, lang, wanted);
  const held = places.map(({ start }) => (
    places.filter((each) => each.start >= start && each.end <= start + PASSAGE - BEFORE).length
  ));
  const first = places.length ? places[held.indexOf(Math.max(...held))].start : 0;
  const from = blankFrom(chars, Math.max(0, first - BEFORE), first);
  let to = Math.min(chars.length, from + PASSAGE);
  while (to < chars.length && to > first && classOf(chars[to]) !== "_") to--;
  const pieces = marked(lead, lang, wanted, from, to);
  if (from) pieces.unshift({ text: "… ", match: false });
  if (to < chars.length) pieces.push({ text: " …", match: false });
  return pieces;
}

function blankFrom(chars, place, most) {
  if (!place) return 0;
  for (let start = place; start < most; start++) if (classOf(chars[start]) === "_") return start + 1;
  return most;
}
