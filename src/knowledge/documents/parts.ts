/** What every reader of documents gives. */
import type { DocumentSize } from "../../core/model/job.ts";

/** `label`: within the document, as a source names it, such as "page 12"; "" for a document that has no parts. */
export type Part =
  /** Markdown. `fragment`: leads to the part, behind the document's URL. */
  | { readonly label: string; readonly fragment?: string; readonly text: string }
  /** A sheet. */
  | { readonly label: string; readonly csv: string };

export type ReadDocument = {
  readonly parts: readonly Part[];
  readonly size: DocumentSize;
  /** What was left out or assumed, each as a phrase. */
  readonly notes: readonly string[];
};

/** The size of a document that has no pages, sheets or slides. */
export const oneFile: DocumentSize = { count: 1, unit: "file" };
