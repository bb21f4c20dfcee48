/**
 * Shows one of this project's documents. Sources of the built-in agent service link to its headings, so each heading
 * gets the id that GitHub would give it, and the page scrolls there once it is drawn.
 */
import { at } from "./connection/address.ts";
import { byId } from "./drawing/element.ts";
import { drawDocument, frameBlocks } from "./drawing/markdown.ts";
import { themeSwitch } from "./look/theme-switch.ts";

const main = byId("document", HTMLElement);

/** GitHub's id of a heading: lower case, no punctuation, hyphens for spaces, a number for repeated names. */
function slugs(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

function showHeading(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const heading = id === "" ? null : document.getElementById(id);
  if (heading === null) return;
  heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

async function show(): Promise<void> {
  const response = await fetch(`${location.pathname}?raw`).catch(() => undefined);
  if (response?.ok !== true) {
    main.textContent = "Couldn't load the document. Reload the page to try again.";
    return;
  }
  main.replaceChildren(drawDocument(await response.text()));
  frameBlocks(main);
  const slug = slugs();
  for (const heading of main.querySelectorAll("h1, h2, h3, h4, h5, h6")) heading.id = slug(heading.textContent);
  for (const link of main.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    if (/^https?:/.test(href)) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    } else if (!href.startsWith("#")) {
      // "../README.md" in a document and "docs/deploy.md" in the README: the server has them side by side.
      const [path = "", hash = ""] = href.split("#");
      link.setAttribute("href", at(`docs/${path.split("/").at(-1)}${hash === "" ? "" : `#${hash}`}`));
    }
  }
  for (const picture of main.querySelectorAll("img")) {
    const name = picture.getAttribute("src")?.split("/").at(-1);
    if (/^https?:/.test(picture.getAttribute("src") ?? "")) picture.replaceWith(picture.alt);
    else picture.src = at(`docs/${name}`);
  }
  document.title = `${main.querySelector("h1")?.textContent ?? "Documentation"} · Parley`;
  showHeading();
}

/** The documents are also served where the page is off. */
async function unlinkMissingPage(): Promise<void> {
  const response = await fetch(at(""), { method: "HEAD" }).catch(() => undefined);
  if (response?.status !== 404) return;
  document.querySelector(".docs-back")?.remove();
  document.querySelector(".brand")?.removeAttribute("href");
}

byId("theme", HTMLElement).replaceWith(themeSwitch());
addEventListener("hashchange", showHeading);
unlinkMissingPage();
await show();
