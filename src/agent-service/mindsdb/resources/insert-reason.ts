/**
 * Recognises why the service could not add content. Its message is a Python exception with URLs, host paths and SQL in
 * it, so nothing of it is repeated; the presentation words each reason.
 */
import type { InsertReason } from "../../../core/errors.ts";

const reasons: readonly (readonly [RegExp, InsertReason])[] = [
  [/File '.*' does not exist/i, "file-unknown"],
  [/NameResolutionError|Failed to resolve|getaddrinfo/i, "url-unresolved"],
  [/Connection refused|NewConnectionError|ConnectTimeout|ReadTimeout|timed out|Connection aborted/i, "url-silent"],
  [/SSLError|CERTIFICATE/i, "url-certificate"],
  [/InvalidURL|InvalidSchema|MissingSchema|Failed to parse: Host/i, "url-invalid"],
  [/optional web handler/i, "no-page-reader"],
  [/Content columns .* not found/i, "row-empty"],
  [/Syntax error|cannot be parsed/i, "query-invalid"],
  [/not found in|does not exists?\b/i, "query-names-missing"],
  [/unterminated|bad character range|nothing to repeat/i, "filter-invalid"],
  [/^[^:]*: 'https?:\/\/[^']*'$/i, "no-page-matched"],
  [/embedding|Error code: \d{3}|api key/i, "embedding-failed"],
];

/** Undefined when the cause is unknown. */
export function insertReason(detail: string): InsertReason | undefined {
  return reasons.find(([pattern]) => pattern.test(detail))?.[1];
}
