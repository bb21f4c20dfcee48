/** Makes a list of documents from a list of passages, of which a document can have thousands. */
import type { ListedDocument } from "../core/ports/agent-service.ts";

const maxSections = 30;

/** `listed`: for each passage, the document that it is of, with the passage's title. */
export function documentsOf(listed: readonly ListedDocument[]): readonly ListedDocument[] {
  const documents = new Map<
    string,
    { readonly document: ListedDocument; readonly titles: Set<string>; passages: number }
  >();
  for (const document of listed) {
    const known = documents.get(document.id) ?? { document, titles: new Set<string>(), passages: 0 };
    known.passages += 1;
    if (document.title !== undefined && known.titles.size <= maxSections) known.titles.add(document.title);
    documents.set(document.id, known);
  }
  return [...documents.values()].map(({ document, titles, passages }) => {
    const sections = [...titles].filter((title) => title !== document.title);
    return {
      ...document,
      sections: sections.length === 0 ? undefined : sections,
      ...(passages === 1 ? {} : { passages }),
    };
  });
}
