/** What a server asks of robots, for everybody or for one of them. */
import { expect, it } from "vitest";
import { directivesFor } from "../../../src/knowledge/pages/robots-tag.ts";

it.each([
  ["noindex", ["noindex"]],
  ["NoIndex, NoFollow", ["noindex", "nofollow"]],
  ["none", ["none", "noindex", "nofollow"]],
  ["googlebot: noindex, nofollow", []],
  ["googlebot: noindex, parley: nofollow", ["nofollow"]],
  ["parley: noindex", ["noindex"]],
  ["unavailable_after: 25 Jun 2030 15:00:00 PST", ["unavailable_after"]],
  ["max-snippet:-1, noindex", ["max-snippet", "noindex"]],
  ["", []],
])("%s", (line, directives) => {
  expect([...directivesFor([line])]).toEqual(directives);
});
