/* The documents of each term, taken apart when they are first asked for. */

const LETTERS = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((l, n) => [l, n]),
);
const DOCUMENTS = INDEX.documents.map(([page, lang, length, title, lead]) => (
  { page, lang, length, title, lead }
));
const COUNT = DOCUMENTS.length;
const AVERAGE = DOCUMENTS.reduce((sum, each) => sum + each.length, 0) / Math.max(1, COUNT) || 1;
const TERMS = tableOf(INDEX.terms.split(" "), INDEX.lists);
const PHRASES = tableOf(INDEX.phrases.split("\n"), INDEX.phraseLists);
const TENTH = 10;
const NOWHERE = { documents: [], counts: [] };

function tableOf(names, lists) {
  return { names, lists: lists.split(" "), read: new Map() };
}

/* Return the place of the first name that does not sort before a text. */
function placeOf(table, text) {
  let low = 0, high = table.names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.names[middle] < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Return the documents of a name, and what it counts for in each. */
function listOf(table, name) {
  const place = placeOf(table, name);
  return name && table.names[place] === name ? readList(table, place) : NOWHERE;
}

function readList(table, place) {
  let found = table.read.get(place);
  if (!found) table.read.set(place, (found = decoded(table.lists[place])));
  return found;
}

function decoded(written) {
  const documents = [], counts = [];
  let document = 0, number = 0, shift = 0, isCount = false;
  for (const letter of written) {
    const bits = LETTERS.get(letter);
    number += (bits & 31) << shift;
    shift += 5;
    if (bits > 31) continue;
    if (isCount) counts.push(number / TENTH);
    else documents.push((document += number));
    isCount = !isCount;
    number = shift = 0;
  }
  return { documents, counts };
}

/* Return in how many documents a term stands. */
function frequency(term) {
  return listOf(TERMS, term).documents.length;
}

function* termsFrom(text) {
  for (let place = placeOf(TERMS, text); place < TERMS.names.length; place++) {
    if (!TERMS.names[place].startsWith(text)) return;
    yield place;
  }
}

/* Say whether any term begins so. */
function begins(text) {
  return (TERMS.names[placeOf(TERMS, text)] ?? "").startsWith(text);
}

/* Return the documents that hold any term that begins so. */
function listOfBegun(text) {
  const sums = new Map();
  for (const place of termsFrom(text)) {
    const { documents, counts } = readList(TERMS, place);
    documents.forEach((document, n) => sums.set(document, (sums.get(document) ?? 0) + counts[n]));
  }
  return { documents: [...sums.keys()], counts: [...sums.values()] };
}

/* Return the documents that hold all terms of a phrase: where they stand is not known. */
function listOfPhrase({ terms, open }) {
  const last = terms[terms.length - 1];
  if (terms.length === 1) return open ? listOfBegun(last) : listOf(TERMS, last);
  const name = listOf(PHRASES, terms.join(" "));
  if (name !== NOWHERE && !open) return name;
  const lists = terms.map((term, n) => (
    open && n === terms.length - 1 ? listOfBegun(term) : listOf(TERMS, term)
  ));
  return lists.reduce(both);
}

function both(one, other) {
  const counts = new Map(other.documents.map((document, n) => [document, other.counts[n]]));
  const kept = one.documents.map((document, n) => [document, one.counts[n]])
    .filter(([document]) => counts.has(document));
  return {
    documents: kept.map(([document]) => document),
    counts: kept.map(([document, count]) => Math.min(count, counts.get(document))),
  };
}
