/** Which pages the site has: one for each section of README.md, which is a task each, and one for each document. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { lexer, type Token, type Tokens } from "marked";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export type Page = {
  /** In the site: "connect-slack.html", "docs/deploy.html". */
  readonly path: string;
  /** The file that it comes from, by which its links are meant. */
  readonly source: string;
  readonly title: string;
  readonly markdown: string;
};

export type NavGroup = { readonly title: string; readonly pages: readonly Page[] };

export type Pages = {
  readonly all: readonly Page[];
  readonly groups: readonly NavGroup[];
  /** Where a link of a source file leads in the site. Undefined: to a file that the site doesn't have. Throws if there is none. */
  readonly target: (source: string, href: string) => string | undefined;
};

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** As GitHub makes them. */
const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? "Parley";
}

/** README.md before its first heading of the second level, and each of these. */
function readmePages(): readonly Page[] {
  const [intro = "", ...sections] = read("README.md").split(/^(?=## )/m);
  return [
    { path: "index.html", source: "README.md", title: "Parley", markdown: intro },
    ...sections.map((section) => {
      const markdown = section.slice(1);
      const title = titleOf(markdown);
      return { path: `${slugOf(title)}.html`, source: "README.md", title, markdown };
    }),
  ];
}

function documentPage(source: string): Page {
  const markdown = read(source);
  const path = source.startsWith("docs/") ? source : source.toLowerCase();
  return { path: path.replace(/\.md$/, ".html"), source, title: titleOf(markdown), markdown };
}

const isLink = (token: Token): token is Tokens.Link => token.type === "link";
const childrenOf = (token: Token): readonly Token[] =>
  "items" in token ? (token.items as Token[]) : ((token as Tokens.Generic).tokens ?? []);
const flat = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => [token, ...flat(childrenOf(token))]);

/** README's last section lists all documents in groups. */
function groupsOf(more: Page, documents: readonly Page[]): readonly NavGroup[] {
  const lists = lexer(more.markdown).filter((token) => token.type === "list") as Tokens.List[];
  return lists
    .flatMap(({ items }) => items)
    .map((item) => {
      const inside = flat(item.tokens);
      const sources = inside.filter(isLink).map(({ href }) => href);
      const title = inside.find(({ type }) => type === "strong") as Tokens.Strong | undefined;
      const pages = sources.flatMap((source) => documents.find((page) => page.source === source) ?? []);
      return { title: title?.text ?? "More", pages };
    });
}

export function readPages(): Pages {
  const sections = readmePages();
  const more = sections.at(-1);
  if (more?.path !== "more.html") throw new Error("README.md doesn't end with “More”, which lists the documents");
  const tasks = sections.slice(0, -1);
  const names = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const documents = [...names.map((name) => `docs/${name}`), "CONTRIBUTING.md", "CHANGELOG.md"].map(documentPage);

  const sectionOf = (hash: string) => tasks.find(({ path }) => path === `${hash}.html`);
  return {
    all: [...tasks, ...documents],
    groups: [{ title: "Start", pages: tasks.slice(1) }, ...groupsOf(more, documents)],
    target: (source, href) => {
      const [path = "", hash = ""] = href.split("#");
      const file = path === "" ? source : posix.join(posix.dirname(source), path);
      const anchor = hash === "" ? "" : `#${hash}`;
      if (file === "README.md") return sectionOf(hash)?.path ?? "index.html";
      if (file === "LICENSE") return "LICENSE.txt";
      if (/^docs\/[\w-]+\.(png|svg|webp)$/.test(file)) return file;
      const page = documents.find((document) => document.source === file);
      if (page !== undefined) return page.path + anchor;
      if (!existsSync(join(root, file))) throw new Error(`${source} links to ${href}, which doesn't exist`);
      return undefined;
    },
  };
}
