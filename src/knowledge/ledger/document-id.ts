/** Derives a document's id in the ledger from its origin, short enough for a button's value. */
import { createHash } from "node:crypto";
import type { LedgerOrigin } from "../../core/content/ledger.ts";

const idChars = 16;

/** The same URL, file name or `text` always has the same id; `text` tells pasted texts, queries and saved messages apart. */
export function documentId(origin: LedgerOrigin, text = ""): string {
  return createHash("sha256")
    .update(`${origin.kind} ${identityOf(origin, text)}`)
    .digest("hex")
    .slice(0, idChars);
}

function identityOf(origin: LedgerOrigin, text: string): string {
  switch (origin.kind) {
    case "url":
      return origin.url;
    case "answer":
      return origin.answerId;
    case "file":
      return origin.name;
    case "synced":
      return `${origin.source}\n${origin.path}`;
    case "rows":
    case "query":
    case "thread":
      return text;
    default:
      return origin satisfies never;
  }
}
