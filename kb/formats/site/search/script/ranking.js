/* Okapi BM25 over weighted fields, and what the best count for beside it: kb.search.rerank. */

const LEAST_IDF = 1e-6, CANDIDATES = 50;

function saturated(count, norm) {
  const { k1, b } = WEIGHTS;
  return count * (k1 + 1) / (count + k1 * (1 - b + b * norm));
}

function idfOfIndex(holding) {
  return Math.max(Math.log((COUNT - holding + 0.5) / (holding + 0.5)), LEAST_IDF);
}

function idf(holding) {
  return Math.log(1 + (Math.max(0, COUNT - holding) + 0.5) / (holding + 0.5));
}

/* Return the best document of each entry that meets any term: pairs of document and score. */
function candidates(terms, damped) {
  const weights = new Map();
  for (const term of terms) {
    for (const phrase of term.phrases) {
      const key = JSON.stringify(phrase), known = weights.get(key);
      weights.set(key, { phrase, weight: Math.max(known ? known.weight : 0, term.weight) });
    }
  }
  const { documents, counts } = scored([...weights.values()]);
  const best = new Map();
  documents.forEach((number, n) => {
    const { page, lang } = DOCUMENTS[number];
    const score = counts[n] * (damped.includes(lang) ? WEIGHTS.translation : 1);
    if (!best.has(page) || best.get(page).score < score) best.set(page, { number, score });
  });
  return [...best.values()].sort((one, other) => other.score - one.score);
}

function scored(phrases) {
  const found = [];
  for (const { phrase, weight } of phrases) {
    const { documents, counts } = listOfPhrase(phrase);
    const tells = idfOfIndex(documents.length) * weight;
    for (let n = 0; n < documents.length; n++) {
      const number = documents[n];
      if (!SUMS[number]) found.push(number);
      SUMS[number] += tells * saturated(counts[n], DOCUMENTS[number].length / AVERAGE);
    }
  }
  return summed(found);
}

/* Return in how many documents a term is met, at most: by its rarest words. */
function termFrequency(term) {
  return Math.max(0, ...term.phrases.map(({ terms, open }) => (
    open ? listOfPhrase({ terms, open }).documents.length : Math.min(...terms.map(frequency))
  )));
}

/* Score the first candidates once more, by all that a query asks; nearness is not known here. */
function reranked(found, words, asked, lang) {
  const best = found.slice(0, CANDIDATES);
  const average = best.reduce((sum, each) => sum + DOCUMENTS[each.number].length, 0) / best.length || 1;
  const weighed = words.filter((word) => !word.phrases.some((phrase) => phrase.open)).map((word) => ({
    word,
    ranked: asked.includes(word),
    weight: idf(termFrequency(word)) * (word.content ? 1 : WEIGHTS.functionWord) * word.weight,
    lists: word.phrases.map(listOfPhrase),
    surfaces: word.surfaces.map((form) => listOf(TERMS, form)),
  }));
  for (const each of best) {
    const norm = DOCUMENTS[each.number].length / average;
    for (const one of weighed) each.score += gain(one, each.number, norm);
  }
  best.sort((one, other) => (
    other.score - one.score
    || (DOCUMENTS[one.number].lang !== lang) - (DOCUMENTS[other.number].lang !== lang)
    || DOCUMENTS[one.number].page - DOCUMENTS[other.number].page
  ));
  return [...best, ...found.slice(CANDIDATES)];
}

function gain({ word, ranked, weight, lists, surfaces }, number, norm) {
  const often = lists.map((list) => countIn(list, number)).filter((count) => count !== undefined);
  let added = 0;
  if (often.length && !(ranked && word.share === 1 && lists.length === 1)) {
    const once = word.share * saturated(Math.max(...often), norm);
    const counted = ranked ? often.reduce((sum, count) => sum + saturated(count, norm), 0) : 0;
    added += weight * (once - counted);
  }
  for (const list of surfaces) {
    const count = countIn(list, number);
    if (count !== undefined) added += WEIGHTS.exact * weight * saturated(count, norm);
  }
  return added;
}
