/** What the built-in service answers without a model, and where it says that it found nothing. */
import { describe, expect, it } from "vitest";
import { covers } from "../../../src/agent-service/built-in/answering/finding.ts";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { quotationOf } from "../../../src/agent-service/built-in/answering/quotation.ts";
import { openStore } from "../../../src/agent-service/built-in/storage/store.ts";

const hotel = `# Hotel

## Breakfast

Breakfast is served from 7:00 to 10:30 in the winter garden. Children under six eat for free.

## Parking

A place in the garage costs 49 euros a night. Vans are too high for it; ask Petra Holm for the yard.

## Quiet hours

Guests whisper in the corridors after ten. Pianos stay shut from Sat evening until Sunday noon in Nov.

## How many towels does a guest get?

See the shelf.
`;

const haus = `# Haus

## Mitarbeiterrabatt

Auf Speisen gibt es 20 Prozent. Getränke sind ausgenommen.

## Schlüssel

Verlorene Schlüssel meldet man sofort Frau Berger. Ein neuer kostet 35 Euro.
`;

async function room(texts: Readonly<Record<string, string>> = { "hotel.md": hotel, "haus.md": haus }) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("handbook", {})?.id ?? 0;
  await store.passages.insert(
    id,
    Object.entries(texts).map(([title, content]) => ({ id: title, title, content })),
  );
  const bases = [{ id, name: "handbook" }];
  const ask = async (question: string, before: readonly { question: string; answer: string }[] = []) => {
    const messages = [...before, { question, answer: "" }];
    return quotationOf({ search: readQuestion(messages), messages, bases, missing: [], passages: store.passages });
  };
  const isCovered = (question: string, lastSources: readonly string[] = []) =>
    covers(store.passages, bases, { question, lastSources });
  return { ask, isCovered };
}

const nothing = "I found nothing about that in `handbook`. People who may add knowledge can add it with `/kb add`.";

describe("a section", () => {
  it.each([
    ["When is breakfast served?", "7:00"],
    ["What does a place in the garage cost?", "49 euros"],
    ["Is the garage really 49 € a night?", "49 euros"],
    ["Who gives me a place in the yard for vans?", "Petra Holm"],
    ["Are the pianos shut on Saturday evening in November?", "Pianos"],
    ["Wieviel Prozent Mitarbeiterrabatt gibt es?", "20 Prozent"],
    ["wem melde ich einen verlorenen Schlüssel?", "Frau Berger"],
  ])("answers %j", async (question, words) => {
    const { text, grade } = await (await room()).ask(question);

    expect(text).toContain(words);
    expect(grade).toBe("sure");
  });

  it.each([
    ["has not all of the telling words", "Is breakfast served on the roof terrace?"],
    ["names no person", "Who serves breakfast in the winter garden?"],
    ["names no price", "What does it cost to whisper in the corridors?"],
    ["has another number", "Is breakfast served from 9:45?"],
    ["is about another month", "Are the pianos shut in May?"],
    ["is about another person", "Does Ingrid have a place in the yard for vans?"],
    ["has the words in its heading alone, and no number", "How many towels does a guest get?"],
    ["says nothing of it in German", "Wer kocht die Speisen?"],
  ])("doesn't answer if it %s", async (_, question) => {
    const { text, grade, passages } = await (await room()).ask(question);

    expect(text).toBe(nothing);
    expect(grade).toBe("unsure");
    expect(passages.length).toBeGreaterThan(0);
  });

  it("is numbered as the sources are", async () => {
    const pages = ["a.md", "b.md", "c.md"].map((name) => [
      name,
      `# ${name}\n\n## Parking\n\nThe garage takes ${name} vans.\n`,
    ]);
    const { text, passages } = await (await room(Object.fromEntries(pages))).ask("Does the garage take vans?");

    const sources = [...new Set(passages.map(({ title }) => title))];
    const references = [...text.matchAll(/([abc]\.md)(?:\*\*)? \[(\d)\]/g)];
    expect(references.length).toBe(3);
    for (const [, title = "", number] of references) expect(sources.indexOf(title) + 1).toBe(Number(number));
  });

  it("is quoted below its heading and the title of its page", async () => {
    const page = { "garage.md": "# Cars\n\n## Parking\n\nThe garage takes small vans and all bicycles.\n" };
    expect((await (await room(page)).ask("Does the garage take vans?")).text).toBe(
      "**Parking – garage.md** [1]\n\nThe garage takes small vans and all bicycles.",
    );
  });

  it("isn't there for a question about something else", async () => {
    expect(await (await room()).ask("Who painted the sixtine chapel?")).toEqual({
      text: nothing,
      grade: "nothing",
      passages: [],
    });
  });

  it("that has every word answers no question by that", async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `word${at}`);
    const { grade } = await (await room({ "all.md": words.join(" ") })).ask(
      "Do word7, word1500 and word2900 go together?",
    );

    expect(grade).not.toBe("sure");
  });

  it("is found by a question of 3,000 words that asks for it in the end", async () => {
    const story = "We came late and tired to this lovely house. ".repeat(350);

    expect((await (await room()).ask(`${story} When is breakfast served?`)).text).toContain("7:00");
  });
});

