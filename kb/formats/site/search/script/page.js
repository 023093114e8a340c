/* The search field of a page: what is typed there is answered below it. */

const SHOWN = 10;
const LABELS = {
  en: {
    found: (count) => (count === 1 ? "1 page found" : `${count} pages found`),
    first: (count) => `the first ${count} are shown`,
    none: "Nothing was found",
    meant: (text) => `found for: ${text}`,
  },
  fa: {
    found: (count) => `${count.toLocaleString("fa")} صفحه یافت شد`,
    first: (count) => `${count.toLocaleString("fa")} صفحهٔ نخست نشان داده می‌شود`,
    none: "چیزی یافت نشد",
    meant: (text) => `یافته‌ها برای: ${text}`,
  },
};

function element(name, attributes, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function directionOf(lang) {
  return ANALYSIS.rtl.includes(lang) ? "rtl" : "ltr";
}

function spansOf(pieces) {
  return pieces.map(({ text, match }) => {
    const made = match ? document.createElement("mark") : document.createElement("span");
    made.textContent = text;
    return made;
  });
}

/* Return the address of a page: in this language, if pages speak it, or else in its own. */
function addressOf(page, lang) {
  const [file, face] = INDEX.pages[page];
  return `${INDEX.faces.includes(lang) ? lang : face}/${file}`;
}

/* Return the line of a page that was found: its title, and a passage with what matches. */
function lineOf({ document: number, wanted }, lang) {
  const shown = DOCUMENTS[number];
  const own = documentsOf(shown.page).map((each) => DOCUMENTS[each]).find((each) => each.lang === lang);
  const titled = own && own.title ? own : shown;
  const spoken = { lang: titled.lang, dir: directionOf(titled.lang) };
  const href = addressOf(shown.page, titled.lang);
  const link = element("a", { href, ...spoken }, spansOf(marked(titled.title, titled.lang, wanted)));
  const passage = element(
    "p", { lang: shown.lang, dir: directionOf(shown.lang) }, spansOf(excerptOf(shown, wanted)),
  );
  return element("li", {}, shown.lead ? [link, passage] : [link]);
}

function countOf(found, meant, labels) {
  if (!found.length) return labels.none;
  const parts = [labels.found(found.length)];
  if (found.length > SHOWN) parts.push(labels.first(SHOWN));
  if (meant) parts.push(labels.meant(meant));
  return parts.join(" · ");
}

/* Let a field search as it is typed in; keys move between it and what was found. */
function listen(field, results) {
  const labels = LABELS[document.documentElement.lang] ?? LABELS.en;
  const count = document.getElementById("count") ?? element("p", { id: "count" });
  count.setAttribute("role", "status");
  count.setAttribute("aria-live", "polite");
  if (!count.isConnected) results.before(count);
  const answer = () => {
    const asked = field.value.trim();
    const { found, meant, lang } = asked ? search(field.value) : { found: [] };
    results.replaceChildren(...found.slice(0, SHOWN).map((each) => lineOf(each, lang)));
    results.hidden = !found.length;
    count.textContent = asked ? countOf(found, meant, labels) : "";
  };
  field.addEventListener("input", answer);
  document.addEventListener("keydown", (event) => onKey(event, field, results, answer));
  for (const each of [field.closest("[hidden]"), field]) if (each) each.hidden = false;
  field.addEventListener("focus", () => readAhead(), { once: true });
  if (field.value) answer();
}

function onKey(event, field, results, answer) {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...results.querySelectorAll("a")];
  const place = links.indexOf(document.activeElement);
  const isHere = document.activeElement === field || place >= 0;
  if (event.key === "/" && !isTyping(document.activeElement)) move(event, field);
  else if (event.key === "Escape" && isHere) {
    field.value = "";
    answer();
    move(event, field);
  } else if (event.key === "ArrowDown" && isHere) move(event, links[place + 1]);
  else if (event.key === "ArrowUp" && place >= 0) move(event, links[place - 1] ?? field);
  else if (event.key === "Enter" && document.activeElement === field && links.length) {
    event.preventDefault();
    links[0].click();
  }
}

function isTyping(active) {
  return active && (active.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(active.tagName));
}

function move(event, to) {
  event.preventDefault();
  if (to) to.focus();
}

const field = document.getElementById("search"), results = document.getElementById("results");
if (field && results) listen(field, results);
