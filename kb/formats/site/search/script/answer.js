/* What a query finds: as it was written and translated, and where that is little by fallbacks. */

const LITTLE = 3;

/* Return what was found, best first, each with its document, and the forms it is marked by. */
function search(typed) {
  const nodes = interpreted(typed);
  const lang = defaultLanguage(nodes.map((node) => node.text).join(" "));
  const names = LANGUAGES.some((each) => each !== lang) ? translations(nodes) : [];
  let plain = retrieved(nodes, names, lang);
  if (!plain.length) plain = retrieved(nodes, names, lang, true);
  const found = withFallbacks(nodes, plain, lang);
  return { lang, ...found };
}

function interpreted(typed) {
  const nodes = compounded(wordsOf(typed));
  return withOwnNames(/\S$/.test(typed) ? unfinished(nodes) : nodes);
}

function retrieved(nodes, names, lang, loose = false) {
  const written = termsOf(nodes, loose), named = names.map((name) => termsOfNode(name)[0]);
  const every = [...written.asked, ...named];
  const telling = every.filter((term) => term.content);
  const asked = telling.length ? telling : every;
  const spoken = nodes.map((node) => defaultLanguage(node.text));
  const damped = SPOKEN.filter((each) => !spoken.includes(each));
  const found = reranked(candidates(asked, damped), [...written.words, ...named], asked, lang);
  const wanted = wantedOf(nodes, named), own = ownLists(written.asked);
  return found.map((each) => ({ document: inOwnLanguage(each.number, lang, own), wanted }));
}

function ownLists(terms) {
  const telling = terms.filter((term) => term.content);
  const phrases = (telling.length ? telling : terms).flatMap((term) => term.phrases);
  return phrases.map(listOfPhrase);
}

/* Return the document of the same page in the language that was asked in, if it matches, too. */
function inOwnLanguage(number, lang, own) {
  if (DOCUMENTS[number].lang === lang) return number;
  const same = documentsOf(DOCUMENTS[number].page).find((each) => DOCUMENTS[each].lang === lang);
  const matches = same !== undefined && own.some((list) => countIn(list, same) !== undefined);
  return matches ? same : number;
}

function documentsOf(page) {
  return PAGES.get(page);
}

const PAGES = new Map();
DOCUMENTS.forEach(({ page }, number) => PAGES.set(page, [...(PAGES.get(page) ?? []), number]));

/* Return what was found, and where that is little what the first fallback finds behind it. */
function withFallbacks(nodes, plain, lang) {
  const typed = nodes.filter((node) => node.kind === "word");
  const isForeign = nodes.length === typed.length && !typed.some((node) => isKnown(node.text));
  const byChance = plain.length >= LITTLE && isForeign;
  const hits = byChance ? 0 : plain.length;
  const ready = FALLBACKS.filter((each) => hits <= each.within && (!byChance || each.foreign));
  const read = ready.filter((each) => each.within)
    .map((each) => ({ each, ...rewritten(nodes, each) })).sort((one, other) => other.words - one.words);
  for (const { nodes: again, words } of read) {
    const more = words ? behind(plain, byChance, again, lang) : [];
    if (more.length) return { found: byChance ? more : [...plain, ...more], meant: undefined };
  }
  for (const each of ready.filter((one) => !one.within)) {
    const { nodes: again, words } = rewritten(nodes, each);
    const more = words ? behind(plain, byChance, again, lang) : [];
    const meant = again.filter((node) => node.kind === "word").map((node) => node.text).join(" ");
    if (more.length) return { found: more, meant };
  }
  return { found: plain, meant: undefined };
}

function behind(plain, byChance, nodes, lang) {
  const shown = new Set(byChance ? [] : plain.map((each) => DOCUMENTS[each.document].page));
  return retrieved(nodes, [], lang).filter((each) => !shown.has(DOCUMENTS[each.document].page));
}
