/** Tables as people's programs write them are read, with one line that says what was assumed. */
import { describe, expect, it } from "vitest";
import { cellsOf, readFile } from "./reading.ts";

describe("the separator of a table", () => {
  it.each([
    ["a comma", ","],
    ["a semicolon", ";"],
    ["a tab", "\t"],
    ["a bar", "|"],
  ])("is found when it is %s, whatever the cells have", async (_what, mark) => {
    const others = [",", ";", "\t", "|"].filter((other) => other !== mark).join(" x");
    const file = await readFile(`name${mark}price\nBolt${mark}"1${mark}20"\n"a${others}b"${mark}3\n`);

    expect(cellsOf(file)).toEqual([
      { name: "Bolt", price: `1${mark}20` },
      { name: `a${others}b`, price: "3" },
    ]);
    expect(file.note).toBeUndefined();
  });

  it.each([
    ["sep=;\r\nplace;hours\r\nharbour;nine to five\r\n"],
    ["\uFEFFsep=;\nplace;hours\nharbour;nine to five\n"],
    ['"sep=;"\nplace;hours\nharbour;nine to five\n'],
    ["SEP=^\nplace^hours\nharbour^nine to five\n"],
    ["sep=\t\nplace\thours\nharbour\tnine to five\n"],
  ])("is the one that Excel's first line names: %j", async (text) => {
    const file = await readFile(text);

    expect(cellsOf(file)).toEqual([{ place: "harbour", hours: "nine to five" }]);
    expect(file.note).toBeUndefined();
  });

  it("isn't the comma of a price or of a sentence", async () => {
    expect(cellsOf(await readFile("name;price\nBolt;1,20\nNut;0,30\n"))).toEqual([
      { name: "Bolt", price: "1,20" },
      { name: "Nut", price: "0,30" },
    ]);
    expect(cellsOf(await readFile("note\nHello, world\nGood bye, friend\n"))).toEqual([
      { note: "Hello, world" },
      { note: "Good bye, friend" },
    ]);
  });

  it("is missing in a table of one column", async () => {
    expect(cellsOf(await readFile("name\nBolt\nNut\n"))).toEqual([{ name: "Bolt" }, { name: "Nut" }]);
  });

  it.each([["\n"], ["\r\n"], ["\r"]])("stands between lines that end with %j", async (end) => {
    const file = await readFile(["name,price", "Bolt,1", '"Nut","2"', ""].join(end));

    expect(cellsOf(file)).toEqual([
      { name: "Bolt", price: "1" },
      { name: "Nut", price: "2" },
    ]);
  });

  it("stands between lines that end in different ways", async () => {
    expect(cellsOf(await readFile("name,price\r\nBolt,1\nNut,2\r\n"))).toEqual([
      { name: "Bolt", price: "1" },
      { name: "Nut", price: "2" },
    ]);
  });
});

describe("the headings of a table", () => {
  it("may have line breaks, quotes and separators in them", async () => {
    const file = await readFile('"Name\n(full)";"Price, EUR";"5"" pipe"\n"Bolt";"1,20";"5"\n"Nut";"0,30";"7"\n');

    expect(cellsOf(file)).toEqual([
      { "Name (full)": "Bolt", "Price, EUR": "1,20", '5" pipe': "5" },
      { "Name (full)": "Nut", "Price, EUR": "0,30", '5" pipe': "7" },
    ]);
    expect(file.note).toBeUndefined();
  });

  it.each<[string, string, Record<string, string>, string]>([
    ["unnamed first", ",price\nBolt,1\n", { "column 1": "Bolt", price: "1" }, "first heading named “column 1”"],
    ["unnamed last", "name,\nBolt,1\n", { name: "Bolt", "column 2": "1" }, "second heading named “column 2”"],
    [
      "unnamed twice",
      "name,,price,\nBolt,x,1,y\n",
      { name: "Bolt", "column 2": "x", price: "1", "column 4": "y" },
      "second heading named “column 2”, and 1 more without a name named alike",
    ],
    [
      "repeated",
      "Name,name,price\nBolt,steel,1\n",
      { Name: "Bolt", "name 2": "steel", price: "1" },
      "repeated heading renamed “name 2”",
    ],
    [
      "repeated where that name is taken",
      "a,a 2,a\n1,x,3\n2,y,4\n",
      { a: "1", "a 2": "x", "a 3": "3" },
      "repeated heading renamed “a 3”",
    ],
    [
      "fewer than the values",
      "name,price\nBolt,1,steel\nNut,2,brass\n",
      { name: "Bolt", price: "1", "column 3": "steel" },
      "third heading named “column 3”",
    ],
    [
      "missing altogether",
      "1,20,300\n4,50,600\n",
      { "column 1": "1", "column 2": "20", "column 3": "300" },
      "no headings, so they're named “column 1” to “column 3”",
    ],
    ["years", "name,2024,2025\nBolt,1,2\n", { name: "Bolt", 2024: "1", 2025: "2" }, ""],
  ])("are read when they're %s", async (_what, text, row, note) => {
    const file = await readFile(text);

    expect(cellsOf(file)[0]).toEqual(row);
    expect(file.note ?? "").toBe(note);
  });

  it("that are too long are shortened", async () => {
    const file = await readFile(`name,${"n".repeat(10_000)}\nBolt,1\n`, "csv", 4_096);

    expect(Object.keys(file.rows[0] ?? {})[1]).toHaveLength(200);
    expect(file.note).toBe("second heading shortened to 200 characters");
  });

  it.each([
    [
      "on a line",
      "Prices of 2026\nname,price\nBolt,1\n",
      "Prices of 2026",
      "the line above the headings added as text",
    ],
    [
      "with an empty line below",
      "Prices of 2026\n\nname,price\nBolt,1\n",
      "Prices of 2026",
      "the line above the headings added as text",
    ],
    [
      "as a spreadsheet exports it",
      "Prices of 2026,,\nvalid from May,,\n,,\nname,price,stock\nBolt,1,5\n",
      "Prices of 2026\nvalid from May",
      "2 lines above the headings added as text",
    ],
    [
      "in a table of two columns",
      "Prices of 2026,\n,\nname,price\nBolt,1\n",
      "Prices of 2026",
      "the line above the headings added as text",
    ],
    [
      "of a table without all of its names",
      "Prices of 2026\n\nname,,price,price\nBolt,x,1,2\nNut,y,3,4\n",
      "Prices of 2026",
      "repeated heading renamed “price 2”; the line above the headings added as text; second heading named “column 2”",
    ],
  ])("are found below a title %s, which is kept", async (_what, text, title, note) => {
    const { rows, note: said } = await readFile(text);

    expect(rows[0]).toMatchObject({ title: "t", content: title });
    expect(rows[1]).toMatchObject({ title: "t, row 1", name: "Bolt", price: "1" });
    expect(said).toBe(note);
  });

  it("alone are no table", async () => {
    expect((await readFile("name,price\n")).reason).toBe("it has no rows");
  });
});

