/** Files in every encoding that people's programs write are read, and the encoding is named where it isn't UTF-8. */
import { describe, expect, it } from "vitest";
import { encoded, inUtf16, readFile } from "./reading.ts";

const german = "Name;Straße;Preis\nMüller;Königstraße 5;3,50 €\nSchäfer;Grünweg 2;7,20 €\n";
const polish = "Imię;Miasto;Ulica\nŁukasz;Łódź;Święta 5\nMałgorzata;Kraków;Długa 12\nJerzy;Poznań;Wąska 7\n";
const russian = "Имя;Город;Улица\nСергей;Москва;Ленина 5\nОльга;Тверь;Садовая 12\n";
const japanese = "事務所は毎日九時から五時まで開いています。大きな荷物は事前にお知らせください。\n";

describe("a file", () => {
  it.each<[string, string, string, string]>([
    ["windows-1250", "Windows-1250", "pl", polish],
    ["windows-1251", "Windows-1251", "ru", russian],
    ["windows-1252", "Windows-1252", "de", german],
    [
      "windows-1252",
      "Windows-1252",
      "fr",
      "Prénom;Société;Numéro\nRené;Café de la Gare;12\nHélène;Pâtisserie Noël;7\n",
    ],
    ["windows-1253", "Windows-1253", "el", "Όνομα;Πόλη;Οδός\nΓιώργος;Αθήνα;Ερμού 5\nΕλένη;Πάτρα;Κορίνθου 12\n"],
    [
      "windows-1254",
      "Windows-1254",
      "tr",
      "İsim;Şehir;Sokak\nŞükrü;İstanbul;Çiçek 5\nAyşe;Eskişehir;Gül 12\nGökhan;Diyarbakır;Uğur 3\n",
    ],
    ["windows-1255", "Windows-1255", "he", "שם;עיר;רחוב\nדוד;חיפה;הרצל 5\nשרה;ירושלים;יפו 12\n"],
    ["windows-1256", "Windows-1256", "ar", "الاسم;المدينة;الشارع\nمحمد;القاهرة;النيل 5\nفاطمة;بيروت;الحمراء 12\n"],
    [
      "windows-1257",
      "Windows-1257",
      "lt",
      "Vardas;Miestas;Gatvė\nJūratė;Šiauliai;Žalioji 5\nŽygimantas;Panevėžys;Ąžuolų 12\n",
    ],
    ["windows-874", "Windows-874", "th", "สำนักงานเปิดทุกวันตั้งแต่เก้าโมงถึงห้าโมง กุญแจอยู่ในลิ้นชัก\n"],
    [
      "iso-8859-2",
      "ISO-8859-2",
      "cs",
      "Kancelář je otevřena každý den od devíti do pěti. Žluťoučký kůň úpěl ďábelské ódy.\n",
    ],
    ["koi8-r", "KOI8-R", "ru", russian],
    ["iso-8859-5", "ISO-8859-5", "ru", russian],
    ["ibm866", "DOS-866", "ru", russian],
    [
      "macintosh",
      "Mac Roman",
      "fr",
      "Le bureau est ouvert à côté de l’hôtel; été comme hiver, ça marche déjà très bien.\n",
    ],
    ["x-mac-cyrillic", "Mac Cyrillic", "ru", russian],
    ["shift_jis", "Shift-JIS", "ja", "名前;都市;住所\n田中;東京;銀座一丁目\n鈴木;大阪;梅田三番\n"],
    ["euc-jp", "EUC-JP", "ja", japanese],
    ["gb18030", "GB18030", "zh", "姓名;城市;地址\n王伟;北京;长安街五号\n李娜;上海;南京路十二号\n"],
    ["big5", "Big5", "zh", "姓名;城市;地址\n王偉;臺北;忠孝東路五號\n李娜;高雄;中山路十二號\n"],
    ["euc-kr", "EUC-KR", "ko", "이름;도시;주소\n김철수;서울;종로 5\n이영희;부산;해운대 12\n"],
  ])("in %s is read as %s (%s)", async (label, shown, _language, text) => {
    const file = await readFile(encoded(text, label), "text");

    expect(file.rows[0]?.["content"]).toBe(text.trim());
    expect(file.note).toBe(`read as ${shown}`);
  });

  it.each([
    ["with a byte order mark", "\uFEFF"],
    ["without one", ""],
  ])("in UTF-16 %s is read in either order, whatever its script", async (_what, mark) => {
    for (const text of ["The key lies in the drawer, said Zoë.", russian, japanese, "姓名;城市\n王伟;北京\n"]) {
      for (const order of ["LE", "BE"] as const) {
        const file = await readFile(inUtf16(mark + text, order), "text");

        expect(file.rows[0]?.["content"]).toBe(text.trim());
        expect(file.note).toBe("read as UTF-16");
      }
    }
  });

  it("in Japanese for mail is read", async () => {
    const file = await readFile(Buffer.from("\u001B$B;vL3=j\u001B(B", "latin1"), "text");

    expect(file.rows[0]?.["content"]).toBe("事務所");
    expect(file.note).toBe("read as ISO-2022-JP");
  });

  it("in UTF-8 is read with and without a byte order mark, and needs no note", async () => {
    for (const text of [german, polish, russian, japanese]) {
      expect(await readFile(`\uFEFF${text}`, "text")).toMatchObject({
        rows: [{ content: text.trim() }],
        note: undefined,
      });
      expect(await readFile(text, "text")).toMatchObject({ rows: [{ content: text.trim() }], note: undefined });
    }
  });

  it.each(["naïve £5", "100 °C", "© 2020 Acme", "½ inch", "Käse"])(
    "in Windows-1252 with few other letters is read: %s",
    async (text) => {
      const file = await readFile(encoded(text, "windows-1252"), "text");

      expect(file.rows[0]?.["content"]).toBe(text);
    },
  );
});

