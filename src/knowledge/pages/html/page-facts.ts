/** What a page says of itself: its title, its own URL, its links, and what it asks of those who read it. */
import type { Element, Root } from "hast";
import { shorten } from "../../../presentation/sentences.ts";
import { maxLinkChars, maxLinks, maxUrlChars } from "../../foreign/content-limits.ts";
import { directivesFor } from "../robots-tag.ts";
import { attribute, elementsIn, find, isElement, lineOf, oneLine } from "./nodes.ts";

export type PageFacts = {
  readonly title: string;
  readonly heading: string;
  /** Relative links are relative to this. */
  readonly base: string;
  /** Absolute; absent when the page declares none. */
  readonly canonical?: string;
  /** Where the page sends its readers at once. */
  readonly refreshTo?: string;
  /** It asks not to be kept. */
  readonly isUnindexed: boolean;
  /** Absolute http and https URLs without fragments, each once, in the order of the page. */
  readonly links: readonly string[];
  /** The pages that a page of frames shows. */
  readonly frames: readonly string[];
  /** It has a password field. */
  readonly asksForPassword: boolean;
};

const maxTitleChars = 300;
/** A page that waits longer is meant to be read, and then shows another one. */
const maxRefreshSeconds = 10;

export function factsOf(tree: Root, address: string): PageFacts {
  const all = [...elementsIn(tree)];
  const named = (name: string) =>
    all.filter((node) => isElement(node, "meta") && attribute(node, "name").toLowerCase() === name);
  const first = (tag: string) => all.find((node) => isElement(node, tag) && lineOf(node) !== "");
  const baseTag = all.find((node) => isElement(node, "base") && attribute(node, "href") !== "");
  const base = URL.parse(baseTag === undefined ? "" : attribute(baseTag, "href"), address)?.href ?? address;
  const canonicalTag = all.find((node) => isElement(node, "link") && relOf(node).includes("canonical"));
  const canonical = canonicalTag === undefined ? undefined : webAddress(attribute(canonicalTag, "href"), base);
  const heading = lineOf(first("h1") ?? { type: "text", value: "" });
  const og = all.find((node) => isElement(node, "meta") && attribute(node, "property") === "og:title");
  const titleTag = first("title");
  const said = [
    titleTag === undefined ? "" : lineOf(titleTag),
    og === undefined ? "" : attribute(og, "content"),
    heading,
  ]
    .map(oneLine)
    .find((words) => words !== "");
  const wishes = directivesFor([...named("robots"), ...named("parley")].map((node) => attribute(node, "content")));
  return {
    title: shorten(said ?? "", maxTitleChars),
    heading,
    base,
    canonical: canonical !== undefined && canonical.length <= maxUrlChars ? canonical : undefined,
    refreshTo: refreshIn(tree, base, address),
    isUnindexed: wishes.has("noindex"),
    links: wishes.has("nofollow") ? [] : linksOf(all, "href", base, "a", "area"),
    frames: wishes.has("nofollow") ? [] : linksOf(all, "src", base, "frame"),
    asksForPassword: all.some(
      (node) => isElement(node, "input") && attribute(node, "type").toLowerCase() === "password",
    ),
  };
}

/** In the syntax that browsers accept. In `noscript` it is for those who can't run scripts, and says so. */
function refreshIn(tree: Root, base: string, address: string): string | undefined {
  const scriptless = new Set<Element>();
  for (const node of elementsIn(tree))
    if (isElement(node, "noscript")) for (const one of elementsIn(node)) scriptless.add(one);
  const tag = find(tree, (node) => {
    const isRefresh = isElement(node, "meta") && attribute(node, "httpEquiv").toLowerCase() === "refresh";
    return isRefresh && !scriptless.has(node);
  });
  if (tag === undefined) return undefined;
  const said = /^\s*(\d{1,6})(?:\.\d*)?\s*(?:[;,]\s*|\s)(?:url\s*=\s*)?(.*)$/is.exec(attribute(tag, "content"));
  if (said === null || Number(said[1]) > maxRefreshSeconds) return undefined;
  const [, , rest = ""] = said;
  const quote = /^["']/.exec(rest)?.[0];
  const href = quote === undefined ? rest.trim() : (rest.slice(1).split(quote)[0] ?? "");
  const target = webAddress(href, base);
  // Only that same page again, as a page of news does it.
  return target === undefined || target === webAddress(address, address) ? undefined : target;
}

function relOf(node: Element): readonly string[] {
  return attribute(node, "rel").toLowerCase().split(/\s+/);
}

function linksOf(
  all: readonly Element[],
  name: "href" | "src",
  base: string,
  ...tags: readonly string[]
): readonly string[] {
  const links = new Set<string>();
  let chars = 0;
  for (const anchor of all) {
    if (!isElement(anchor, ...tags) || relOf(anchor).includes("nofollow")) continue;
    const address = webAddress(attribute(anchor, name), base);
    if (address === undefined || address.length > maxUrlChars || links.has(address)) continue;
    chars += address.length;
    if (chars > maxLinkChars) break;
    links.add(address);
    if (links.size >= maxLinks) break;
  }
  return [...links];
}

export function webAddress(href: string, base: string): string | undefined {
  const url = href.trim() === "" ? null : URL.parse(href.trim(), base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}
