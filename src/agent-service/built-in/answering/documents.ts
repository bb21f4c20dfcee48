/**
 * Puts Parley's own documents into the knowledge base `docs` and creates its agent `guide`. A fresh installation can
 * then answer questions. Inserts them only if they have changed, because starting must be quick.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { docsBaseName } from "../storage/records.ts";
import type { Store } from "../storage/store.ts";

export type ProjectDocument = {
  readonly title: string;
  /** http or https URL at which people can read it. */
  readonly url: string;
  /** Markdown. */
  readonly content: string;
};

const guideName = "guide";

/** Marks Parley's rows, so that other rows in the same knowledge base stay. */
const origin = "project";
/** Increase when sections are built differently, so that an update of Parley inserts them again. */
const sectionsVersion = 1;

/** What people who use Parley ask about. The other documents are for those who change it. */
const manual = [
  "README.md",
  "docs/access.md",
  "docs/deploy.md",
  "docs/errors.md",
  "docs/privacy.md",
  "docs/reliability.md",
  "docs/settings.md",
  "docs/sign-in.md",
  "docs/using.md",
];

/** Reads the manual below `root`, each document served at `baseUrl` + its file name. Missing files are skipped. */
export async function readProjectDocuments(options: {
  root: string;
  baseUrl: string;
}): Promise<readonly ProjectDocument[]> {
  const read = await Promise.all(
    manual.map(async (path) => {
      const markdown = await readFile(join(options.root, path), "utf8").catch(() => undefined);
      return markdown === undefined ? [] : [documentOf(path, markdown, options.baseUrl)];
    }),
  );
  return read.flat();
}

function documentOf(path: string, markdown: string, baseUrl: string): ProjectDocument {
  const name = basename(path);
  const heading = /^#[ \t]+(.+)$/m.exec(markdown)?.[1]?.trim();
  const title = name === "README.md" ? "README" : (heading ?? name.replace(/\.md$/, ""));
  // "../README.md", "docs/deploy.md" and "deploy.md" are served side by side.
  const content = markdown.replace(
    /\]\((?![a-z][a-z0-9+.-]*:|\/|#)(?:[^()\s#]*\/)?([^()\s#/]+\.md)(#[^()\s]*)?\)/gi,
    (_, file: string, anchor: string | undefined) => `](${new URL(file, baseUrl).href}${anchor ?? ""})`,
  );
  return { title, url: new URL(name, baseUrl).href, content };
}

/** Returns whether the documents were inserted. The guide is created only once: if deleted, it stays deleted. */
export async function updateDocuments(
  store: Store,
  project: string,
  documents: readonly ProjectDocument[],
): Promise<boolean> {
  if (documents.length === 0) return false;
  const hash = createHash("sha256")
    .update(JSON.stringify([sectionsVersion, documents]))
    .digest("hex");
  if (store.meta.get("docs.hash") === hash) return false;
  const base = store.bases.get(docsBaseName) ?? store.bases.create(docsBaseName, {});
  if (base === undefined) return false;
  await store.passages.deleteOrigin(base.id, origin);
  const rows = documents.map(({ title, url, content }) => ({ id: url, title, url, content }));
  await store.passages.insert(base.id, rows, { origin, bySection: true });
  if (store.meta.get("guide.made") === undefined) {
    store.agents.create(guideName, {
      data: { knowledge_bases: [`${project}.${docsBaseName}`] },
    });
    store.meta.set("guide.made", "yes");
  }
  store.meta.set("docs.hash", hash);
  return true;
}
