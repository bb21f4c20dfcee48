/** Tables that are short enough to be read as a whole: what is worked out from them, and what they don't answer. */
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../../src/agent-service/built-in/answering/question.ts";
import { quotationOf } from "../../../src/agent-service/built-in/answering/quotation.ts";
import { maxRows, tableOf, tablesIn } from "../../../src/agent-service/built-in/answering/tables/table.ts";
import { fileOf, withWholeTables } from "../../../src/agent-service/built-in/answering/tables/whole-tables.ts";
import { openStore } from "../../../src/agent-service/built-in/storage/store.ts";
import { createReadingNotes } from "../../../src/knowledge/rows/reading-notes.ts";
import { rowId } from "../../../src/knowledge/rows/row-format.ts";
import { readRows } from "../../../src/knowledge/rows/rows.ts";
import { rowSentences } from "../../../src/presentation/sentences.ts";

const boats = {
  columns: ["boat", "harbour", "seats", "price_eur", "built"],
  rows: [
    ["Petrel", "North", "12", "1,200.50", "2019-04-01"],
    ["Gannet", "North", "8", "980.00", "2021-06-15"],
    ["Little tern", "South", "4", "", "2018-02-11"],
    ["Skua", "South", "20", "2,400.00", "2015-09-30"],
  ],
};
const tee = {
  columns: ["Sorte", "Art", "Preis_Euro", "Gewicht_g"],
  rows: [
    ["Assam", "Schwarztee", "4,50", "100"],
    ["Sencha", "Grüntee", "6,20", "80"],
    ["Darjeeling", "Schwarztee", "7,10", "100"],
  ],
};
const rain = {
  columns: ["month", "rain_mm"],
  rows: [
    ["2024-11", "80"],
    ["2024-12", "95"],
    ["2025-01", "120"],
    ["2025-02", "60"],
  ],
};

/** A year's months, without it. */
const visits = {
  columns: ["Month", "Direct", "Partner sites"],
  rows: [
    ["April", "300", "410"],
    ["May", "320", "400"],
    ["June", "380", "390"],
    ["July", "450", "380"],
  ],
};

type Cells = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

async function room(files: Readonly<Record<string, Cells>> = { "boats.csv": boats, "tee.csv": tee, "rain.csv": rain }) {
  const store = openStore(":memory:", () => 0);
  const id = store.bases.create("handbook", {})?.id ?? 0;
  for (const [file, { columns, rows }] of Object.entries(files)) {
    const added = rows.map((cells, at) => ({
      ...{ id: rowId("row", `${file}/${at}`), title: rowSentences.titleOf(file, at + 1) },
      content: columns.map((name, column) => `${name}: ${cells[column]}`).join("\n"),
      metadata: Object.fromEntries(columns.map((name, column) => [name, cells[column] ?? ""])),
    }));
    await store.passages.insert(id, added);
  }
  const ask = async (question: string) => {
    const messages = [{ question, answer: "" }];
    const bases = [{ id, name: "handbook" }];
    return quotationOf({ search: readQuestion(messages), messages, bases, missing: [], passages: store.passages });
  };
  return { ask, passages: store.passages, id };
}

describe("a table of months without a year", () => {
  it.each([
    [
      "What's the trend in direct visits since May, compared with partner sites?",
      "Direct from **320** (May) to **450** (July): up by 130, 40.6 %. Partner sites from **400** (May) to **380** (July): down by 20, 5.0 %.",
    ],
    ["How have direct visits changed until June?", "Direct from **300** (April) to **380** (June): up by 80, 26.7 %."],
    ["trend of direct visits", "Direct from **300** (April) to **450** (July): up by 150, 50.0 %."],
    ["How many direct visits were there in June?", "Direct **380**"],
    ["How many direct visits did we have in the whole year?", "Sum of Direct in 4 rows: **1450**."],
    ["Which month of the entire year had the most direct visits?", "Highest Direct: **450** (July)."],
    ["How many direct visits did we receive in the whole year?", "Sum of Direct in 4 rows: **1450**."],
  ])("answers %s", async (question, said) => {
    const { ask } = await room({ "visits.csv": visits });

    expect((await ask(question)).text).toContain(said);
  });

  it.each(["How have direct visits changed since November?", "How many direct visits were there in June 2019?"])(
    "doesn't answer %s",
    async (question) => {
      const { ask } = await room({ "visits.csv": visits });

      expect((await ask(question)).grade).not.toBe("sure");
    },
  );
});

