/* A text split into words and their parts, by the classes of its characters: kb.text.split. */

const CLASSES = new Map(ANALYSIS.special);
const PART = new RegExp(ANALYSIS.part, "g");
const GLUE = new RegExp(`^(?:${ANALYSIS.glue})$`);
const SOFT_HYPHEN = new RegExp(ANALYSIS.softHyphen, "g");

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

/* Return the parts of a text, given as its characters, in order. */
function partsOf(chars) {
  let read = chars;
  if (chars.includes("\u00ad")) read = [...chars.join("").replace(SOFT_HYPHEN, "\u200c")];
  const classes = read.map(classOf).join("");
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
