/** docs/what-parley-reads.md says of web pages what the code does. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { maxPageMegabytes, maxPageTextChars, maxTags } from "../../../src/knowledge/foreign/content-limits.ts";
import { htmlTypes, textTypes, unknownTypes } from "../../../src/knowledge/pages/media-types.ts";
import { pageSentences } from "../../../src/presentation/sentences.ts";

const docs = readFileSync(new URL("../../../docs/what-parley-reads.md", import.meta.url), "utf8");
const section = (/^## Web pages\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(docs)?.[1] ?? "").trim();
const mediaTypesIn = (start: string) => {
  const from = section.indexOf(start);
  return [...section.slice(from, section.indexOf(".", from)).matchAll(/`([a-z]+\/[\w.+-]+)`/g)].map(
    ([, type = ""]) => type,
  );
};

it("names media types that are read, those whose bytes decide, and those that aren't read", () => {
  const [read, undecided, refused] = ["Media types:", "The bytes decide", "Not read:"].map(mediaTypesIn);

  expect(read?.filter((type) => !htmlTypes.test(type) && !textTypes.test(type))).toEqual([]);
  expect(undecided?.filter((type) => !unknownTypes.test(type))).toEqual([]);
  expect(refused?.filter((type) => [htmlTypes, textTypes, unknownTypes].some((types) => types.test(type)))).toEqual([]);
  expect([read?.length, undecided?.length, refused?.length]).toEqual([15, 3, 6]);
});

it("lists every sentence with which a page fails, with its limits", () => {
  const examples: { readonly [K in keyof typeof pageSentences]: string } = {
    ...pageSentences,
    status: pageSentences.status(404),
    redirectRefused: pageSentences.redirectRefused("…"),
    slow: pageSentences.slow(30),
    tooLarge: pageSentences.tooLarge(maxPageMegabytes),
    notText: pageSentences.notText("application/pdf"),
    textTooLarge: pageSentences.textTooLarge(maxPageTextChars / 1_000_000),
    tooManyTags: pageSentences.tooManyTags(maxTags),
    busy: pageSentences.busy(429),
    busyFor: pageSentences.busyFor(60, 503),
    sendsOn: pageSentences.sendsOn("…"),
  };
  const listed = [...section.matchAll(/^- (.+)$/gm)].map(([, sentence]) => sentence);

  expect(listed).toEqual(Object.values(examples));
});
