/**
 * Recognises why the service could not add content. Its message is a Python exception with URLs, host paths and SQL in
 * it, so nothing of it is repeated; the presentation words each reason.
 */
import type { InsertReason } from "../../../ports/errors.ts";

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
  // The built-in service reads pages with Parley's own reader, and repeats its sentences.
  [/no answer within|server can't be reached/i, "url-silent"],
  [/larger than \d+ MB|too large or too complex|too complex to read/i, "page-too-large"],
  [/not a web page/i, "page-not-text"],
  [/no readable text/i, "page-empty"],
  [/page not found \(|requires a login \(|returned an error \(/i, "url-failed"],
  [/robots\.txt/i, "robots"],
  [/it leads (?:in)?to |internal network/i, "url-internal"],
  [/^[^:]*: 'https?:\/\/[^']*'$/i, "no-page-matched"],
  [/embedding|Error code: \d{3}|api key/i, "embedding-failed"],
];

/** Undefined when the cause is unknown. */
export function insertReason(detail: string): InsertReason | undefined {
  return reasons.find(([pattern]) => pattern.test(detail))?.[1];
}
