/** Questions to nobody that only people can answer, with words that documents have too. */
import { expect, it } from "vitest";
import { asksPeople } from "../../../src/bridge/overheard/asks-people.ts";

it.each([
  "so when do we start the weight clinic today?",
  "do we still have vaccine for kittens?",
  "when do you get your new laptop?",
  "who is the incident lead for this one?",
  "who has the front desk at three?",
  "how long has that job been queued?",
  "which customer is filling the queue?",
])("%j is for people", (line) => {
  expect(asksPeople(line)).toBe(true);
});

it.each(["when does the weight clinic start?", "who is the incident lead?", "which customers get a discount?"])(
  "%j can be for documents",
  (line) => {
    expect(asksPeople(line)).toBe(false);
  },
);
