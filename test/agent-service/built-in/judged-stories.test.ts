/** Questions with a story around them: what only the story says needn't be in the section that answers. */
import { expect, it } from "vitest";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { quotationOf } from "../../../src/agent-service/built-in/answering/quotation.ts";
import { openStore } from "../../../src/agent-service/built-in/storage/store.ts";

const stable = `# Stable

## Collecting ponies

Ponies are collected by six. A late collection costs £5.

## Old horses

Riders over 70 are excused from mucking out.

## Evening round

The water is counted at half past five.

## Halle

Eine Anmeldung gilt für ein ganzes Schuljahr. Die Reithalle ist werktags von 12 bis 21 Uhr offen.

## Rechnungen

Rechnungen kommen am Monatsanfang. An der Tränke wird mittwochs geputzt.

## Erstattung

Eine Erstattung dauert zwei Wochen nach der Abmeldung.

## Refunds

Refunds take up to 14 days after the cancellation.

## Codes of errors

All codes of errors of the booking system are in its manual.
`;

async function ask(question: string) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("stable", {})?.id ?? 0;
  await store.passages.insert(id, [{ id: "stable.md", title: "stable.md", content: stable }]);
  const messages = [{ question, answer: "" }];
  const bases = [{ id, name: "stable" }];
  return quotationOf({ search: readQuestion(messages), messages, bases, missing: [], passages: store.passages });
}

it.each([
  ["I'm stuck in traffic, what does a late collection cost?", "£5"],
  ["I'm 74, are riders excused from mucking out?", "over 70"],
  ["Wir sind umgezogen, wie lange gilt die Anmeldung?", "ganzes Schuljahr"],
  ["when is the water counted?", "half past five"],
  ["Wann hat die Reithalle offen?", "12 bis 21"],
  ["wann kommen die Rechnungen", "Monatsanfang"],
  ["An welchen Tagen wird die Tränke geputzt?", "mittwochs"],
  ["How long do refunds take?", "14 days"],
  ["Wie lange dauert eine Erstattung?", "zwei Wochen"],
  ["What are the codes of errors?", "booking system"],
])("answers %j", async (question, words) => {
  const { grade, text } = await ask(question);

  expect(grade).toBe("sure");
  expect(text).toContain(words);
});

it.each([
  "What does a late collection cost in traffic?",
  "I'm often late, what does a taxi cost?",
  "Are riders of 74 excused from mucking out?",
  "Wir sind neu hier, wie lange gilt der Sattel?",
])("doesn't answer %j", async (question) => {
  expect((await ask(question)).grade).not.toBe("sure");
});
