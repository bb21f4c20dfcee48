/**
 * Makes every form in which pages show code one `pre` with its text alone: what a reader would copy. Generators wrap
 * lines in spans, number them in a table, a list or a column, and put buttons beside them (September 2026: Sphinx,
 * Docusaurus, MkDocs, Hugo, Jekyll, VitePress, Starlight, GitHub, Doxygen, Asciidoctor, SyntaxHighlighter, Prism,
 * highlight.js, Shiki).
 */
import type { Element, Parents } from "hast";
import {
  attribute,
  type Child,
  classesOf,
  element,
  elementsIn,
  hasAttribute,
  hasClass,
  isElement,
  lineOf,
  rawText,
  rewrite,
  text,
} from "./nodes.ts";

const lineNumbers = [
  ...["linenos", "lineno", "linenodiv", "linenumber", "linenumbers", "lineNumber", "lineNumbers", "line-number"],
  ...["line-numbers", "line-numbers-rows", "line-numbers-wrapper", "ln", "lnt", "gutter", "rouge-gutter", "blob-num"],
  ...["hljs-ln-numbers", "react-syntax-highlighter-line-number", "CodeMirror-linenumber", "crayon-nums"],
];
const tools = ["copy", "copybtn", "copy-button", "copy-btn", "btn-copy", "zeroclipboard-container", "toolbar"];
/** Around code, so that what lies beside the `pre` belongs to it. */
const containers =
  /^(?:highlight(?:er)?(?:-.*)?|highlighter-rouge|codehilite|code-?block.*|code-?(?:box|container|example|snippet|toolbar|wrapper)|codeBlock.*|language-.*|chroma|shiki|expressive-code|syntaxhighlighter|snippet-clipboard-content|listingblock|sourceCode|vp-code|fragment|frame)$/;
/** Code without a `pre`. */
const bareBlocks = ["fragment", "syntaxhighlighter", "react-code-lines"];
/** Of a table with line numbers in its first column. */
const numberedTables =
  /^(?:highlighttable|lntable|rouge-table|hljs-ln|linenotable|CodeRay|crayon-table|js-file-line-container|codehilitetable|blob-code-content)$/;
const lines = ["line", "token-line", "code-line", "view-line", "ec-line", "blob-code", "crayon-line"];
const blocks = ["div", "p", "li", "tr", "ol", "ul", "table", "tbody"];

export function plainCode(tree: Parents): void {
  removeTools(tree, false);
  rewrite(tree, (node) => {
    if (isElement(node, "table")) return isNumberedTable(node) ? [...titleIn(node), codeBlock(node)] : undefined;
    // Readability takes the name of a file for the header of something else.
    if (isElement(node, "figcaption") && !holds(node, "pre")) return [element("p", node.children)];
    if (isElement(node, "pre", "listing", "xmp", "plaintext")) return [codeBlock(node)];
    if (isBareBlock(node)) return [codeBlock(node)];
    // The signature of a function, as Sphinx writes it.
    if (isElement(node, "dt") && hasClass(node, "sig")) return [signature(node)];
    return undefined;
  });
  nameLanguages(tree, "");
}

/** Line numbers, "Copy", and the language named beside its code. */
function removeTools(parent: Parents, isInCode: boolean): void {
  parent.children = (parent.children as Child[]).filter((child) => {
    if (!isElement(child)) return true;
    if (isLinkToItself(child)) return false;
    const isCode = isInCode || isElement(child, "pre") || classesOf(child).some((name) => containers.test(name));
    if (isInCode && isTool(child)) return false;
    removeTools(child, isCode || isElement(child, "table"));
    return true;
  }) as Element["children"];
}

function isTool(node: Element): boolean {
  if (isElement(node, "button", "clipboard-copy") || hasClass(node, "sr-only")) return true;
  if (hasClass(node, ...lineNumbers)) return !hasClass(node, "line-numbers") || /^[\s\d]*$/.test(rawText(node));
  if (hasClass(node, ...tools)) return true;
  // VitePress shows the name of the language in a corner.
  return isElement(node, "span") && hasClass(node, "lang");
}

