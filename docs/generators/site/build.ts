/** Builds the site in memory: pages from Markdown, the page's own styles and fonts, and what the search looks in. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { gfmHeadingId } from "marked-gfm-heading-id";
import { type NavGroup, type Page, type Pages, readPages, root } from "./pages.ts";

/** A part of a page below one heading. */
export type Section = {
  readonly id: string;
  /** With the heading's id. */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** What a page of README says of a task comes before what others say of it. */
  readonly weight: number;
};

const styles = ["tokens", "base", "markdown"];
const fonts = {
  "inter-latin": "inter-ui/variable-latin/InterVariable-subset.woff2",
  inter: "inter-ui/variable/InterVariable.woff2",
};

const file = (...path: string[]) => readFileSync(join(root, ...path));
const packaged = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(name)));
const own = (name: string) => readFileSync(new URL(name, import.meta.url));

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (html: string) =>
  html
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

function relativeTo(page: Page, target: string): string {
  const [path = "", hash] = target.split("#");
  return posix.relative(posix.dirname(page.path), path) + (hash === undefined ? "" : `#${hash}`);
}

/** A link to a file of the project that isn't in the site stays as its words alone. */
const nowhere = "nowhere:";

function bodyOf(page: Page, pages: Pages): string {
  const marked = new Marked({ gfm: true }, gfmHeadingId(), {
    walkTokens: (token) => {
      if ((token.type !== "link" && token.type !== "image") || /^https?:/.test(token.href)) return;
      const target = pages.target(page.source, token.href);
      token.href = target === undefined ? nowhere : relativeTo(page, target);
    },
    renderer: {
      link({ href, tokens }) {
        return href === nowhere ? this.parser.parseInline(tokens) : false;
      },
    },
  });
  return marked.parse(page.markdown, { async: false });
}

function sectionsOf(page: Page, body: string): readonly Section[] {
  return body.split(/(?=<h[1-3] id=)/).flatMap((part, at): Section[] => {
    const [, anchor, heading = ""] = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/s.exec(part) ?? [];
    const text = plain(part);
    if (text === "") return [];
    const url = anchor === undefined ? page.path : `${page.path}#${anchor}`;
    const weight = page.source === "README.md" ? 2 : 1;
    return [{ id: `${page.path}/${at}`, url, page: page.title, heading: plain(heading), text, weight }];
  });
}

function navOf(page: Page, groups: readonly NavGroup[]): string {
  const link = (other: Page) =>
    `<li><a href="${relativeTo(page, other.path)}"${other === page ? ' aria-current="page"' : ""}>${escaped(other.title)}</a></li>`;
  return groups.map(({ title, pages }) => `<h2>${escaped(title)}</h2><ul>${pages.map(link).join("")}</ul>`).join("\n");
}

function htmlOf(page: Page, body: string, groups: readonly NavGroup[]): string {
  const to = (path: string) => relativeTo(page, path);
  const sheets = [...styles, "site"].map((name) => `<link rel="stylesheet" href="${to(`styles/${name}.css`)}">`);
  const title = page.title === "Parley" ? "Parley" : `${escaped(page.title)} · Parley`;
  return `<!doctype html>
<html lang="en" data-root="${to("index.html").replace(/index\.html$/, "")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${to("mark.svg")}" type="image/svg+xml">
${sheets.join("\n")}
<script src="${to("search.js")}" defer></script>
</head>
<body>
<header>
<a class="brand" href="${to("index.html")}"><img src="${to("mark.svg")}" alt="" width="28" height="28"><span>Parley</span></a>
<search hidden><input type="search" aria-label="Search the documentation" placeholder="Search" aria-controls="found" autocomplete="off"><ol id="found" hidden></ol></search>
</header>
<nav aria-label="Pages"><details open><summary>Pages</summary>
${navOf(page, groups)}
</details></nav>
<main class="markdown">
${body}
</main>
<footer>MIT licensed, see <a href="${to("LICENSE.txt")}">LICENSE</a>. The built-in service of a running Parley answers questions from these pages.</footer>
</body>
</html>
`;
}

/** All files of the site by their path. */
export function buildSite(): ReadonlyMap<string, string | Buffer> {
  const pages = readPages();
  const bodies = pages.all.map((page) => ({ page, body: bodyOf(page, pages) }));
  const sections = bodies.flatMap(({ page, body }) => sectionsOf(page, body));
  const pictures = readdirSync(join(root, "docs")).filter((name) => /\.(png|svg|webp)$/.test(name));
  const styleFolder = "adapters/console/page/styles";
  return new Map<string, string | Buffer>([
    ...bodies.map(({ page, body }) => [page.path, htmlOf(page, body, pages.groups)] as const),
    ...pictures.map((name) => [`docs/${name}`, file("docs", name)] as const),
    ...styles.map((name) => [`styles/${name}.css`, file(styleFolder, `${name}.css`)] as const),
    ["styles/site.css", own("site.css")],
    ...Object.entries(fonts).map(([name, font]) => [`fonts/${name}.woff2`, packaged(font)] as const),
    ["mark.svg", file("adapters/console/page/mark.svg")],
    ["LICENSE.txt", file("LICENSE")],
    ["search.js", own("search.js")],
    // Pages that are opened as files can't load modules.
    ["minisearch.js", readFileSync(new URL("../umd/index.js", import.meta.resolve("minisearch")))],
    // A script, because a page that is opened as a file can't read another file.
    ["sections.js", `var sections = ${JSON.stringify(sections)};\n`],
  ]);
}
