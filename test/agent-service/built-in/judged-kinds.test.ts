/** Near misses that share their words with a section or a table, and what answers beside them. */
import { expect, it } from "vitest";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { quotationOf } from "../../../src/agent-service/built-in/answering/quotation.ts";
import { askTable } from "../../../src/agent-service/built-in/answering/tables/calculate.ts";
import { tableOf } from "../../../src/agent-service/built-in/answering/tables/table.ts";
import { openStore } from "../../../src/agent-service/built-in/storage/store.ts";

const boatyard = `# Boatyard

## Found things

Things are kept for six weeks in the shed, then given to the seaman's shop.

## Calling the shed

Ring the crane phone before 7:15 on Mondays.

## Keys and codes

The lock of the slipway has a code. It changes each spring and comes by text.

## Masts

Our two masts, Alder and Rowan, are looked after by Ida Brandt.

## Rolling back the cradle

Pull the winch; it takes about nine minutes. If the keel has a strap, wake the rigger.

## Winter work

Hulls are scraped by hand. Transport is paid for by the club.

## Paint

Paint is in the cellar called Bluebox. Boots are not allowed there.

## Freeze

The crane rests from Friday 15:00. One helper is enough for a small boat.

## Moorings

Members moor behind the old pier; on regatta days, Sundays, use the quay. Children's boats are never charged.

## Bell

The bell hangs beside the tar stove. Ring it once.

## Lines

Shed lines are not for hire; bring your own. Ask Ida Brandt about knots.

## Sail repair

Sail repair is done by Ida Brandt. Sign up until Tuesday.

## Regatta

The Harbour Day regatta is our biggest event and brought in 4,200 pounds last year.
`;

async function asked(...questions: readonly string[]) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("boatyard", {})?.id ?? 0;
  await store.passages.insert(id, [{ id: "boatyard.md", title: "boatyard.md", content: boatyard }]);
  const messages = questions.map((question, at) => ({
    question,
    answer: at < questions.length - 1 ? "It is so." : "",
  }));
  const bases = [{ id, name: "boatyard" }];
  return quotationOf({ search: readQuestion(messages), messages, bases, missing: [], passages: store.passages });
}

it.each([
  ["When are cranes frozen?", "Friday 15:00"],
  ["What is Bluebox?", "Bluebox"],
  ["May I wear boots in the cellar?", "not allowed"],
  ["How many helpers does a small boat need?", "One helper"],
  ["Do children pay for their boats?", "never charged"],
  ["Where do I moor on regatta days?", "quay"],
  ["Where is the paint kept?", "cellar"],
])("%j is answered", async (question, words) => {
  const { text, grade } = await asked(question);

  expect(text).toContain(words);
  expect(grade).toBe("sure");
});

it.each([
  ["a duration tells no opening hours", "When does the seaman's shop open?"],
  ["a time is no phone number", "What's the crane phone number?"],
  ["that there is a code doesn't tell it", "What's the code of the slipway?"],
  ["who pays isn't who scrapes", "Who arranges the transport of hulls?"],
  ["names have no breed", "What wood are Alder and Rowan?"],
  ["a sum is no duration", "How long is the regatta?"],
  ["what is one's own has no owner there", "Who owns the boatyard?"],
  ["where it hangs isn't where it is from", "Where is the bell from?"],
  ["a deadline is no duration", "How long does a sail repair take?"],
  ["a section that compares nothing knows no most", "Who had the most things in the shed?"],
])("%s: %j", async (_, question) => {
  expect((await asked(question)).grade).not.toBe("sure");
});

it("has the question before for one without words of its own", async () => {
  const { text, grade } = await asked("How do I roll back the cradle?", "how long does it take?");

  expect(text).toContain("nine minutes");
  expect(grade).toBe("sure");
});

const shed = tableOf(
  "shed",
  ["item", "place", "quantity", "price_eur", "new_helpers"],
  [
    ["Head torch", "Locker A", "22", "48.00", "3"],
    ["Spare battery", "Locker A", "40", "33.00", "1"],
    ["Radio", "Locker B", "24", "289.00", "2"],
  ],
);

it.each([
  ["no table knows last year", "What did we pay for the radios in total last year?"],
  ["a place is no thing that is counted", "How many lockers are there?"],
  ["two things that don't belong together", "How many batteries does a radio need?"],
  ["no column has colours", "What colour are the radios?"],
  ["no column has sizes", "What size are the radios?"],
  ["the new ones aren't all", "How many helpers do we have in total?"],
])("a table where %s: %j", (_, question) => {
  expect(askTable(shed, question, "shed.csv")).toBeUndefined();
});

const rain = tableOf(
  "rain",
  ["day", "rain_mm"],
  [
    ["2024-11-30", "80"],
    ["2024-12-24", "95"],
    ["2025-01-20", "120"],
    ["2025-02-03", "60"],
  ],
);

it("a range of months ends with the last day of the last one", () => {
  expect(askTable(rain, "What is the total rain from 2024-12 to 2025-01?", "rain.csv")?.said).toContain("215");
  expect(askTable(rain, "What is the total rain until 2025-01?", "rain.csv")?.said).toContain("295");
});

it("a table is asked for what it has", () => {
  expect(askTable(shed, "How many radios do we have?", "shed.csv")?.said).toContain("24");
  expect(askTable(shed, "What does a head torch cost?", "shed.csv")?.said).toContain("48.00");
});
