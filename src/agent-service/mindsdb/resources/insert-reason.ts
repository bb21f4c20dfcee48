/**
 * Why content could not be added, in a sentence of our own. The service gives a Python exception with addresses, host
 * paths and SQL in it; none of that is repeated, only recognised.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/File '.*' does not exist/i, "the service has no file with that name"],
  [/NameResolutionError|Failed to resolve|getaddrinfo/i, "the address does not resolve"],
  [
    /Connection refused|NewConnectionError|ConnectTimeout|ReadTimeout|timed out|Connection aborted/i,
    "the address did not answer",
  ],
  [/SSLError|CERTIFICATE/i, "the address has no valid https"],
  [/InvalidURL|InvalidSchema|MissingSchema|Failed to parse: Host/i, "that is not a web address"],
  [/optional web handler/i, "the service was installed without the part that reads web pages"],
  [/Content columns .* not found/i, "a row has no content"],
  [/Syntax error|cannot be parsed/i, "the query could not be parsed"],
  [/not found in|does not exists?\b/i, "something that the query names is not there"],
  [/unterminated|bad character range|nothing to repeat/i, "a filter is not a valid expression"],
  // What the local service says of pages, whose reader is Parley's own.
  [/did not answer within|server cannot be reached/i, "the address did not answer"],
  [/is larger than \d+ MB|too large or too complex/i, "the page is too large"],
  [/is no page of text/i, "it is no page of text"],
  [/page has no text/i, "the page has no text"],
  [/\(HTTP \d{3}\)/, "the address answered with an error"],
  [/robots\.txt/i, "the site's robots.txt asks not to read it"],
  [/it leads (?:in)?to |internal network/i, "the address leads inside a network"],
  [/^[^:]*: 'https?:\/\/[^']*'$/i, "no page matched the filter"],
  [/embedding|Error code: \d{3}|api key/i, "the embedding model did not answer"],
];

/** The whole sentence, or undefined when the cause is not known. */
export function insertReason(detail: string): string | undefined {
  const reason = reasons.find(([pattern]) => pattern.test(detail))?.[1];
  return reason === undefined ? undefined : `The content could not be added: ${reason}.`;
}