describe("a short table", () => {
  it.each([
    ["which boat is the most expensive?", "Highest price_eur: **2,400.00** (Skua)."],
    ["what's the cheapest boat", "Lowest price_eur: **980.00** (Gannet)."],
    ["Which boat was built earliest?", "Earliest built: **2015-09-30** (Skua)."],
    ["How many seats do all boats in the North harbour have together?", "Sum of seats in 2 rows: **20**."],
    ["average price of the boats", "Mean of price_eur in 3 of 4 rows (the others have no value): **1526.8333**."],
    ["How many boats are in the South harbour?", "**2** rows of 4."],
    ["How many seats does the little tern have?", "Little tern: seats **4**."],
    [
      "Does the Petrel have more seats than the Gannet?",
      "seats: Petrel: **12**, Gannet: **8**. Petrel is higher, by 4.",
    ],
    ["Welcher Tee ist der günstigste?", "Lowest Preis_Euro: **4,50** (Assam)."],
    ["Was kostet Schwarztee im Durchschnitt?", "Mean of Preis_Euro in 2 rows: **5,80**."],
    ["Was kosten Assam und Sencha zusammen?", "Sum of Preis_Euro in 2 rows: **10,70**."],
    ["Wie viel wiegt der Sencha?", "Sencha: Gewicht_g **80**."],
    [
      "How has the rain developed from December 2024 to Feb 2025?",
      "rain_mm from **95** (2024-12) to **60** (2025-02): down by 35, 36.8 %.",
    ],
  ])("answers %j", async (question, said) => {
    const { text, grade } = await (await room()).ask(question);

    expect(text).toContain(said);
    expect(grade).toBe("sure");
  });

  it("quotes the rows that are meant, below the heading row", async () => {
    const { text, passages } = await (await room()).ask("Which boats are in the South harbour?");

    expect(text.split("\n").slice(2)).toEqual([
      "| boat | harbour | seats | price_eur | built |",
      "| --- | --- | --- | --- | --- |",
      "| Little tern | South | 4 |  | 2018-02-11 |",
      "| Skua | South | 20 | 2,400.00 | 2015-09-30 |",
    ]);
    expect(passages.map(({ title }) => title)).toEqual(["boats.csv"]);
  });

  it.each([
    "Which boats are there?",
    "What boats do you have?",
    "List all boats with seats and harbour.",
    "How much is each boat?",
    "boats",
  ])("quotes the whole table for %j", async (question) => {
    const { text, passages, grade } = await (await room()).ask(question);

    for (const [boat] of boats.rows) expect(text).toContain(`| ${boat} |`);
    expect(passages.map(({ title }) => title)).toEqual(["boats.csv"]);
    expect(grade).toBe("sure");
  });

  it("quotes two rows that are compared, where no column is named", async () => {
    const { text } = await (await room()).ask("Compare Petrel and Skua");

    expect(
      text
        .split("\n")
        .slice(4)
        .map((line) => line.split(" ")[1]),
    ).toEqual(["Petrel", "Skua"]);
  });

  it.each([
    "Who has a boat?",
    "Which boats are there for tonight?",
    "Which boats have a sail?",
    "What does the Albatross cost?",
    "How heavy is the Petrel?",
    "Who built the Petrel?",
    "Which boat has the most cabins?",
    "How much rain was there in November 2023?",
    "Was kostet ein Kaffee?",
    "Welcher Tee hat das meiste Koffein?",
    "Which boats are in harbour B?",
    "Was kostet ein ganzer Tee?",
    "What does the whole boat cost?",
  ])("doesn't answer %j", async (question) => {
    const { text, grade } = await (await room()).ask(question);

    expect(text).toMatch(/^I found nothing about that in `handbook`\./);
    expect(grade).not.toBe("sure");
  });

  it("reaches a model with all its rows", async () => {
    const { passages, id } = await room();
    const found = await passages.search([id], readQuestion([{ question: "seats of the Petrel", answer: "" }]), 5);

    const [first, ...rest] = withWholeTables(passages, found);

    expect(first?.title).toBe("boats.csv");
    for (const [name] of boats.rows) expect(first?.content).toContain(`| ${name} |`);
    expect(rest.filter(({ title }) => title.startsWith("boats.csv"))).toEqual([]);
  });
});

