/**
 * The site's search, in the browser alone: it looks in sections.js with MiniSearch, and loads both when someone first
 * goes to the field.
 */
const root = document.documentElement.dataset.root;
const area = document.querySelector("search");
const field = area.querySelector("input");
const found = area.querySelector("ol");
const most = 8;
const excerptChars = 140;
const beforeChars = 40;

const load = (name) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + name;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} can't be loaded`));
    document.head.append(script);
  });

let index;
function openIndex() {
  index ??= Promise.all([load("minisearch.js"), load("sections.js")]).then(() => {
    const search = new MiniSearch({
      fields: ["heading", "page", "text"],
      storeFields: ["url", "page", "heading", "text", "weight"],
      // "I", "do", "a": they are everywhere.
      processTerm: (term) => (term.length < 3 ? null : term.toLowerCase()),
      searchOptions: {
        boost: { heading: 4, page: 2 },
        boostDocument: (_id, _term, { weight }) => weight,
        // The last word may still be typed.
        prefix: (_term, at, terms) => at === terms.length - 1,
        fuzzy: (term) => (term.length > 4 ? 0.15 : false),
      },
    });
    search.addAll(sections);
    return search;
  });
  return index;
}

/** From a word a little before the first one that was found. */
function excerptOf({ text, terms }) {
  const found = text.toLowerCase().indexOf(terms[0]);
  const from = found < beforeChars ? 0 : text.indexOf(" ", found - beforeChars) + 1;
  const isCut = text.length > from + excerptChars;
  return (from > 0 ? "… " : "") + text.slice(from, from + excerptChars) + (isCut ? " …" : "");
}

function itemOf(result) {
  const link = document.createElement("a");
  link.href = root + result.url;
  const title = document.createElement("b");
  title.textContent =
    result.heading === result.page || result.heading === "" ? result.page : `${result.page}: ${result.heading}`;
  const excerpt = document.createElement("span");
  excerpt.textContent = excerptOf(result);
  link.append(title, excerpt);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function show() {
  const words = field.value.trim();
  const results = words === "" ? [] : (await openIndex()).search(words).slice(0, most);
  // More was typed while it was loaded.
  if (field.value.trim() !== words) return;
  found.replaceChildren(...results.map(itemOf));
  if (words !== "" && results.length === 0) found.append("Nothing found.");
  found.hidden = words === "";
}

area.hidden = false;
field.addEventListener("focus", openIndex);
field.addEventListener("input", show);
area.addEventListener("keydown", (event) => {
  const links = [field, ...found.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    field.value = "";
    field.focus();
    show();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
  }
});
// A narrow screen shows the document first.
if (matchMedia("(max-width: 800px)").matches) document.querySelector("nav details").open = false;
