/** Why the built-in service couldn't add a page, in the words that every agent service has. */
import { expect, it } from "vitest";
import { insertReasonOf, ReadFailure } from "../../../src/knowledge/pages/read-failure.ts";
import { addressSentences, contentSentences, pageSentences } from "../../../src/presentation/sentences/knowledge.ts";

it.each([
  [pageSentences.slow(30), "url-silent"],
  [pageSentences.unreachable, "url-silent"],
  [pageSentences.noHttps, "url-certificate"],
  [pageSentences.tooLarge(10), "page-too-large"],
  [contentSentences.tooComplex, "page-too-large"],
  [pageSentences.notText("application/pdf"), "page-not-text"],
  [pageSentences.empty, "page-empty"],
  [pageSentences.status(404), "url-failed"],
  [pageSentences.status(401), "url-failed"],
  [pageSentences.login, "url-failed"],
  [pageSentences.status(500), "url-failed"],
  [pageSentences.robots, "robots"],
  [pageSentences.redirectRefused(addressSentences.private), "url-internal"],
  [addressSentences["internal-name"], "url-internal"],
  [addressSentences.unresolved, "url-unresolved"],
  [pageSentences.redirects, undefined],
])("%j is %s", (reason, known) => {
  expect(insertReasonOf(new ReadFailure("unreadable", reason))).toBe(known);
});