describe("a damaged byte", () => {
  const clean = Buffer.from("Übersicht über die Öffnungszeiten: täglich von neun bis fünf.\n".repeat(3));
  const bad = Buffer.from([0x4b, 0xfc, 0x0a]);

  it.each([
    ["before everything else", Buffer.concat([bad, clean])],
    ["in the middle", Buffer.concat([clean, bad, clean])],
    ["at the end", Buffer.concat([clean, bad])],
  ])("%s of UTF-8 costs one character, and is said", async (_where, bytes) => {
    const { rows, note } = await readFile(bytes, "text");
    const text = String(rows[0]?.["content"]);

    expect(text.split("\uFFFD")).toHaveLength(2);
    expect(text).toContain("Übersicht über die Öffnungszeiten: täglich");
    expect(note).toBe("1 damaged character shown as \uFFFD");
  });

  it("far behind an English beginning doesn't change the encoding", async () => {
    const english = Buffer.from(`${"The office is open from nine to five. ".repeat(40)}\n`.repeat(200));
    const { rows, note } = await readFile(Buffer.concat([english, bad, clean]), "text", 4_096);

    expect(rows[0]?.["content"]).toContain("Übersicht über die Öffnungszeiten: täglich");
    expect(note).toBe("1 damaged character shown as \uFFFD");
  });

  it("of Shift-JIS and of UTF-16 costs one character too", async () => {
    const damaged = Buffer.concat([encoded(japanese.repeat(3), "shift_jis"), Buffer.from([0xff, 0x0a])]);
    const cut = inUtf16("\uFEFFThe keys lie in the drawer.", "LE").subarray(0, -1);

    expect(await readFile(damaged, "text")).toMatchObject({
      rows: [{ content: expect.stringContaining("事務所は毎日九時から") }],
      note: "read as Shift-JIS; 1 damaged character shown as \uFFFD",
    });
    expect(await readFile(cut, "text")).toMatchObject({
      rows: [{ content: "The keys lie in the drawer\uFFFD" }],
      note: "read as UTF-16; 1 damaged character shown as \uFFFD",
    });
  });

  it("that is NUL is left out, and said", async () => {
    const file = await readFile(`${"name,price\nBolt,1\nNut,2\n".repeat(20)}Pin,3\0\0\n`);

    expect(file.rows.at(-1)).toMatchObject({ name: "Pin", price: "3" });
    expect(file.note).toBe("2 NUL characters left out");
  });
});

describe("a file that changes its encoding in the middle", () => {
  const utf8 = Buffer.from(german);
  const old = encoded(german, "windows-1252");

  it("is read as what each part is, and the line is named", async () => {
    const first = await readFile(Buffer.concat([utf8, old]), "text");
    const second = await readFile(Buffer.concat([old, utf8]), "text");

    expect(first.rows[0]?.["content"]).toBe((german + german).trim());
    expect(first.note).toBe("read as UTF-8 up to line 4, then as Windows-1252");
    expect(second.rows[0]?.["content"]).toBe((german + german).trim());
    expect(second.note).toBe("read as Windows-1252 up to line 4, then as UTF-8");
  });

  it("again and again is read as UTF-8, and the rest counts as damaged", async () => {
    const { rows, note } = await readFile(Buffer.concat([utf8, old, utf8, old]), "text");

    expect(rows[0]?.["content"]).toContain("Müller;Königstraße 5;3,50 €");
    expect(note).toMatch(/^\d+ damaged characters shown as \uFFFD$/);
  });
});

describe("what isn't text", () => {
  it.each([
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["a workbook", Buffer.concat([Buffer.from("PK\x03\x04\x14\0\x06\0"), Buffer.from("08000000210062ee9d68", "hex")])],
    ["something compressed", Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * at * 31 + at * 7) % 256))],
    ["half of UTF-16", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41])],
  ])("is refused though it's called .csv: %s", async (_what, bytes) => {
    expect((await readFile(bytes)).reason).toBe("it isn't text");
  });
});