const practice = `# Practice

## Dentists

Dr Helen Osei owns the practice and does implants. Dr Amit Shah joined in 2021. Dr Tom Brandt treats children.

## Closing up

The last one out sets the alarm. The code of the alarm is changed after every leaver. Its lamp hangs behind the door.

## Sharps

Needles go into the yellow box. The box is collected on the last Friday of the month. Three tunics are washed at work.

## Deep end

The pool has two lanes for children. Rules for 8 visitors hang there. The basin is 3 metres deep.

## 4.2.0 (12 March 2025)

Boards can be grouped. There is a lift to the archive.
`;

describe("what a question asks for", () => {
  it.each([
    ["When did Dr Shah join the practice?", "2021"],
    ["Does Dr Osei do implants?", "implants"],
    ["Where does the lamp of the alarm hang?", "behind the door"],
    ["Where do needles go?", "yellow box"],
    ["When is the yellow box collected?", "last Friday"],
    ["How deep is the basin?", "3 metres"],
    ["When could boards be grouped?", "Boards can be grouped"],
    ["What's new in 4.2.0?", "Boards can be grouped"],
    ["Is there a lift?", "lift"],
  ])("is said where %j is answered", async (question, words) => {
    expect((await (await room({ "practice.md": practice })).ask(question)).text).toContain(words);
  });

  it.each([
    ["a date of another person", "When did Dr Osei join the practice?"],
    ["another person's work", "Does Dr Brandt do implants?"],
    ["a code that isn't told", "What is the code of the alarm?"],
    ["a place of another thing", "Where is the yellow box?"],
    ["a person where a sentence begins with a number", "Who washes the tunics?"],
    ["a number of something else", "How many children does the pool take?"],
    ["a colour", "What colour is the lamp of the alarm?"],
  ])("isn't taken from %s", async (_, question) => {
    expect((await (await room({ "practice.md": practice })).ask(question)).text).toBe(nothing);
  });
});

