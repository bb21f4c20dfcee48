/** Knows which pages this process has added, so that one page with five URLs becomes one document. */
import type { Ledger } from "../../core/content/ledger.ts";
import { documentId } from "../ledger/document-id.ts";
import { type DocumentFacts, hashOf } from "../ledger/keeping.ts";
import { type Page, rowsOf } from "../pages/page-reader.ts";
import type { Errand } from "./inserting.ts";

/** Of the last pages that were added. */
const maxKnown = 5_000;

/** `added` resolves with false if it could not be added. */
type Known = { readonly url: string; readonly added: Promise<boolean> };

export function createKnownPages(ledger: Pick<Ledger, "get">) {
  /** By knowledge base, host and text. */
  const byText = new Map<string, Known>();

  const baseOf = ({ target }: Errand) => ({ project: target.project, name: target.knowledgeBase });

  async function hashIn(errand: Errand, url: string): Promise<string | undefined> {
    const document = await ledger.get(baseOf(errand), documentId({ kind: "url", url }));
    return document?.way === "parley" ? document.hash : undefined;
  }

  return {
    /** Adds the page, unless the same text was added from another URL of its site. Resolves with that URL then. */
    add: async (page: Page, errand: Errand, add: () => Promise<void>): Promise<string | undefined> => {
      const hash = hashOf(await rowsOf({ ...page, url: "", title: "" }));
      const key = JSON.stringify([baseOf(errand), new URL(page.url).host, hash]);
      const known = byText.get(key);
      if (known !== undefined && known.url !== page.url && (await known.added)) {
        const same = hashOf(await rowsOf({ ...page, url: known.url }));
        // It may have been removed, or have other text by now.
        if ((await hashIn(errand, known.url)) === same) return known.url;
      }
      const adding = add();
      const added = adding.then(
        () => true,
        () => false,
      );
      remember(byText, key, { url: page.url, added });
      await adding;
      return undefined;
    },
  };
}

/** Forgets the oldest. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxKnown && oldest !== undefined) map.delete(oldest);
}

export function factsOf({ url, title }: Page): DocumentFacts {
  return { origin: { kind: "url", url }, title, url };
}