/** The "¶" behind a heading. */
function isLinkToItself(node: Element): boolean {
  if (!isElement(node, "a")) return false;
  const href = attribute(node, "href");
  const isAnchor = href.startsWith("#") || hasClass(node, "headerlink", "anchor", "hash-link", "header-anchor");
  return isAnchor && /^[#¶§🔗∞⚓\u200b\s]*$/u.test(rawText(node)) && href !== "" && !hasPicture(node);
}

function hasPicture(node: Element): boolean {
  for (const { tagName, properties } of elementsIn(node)) if (tagName === "img" && properties["alt"]) return true;
  return false;
}

function isBareBlock(node: Element): boolean {
  if (hasClass(node, ...bareBlocks)) return !holds(node, "pre") && lineOf(node) !== "";
  if (!isElement(node, "code")) return false;
  const keepsLines = /white-space:\s*(?:pre|break-spaces)/i.test(attribute(node, "style"));
  return (keepsLines || holds(node, "br")) && /\S\n.*\S/s.test(codeText(node));
}

function holds(node: Element, tag: string): boolean {
  for (const { tagName } of elementsIn(node)) if (tagName === tag) return true;
  return false;
}

/** One row of two cells, or a row for each line; the code is in the last cell. */
function isNumberedTable(table: Element): boolean {
  const rows = [...elementsIn(table)].filter(({ tagName }) => tagName === "tr");
  const [first] = rows;
  if (first === undefined) return false;
  if (classesOf(table).some((name) => numberedTables.test(name))) return true;
  if (rows.some(({ children }) => children.filter((cell) => isElement(cell, "td", "th")).length > 2)) return false;
  const cells = first.children.filter((cell): cell is Element => isElement(cell, "td"));
  const [number, code] = cells;
  if (rows.length === 1 && number !== undefined && code !== undefined) {
    return /^\s*\d[\s\d]*$/.test(rawText(number)) && holds(code, "pre");
  }
  return rows.every(({ children }) =>
    children.some((cell) => isElement(cell) && (hasAttribute(cell, "dataLineNumber") || hasClass(cell, "blob-code"))),
  );
}

function codeBlock(node: Element): Element {
  const whole = codeText(isElement(node, "table") ? withoutNumbers(node) : node);
  const language = languageOf(node) ?? firstLanguageIn(node);
  // A space that can't be broken is the work of an editor, and no compiler takes it.
  const code = whole.replaceAll("\u00a0", " ").trimEnd().replace(/^\n+/, "");
  return element("pre", [element("code", [text(code)], language === undefined ? {} : { className: [language] })]);
}

/** The name of the file, in a row of its own. */
function titleIn(table: Element): readonly Element[] {
  const cell = [...elementsIn(table)].find((node) => isElement(node, "th") && hasClass(node, "filename"));
  return cell === undefined ? [] : [element("p", [text(lineOf(cell))])];
}

/** Without the cells of numbers. */
function withoutNumbers(table: Element): Element {
  const copy = structuredClone(table);
  rewrite(copy, (node) => {
    if (!isElement(node, "tr")) return undefined;
    const cells = node.children.filter((cell) => isElement(cell, "td"));
    return [{ ...node, children: cells.slice(-1) }];
  });
  return copy;
}

/** As a reader sees it: each line of its own kind of element on a line, and nothing between. */
function codeText(node: Element): string {
  let whole = "";
  let isOpen = false;
  const endLine = () => {
    if (isOpen) whole += "\n";
    isOpen = false;
  };
  const add = (child: Child) => {
    if (child.type === "text") {
      if (child.value === "") return;
      if (isOpen && !/^\r?\n/.test(child.value)) whole += "\n";
      isOpen = false;
      whole += child.value.replace(/\r\n?/g, "\n");
    } else if (isElement(child, "br")) {
      whole += "\n";
      isOpen = false;
    } else if (isElement(child)) {
      const isLine = isElement(child, ...blocks) || hasClass(child, ...lines) || hasAttribute(child, "dataLine");
      if (isLine) {
        endLine();
        if (whole !== "" && !whole.endsWith("\n") && isElement(child, ...blocks)) whole += "\n";
      }
      const before = whole.length;
      for (const one of child.children) add(one);
      // A line that ends with its own break needs no other one.
      if (isLine && (whole.length === before || !whole.endsWith("\n"))) isOpen = true;
    }
  };
  for (const child of node.children) add(child);
  return whole;
}

function signature(node: Element): Element {
  return element("dt", [element("code", [text(lineOf(node))])]);
}

/** Names the language of code whose container alone says it. */
function nameLanguages(parent: Parents, around: string): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    if (!isElement(child, "pre")) {
      nameLanguages(child, languageOf(child) ?? (isContainer(child) ? around : ""));
      continue;
    }
    const [code] = child.children;
    if (around !== "" && isElement(code, "code") && classesOf(code).length === 0)
      code.properties = { className: [around] };
  }
}

function isContainer(node: Element): boolean {
  return isElement(node, "figure", "div", "pre", "code") && node.children.length <= 4;
}

const noLanguages = [
  "none",
  "default",
  "text",
  "txt",
  "plain",
  "plaintext",
  "notranslate",
  "console-output",
  "undefined",
];

/** "language-x", from the many ways to say it. */
function languageOf(node: Element): string | undefined {
  const names = classesOf(node);
  const said = [
    ...names.map(
      (name) => /^(?:language|lang|highlight-source|highlight-text|brush:?|highlight)-(.+)$/.exec(name)?.[1],
    ),
    ...["dataLang", "dataLanguage"].map((name) => attribute(node, name)),
    ...(names.some((name) => name === "sourceCode" || name === "hljs" || name === "brush:")
      ? names.filter((name) => !["sourceCode", "hljs", "brush:", "numberSource", "numberLines"].includes(name))
      : []),
  ];
  const known = said.find((name) => name !== undefined && /^[\w+#.-]{1,20}$/.test(name) && !noLanguages.includes(name));
  return known === undefined ? undefined : `language-${known.toLowerCase()}`;
}

function firstLanguageIn(node: Element): string | undefined {
  for (const child of elementsIn(node)) {
    const language = isElement(child, "pre", "code", "td", "div") ? languageOf(child) : undefined;
    if (language !== undefined) return language;
  }
  return undefined;
}
