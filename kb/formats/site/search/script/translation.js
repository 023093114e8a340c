/* A query's terms in the other languages of the glossary: kb.search.translation. */

const LONGEST_RUN = 5;
const GLOSSARY = new Map(INDEX.glossary.map(([lang, stems, known, ...names]) => (
  [`${lang} ${stems}`, { lang, known, names }]
)));
const SPOKEN = INDEX.glossaryLanguages;

/* Return the names that translate any run of the words of a query, the longest first. */
function translations(nodes) {
  const texts = nodes.filter((node) => node.kind === "word").map((node) => node.text);
  const found = new Map();
  for (let length = Math.min(LONGEST_RUN, texts.length); length > 0; length--) {
    for (let start = 0; start + length <= texts.length; start++) {
      const run = texts.slice(start, start + length).join(" ");
      const known = GLOSSARY.get(`${defaultLanguage(run)} ${stemsOf(run).join(" ")}`);
      for (const name of known ? known.names : []) {
        const share = known.known ** -WEIGHTS.dilution;
        if (!found.has(name)) found.set(name, { kind: "name", text: name, terms: name.split(" "), share });
      }
    }
  }
  return [...found.values()];
}
