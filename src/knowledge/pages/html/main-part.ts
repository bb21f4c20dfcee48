/**
 * Chooses the part of a page that says something: what Readability extracts, or the page's own main part where the
 * extract has much less. Readability looks for one article, and takes the sections of a manual for something else.
 */
import { Readability } from "@mozilla/readability";
import type { Element, Parents, Root } from "hast";
import { toHtml } from "hast-util-to-html";
import { parseHTML } from "linkedom";
import {
  attribute,
  bodyOf,
  type Child,
  classesOf,
  element,
  elementsIn,
  find,
  hasClass,
  isElement,
  lineOf,
  oneLine,
  rawText,
  remove,
} from "./nodes.ts";
import { parsePart } from "./parse.ts";

/** With less of the page's own main part, the extract is a part of it. */
const minOwnShare = 0.8;
/** Without a main part of its own, a page's body has advertisements and lists of links too. */
const minBodyShare = 0.5;

/** What this and Readability look at. */
const keptAttributes = [
  ...["className", "id", "role", "href", "src", "alt", "rel", "itemProp", "dir", "lang", "colSpan", "rowSpan", "scope"],
  ...["dataLineNumber", "start", "type", "checked"],
];

/** The second parser takes as long for an attribute as for a tag, and a page can have a hundred of them on each. */
export function dropAttributes(tree: Root): void {
  for (const node of elementsIn(tree)) {
    node.properties = Object.fromEntries(
      Object.entries(node.properties).filter(([name]) => keptAttributes.includes(name)),
    );
  }
}

/** `tree` is changed: what isn't content is removed. */
export function mainPart(tree: Root): Parents {
  removeFurniture(tree);
  const found = extract(tree);
  removeBesides(tree);
  const own = ownMain(tree);
  const whole = own ?? bodyOf(tree);
  if (found === undefined) return whole;
  const share = own === undefined ? minBodyShare : minOwnShare;
  const isPart = prose(found) < share * prose(whole) || (own !== undefined && lacksSection(found, own));
  return isPart ? whole : found;
}

/** A section is lost with its heading, however short it is, unless it is a list of links. */
function lacksSection(found: Parents, own: Element): boolean {
  const kept = new Set(sectionsOf(found).map(({ heading }) => heading));
  return sectionsOf(own).some(({ heading, chars }) => chars >= minSectionChars && !kept.has(heading));
}

const minSectionChars = 30;

/** The first level is the title of the page, which the extract leaves out. */
function sectionsOf(part: Parents): readonly { readonly heading: string; readonly chars: number }[] {
  const sections: { heading: string; chars: number }[] = [];
  const waiting: Child[] = [...part.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const last = sections.at(-1);
    if (node.type === "text" && last !== undefined) last.chars += oneLine(node.value).length;
    if (!isElement(node) || isLink(node)) continue;
    if (/^h[2-4]$/.test(node.tagName)) sections.push({ heading: lineOf(node), chars: 0 });
    else for (const child of node.children.toReversed()) waiting.push(child);
  }
  return sections;
}

function isLink(node: Element): boolean {
  return isElement(node, "a") && attribute(node, "href") !== "";
}

const furniture = ["navigation", "banner", "contentinfo", "search", "menubar"];

/** Page furniture isn't content; an article's own header is. */
function removeFurniture(tree: Root): void {
  const body = bodyOf(tree);
  body.children = body.children.filter((child) => !isElement(child, "header", "footer"));
  remove(body, (node) => {
    if (isElement(node, "nav", "button", "menu") || furniture.includes(attribute(node, "role"))) return true;
    if (isElement(node, "form")) return rawText(node).length < maxFormChars && !hasHeading(node);
    return isElement(node, "aside") && isMostlyLinks(node);
  });
}

const besides =
  /(?:^|[-_])(?:comments?|disqus|replies|related|recommend(?:ed|ations)?|newsletter|promo|social|share|sharing|sponsor(?:ed)?|advert(?:isement)?s?|ads?|breadcrumbs?|cookies?|popup|trending|most-read|outbrain|taboola|paywall|feedback|pagination|byline|author-bio)(?:$|[-_])/i;

/** What sites put around their articles. The extract has left it out already. */
function removeBesides(tree: Root): void {
  remove(tree, (node) => {
    if (!isElement(node, "div", "section", "aside", "ul", "ol", "footer")) return false;
    return classesOf(node).some((name) => besides.test(name)) && !hasHeading(node);
  });
}

/** An old page may be one form as a whole. */
const maxFormChars = 500;

function hasHeading(node: Element): boolean {
  return find(node, ({ tagName }) => tagName === "h1" || tagName === "main" || tagName === "article") !== undefined;
}

function isMostlyLinks(node: Element): boolean {
  return hasClass(node, "toc", "sidebar", "related", "share") || prose(node) < rawText(node).trim().length / 2;
}

/** The largest one, where the page names several. */
function ownMain(tree: Root): Element | undefined {
  const mains = [...elementsIn(tree)].filter((node) => isElement(node, "main") || attribute(node, "role") === "main");
  if (mains.length > 0) return largest(mains);
  const articles = [...elementsIn(tree)].filter((node) => isElement(node, "article"));
  if (articles.length > 0) return articles.length === 1 ? articles[0] : undefined;
  return aroundSections(bodyOf(tree));
}

/**
 * The element whose children the sections of the page are. It holds nearly all the words of those around it. `depth`: how
 * far to look for it.
 */
function aroundSections(part: Parents, depth = 12): Element | undefined {
  const inner = (part.children as readonly Child[]).filter((child): child is Element => isElement(child));
  if (inner.filter((child) => isElement(child, "section")).length > 1) return element("div", part.children as Child[]);
  // Once: a page can have tens of thousands of children.
  const least = rawText(part).length * minOwnShare;
  const only = inner.find((child) => rawText(child).length >= least);
  return only === undefined || depth === 0 ? undefined : aroundSections(only, depth - 1);
}

function largest(parts: readonly Element[]): Element | undefined {
  return parts.reduce((best, part) => (rawText(part).length > rawText(best).length ? part : best));
}

/** Characters outside links: a list of links isn't what a page says. */
function prose(part: Parents): number {
  let chars = 0;
  const waiting: Parents[] = [part];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of node.children) {
      if (child.type === "text") chars += oneLine(child.value).length;
      else if (isElement(child) && !isLink(child)) waiting.push(child);
    }
  }
  return chars;
}

function extract(tree: Root): Root | undefined {
  // Its parser, unlike a browser, needs every tag of a page to be there.
  const page = element("html", [element("head", []), element("body", bodyOf(tree).children)]);
  const { document } = parseHTML(`<!doctype html>${toHtml(page)}`);
  const content = new Readability(document, { keepClasses: true, charThreshold: 200 }).parse()?.content;
  if (!content) return undefined;
  const part = parsePart(content);
  return keepsRows(content, part) ? part : undefined;
}

/** Where a table has most of the words, its rows are extracted without the table, and parsed as one line of text. */
function keepsRows(content: string, part: Parents): boolean {
  const written = content.split(/<tr[\s>]/).length - 1;
  return [...elementsIn(part)].filter((node) => isElement(node, "tr")).length === written;
}
