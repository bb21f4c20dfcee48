/**
 * Converts a page's HTML to Markdown: main content without navigation, advertisements and scripts. Also its title,
 * canonical URL and links. Pure, and slow on large pages, so it runs in the child process.
 */
import { plainCode } from "./html/code-blocks.ts";
import { plainFormulas, plainScripts } from "./html/formulas.ts";
import { dropAttributes, mainPart } from "./html/main-part.ts";
import { markdownOf } from "./html/markdown.ts";
import { oneLine } from "./html/nodes.ts";
import { factsOf, type PageFacts } from "./html/page-facts.ts";
import { openPanels, openShadows, removeHidden } from "./html/panels.ts";
import { parsePage } from "./html/parse.ts";
import { plainTables } from "./html/tables.ts";

export type PageText = Omit<PageFacts, "base" | "heading"> & { readonly markdown: string };

export function readPageText(html: string, address: string): PageText {
  const tree = parsePage(isXhtml(html) ? asHtml(html) : html);
  openShadows(tree);
  plainCode(tree);
  const { base, heading, ...facts } = factsOf(tree, address);
  plainFormulas(tree);
  openPanels(tree);
  removeHidden(tree);
  dropAttributes(tree);
  plainScripts(tree);
  const part = mainPart(tree);
  plainTables(part);
  return { ...facts, markdown: withHeading(markdownOf(part, base), heading) };
}

function isXhtml(html: string): boolean {
  return /^\s*(?:<\?xml\b|<!doctype[^<>]{0,40}\bxhtml\b)|<html[^<>]{0,500}\bxmlns\s*=/i.test(html.slice(0, 2_000));
}

/** As XML, any tag may close itself, and text may be in a CDATA section: HTML takes both for something else. */
function asHtml(html: string): string {
  return withoutSections(html).replace(
    /<([a-z][\w:-]*)(?=[\s/])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)\/>/gi,
    (whole, tag: string, attributes: string) =>
      voidTags.has(tag.toLowerCase()) ? whole : `<${tag}${attributes}></${tag}>`,
  );
}

function withoutSections(html: string): string {
  const [first = "", ...rest] = html.split("<![CDATA[");
  const parts = rest.map((part) => {
    const end = part.indexOf("]]>");
    const text = end < 0 ? part : part.slice(0, end);
    return `${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}${end < 0 ? "" : part.slice(end + 3)}`;
  });
  return [first, ...parts].join("");
}

const voidTags = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);

/** The extract lacks the title, or has it a level lower; a passage is found better under its heading. */
function withHeading(markdown: string, heading: string): string {
  if (heading === "" || markdown === "") return markdown;
  const lines = markdown.split("\n");
  const at = lines.findIndex((line) => /^#{1,2} /.test(line) && line.replace(/^#+ /, "") === heading);
  if (at >= 0) return lines.with(at, `# ${heading}`).join("\n");
  return oneLine(lines[0] ?? "") === heading ? markdown : `# ${heading}\n\n${markdown}`;
}
