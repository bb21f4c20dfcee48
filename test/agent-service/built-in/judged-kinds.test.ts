/** Near misses that share their words with a section or a table, and what answers beside them. */
import { expect, it } from "vitest";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { quotationOf } from "../../../src/agent-service/built-in/answering/quotation.ts";
import { askTable } from "../../../src/agent-service/built-in/answering/tables/ask-table.ts";
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

const werft = `# Werft

## Fristen

Bis zur Probefahrt vergehen zwei Wochen. Das Deck trocknet, bevor der Kran fährt. Drei Leinen liegen bereit.

## Abgaben

Mitglieder zahlen 9 Euro, Gäste 12 Euro, und Vereine sind auf Anfrage dran. Verloren gegangene Leinen ersetzt man. Der Steg wurde 1911 gebaut.

## Regatta

Die Regatta muss acht Wochen vorher angemeldet werden. Ordner tragen Westen.

## Ausleihe

Westen leihen wir an Mitglieder aus. Eigene Leinen dürfen mitgebracht werden.

## Leitung

Gerda Holm führt die Liste der Trinkgelder. Sie ist älter als 60 Jahre.

## Saal 2

Im Saal 2 steht der Ofen. Saal 3 bleibt zu.

## Message queue

Messages are read in order. A reader that fails is called again for two hours.

## Log book

The log book lists trips and exports. It goes back 90 days.
`;

async function asked(...questions: readonly string[]) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("boatyard", {})?.id ?? 0;
  for (const [title, content] of Object.entries({ "boatyard.md": boatyard, "werft.md": werft }))
    await store.passages.insert(id, [{ id: title, title, content }]);
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
  ["Könnten Sie mir sagen wie viel Mitglieder zahlen?", "9 Euro"],
  ["Does anybody know how far back the log book goes?", "90 days"],
  ["Kann ich Westen ausleihen?", "leihen wir"],
  ["Darf man Leinen mitbringen?", "mitgebracht"],
  ["Wie alt ist der Steg?", "1911"],
  ["Was steht in Saal 2?", "Ofen"],
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
  ["another sentence's number", "Wie hoch ist der Kran?"],
  ["another part's price", "Was kosten Vereine?"],
  ["weeks before it are no duration of it", "Wie lange dauert die Regatta?"],
  ["a limit is no age", "Wie alt ist Gerda Holm?"],
  ["another room's number", "Was steht in Saal 4?"],
  ["a queue isn't what is in it", "How long can a message be?"],
  ["it goes back to what the sentence before began with", "How long does an export take?"],
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

const clubs = tableOf(
  "clubs",
  ["Verein", "Leitung", "owner", "Gegründet", "Downloads (MB)", "Beitrag (Euro)", "Tag", "longest_trip"],
  [
    ["Möwe", "Ole Brix", "Harbour", "1887", "20", "9", "Montag", "7"],
    ["Seestern", "Ole Brix", "City", "1994", "31", "14", "Sonntag", "4"],
    ["Anker", "Ida Brandt", "Harbour", "1921", "12", "11", "Freitag", "9"],
  ],
);

it.each([
  ["Welcher Verein ist der älteste?", "1887"],
  ["Wie alt ist der Seestern?", "1994"],
  ["Wann wurde Anker gegründet?", "1921"],
  ["Wie viele Vereine gibt es insgesamt?", "**3**"],
  ["Wer leitet Anker?", "Ida Brandt"],
  ["Who owns Seestern?", "City"],
  ["Wie viele Vereine leitet Ole Brix?", "**2**"],
])("a table answers %j", (question, words) => {
  expect(askTable(clubs, question, "clubs.csv")?.said).toContain(words);
});

it.each([
  ["no column of durations", "Wie lange dauert Möwe?"],
  ["megabytes are no count", "Wie viele Downloads hat Möwe?"],
  ["who founded it isn't when", "Wer hat Möwe gegründet?"],
  ["only prose says why", "Warum ist Seestern so teuer?"],
  ["what is paid isn't earned", "Wie viel verdient Ole Brix?"],
  ["rows aren't chosen by what they lack", "Welcher Verein ist nicht am Montag?"],
  ["the shortest of the longest is none", "Was ist der kürzeste Trip?"],
  ["a person has no age there", "Wie alt ist Ole Brix?"],
])("a table where %s: %j", (_, question) => {
  expect(askTable(clubs, question, "clubs.csv")).toBeUndefined();
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

const faults = tableOf(
  "Faults of 2025",
  ["Code", "Name", "Mended by", "Since"],
  [
    ["12", "NO_WIND", "rigger", "2011"],
    ["14", "LEAK", "diver", "2016"],
  ],
);
const tides = tableOf(
  "Tides of 2025",
  ["Month", "Floods"],
  [
    ["May", "310"],
    ["June", "290"],
  ],
);
const engines = tableOf(
  "Engines",
  ["Model", "Power (kW)"],
  [
    ["0.8", "21"],
    ["0.9", "34"],
  ],
);
const saws = tableOf(
  "Sägen",
  ["Säge", "Raum"],
  [
    ["Kreissäge", "Keller"],
    ["Bandsäge", "Hof"],
  ],
);

it.each([
  [faults, "what does code 14 mean?", 1, ""],
  [faults, "which code is NO_WIND?", 0, "12"],
  [faults, "who is there for a LEAK?", 1, "diver"],
  [faults, "since when has LEAK been running?", 1, "2016"],
  [tides, "how many floods in total in 2025?", 0, "600"],
  [engines, "which model has the highest power?", 1, "34"],
  [saws, "in welchem Raum steht die Bandsäge?", 1, "Hof"],
])("of %o, %j is read in row %i", (table, question, row, words) => {
  const answer = askTable(table, question, "");

  expect(answer?.rows).toContain(row);
  expect(answer?.said).toContain(words);
});
