/* One spelling for each word, as kb.text.fold has it; the tables come from there. */

const CASES = new Map(ANALYSIS.cases), SPELLED = new Map(ANALYSIS.spelled);
const SCRIPTS = ANALYSIS.scripts.map((name) => {
  const spelled = name[0].toUpperCase() + name.slice(1);
  return [name, new RegExp(`\\p{Script=${spelled}}`, "u")];
});
const ASCII = /^[\x00-\x7f]*$/;
const PLAIN = new Map();

/* Spell digits 0-9 and leave out what no word is told apart by. */
function plain(char) {
  let found = PLAIN.get(char);
  if (found === undefined) {
    found = SPELLED.get(char) ?? (/[\p{L}\p{M}\p{N}]/u.test(char) ? char : "");
    PLAIN.set(char, found);
  }
  return found;
}

function casefold(text) {
  return Array.from(text, (char) => CASES.get(char) ?? char.toLowerCase()).join("");
}

/* Return what two writers of the same word share. */
function fold(part) {
  if (ASCII.test(part)) return part.toLowerCase().replaceAll("'", "");
  const folded = casefold(part.normalize("NFKC")).replaceAll("i\u0307", "i");
  return Array.from(folded.normalize("NFC"), plain).join("");
}

/* Name the script of a word by its first letter. */
function scriptOf(word) {
  for (const char of word) {
    if (/[A-Za-z]/.test(char)) return "latin";
    if (!/\p{L}/u.test(char)) continue;
    const found = SCRIPTS.find(([, pattern]) => pattern.test(char));
    return found ? found[0] : "other";
  }
  return "latin";
}

/* Remove the accents of Latin and Greek letters, after stemming, which needs them. */
function withoutAccents(word) {
  if (ASCII.test(word) || !["latin", "greek"].includes(scriptOf(word))) return word;
  const decomposed = word.normalize("NFD").replaceAll("ı", "i");
  return Array.from(decomposed).filter((char) => !isCombining(char)).join("");
}

/* Say whether a mark has a combining class: then it changes places with one of the highest. */
function isCombining(char) {
  const highest = "a\u0345";
  return char === "\u0345" || (highest + char).normalize("NFD") !== highest + char;
}
