/** Questions near to what a vet's practice, an IT handbook and a climbing gym say, and misspelt ones. */
import { expect, it } from "vitest";
import { quote } from "../../../src/agent-service/built-in/answering/run.ts";
import { openStore } from "../../../src/agent-service/built-in/storage/store.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";

const practice = `# Practice

## Staff

Dr Aurelia Voss founded the practice in 2004. Dr Benedict Okoro is responsible for surgery.

## Complaints

Send complaints to the manager, Rosalind Abara. She answers within five working days.

## Prescriptions

A prescription is valid for six months. Order two working days ahead.

## Rabbits

Rabbits are seen by Dr Aurelia Voss on Tuesdays and Thursdays.

## Puppy class

The class costs £48 and meets in the dark. It is open to all.

## Help desk

The help desk is led by Nadia Prokop. It is staffed on weekdays.

## New laptop

Laptops are ordered by your team lead. The old one goes back to the help desk.

## Passwords

Store them in the password manager Vaultage.

## Meeting rooms

A room that nobody enters is released. The largest room, Kestrel, holds 24 people.

## Devices

| Device | Price | Delivery (days) | Supplier |
| --- | --- | --- | --- |
| Corvo 13 laptop | 1,150 € | 8 | Lindqvist |
| Corvo 16 laptop | 1,690 € | 12 | Lindqvist |
| Pico headset | 89 € | 2 | Merle |
| Pico Pro headset | 164 € | 3 | Merle |
`;

const gym = `# Halle

## Vorstieg

Wer vorsteigen will, braucht den Vorstiegsschein. Die Prüfung dauert 40 Minuten. Die Prüfung nimmt Jasper Reuther ab.

## Anmeldung

Jeder Gast füllt ein Formular aus. Das Formular gilt ein Jahr.

## Fundsachen

Jacken bewahren wir vier Wochen lang auf. Die Sauna ist dienstags in Betrieb.

## Geburtstag

Ein Geburtstag dauert drei Stunden. Gebucht wird mindestens zwei Wochen vorher.

## Preise

| Angebot | Preis | Dauer | Leitung |
| --- | --- | --- | --- |
| Tageskarte Kinder | 9,00 € | 1 Tag | Theke |
| Tageskarte Studierende | 13,00 € | 1 Tag | Theke |
| Boulderkurs | 49,00 € | 3 Stunden | Lina Hofer |
`;

async function asked(...questions: readonly string[]) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("handbook", {})?.id ?? 0;
  for (const [title, content] of Object.entries({ "practice.md": practice, "halle.md": gym }))
    await store.passages.insert(id, [{ id: title, title, content }]);
  const messages = questions.map((question, at) => ({
    question,
    answer: at < questions.length - 1 ? "It is so." : "",
  }));
  const bases = [{ id, name: "handbook" }];
  const { signal } = new AbortController();
  const events = quote({ messages, bases, missing: [], passages: store.passages, clock, stepDelayMs: 0, signal });
  const answer = (await Array.fromAsync(events)).find(({ type }) => type === "answer");
  return answer?.type === "answer" ? answer : { text: "", grade: undefined };
}

it.each([
  ["who leads the help desk?", "Nadia Prokop"],
  ["which password manager do we use?", "Vaultage"],
  ["whats the price of the puppy class?", "£48"],
  ["Wie lange werden Jacken aufbewahrt?", "vier Wochen"],
  ["how much is the corvo 16?", "1,690"],
  ["was kostet die tageskarte für studierende?", "13,00"],
  ["how long is a perscription valid?", "six months"],
  ["what does the pico haedset cost?", "89 €"],
  ["wann ist die suana in betrieb?", "dienstags"],
])("%j is answered", async (question, words) => {
  const { text, grade } = await asked(question);

  expect(text).toContain(words);
  expect(grade).toBe("sure");
});

it.each([
  ["who founded it has no age there", "how old is dr voss?"],
  ["working days aren't the vets who work", "how many vets work at the practice?"],
  ["24 people are no rooms", "how many rooms are there?"],
  ["in the dark is no place", "where does the puppy class meet?"],
  ["a reason isn't said", "why is the puppy class in the dark?"],
  ["how long it takes isn't when it is", "Wann ist die Prüfung für den Vorstieg?"],
  ["the test isn't the certificate", "wie lange gilt der vorstiegsschein?"],
  ["how long it is valid isn't how long it takes", "wie lange dauert die anmeldung?"],
  ["once before isn't how often", "wie oft findet der geburtstag statt?"],
  ["a column of days has no price", "how much does delivery of the corvo 16 cost?"],
  ["a row of the table has another thing", "how much is the pico microphone?"],
  ["a row's duration is no date", "Wann beginnt der Boulderkurs?"],
  ["of one row there is no mean", "what's the average price of the pico headset?"],
  ["a word that is another one isn't misspelt", "how long is a subscription valid?"],
])("%s: %j", async (_, question) => {
  expect((await asked(question)).grade).not.toBe("sure");
});

it("a follow-up that only asks for another kind is about the same thing", async () => {
  expect((await asked("who sees rabbits?", "on which days?")).text).toContain("Tuesdays and Thursdays");
  expect((await asked("how much is the pico headset?", "who is the supplier?")).text).toContain("Merle");
});
