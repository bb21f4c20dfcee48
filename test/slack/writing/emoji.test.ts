/** Every reaction that Parley adds has a name in Slack. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { reactionName } from "../../../adapters/slack/writing/emoji.ts";

const marks = globSync("src/**/*.ts").flatMap((file) => {
  const found = readFileSync(file, "utf8").matchAll(/Mark = "(\p{Extended_Pictographic}\uFE0F?)"/gu);
  return [...found].map(([, mark = ""]) => mark);
});

it("finds the reactions", () => {
  expect(marks).toEqual(expect.arrayContaining(["👋", "🙌", "✅"]));
});

it.each(marks)("%s has a name", (mark) => {
  expect(reactionName(mark)).toMatch(/^[a-z_]+$/);
});