describe("the rows of a table", () => {
  it.each<[string, string, Record<string, string>, string]>([
    ["one value too few", "a,b,c\n1,2,3\n1,2\n4,5,6\n", { a: "1", b: "2" }, "row 2 has one value too few"],
    ["two values too few", "a,b,c\n1,2,3\n1\n4,5,6\n", { a: "1" }, "row 2 has 2 values too few"],
    [
      "one value too many",
      "a,b\n1,2\n1,2,3\n4,5\n",
      { a: "1", b: "2", "column 3": "3" },
      "row 2 has one value too many, kept from “column 3” on",
    ],
  ])("may have %s", async (_what, text, row, note) => {
    const file = await readFile(text);

    expect(cellsOf(file)[1]).toEqual(row);
    expect(file.note).toBe(note);
  });

  it("may be ragged often, and the first one is named", async () => {
    const file = await readFile("a,b,c\n1,2,3\n1,2\n4,5,6\n7,8\n9,9,9\n9\n1,1,1\n2,2,2\n");

    expect(file.rows).toHaveLength(8);
    expect(file.note).toBe("row 2 has one value too few, like 2 other rows");
  });

  it("may all end with a separator", async () => {
    const file = await readFile("a;b;\n1;2;\n3;4;\n");

    expect(cellsOf(file)).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "4" },
    ]);
    expect(file.note).toBeUndefined();
  });

  it("may be empty, and are skipped then", async () => {
    const file = await readFile("name,price\nBolt,1\n,\n\n , \nNut,2\n");

    expect(file.rows.map(({ title }) => title)).toEqual(["t, row 1", "t, row 2"]);
    expect(file.note).toBe("2 empty rows skipped");
  });

  it("may have quotation marks inside their cells", async () => {
    const file = await readFile('name,size\n5" pipe,a "long" one\n"5"" pipe",2\n"pipe" of 5,3\n');

    expect(cellsOf(file)).toEqual([
      { name: '5" pipe', size: 'a "long" one' },
      { name: '5" pipe', size: "2" },
      { name: '"pipe" of 5', size: "3" },
    ]);
    expect(file.note).toBeUndefined();
  });

  it.each([
    ["in the last line", 'a,b\n1,2\n3,"4\n', { a: "3", b: '"4' }, 1, "a quotation mark in line 3"],
    ["before other rows", 'a,b\n"1,2\n3,4\n5,"x"\n', { a: '"1', b: "2" }, 0, "a quotation mark in line 2"],
    ["in the headings", 'a,"b\n1,2\n3,4\n', { a: "1", '"b': "2" }, 0, "a quotation mark in line 1"],
  ])("may have one that isn't closed %s", async (_where, text, row, at, note) => {
    const file = await readFile(text);

    expect(cellsOf(file)[at]).toEqual(row);
    expect(file.note).toBe(`${note} isn't closed and counts as a character`);
  });

  it("may have line breaks in quotes that parts of the file cut through", async () => {
    const long = "words\n".repeat(30_000);
    const file = await readFile(`a,b\n1,"${long}"\n2,x\n`, "csv", 4_096);

    expect(cellsOf(file)).toEqual([
      { a: "1", b: long },
      { a: "2", b: "x" },
    ]);
  });
});

describe("all of it at once", () => {
  it("is said in one line", async () => {
    const { note, rows } = await readFile(
      Buffer.from(
        'sep=;\nStra\xdfe;;Preis;Preis\nK\xf6nigsweg;a;1;2\n;;;\nGr\xfcnweg;b;1\nM\xfchle;c;"1;2\n',
        "latin1",
      ),
    );

    expect(rows).toHaveLength(3);
    expect(note).toBe(
      "read as Windows-1252; repeated heading renamed “Preis 2”; second heading named “column 2”; row 2 has one value too few; " +
        "1 empty row skipped; a quotation mark in line 6 isn't closed and counts as a character",
    );
  });
});
