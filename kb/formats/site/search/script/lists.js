/* The documents of each term, taken apart when they are first asked for. */

const DOCUMENTS = INDEX.documents.map(([page, lang, length, title, lead]) => (
  { page, lang, length, title, lead }
));
const COUNT = DOCUMENTS.length;
const AVERAGE = DOCUMENTS.reduce((sum, each) => sum + each.length, 0) / Math.max(1, COUNT) || 1;
const TERMS = tableOf(INDEX.terms.split(" "), INDEX.lists);
const PHRASES = tableOf(INDEX.phrases.split("\n"), INDEX.phraseLists);
const TENTH = 10, MOST_REMEMBERED = 500;
const NOWHERE = { documents: [], counts: [] };
const SUMS = new Float64Array(COUNT);
const REMEMBERED = new Map();

function tableOf(names, lists) {
  return { names, lists: lists.split(" "), read: [] };
}

/* Return the place of the first of some rising values that does not sort before another. */
function placeIn(values, value) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Return the documents of a name, rising, and what it counts for in each. */
function listOf(table, name) {
  const place = placeIn(table.names, name);
  return name && table.names[place] === name ? readList(table, place) : NOWHERE;
}

function readList(table, place) {
  return (table.read[place] ??= decoded(table.lists[place]));
}

function decoded(written) {
  const numbers = written.split(","), documents = [], counts = [];
  let document = 0;
  for (let place = 0; place < numbers.length; place += 2) {
    documents.push((document += Number(numbers[place])));
    counts.push(numbers[place + 1] / TENTH);
  }
  return { documents, counts };
}

/* Return what a list has for a document: nothing where it has none. */
function countIn({ documents, counts }, document) {
  const place = placeIn(documents, document);
  return documents[place] === document ? counts[place] : undefined;
}

/* Return in how many documents a term stands. */
function frequency(term) {
  return listOf(TERMS, term).documents.length;
}

/* Return the places of the terms that begin so: the first, and the one behind the last. */
function rangeOf(text) {
  const first = placeIn(TERMS.names, text);
  let last = first;
  while (last < TERMS.names.length && TERMS.names[last].startsWith(text)) last++;
  return [first, last];
}

/* Say whether any term begins so. */
function begins(text) {
  return (TERMS.names[placeIn(TERMS.names, text)] ?? "").startsWith(text);
}

/* Return the documents that hold any term that begins so. */
function listOfBegun(text) {
  const [first, last] = rangeOf(text), documents = [];
  for (let place = first; place < last; place++) {
    const list = readList(TERMS, place);
    for (let n = 0; n < list.documents.length; n++) {
      const document = list.documents[n];
      if (!SUMS[document]) documents.push(document);
      SUMS[document] += list.counts[n];
    }
  }
  return summed(documents);
}

/* Return what was summed up for some documents, rising, and begin anew. */
function summed(documents) {
  documents.sort((one, other) => one - other);
  const counts = documents.map((document) => SUMS[document]);
  for (const document of documents) SUMS[document] = 0;
  return { documents, counts };
}

/* Return the documents that hold all terms of a phrase: where they stand is not known. */
function listOfPhrase(phrase) {
  const key = phrase.terms.join(" ") + (phrase.open ? "*" : "");
  let found = REMEMBERED.get(key);
  if (!found) {
    if (REMEMBERED.size >= MOST_REMEMBERED) REMEMBERED.clear();
    REMEMBERED.set(key, (found = lookedUp(phrase)));
  }
  return found;
}

function lookedUp({ terms, open }) {
  const last = terms[terms.length - 1];
  if (terms.length === 1) return open ? listOfBegun(last) : listOf(TERMS, last);
  const name = listOf(PHRASES, terms.join(" "));
  if (name !== NOWHERE && !open) return name;
  const before = terms.slice(0, -1).map((term) => listOf(TERMS, term));
  return before.reduceRight(both, open ? listOfBegun(last) : listOf(TERMS, last));
}

function both(one, other) {
  const documents = one.documents.filter((document) => countIn(other, document) !== undefined);
  const counts = documents.map((each) => Math.min(countIn(one, each), countIn(other, each)));
  return { documents, counts };
}
