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

const depot = `# Depot

## Buses

A bus waits at most nine minutes; a bus may reach an age of at most nine years. Buses are washed each night by trainees. You need Brake 4.1 on every bus.

## Lost property

Ring 01632 960 114 for a dog that was left on a bus. Umbrellas go to the office, so ask there or a trainee.

## Driving school

Each trainee gets 40 lessons. Trainees arrive ten minutes before a lesson. Tell the office two weeks before you
leave the school. The school answers within three working days.

## External language course budget

Each driver gets £300 a year, each trainee £90. They may spend it on travel.

## Timetable server

The server restarts in 700 ms. A map file has at most 64 MiB. Run \`just sync\` after each change. \`TOO_LATE\` means that
the bus was missed. The office opens the \`map\` folder.

## Refunds

Unstamped tickets bought on board go back for a voucher. The conductor decides. A voucher costs £2 at the kiosk. Trainees ride for nothing.

## Betriebshof

Eine Prüfung gilt drei Jahre, danach folgt ein Kurs. Reifen wechselt nur Ottokar. Man bucht höchstens sechs Wochen im
Voraus. Das Netz heißt Depotfunk. Das Kennwort hängt im Flur.

## Repair course

The repair course has eight evenings, from May to July, and costs £65.

## Towing

A towed bus waits in the yard; its key is in the office. We charge nothing. The inspector is Ottilie.

## Winter parties

Winter parties are in the Depot hall on Fridays.

## Signal tower

The tower seats 26 and is heated. The conductor starts with a float of £40.

## Fahrgäste

Schals sind wegen der Türen verboten. Geschwister zahlen die Hälfte. Der Dienstbeginn wird um halb zehn gefeiert.

## Signalbox

A key is lent for one week. Rust on a bus is treated within six weeks.

## Netz

Das Netz braucht MapGuard. Die Config lädt man im Portal herunter. Die Dienstjacke hält kein Schmierfett aus; sie ist
weinrot.

## Dienst

Wer im Dienst mehr als drei Fahrten fehlt, fährt mittwochs nicht. Zweimal im Jahr fährt ein Shuttle. Die Dienstjacke ist weinrot. Fundsachen gibt man bei Uwe
ab.

## Ausweis

Ein verlorener Ausweis muss gemeldet werden, damit er gesperrt wird; der Ersatz kostet 12 Euro.

## Ruhezeit

Wer krank ist, darf den Ausweis ruhen lassen.
`;

async function asked(...questions: readonly string[]) {
  return askedOf({ "practice.md": practice, "halle.md": gym }, questions);
}

async function askedOf(texts: Readonly<Record<string, string>>, questions: readonly string[]) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("handbook", {})?.id ?? 0;
  for (const [title, content] of Object.entries(texts))
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

it.each([
  ["a greeting before it", "morning all, quick question: are buses washed each night?", "washed"],
  ["thanks after it", "how many lessons does a trainee get? Thanks in advance!", "40 lessons"],
  ["an excuse before it", "sorry wenn das schon mal kam, aber wie lange gilt eine Prüfung?", "drei Jahre"],
  ["the words of what comes next", "wie lange gilt eine Prüfung eigentlich", "drei Jahre"],
  ["milliseconds", "how long does a server restart take?", "700 ms"],
  ["a size in MiB", "how big is a map file?", "64 MiB"],
  ["a duration for how fast", "how fast does the driving school answer?", "three working days"],
  ["how far ahead, in German", "Wie weit im Voraus kann man buchen?", "sechs Wochen"],
  ["a German name without an article", "wer wechselt die Reifen?", "Ottokar"],
  ["the name of a thing", "wie heißt das Netz im Betriebshof?", "Depotfunk"],
  ["two questions in one", "wie heißt das Netz und wo finde ich das Kennwort?", "im Flur"],
  ["a phone number for whom to call", "a dog was left on a bus, who do I call?", "01632 960 114"],
  ["a price in another part than the loss", "hab meinen Ausweis verloren, was kostet der Ersatz?", "12 Euro"],
  ["a command as it is written", "what does `just sync` do?", "just sync"],
  ["a code as it is written", "what does TOO_LATE mean?", "missed"],
  ["the version of a thing", "which brake version do I need?", "Brake 4.1"],
  ["a heading for most of it", "whats the external language course budget for trainees", "£300"],
  ["a signature after it", "are buses washed each night? LG Tom", "washed"],
  ["an excuse before a dash", "Sorry if this is silly - when are buses washed?", "each night"],
  ["the question that says most", "Are buses washed each night? How much is it?", "washed"],
  ["a German name behind a preposition", "bei wem gebe ich Fundsachen ab?", "Uwe"],
  ["how early", "how early do trainees arrive?", "ten minutes"],
  ["how much notice", "how much notice do I give the office before I leave?", "two weeks"],
  ["another verb, in English", "where do I return an umbrella from a bus?", "to the office"],
  ["another verb, in German", "darf ich die Dienstjacke mit Schmierfett reinigen?", "weinrot"],
  ["a participle that isn't there", "where are the winter parties held?", "Depot hall"],
  ["a word of the heading and one of the text", "how long can i keep a signalbox key?", "one week"],
  ["who it is", "who's the inspector?", "Ottilie"],
  ["whether it costs anything", "do we charge for towing a bus?", "nothing"],
  ["a second part about the same", "How many evenings is the repair evening course and what does it cost?", "£65"],
  ["a name of a program in German", "wo kriege ich die MapGuard Config her?", "Portal"],
  ["a single word and what is allowed, in German", "sind Schals erlaubt?", "verboten"],
  ["an amount behind of", "what float does the conductor start with?", "£40"],
  ["a number behind its verb", "how many people does the tower seat?", "26"],
  ["half past, in German", "um wie viel Uhr wird der Dienstbeginn gefeiert?", "halb zehn"],
  ["a half of what is paid", "was zahlen Geschwister?", "Hälfte"],
  ["a colour in a compound", "welche Farbe hat die Dienstjacke?", "weinrot"],
  ["at most for max", "max age of a bus?", "at most nine years"],
  ["all words but one that nobody wrote", "can i return unstamped tickets bought on board for a voucher", "voucher"],
])("%s: %j is answered", async (_, question, words) => {
  const { text, grade } = await askedOf({ "depot.md": depot }, [question]);

  expect(text).toContain(words);
  expect(grade).toBe("sure");
});

it.each([
  ["since when isn't when", "seit wann gibt es den Shuttle?"],
  ["a thing that nobody wrote of", "welche App brauche ich für das Netz?"],
  ["a number of weeks is no amount of a thing", "how much rust does a bus make?"],
  ["a model that isn't told", "which umbrella model do we own?"],
  ["a price isn't what one earns", "what do I earn at the kiosk?"],
  ["a word that can begin a reason gives none", "why are my umbrellas gone?"],
  ["another code than the one that is there", "what does OFFICE_MAP mean?"],
])("%s: %j finds nothing", async (_, question) => {
  expect((await askedOf({ "depot.md": depot }, [question])).grade).not.toBe("sure");
});

it("a follow-up with a verb of its own asks for no price", async () => {
  const { text } = await askedOf({ "depot.md": depot }, [
    "Was kostet ein Ausweis?",
    "und kann ich den auch ruhen lassen?",
  ]);

  expect(text).toContain("ruhen lassen");
});

it("a follow-up with a question word of its own asks for no time", async () => {
  const { text } = await askedOf({ "depot.md": depot }, ["when are buses washed?", "and how do they do it?"]);

  expect(text).toContain("washed");
});