describe("a file of a table", () => {
  const csv = `id,title,content,price_gbp,arrival
1,Crown,Metal,595.00,2024-06-03
2,Bridge,Metal,1150.00,2024-06-04
3,Denture,Resin,780.00,2024-07-01
4,White filling,Resin,115.00,2024-07-09
`;

  async function read() {
    const store = openStore(":memory:", () => 0);
    const id = store.bases.create("handbook", {})?.id ?? 0;
    const source = async function* () {
      yield Buffer.from(csv);
    };
    const rows = readRows(source, { format: "csv", title: "prices.csv" }, createReadingNotes());
    for await (const { id: rowId, title, content, url: _, ...metadata } of rows)
      await store.passages.insert(id, [
        { id: String(rowId), title: String(title), content: String(content), metadata },
      ]);
    return async (...questions: readonly string[]) => {
      const messages = questions.map((question, at) => ({ question, answer: at < questions.length - 1 ? "115" : "" }));
      const bases = [{ id, name: "handbook" }];
      return quotationOf({ search: readQuestion(messages), messages, bases, missing: [], passages: store.passages });
    };
  }

  it.each([
    [["What does the bridge cost?"], "Bridge: price_gbp **1150.00**."],
    [["Which treatment is the most expensive?"], "Highest price_gbp: **1150.00** (Bridge)."],
    [["average price of Resin"], "Mean of price_gbp in 2 rows: **447.50**."],
    [["What is the id of the denture?"], "Denture: id **3**."],
    [["What does the white filling cost?", "and the crown?"], "Crown: price_gbp **595.00**."],
    [["How many treatments are of Metal?", "and Resin?"], "**2** rows of 4."],
    [["Which is the cheapest?", "and the dearest?"], "Highest price_gbp: **1150.00** (Bridge)."],
  ])("with columns called id, title and content answers %j", async (questions, said) => {
    expect((await (await read())(...questions)).text).toContain(said);
  });

  it.each([
    [["What does a veneer cost?"]],
    [["What does the crown cost?", "and a veneer?"]],
    [["Who made the crown?"]],
  ])("doesn't answer %j", async (questions) => {
    expect((await (await read())(...questions)).grade).not.toBe("sure");
  });
});

describe("a longer table", () => {
  const rows = Array.from({ length: maxRows + 1 }, (_, at) => [`Bolt${at}`, String(at + 0.5)]);

  it("is searched by row, and the heading row goes along", async () => {
    const { text } = await (await room({ "bolts.csv": { columns: ["bolt", "price"], rows } })).ask(
      "What does Bolt77 cost?",
    );

    expect(text).toContain("Bolt77: price **77.5**.\n\n| bolt | price |\n| --- | --- |\n| Bolt77 | 77.5 |");
  });

  it("isn't reckoned with", async () => {
    const { grade } = await (await room({ "bolts.csv": { columns: ["bolt", "price"], rows } })).ask(
      "Which bolt is cheapest?",
    );

    expect(grade).not.toBe("sure");
  });
});

describe("a cell", () => {
  it.each([
    [
      ["1.200,50", "3,10"],
      [1200.5, 3.1],
    ],
    [
      ["1,200.50", "3.10"],
      [1200.5, 3.1],
    ],
    [
      ["€ 49", "12 €"],
      [49, 12],
    ],
    [
      ["-3 kg", "", "n/a"],
      [-3, undefined, undefined],
    ],
  ])("of %j is a number", (cells, numbers) => {
    const [column] = tableOf(
      "t",
      ["n"],
      cells.map((cell) => [cell]),
    ).columns;

    expect(column?.numbers).toEqual(numbers);
  });
});

it("a table in a page is read with its columns and rows", () => {
  const [table] = tablesIn("# Boats\n\n| boat | seats |\n|---|---:|\n| Petrel | 12 |\n| Gannet | 8 |\n\nEnd", "page");

  expect(table?.columns.map(({ name, kind }) => [name, kind])).toEqual([
    ["boat", "text"],
    ["seats", "number"],
  ]);
  expect(table?.rows).toEqual([
    ["Petrel", "12"],
    ["Gannet", "8"],
  ]);
});

it("knows the rows of a file by the titles that Parley gives them", () => {
  expect(fileOf({ title: rowSentences.titleOf("stock, new.csv", 12), level: 0 })).toBe("stock, new.csv");
});