describe("ways to ask for a person, a place, a share", () => {
  const inn = `# Inn

## Wifi
The password is printed on the key card sleeve and changes monthly.

## Lost and found
Found items are kept for three months. Ask for Imogen Vale in housekeeping.

## Overtime
Overtime is paid with 25 percent extra.

## Fire alarm
Only the fire brigade resets the system. The cold store must stay between 2 and 8 degrees.

## Support
Write to help@inn.example about the booking interface. Code E1042 means that the booking is archived.

## Urlaub
Anträge gehen bis zum 15. November an Frau Pohl. Die Ausfallgebühr beträgt 35 Euro.
`;

  it.each([
    ["Where do I find the wifi password?", "key card"],
    ["who do I ask about lost items", "Imogen Vale"],
    ["How much is overtime paid extra?", "25 percent"],
    ["Who resets the fire alarm system?", "fire brigade"],
    ["Who do I contact about the booking interface?", "help@inn.example"],
    ["What does E1042 mean?", "archived"],
    ["Bis wann gehen Urlaubsanträge an Frau Pohl?", "15. November"],
  ])("are understood: %s", async (question, part) => {
    const { ask } = await room({ "inn.md": inn });

    expect((await ask(question)).text).toContain(part);
  });

  it.each([
    "Who founded the inn?",
    "Where is the cold store?",
    "Who wrote the booking interface?",
    "What does E2000 mean?",
    "How much does overtime cost the inn?",
  ])("aren't mistaken for others: %s", async (question) => {
    const { ask } = await room({ "inn.md": inn });

    expect((await ask(question)).grade).not.toBe("sure");
  });

  it("are borrowed by a follow-up whose one word is in one section", async () => {
    const { ask } = await room({ "inn.md": inn });
    const before = [{ question: "Wie hoch ist der Zuschlag für Überstunden?", answer: "25 Prozent." }];

    expect((await ask("und die Ausfallgebühr?", before)).text).toContain("35 Euro");
  });
});

describe("a school", () => {
  const school = `# School

## Day
Gates open at 8:25. Pupils go home at 15:10. Children who arrive late must be signed in at the office by phone before 8:30.

## Uniform
Pupils wear a green jumper. Second-hand uniforms are sold by the parents' association.

## Lunch
A hot lunch is paid until Sunday.

## Complaints
Talk to the class teacher first, then to the deputy head, Priscilla Onwudiwe.

## Mitgliedschaft
Gekündigt wird schriftlich bis Ende September. Die Aufnahmegebühr entfällt für Studierende. Salate bringen die Mitglieder mit.
`;

  it.each([
    ["Where do children sign in?", "at the office"],
    ["What colour is the jumper?", "green"],
    ["Who sells second-hand uniforms?", "parents' association"],
    ["Bis wann muss man kündigen?", "September"],
    ["Für wen entfällt die Aufnahmegebühr?", "Studierende"],
    ["Wer bringt die Salate mit?", "Mitglieder"],
  ])("answers %s", async (question, part) => {
    const { ask } = await room({ "school.md": school });

    expect((await ask(question)).text).toContain(part);
  });

  it.each([
    "How many pupils does the school have?",
    "Who is the head teacher?",
    "What's for lunch tomorrow?",
    "What is the phone number of the office?",
    "Wie viel Uhr ist es?",
    "What time is it?",
  ])("doesn't know %s", async (question) => {
    const { ask } = await room({ "school.md": school });

    expect((await ask(question)).grade).not.toBe("sure");
  });
});

describe("a follow-up", () => {
  const before = [{ question: "What does a place in the garage cost?", answer: "49 euros a night." }];

  it("borrows the subject of the last question that was answered", async () => {
    const { text } = await (await room()).ask("and for vans?", before);

    expect(text).toContain("Vans are too high");
  });

  it("borrows nothing where it has a subject of its own", async () => {
    const { text } = await (await room()).ask("and breakfast?", before);

    expect(text).toContain("winter garden");
  });

  it("is not answered with the subject that it borrows", async () => {
    expect((await (await room()).ask("and for zebras?", before)).text).toBe(nothing);
  });
});

describe("a line to nobody", () => {
  it.each([
    ["when is breakfast served?", [], true],
    ["is breakfast served on the roof?", [], false],
    ["what about vans?", [], false],
    ["what about vans?", ["hotel.md"], true],
    ["what about vans?", ["haus.md"], false],
    ["who wants pizza?", [], false],
    ["and?", ["hotel.md"], false],
  ])("%j after %j is covered: %s", async (question, lastSources, isCovered) => {
    expect(await (await room()).isCovered(question, lastSources)).toBe(isCovered);
  });
});

it("of a question of 3,000 words, only the beginning is compared with sections and tables", () => {
  const question = "towels and keys of the garage ".repeat(500);

  expect(readQuestion([{ question, answer: "" }]).text.length).toBeLessThanOrEqual(2_000);
});
