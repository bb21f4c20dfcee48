import { expect, it } from "vitest";
import type { Visibility } from "../../../src/core/model/place.ts";
import { kindOf, mayReadTexts } from "../../../src/overview/questions/text-access.ts";

type Known = Visibility | undefined;

const asker = "slack/T1/U1";
const manager = "console/local/you";

/** Then, now: whether someone else who manages reads it. */
const table: readonly (readonly [then: Known, now: Known, reads: boolean, kind: Visibility])[] = [
  ["public", "public", true, "public"],
  ["public", "private", false, "private"],
  ["public", "direct", false, "direct"],
  ["public", undefined, false, "private"],
  ["private", "public", false, "private"],
  ["private", "private", false, "private"],
  ["private", undefined, false, "private"],
  ["direct", "direct", false, "direct"],
  ["direct", "public", false, "direct"],
  ["direct", undefined, false, "direct"],
  [undefined, "public", false, "private"],
  [undefined, "direct", false, "direct"],
  [undefined, undefined, false, "private"],
];

it.each(table)("a question that was %s then and is %s now is read by other people: %s", (then, now, reads, kind) => {
  const asked = { asker, ...(then === undefined ? {} : { visibility: then }) };
  const facts = { viewer: manager, isLogPrivate: false, visibilityNow: now };
  expect(mayReadTexts(asked, facts)).toBe(reads);
  // An answer for its asker alone is private wherever it was asked.
  expect(mayReadTexts({ ...asked, isPrivate: true }, facts)).toBe(false);
  // Everyone knows what they asked themselves.
  expect(mayReadTexts({ ...asked, isPrivate: true }, { ...facts, viewer: asker })).toBe(true);
  expect(mayReadTexts({ ...asked, isPrivate: true }, { ...facts, isLogPrivate: true })).toBe(true);
  expect(kindOf(then, now)).toBe(kind);
});
