/**
 * Recognises lists of pages and reads their URLs: sitemaps (XML and text, and lists of sitemaps), RSS, Atom and JSON
 * feeds. Read as a stream up to the limit, because a sitemap may list 50,000 pages.
 */
import { Parser } from "htmlparser2";
import { parseJson } from "../../core/tools/parse-json.ts";
import { maxLinkChars, maxLinks, maxUrlChars } from "../foreign/content-limits.ts";
import { webAddress } from "./html/page-facts.ts";

/** Absolute URLs, each once. Undefined if it is something else. */
export function readLinkList(text: string, address: string, isCut = false): readonly string[] | undefined {
  if (isXmlList(text)) return xmlList(text, address);
  if (text.trimStart().startsWith("{") && text.includes("https://jsonfeed.org/version/"))
    return jsonFeed(text, address);
  // Half a line is another URL.
  return textList(isCut ? text.slice(0, text.lastIndexOf("\n") + 1) : text, address);
}

/** Whatever the server calls it: some serve sitemaps and feeds as HTML. */
export function isXmlList(text: string): boolean {
  const start = text
    .slice(0, sniffChars)
    .replace(/^\uFEFF?\s*(?:<\?[^>]*\?>\s*|<!--.*?-->\s*|<!doctype[^>]*>\s*)*/is, "");
  return /^<(?:\w+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>:]/i.test(start);
}

const sniffChars = 4_000;

/** Keeps what fits, each once. */
function createLinks(address: string) {
  const links = new Set<string>();
  let chars = 0;
  let isFull = false;
  return {
    add: (href: string, base = address) => {
      const url = webAddress(href, base);
      if (url === undefined || url.length > maxUrlChars || links.has(url)) return;
      if (links.size >= maxLinks || chars + url.length > maxLinkChars) {
        isFull = true;
        return;
      }
      chars += url.length;
      links.add(url);
    },
    isFull: () => isFull,
    list: (): readonly string[] => [...links],
  };
}

/** The names of elements, without the prefix that a document may give them. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(":")));
}

function xmlList(text: string, address: string): readonly string[] {
  const links = createLinks(address);
  const path: string[] = [];
  /** What URLs of each open element are relative to, where it says so. */
  const bases: string[] = [];
  let said = "";
  let isPermalink = false;
  let permalink: string | undefined;
  /** The prefix of the document itself: "sm:urlset" has "sm:loc". */
  let ownPrefix: string | undefined;
  // "rss > channel > link" is the site itself, and "image:loc" a picture.
  const isEntry = (name: string) => ["url", "sitemap", "item", "entry"].includes(name);
  let hasLink = false;
  const add = (href: string) => links.add(href, bases.at(-1));
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const local = localName(name);
        ownPrefix ??= prefixOf(name);
        said = "";
        const { rel = "alternate", href, "xml:base": base } = attributes;
        const around = bases.at(-1) ?? address;
        bases.push(base === undefined ? around : (URL.parse(base, around)?.href ?? around));
        if (path.at(-1) === "entry" && local === "link" && rel === "alternate" && href !== undefined) add(href);
        if (local === "item") permalink = undefined;
        isPermalink = local === "guid" && attributes["isPermaLink"] !== "false";
        path.push(prefixOf(name) !== ownPrefix && local === "loc" ? "" : local);
      },
      ontext: (data) => {
        if (said.length <= maxUrlChars) said += data;
      },
      onclosetag: () => {
        const name = path.pop();
        const isLink = (name === "loc" || name === "link") && isEntry(path.at(-1) ?? "");
        if (isLink && said.trim() !== "") add(said);
        if (isLink) hasLink ||= said.trim() !== "";
        // Of an item without a link it is the URL.
        if (name === "guid" && isPermalink && /^\s*https?:/i.test(said)) permalink = said;
        if (name === "item") {
          if (!hasLink && permalink !== undefined) add(permalink);
          hasLink = false;
        }
        bases.pop();
        said = "";
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length && !links.isFull(); at += pieceChars) parser.write(text.slice(at, at + pieceChars));
  return links.list();
}

const pieceChars = 16 * 1024;

function jsonFeed(text: string, address: string): readonly string[] | undefined {
  const feed = parseJson(text);
  if (typeof feed !== "object" || feed === null || !("items" in feed) || !Array.isArray(feed.items)) return undefined;
  const links = createLinks(address);
  for (const item of feed.items as readonly unknown[]) {
    if (typeof item !== "object" || item === null) continue;
    const { url, external_url: external } = item as Readonly<Record<string, unknown>>;
    if (typeof url === "string") links.add(url);
    else if (typeof external === "string") links.add(external);
  }
  return links.list();
}

/** A sitemap as text: nothing but URLs, one on each line. */
function textList(text: string, address: string): readonly string[] | undefined {
  if (!/^\s*https?:\/\//i.test(text)) return undefined;
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length < 2 || !lines.every((line) => /^https?:\/\/\S+$/i.test(line))) return undefined;
  const links = createLinks(address);
  for (const line of lines) links.add(line);
  return links.list();
}
