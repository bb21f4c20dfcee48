/** What every reader of documents gives. */

/** `label`: within the document, as a source names it, such as "page 12"; "" for a document that has no parts. */
export type Part =
  /** Markdown. `fragment`: leads to the part, behind the document's URL. */
  | { readonly label: string; readonly fragment?: string; readonly text: string }
  /** A sheet. */
  | { readonly label: string; readonly csv: string };

export type ReadDocument = {
  readonly parts: readonly Part[];
  /** What was left out or assumed, each as a phrase. */
  readonly notes: readonly string[];
};
