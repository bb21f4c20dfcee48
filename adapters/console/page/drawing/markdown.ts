/**
 * Turns an agent's untrusted Markdown into DOM. Raw HTML is shown as text and pictures become links; DOMPurify is the
 * second wall, the Content-Security-Policy the third. Every link shows its host, and a label that looks like another
 * URL is never the link.
 */
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { at, root } from "../connection/address.ts";
import { colourCode } from "./code-colors.ts";
import { copy, saysForMs } from "./copying/copy.ts";
import { hideCodeMarks, isTooDense, showCodeMarks } from "./dense-markdown.ts";
import { type Children, element } from "./element.ts";
import { alignNumbers } from "./numbers.ts";
import { passageButton, showsPassage } from "./passage.ts";
import { makeSortable } from "./sorting/headings.ts";

/** A source that "[1]" in an answer leads to. */
export type Cited = { readonly number: number; readonly url?: string; readonly excerpt?: string };

const escaped: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escaped[character] ?? "");

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => (/^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escapeHtml(text)),
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || "picture")}</a>`,
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

// Documents of this project may show their own pictures.
const documentMarked = new Marked({ gfm: true });

const purifyOptions = {
  ALLOWED_TAGS:
    "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul".split(
      " ",
    ),
  ALLOWED_ATTR: ["href", "align", "start", "class"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

const notDomains = /\.(md|js|ts|mjs|json|txt|csv|py|sh|html|css|ya?ml|toml|sql|pdf|png|env|local)$/i;

/** The host that a link's label claims to lead to, if it looks like a URL. */
function claimedHost(label: string): string | undefined {
  const text = label.trim();
  const address = /(?:^|\s|[(<])(?:[a-z]+:\/\/|www\.)([^\s/?#)>]+)/i.exec(text);
  if (address?.[1] !== undefined) return address[1].toLowerCase().replace(/^www\./, "");
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(\/\S*)?$/i.test(text);
  const [host = ""] = text.split("/");
  return isDomain && !notDomains.test(host) ? host.toLowerCase() : undefined;
}

/** Parley's documents and conversations, which the server writes as paths. */
const ownPath = /^\/(?:docs\/[\w-]+\.md(?:#\S*)?|#\/\S*)$/;

/** A URL that the server wrote, as a link: its own paths begin where Parley is served. */
export const ownHref = (url: string): string => (ownPath.test(url) ? new URL(at(url), root).href : url);

/** Where a link leads, in short: the host, or the document's name on this site. */
export function leadsTo(url: string): string {
  const { host, pathname, origin } = new URL(ownHref(url), root);
  if (origin !== root.origin || !pathname.startsWith(root.pathname)) return host.replace(/^www\./, "");
  return pathname.slice(root.pathname.length).replace(/^(?:docs\/)*/, "");
}

/** A link out of the page. Opens in a new tab that cannot reach this one. */
function outLink(url: string, label: Children, className?: string): HTMLAnchorElement {
  const leads = { href: ownHref(url), target: "_blank", rel: "noopener noreferrer", title: ownHref(url) };
  return element("a", { ...leads, class: className }, label);
}

/** The address that a link leads to, undefined unless it is one of the web. */
export function targetOf(raw: string): URL | undefined {
  const url = ownHref(raw);
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
}

function finishLink(link: HTMLAnchorElement): void {
  const url = targetOf(link.getAttribute("href") ?? "");
  if (url === undefined) {
    link.replaceWith(...link.childNodes);
    return;
  }
  const label = link.textContent ?? "";
  const claimed = claimedHost(label);
  const isHonest = claimed === undefined || claimed === url.host || claimed === url.host.replace(/^www\./, "");
  if (!isHonest) {
    link.replaceWith(...link.childNodes, " (", outLink(url.href, url.href), ")");
    return;
  }
  link.setAttribute("href", url.href);
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
  link.setAttribute("title", url.href);
  if (claimed === undefined) link.after(element("span.leads", {}, leadsTo(url.href)));
}

/** A box that scrolls sideways, so that the page never does. */
function scrollBox(content: Children, name: string): HTMLElement {
  return element("div.scroll", { tabindex: 0, role: "group", "aria-label": name }, content);
}

/** Fixed-width text with a Copy button. */
export function codeBlock(text: string, language?: string): HTMLElement {
  const code = element("code", {}, text);
  colourCode(code, language);
  const press = async () => {
    button.textContent = (await copy(() => text)).says;
    setTimeout(() => {
      button.textContent = "Copy";
    }, saysForMs);
  };
  const button = element("button.copy", { type: "button", "data-action": "copy", click: press }, "Copy");
  return element(
    "div.code",
    {},
    element("div.code-top", {}, element("span", {}, language || "text"), button),
    element("pre", { tabindex: 0 }, code),
  );
}

/** Gives code a Copy button, and tables a box that scrolls, numbers to the right and a button to sort by each column. */
export function frameBlocks(within: ParentNode): void {
  for (const pre of within.querySelectorAll("pre")) {
    const language = /language-([\w+#.-]+)/.exec(pre.firstElementChild?.className ?? "")?.[1];
    pre.replaceWith(codeBlock((pre.textContent ?? "").replace(/\n$/, ""), language));
  }
  for (const table of within.querySelectorAll("table")) {
    const box = scrollBox([], "Table");
    table.replaceWith(box);
    box.append(table);
    alignNumbers(table);
    makeSortable(table);
  }
}

function lowerHeadings(within: ParentNode): void {
  // The page itself uses h1 and h2, so an answer's headings start at h3.
  for (const heading of within.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(6, Number(heading.tagName[1]) + 2);
    const lower = element(`h${level}.was-${heading.tagName.toLowerCase()}`);
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
}

/** "[1]" leads to the source with that number and shows its passage, as far as there are these. */
function citation(piece: string, { url, excerpt }: Cited): Node | string {
  if (url === undefined) return excerpt === undefined ? piece : passageButton(piece, excerpt);
  const link = outLink(url, piece, "cite");
  return excerpt === undefined ? link : showsPassage(link, excerpt);
}

/** Makes "[1]" a citation of the source with that number. */
function linkCitations(within: Node, sources: readonly Cited[]): void {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node instanceof Text && !node.parentElement?.closest("a, pre, code")) texts.push(node);
  }
  for (const text of texts) {
    const pieces = text.data.split(/(\[\d{1,3}\])/);
    if (pieces.length === 1) continue;
    text.replaceWith(
      ...pieces.map((piece, index) => {
        const source = index % 2 === 1 ? sources.find(({ number }) => `[${number}]` === piece) : undefined;
        return source === undefined ? piece : citation(piece, source);
      }),
    );
  }
}

function parsedHtml(text: string): string | undefined {
  // A fence in a list is found by the parser alone, so code is only hidden where it has to be.
  const shown = isTooDense(text) ? hideCodeMarks(text) : text;
  if (isTooDense(shown)) return undefined;
  try {
    const html = marked.parse(shown, { async: false });
    return shown === text ? html : showCodeMarks(html, escapeHtml);
  } catch {
    return undefined;
  }
}

/** A box with the drawn Markdown. Markdown that can't be parsed, or not soon enough, is shown as text. */
export function drawMarkdown(text: string, sources: readonly Cited[] = []): HTMLElement {
  const box = element("div.markdown");
  const parsed = parsedHtml(text);
  if (parsed === undefined) {
    box.append(element("pre", {}, text));
    return box;
  }
  box.append(DOMPurify.sanitize(parsed, purifyOptions));
  for (const link of box.querySelectorAll("a")) finishLink(link);
  frameBlocks(box);
  lowerHeadings(box);
  linkCitations(box, sources);
  return box;
}

/** One of this project's documents: it may show pictures and link to other documents. */
export function drawDocument(text: string): DocumentFragment {
  const options = {
    ...purifyOptions,
    ALLOWED_TAGS: [...purifyOptions.ALLOWED_TAGS, "img"],
    ALLOWED_ATTR: [...purifyOptions.ALLOWED_ATTR, "src", "alt"],
  };
  return DOMPurify.sanitize(documentMarked.parse(text, { async: false }), options);
}
