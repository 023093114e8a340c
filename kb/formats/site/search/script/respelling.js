/* Words that are nowhere, read otherwise: kb.search.fallbacks and transliteration. */

const LAYOUT = new Map(ANALYSIS.layout);
const [LETTER_PAIRS, CONSONANTS, VOWELS, FIRST_VOWELS, LAST_VOWELS] =
  ["pairs", "consonants", "vowels", "first", "last"].map((name) => new Map(ANALYSIS.letters[name]));
const LONGEST_WORD = 24, MOST_TRIED = 500, MOST_SPELLINGS = 4, SHORTEST_SLIP = 3;
const SLIPS = [[1, 1], [1, 0], [2, 1]];

const FALLBACKS = [
  { within: 2, most: 4, foreign: false, respell: (text) => listed(beginning(text)) },
  { within: 2, most: 4, foreign: true, respell: transliterated },
  { within: 2, most: 4, foreign: true, respell: inOtherLayout },
  { within: 0, most: 2, foreign: false, slip: true, respell: corrected },
];

/* Return the nodes of a query with its unknown words read as a fallback does, and how many. */
function rewritten(nodes, fallback) {
  const unknown = nodes.filter((node) => node.kind === "word" && !isKnown(node.text));
  if (!unknown.length || unknown.length > fallback.most) return { nodes, words: 0 };
  let words = 0;
  const read = nodes.flatMap((node) => {
    const other = unknown.includes(node) ? fallback.respell(node.text) : [];
    words += other.length > 0;
    return other.length ? other : [node];
  });
  return { nodes: read, words };
}

function listed(node) {
  return node ? [node] : [];
}

function wordNode(text) {
  return { kind: "word", text };
}

function transliterated(text) {
  const whole = persianSpellings(text).filter(frequency);
  whole.sort((one, other) => frequency(other) - frequency(one));
  return whole.slice(0, MOST_SPELLINGS).map(wordNode);
}

/* Return the Persian spellings of a Latin word that are beginnings of indexed words. */
function persianSpellings(text) {
  const letters = text.toLowerCase();
  if (!/^[a-z']*[a-z][a-z']*$/.test(letters) || letters.length > LONGEST_WORD) return [];
  const found = new Set(), waiting = [["", 0]];
  let tried = 0;
  while (waiting.length && tried < MOST_TRIED) {
    const [spelled, place] = waiting.pop();
    if (place === letters.length) {
      found.add(spelled);
      continue;
    }
    for (const [taken, persian] of letterChoices(letters, place).reverse()) {
      tried++;
      if (!persian || begins(spelled + persian)) waiting.push([spelled + persian, place + taken]);
    }
  }
  return [...found].filter((spelled) => spelled.length > 1);
}

function letterChoices(letters, place) {
  const pair = letters.slice(place, place + 2), letter = letters[place];
  const pairs = (LETTER_PAIRS.get(pair) ?? []).map((persian) => [2, persian]);
  if (VOWELS.has(letter)) {
    const last = place === letters.length - 1;
    const options = !place ? FIRST_VOWELS : last ? LAST_VOWELS : VOWELS;
    return [...pairs, ...options.get(letter).map((persian) => [1, persian])];
  }
  const taken = pair.length === 2 && pair[0] === pair[1] ? 2 : 1;
  return [...pairs, ...(CONSONANTS.get(letter) ?? []).map((persian) => [taken, persian])];
}

function inOtherLayout(text) {
  const chars = [...text];
  if (!chars.every((char) => LAYOUT.has(char))) return [];
  const other = chars.map((char) => LAYOUT.get(char)).join("");
  return isKnown(other) ? [wordNode(other)] : listed(beginning(other));
}

function corrected(text) {
  const chars = charsOf(text), words = analyze(text, defaultLanguage(text));
  const unknown = words.filter((word) => (
    !spellingsOf(word).some(frequency) && /\p{L}/u.test(word.terms[0].text)
  ));
  if (!unknown.length || unknown.length > FALLBACKS[3].most) return [];
  let last = 0, spelled = "", changed = false;
  for (const word of unknown) {
    const near = nearest((word.forms[word.forms.length - 1] ?? word.terms[0]).text);
    if (!near) continue;
    spelled += sliced(chars, { start: last, end: word.start }) + near;
    last = word.end;
    changed = true;
  }
  return changed ? [wordNode(spelled + sliced(chars, { start: last }))] : [];
}

/* Return the most frequent of the terms at the smallest edit distance from a word. */
function nearest(word) {
  const letters = [...word];
  if (letters.length < SHORTEST_SLIP || letters.length > LONGEST_WORD) return undefined;
  for (const [distance, right] of letters.length > SHORTEST_SLIP + 1 ? SLIPS : SLIPS.slice(0, 2)) {
    const [first, last] = right ? rangeOf(letters[0]) : [0, TERMS.names.length];
    const near = TERMS.names.slice(first, last).filter((term) => (
      Math.abs(term.length - word.length) <= distance && term.length >= SHORTEST_SLIP
      && isWithin(word, term, distance)
    ));
    if (near.length) return near.reduce(commoner);
  }
  return undefined;
}

function commoner(one, other) {
  return frequency(other) >= frequency(one) ? other : one;
}

/* Say whether two words are so few letters apart (Levenshtein): put in, left out or changed. */
function isWithin(one, other, distance, from = 0, at = 0) {
  let left = from, right = at;
  while (left < one.length && one[left] === other[right]) {
    left++;
    right++;
  }
  if (left === one.length || right === other.length) {
    return one.length - left <= distance && other.length - right <= distance;
  }
  return distance > 0 && (
    isWithin(one, other, distance - 1, left + 1, right + 1)
    || isWithin(one, other, distance - 1, left + 1, right)
    || isWithin(one, other, distance - 1, left, right + 1)
  );
}
