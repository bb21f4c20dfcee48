/**
 * Converts a page's HTML to Markdown: main content without navigation, advertisements and scripts. Also its title,
 * canonical URL and links. Pure, and slow on large pages, so it runs in the child process.
 */
import gfmPlugin from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { present } from "../../ports/tools/present.ts";
import { shorten } from "../../presentation/sentences.ts";
import { maxLinkChars, maxLinks, maxUrlChars } from "../foreign/content-limits.ts";

export type PageText = {
  readonly title: string;
  /** Absolute; absent when the page declares none. */
  readonly canonical?: string;
  readonly markdown: string;
  /** Absolute http and https URLs without fragments, each once, in the order of the page. */
  readonly links: readonly string[];
  /** It has a password field. */
  readonly asksForPassword: boolean;
};

/** Page furniture isn't content; an article's own header is. */
const pageFurniture =
  "nav, body > header, body > footer, [role=navigation], [role=banner], [role=contentinfo], [role=search]";
const maxTitleChars = 300;
/** Below this share, the library's main content is probably a banner, so the whole body is used. */
const minMainShare = 0.2;

export function readPageText(html: string, address: string): PageText {
  const { document } = parseHTML(withBody(html));
  if (document.documentElement === null) return { title: "", markdown: "", links: [], asksForPassword: false };
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", address)?.href ?? address;
  const links = linksOf(document, base);
  const named = webAddress(document.querySelector('link[rel="canonical" i]')?.getAttribute("href"), base);
  const canonical = named !== undefined && named.length <= maxUrlChars ? named : undefined;
  const heading = document.querySelector("h1")?.textContent ?? "";
  const title = titleOf(document, heading);
  const asksForPassword = document.querySelector("input[type=password i]") !== null;
  const whole = bodyOf(document);
  const main = mainOf(document);
  const isEnough = main !== undefined && main.chars >= whole.chars * minMainShare;
  const markdown = toMarkdown(isEnough ? main.html : whole.html, base);
  return present({ title, canonical, markdown: withHeading(markdown, heading), links, asksForPassword });
}

/** HTML allows these tags to be omitted, but the parser, unlike a browser, then finds no page. */
function withBody(html: string): string {
  const at = html.search(/<body[\s>]/i);
  if (at < 0) return `<!doctype html><html><body>${withoutPageTags(html)}</body></html>`;
  const before = html.slice(0, at);
  if (/<head[\s>]/i.test(before)) return html;
  return `<!doctype html><html><head>${withoutPageTags(before)}</head>${html.slice(at)}`;
}

function withoutPageTags(html: string): string {
  return html.replace(/<!doctype[^<>]*>|<\/?(?:html|head)(?:\s[^<>]*)?>/gi, "");
}

type Content = { readonly html: string; readonly chars: number };
/** Part of an element; the project has no DOM types. */
type WithAttributes = { readonly getAttribute: (name: string) => string | null };
type PageDocument = ReturnType<typeof parseHTML>["document"];

/** Readability modifies the document, so it runs last. On short pages it would keep the furniture. */
function mainOf(document: PageDocument): Content | undefined {
  for (const element of document.querySelectorAll(pageFurniture)) element.remove();
  const parsed = new Readability(document, {
    keepClasses: true,
    charThreshold: 200,
  }).parse();
  if (!parsed?.content) return undefined;
  return { html: parsed.content, chars: (parsed.textContent ?? "").trim().length };
}

function bodyOf(document: PageDocument): Content {
  const { document: copy } = parseHTML(document.toString());
  const selector = "script, style, noscript, template, svg, nav, header, footer, aside, form, iframe, [hidden]";
  for (const element of copy.querySelectorAll(selector)) element.remove();
  const best = copy.querySelector("main, article, [role=main]") ?? copy.body;
  return { html: best?.innerHTML ?? "", chars: (best?.textContent ?? "").replace(/\s+/g, " ").trim().length };
}

function titleOf(document: PageDocument, heading: string): string {
  const og = document.querySelector('meta[property="og:title"]')?.getAttribute("content") ?? "";
  const said = [document.querySelector("title")?.textContent ?? "", og, heading]
    .map(oneLine)
    .find((text) => text !== "");
  return shorten(said ?? "", maxTitleChars);
}

function linksOf(document: PageDocument, base: string): readonly string[] {
  const links = new Set<string>();
  let chars = 0;
  for (const anchor of document.querySelectorAll("a[href], area[href]")) {
    const rel = (anchor.getAttribute("rel") ?? "").toLowerCase();
    const address = rel.includes("nofollow") ? undefined : webAddress(anchor.getAttribute("href"), base);
    if (address === undefined || address.length > maxUrlChars || links.has(address)) continue;
    chars += address.length;
    if (chars > maxLinkChars) break;
    links.add(address);
    if (links.size >= maxLinks) break;
  }
  return [...links];
}

function webAddress(text: string | null | undefined, base: string): string | undefined {
  const url = text === null || text === undefined || text.trim() === "" ? null : URL.parse(text.trim(), base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}

function toMarkdown(html: string, base: string): string {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.use(gfmPlugin.gfm);
  service.remove(["script", "style", "noscript", "iframe"]);
  // For search, only a picture's description matters.
  service.addRule("picture", {
    filter: "img",
    replacement: (_content, node: WithAttributes) => oneLine(node.getAttribute("alt") ?? ""),
  });
  service.addRule("link", {
    filter: "a",
    replacement: (content, node: WithAttributes) => {
      const words = oneLine(content);
      const href = node.getAttribute("href");
      const address = webAddress(href, base);
      // Links within the page, and the "#" behind each heading, lead nowhere in a passage.
      const isWithin = href?.startsWith("#") ?? true;
      if (words === "" || /^[#¶§🔗]$/u.test(words)) return "";
      const isUseful = address !== undefined && address.length <= maxUrlChars && !isWithin;
      return isUseful ? `[${words}](${address})` : words;
    },
  });
  return service
    .turndown(html)
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The library removes the title from the content; a passage is found better under its heading. */
function withHeading(markdown: string, heading: string): string {
  const words = oneLine(heading);
  const first = oneLine(markdown.split("\n", 1)[0] ?? "").replace(/^#+ /, "");
  if (words === "" || markdown === "" || first === words) return markdown;
  return `# ${words}\n\n${markdown}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
