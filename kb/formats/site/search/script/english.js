/* The English stemmer of Snowball, as PyStemmer has it (https://snowballstem.org/algorithms/english). */

const VOWEL = /[aeiouy]/;
const SPECIAL_STEMS = new Map(Object.entries({
  skis: "ski", skies: "sky", idly: "idl", gently: "gentl", ugly: "ugli", early: "earli",
  only: "onli", singly: "singl",
}));
const WHOLE = new Set(["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"]);
const BEGINNINGS = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;
const KEPT_BEFORE_ING = new Set(["inn", "out", "cann", "herr", "earr", "even"]);
const KEPT_BEFORE_EED = new Set(["proc", "exc", "succ"]);
const SHORT_END = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$/;

const SECOND = [
  ["ization", "ize"], ["ational", "ate"], ["fulness", "ful"], ["ousness", "ous"],
  ["iveness", "ive"], ["tional", "tion"], ["biliti", "ble"], ["lessli", "less"],
  ["entli", "ent"], ["ation", "ate"], ["alism", "al"], ["aliti", "al"], ["ousli", "ous"],
  ["iviti", "ive"], ["fulli", "ful"], ["ogist", "og"], ["enci", "ence"], ["anci", "ance"],
  ["abli", "able"], ["izer", "ize"], ["ator", "ate"], ["alli", "al"], ["bli", "ble"],
  ["ogi", "og", /l$/], ["li", "", /[cdeghkmnrt]$/],
];
const THIRD = [
  ["ational", "ate"], ["tional", "tion"], ["alize", "al"], ["icate", "ic"], ["iciti", "ic"],
  ["ical", "ic"], ["ful", ""], ["ness", ""],
];
const FOURTH = [
  "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
  "ive", "ize", "ion", "al", "er", "ic",
];

/* Return where the region begins that follows the first consonant after a vowel. */
function region(word, from) {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found ? from + found.index + 2 : word.length;
}

function stepOneA(word) {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith("s")) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function stepOneB(word, first) {
  const found = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word);
  if (!found) return word;
  const ending = found[0], base = word.slice(0, found.index);
  if (ending.startsWith("eed")) {
    return found.index >= first && !KEPT_BEFORE_EED.has(base) ? base + "ee" : word;
  }
  if (ending === "ing") {
    if (/^[^aeiouy]y$/.test(base)) return base.slice(0, -1) + "ie";
    if (KEPT_BEFORE_ING.has(base)) return word;
  }
  if (!VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return base + "e";
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) {
    return /^[aeo]..$/.test(base) ? base : base.slice(0, -1);
  }
  return base.length === first && SHORT_END.test(base) ? base + "e" : base;
}

function stepTwo(word, first) {
  for (const [ending, other, before] of SECOND) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    return base.length >= first && (!before || before.test(base)) ? base + other : word;
  }
  return word;
}

function stepThree(word, first, second) {
  if (word.endsWith("ative")) return word.length - 5 >= second ? word.slice(0, -5) : word;
  for (const [ending, other] of THIRD) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    return base.length >= first ? base + other : word;
  }
  return word;
}

function stepFour(word, second) {
  for (const ending of FOURTH) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    return base.length >= second && (ending !== "ion" || /[st]$/.test(base)) ? base : word;
  }
  return word;
}

function stepFive(word, first, second) {
  const base = word.slice(0, -1), place = base.length;
  if (word.endsWith("e")) {
    return place >= second || (place >= first && !SHORT_END.test(base)) ? base : word;
  }
  return word.endsWith("ll") && place >= second ? base : word;
}

/* Return the stem of a lower-case word. */
function snowballEnglish(word) {
  if (SPECIAL_STEMS.has(word)) return SPECIAL_STEMS.get(word);
  if ([...word].length < 3 || WHOLE.has(word)) return word;
  let stem = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const begun = BEGINNINGS.exec(stem);
  const first = begun ? begun[0].length : region(stem, 0);
  const second = region(stem, first);
  stem = stepOneB(stepOneA(stem), first);
  if (/[^aeiouy][yY]$/.test(stem) && stem.length > 2) stem = stem.slice(0, -1) + "i";
  stem = stepFour(stepThree(stepTwo(stem, first), first, second), second);
  return stepFive(stem, first, second).replaceAll("Y", "y");
}
