/**
 * Compares URLs of the ledger with those that the service gives to what its own crawler read. 25.x stores them without
 * the slashes at their end: "https://example.com".
 */
import { trimEnd } from "../../core/tools/trim-end.ts";

export function crawledUrl(url: string): string {
  return trimEnd(url, "/");
}
