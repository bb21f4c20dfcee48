/**
 * Shows one of this project's documents. Sources of the built-in agent service link to its headings, so each heading
 * gets the id that GitHub would give it, and the page scrolls there once it is drawn.
 */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "./connection/address.ts";
import { byId } from "./drawing/element.ts";
import { drawDocument, frameBlocks } from "./drawing/markdown.ts";
import { ThemeSwitch } from "./look/theme-switch.tsx";

const main = byId("document", HTMLElement);
main.textContent = "";

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

/** Of a link or picture in a document, as the server has it: all documents are side by side there. */
function hrefOf(written: string): string {
  // "../README.md" in a document and "docs/deploy.md" in the README.
  const [path = "", hash = ""] = written.split("#");
  return at(`docs/${path.split("/").at(-1)}${hash === "" ? "" : `#${hash}`}`);
}

const isOut = (address: string) => /^https?:/.test(address);

/** Sanitised, with ids on its headings, and links and pictures that lead to this server's documents. */
function drawn(text: string): DocumentFragment {
  const document = drawDocument(text);
  const slug = slugs();
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) heading.id = slug(heading.textContent);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    if (isOut(href)) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    } else if (!href.startsWith("#")) {
      link.setAttribute("href", hrefOf(href));
    }
  }
  for (const picture of document.querySelectorAll("img")) {
    const source = picture.getAttribute("src") ?? "";
    if (isOut(source)) picture.replaceWith(picture.alt);
    else picture.src = hrefOf(source);
  }
  return document;
}

/** The document of this address. */
function Document() {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  useEffect(() => {
    const load = async () => {
      const response = await fetch(`${location.pathname}?raw`).catch(() => undefined);
      if (response?.ok !== true) return setState("failed");
      const text = await response.text();
      setState("shown");
      box.current?.replaceChildren(drawn(text));
      if (box.current !== null) frameBlocks(box.current);
      document.title = `${box.current?.querySelector("h1")?.textContent ?? "Documentation"} · Parley`;
      showHeading();
    };
    load();
    addEventListener("hashchange", showHeading);
    return () => removeEventListener("hashchange", showHeading);
  }, []);
  return (
    <>
      {state === "loading" ? <p class="soft">Loading…</p> : undefined}
      {state === "failed" ? "Couldn't load the document. Reload the page to try again." : undefined}
      <div class="markdown" ref={box} />
    </>
  );
}

/** The documents are also served where the page is off. */
async function unlinkMissingPage(): Promise<void> {
  const response = await fetch(at(""), { method: "HEAD" }).catch(() => undefined);
  if (response?.status !== 404) return;
  document.querySelector(".docs-back")?.remove();
  document.querySelector(".brand")?.removeAttribute("href");
}

render(<ThemeSwitch />, byId("theme", HTMLElement));
render(<Document />, main);
unlinkMissingPage();
