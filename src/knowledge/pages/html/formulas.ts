/**
 * Writes formulas once, as TeX between dollar signs. MathJax, KaTeX and MediaWiki put each on the page two or three
 * times: for the eye, for screen readers and as its source. Also raised and lowered text, which Markdown doesn't have.
 */
import type { Element, Parents } from "hast";
import {
  attribute,
  type Child,
  element,
  find,
  hasClass,
  isElement,
  lineOf,
  oneLine,
  rawText,
  rewrite,
  text,
} from "./nodes.ts";

/** Drawn by MathJax 2 beside the script that has the source. */
const drawn = ["MathJax_Preview", "MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_SVG_Display", "MathJax_CHTML"];

export function plainFormulas(tree: Parents): void {
  const hasSources = find(tree, isSource) !== undefined;
  rewrite(tree, (node) => {
    if (isSource(node)) return formula(rawText(node), /mode=display/.test(attribute(node, "type")));
    if (hasClass(node, ...drawn) && hasSources && !isElement(node, "mjx-container")) return [];
    if (hasClass(node, "katex-html") || (isElement(node, "img") && isFallback(node))) return [];
    if (isElement(node, "math")) return formula(sourceOf(node), attribute(node, "display") === "block");
    if (
      hasClass(node, "katex-display") ||
      (isElement(node, "mjx-container") && attribute(node, "display") === "true")
    ) {
      return [element("p", [text(lineOf(node).replace(/^\$(?!\$)(.*)(?<!\$)\$$/, "$$$$$1$$$$"))])];
    }
    // Around what is hidden from the eye, because the eye gets a picture.
    if (hasClass(node, "mwe-math-element")) return [text(lineOf(node))];
    if (isElement(node, "mjx-container"))
      return [text(lineOf(node) === "" ? attribute(node, "ariaLabel") : lineOf(node))];
    return undefined;
  });
}

function isSource(node: Element): boolean {
  return isElement(node, "script") && /^math\/(?:tex|asciimath)/.test(attribute(node, "type"));
}

/** MediaWiki's picture of a formula that is there as MathML. */
function isFallback(node: Element): boolean {
  return hasClass(node, "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display");
}

function formula(source: string, isBlock: boolean): readonly Child[] {
  const tex = oneLine(source)
    .replace(/^\{\\displaystyle\s*(.*)\}$/, "$1")
    .trim();
  if (tex === "") return [];
  return [isBlock ? element("p", [text(`$$${tex}$$`)]) : text(`$${tex}$`)];
}

function sourceOf(math: Element): string {
  const isTex = (node: Element) => isElement(node, "annotation") && /tex/i.test(attribute(node, "encoding"));
  const annotation = find(math, isTex);
  if (annotation !== undefined) return rawText(annotation);
  return attribute(math, "alttext") || attribute(math, "altText") || linear(math);
}

/** MathML without its source, in one line. */
function linear(node: Child): string {
  if (node.type === "text") return node.value.trim();
  if (!isElement(node) || isElement(node, "annotation", "annotation-xml")) return "";
  const parts = node.children.filter((child) => isElement(child)).map(linear);
  const [base = "", second = "", third = ""] = parts;
  switch (node.tagName) {
    case "mfrac":
      return `${grouped(base)}/${grouped(second)}`;
    case "msup":
    case "mover":
      return `${base}^${grouped(second)}`;
    case "msub":
    case "munder":
      return `${base}_${grouped(second)}`;
    case "msubsup":
    case "munderover":
      return `${base}_${grouped(second)}^${grouped(third)}`;
    case "msqrt":
      return `√${grouped(parts.join(""))}`;
    case "mtr":
      return `${parts.join(", ")}; `;
    default:
      return node.children.map(linear).join("");
  }
}

function grouped(part: string): string {
  return /^[\p{L}\p{N}.]*$/u.test(part) ? part : `(${part})`;
}

/** "1st", "Parley™". */
const wordEnds = /^(?:st|nd|rd|th|er|re|e|o|a|ème|tm|sm|r|®|™|℠|©|[*†‡§]+|,)$/i;

/** 10^6, m^2, H2O, x_i; a reference to a footnote stays in its brackets. */
export function plainScripts(tree: Parents): void {
  rewrite(tree, (node) => {
    if (!isElement(node, "sup", "sub")) return undefined;
    const inside = lineOf(node);
    if (inside === "") return [];
    const isReference = find(node, ({ tagName }) => tagName === "a") !== undefined || /^\[.*\]$/.test(inside);
    if (isReference) return [text(/^\[.*\]$/.test(inside) ? inside : `[${inside}]`)];
    if (isElement(node, "sup")) return wordEnds.test(inside) ? node.children : [text(`^${scripted(inside)}`)];
    // A chemical formula, or a number's base.
    return [text(/^[\d+−-]+$/.test(inside) ? inside : `_${scripted(inside)}`)];
  });
}

function scripted(inside: string): string {
  return /^[-−+]?[\p{L}\p{N}.]+$/u.test(inside) ? inside : `(${inside})`;
}
