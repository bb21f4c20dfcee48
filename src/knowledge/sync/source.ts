/** What a source of synced files is: a function that lists its files, and which of them are read. */

import { isDocumentName } from "../documents/document-names.ts";
import type { ScratchFile } from "../foreign/scratch.ts";

export type SourceFile = {
  /** Within the source, with "/" between folders. Untrusted. */
  readonly path: string;
  /** Where people see it. */
  readonly url?: string;
  /** Writes its bytes, at most `maxBytes`. Resolves with their SHA-256. Throws ReadFailure, or the signal's reason. */
  readonly save: (into: ScratchFile, maxBytes: number) => Promise<string>;
};

/** All of a source at one moment. */
export type SourceFiles = {
  /** What its files are called in sources: "handbook/leave.md". */
  readonly name: string;
  readonly files: readonly SourceFile[];
  /** Of other kinds. */
  readonly leftOut: number;
  /** Files and folders that can't be read now. What is known of them stays. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
  /** When all have been read. Never rejects. */
  readonly dispose?: () => Promise<void>;
};

/** Throws ReadFailure if nothing is known about what is there. */
export type ListSource = (
  source: string,
  options: { readonly owner: string; readonly signal: AbortSignal },
) => Promise<SourceFiles>;

export const maxSourceFiles = 10_000;
/** Files of other kinds and folders count too. */
export const maxSourceEntries = 200_000;
export const maxSourceDepth = 50;
/** Of a repository's files that are read. */
export const maxSourceBytes = 500 * 1024 * 1024;

const textNames = /\.(?:md|mdx|markdown|txt|rst|html?|xhtml|csv|tsv)$/i;

/** Markdown, text, tables and documents. Data files of programs aren't. */
export function isSyncedName(name: string): boolean {
  // Office's lock files.
  return !name.startsWith("~$") && (textNames.test(name) || isDocumentName(name));
}

/** Of programs, and not for people. */
export function isLeftFolder(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}
