/* A text split into words and their parts, by the classes of its characters: kb.text.split. */

const CLASSES = new Map(ANALYSIS.special);
const PART = new RegExp(ANALYSIS.part, "g");
const GLUE = new RegExp(`^(?:${ANALYSIS.glue})$`);
const SOFT_HYPHEN = new RegExp(ANALYSIS.softHyphen, "g");

/* Return the characters of a text: itself, where each is one unit of UTF-16. */
function charsOf(text) {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}

function sliced(chars, { start, end }) {
  const found = chars.slice(start, end);
  return typeof found === "string" ? found : found.join("");
}

function classOf(char) {
  let found = CLASSES.get(char);
  if (found === undefined) CLASSES.set(char, (found = characterClass(char)));
  return found;
}

function characterClass(char) {
  const code = char.codePointAt(0);
  const letter = /\p{L}/u.test(char), mark = /\p{M}/u.test(char);
  if ((letter || mark) && ANALYSIS.unspaced.some(([low, high]) => low <= code && code <= high)) {
    return "c";
  }
  if (letter) return /\p{Script=Arabic}/u.test(char) ? "a" : "w";
  if (mark) return "m";
  if (/\p{N}/u.test(char)) return "d";
  if (/\p{Cf}/u.test(char)) return "z";
  return /[\s\x1c-\x1f\x85]/.test(char) ? "_" : "x";
}

function classesOf(text) {
  let classes = "";
  for (const char of text) classes += classOf(char);
  return classes;
}

/* Return the parts of a text in order. */
function partsOf(text) {
  const read = text.includes("\u00ad") ? text.replace(SOFT_HYPHEN, "\u200c") : text;
  const classes = classesOf(read);
  const found = [];
  let previous = -1;
  for (const match of classes.matchAll(PART)) {
    const start = match.index, end = start + match[0].length;
    const kind = match.groups.symbol ? "symbol" : match.groups.pairs ? "pairs" : "word";
    const glue = previous >= 0 && kind === "word" ? glueOf(classes.slice(previous, start)) : "";
    found.push({ start, end, glue, kind });
    previous = kind === "word" ? end : -1;
  }
  return found;
}

function glueOf(between) {
  const found = GLUE.exec(between);
  return !found ? "" : found.groups.joiner === undefined ? "-" : "j";
}
