/** Writes small documents of Office and OpenDocument for tests: the least that their programs open. */
import { strToU8, zipSync } from "fflate";

/** Of text files by their names. */
export function packed(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], index) => `<Relationship Id="r${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join("")}</Relationships>`;
}

function types(parts: Readonly<Record<string, string>>): string {
  const all = Object.entries(parts).map(
    ([name, type]) =>
      `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${all.join("")}</Types>`;
}

export type Block = { readonly heading: string; readonly level?: number } | { readonly text: string } | Table;
type Table = { readonly table: readonly (readonly string[])[] };

export function docxOf(blocks: readonly Block[]): Buffer {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
  const body = blocks.map((block) => {
    if ("heading" in block)
      return `<w:p><w:pPr><w:pStyle w:val="Heading${block.level ?? 1}"/></w:pPr>${run(block.heading)}</w:p>`;
    if ("text" in block) return `<w:p>${run(block.text)}</w:p>`;
    const rows = block.table.map(
      (cells) => `<w:tr>${cells.map((cell) => `<w:tc><w:p>${run(cell)}</w:p></w:tc>`).join("")}</w:tr>`,
    );
    return `<w:tbl>${rows.join("")}</w:tbl>`;
  });
  const style = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`;
  const main = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  return packed({
    "[Content_Types].xml": types({
      "word/document.xml": "wordprocessingml.document.main",
      "word/styles.xml": "wordprocessingml.styles",
    }),
    "_rels/.rels": relations([["officeDocument", "word/document.xml"]]),
    "word/_rels/document.xml.rels": relations([["styles", "styles.xml"]]),
    "word/styles.xml": `${head}<w:styles ${main}>${[1, 2, 3].map(style).join("")}</w:styles>`,
    "word/document.xml": `${head}<w:document ${main}><w:body>${body.join("")}</w:body></w:document>`,
  });
}

export type Sheets = Readonly<Record<string, readonly (readonly (string | number)[])[]>>;

/**
 * `hidden`: the names of sheets that nobody sees. `more`: XML of further rows of the first sheet, and `styles` that its
 * cells may have.
 */
export function xlsxOf(
  sheets: Sheets,
  options: { readonly hidden?: readonly string[]; readonly more?: string; readonly styles?: string } = {},
): Buffer {
  const { hidden = [], more = "", styles = "" } = options;
  const names = Object.keys(sheets);
  const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const cellOf = (cell: string | number, column: number, row: number) => {
    const place = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  };
  const files = Object.values(sheets).map((rows, index) => {
    const data = rows.map(
      (cells, row) => `<row r="${row + 1}">${cells.map((cell, column) => cellOf(cell, column, row)).join("")}</row>`,
    );
    return [
      `xl/worksheets/sheet${index + 1}.xml`,
      `${head}<worksheet ${spreadsheet}><sheetData>${data.join("")}${index === 0 ? more : ""}</sheetData></worksheet>`,
    ] as const;
  });
  const listed = names.map(
    (name, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${hidden.includes(name) ? ' state="veryHidden"' : ""} r:id="r${index + 1}"/>`,
  );
  return packed({
    "[Content_Types].xml": types({ "xl/workbook.xml": "spreadsheetml.sheet.main" }),
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map((_name, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
      ["styles", "styles.xml"],
    ]),
    "xl/styles.xml": `${head}<styleSheet ${spreadsheet}>${styles}</styleSheet>`,
    "xl/workbook.xml": `${head}<workbook ${spreadsheet} xmlns:r="${office}"><sheets>${listed.join("")}</sheets></workbook>`,
    ...Object.fromEntries(files),
  });
}

export type Slide = {
  readonly title: string;
  readonly text?: string;
  readonly table?: Table["table"];
  readonly notes?: string;
};

/** `order`: in which the slides are shown, by their numbers. Default: as given. */
export function pptxOf(
  slides: readonly Slide[],
  order: readonly number[] = slides.map((_slide, index) => index + 1),
): Buffer {
  const spaces = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${office}"`;
  const paragraph = (text: string) => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`;
  const shape = (type: string, text: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraph(text)}</p:txBody></p:sp>`;
  const tableOf = (rows: Table["table"]) =>
    `<p:graphicFrame><a:tbl>${rows.map((cells) => `<a:tr>${cells.map((cell) => `<a:tc><a:txBody>${paragraph(cell)}</a:txBody></a:tc>`).join("")}</a:tr>`).join("")}</a:tbl></p:graphicFrame>`;
  const files = slides.flatMap(({ title, text, table, notes }, index) => {
    const number = index + 1;
    const shapes = [
      shape("title", title),
      text === undefined ? "" : shape("body", text),
      table === undefined ? "" : tableOf(table),
      shape("sldNum", String(number)),
    ];
    const slide = [`ppt/slides/slide${number}.xml`, `${head}<p:sld ${spaces}>${shapes.join("")}</p:sld>`] as const;
    if (notes === undefined) return [slide];
    return [
      slide,
      [
        `ppt/slides/_rels/slide${number}.xml.rels`,
        relations([["notesSlide", `../notesSlides/notesSlide${number}.xml`]]),
      ] as const,
      [
        `ppt/notesSlides/notesSlide${number}.xml`,
        `${head}<p:notes ${spaces}>${shape("body", notes)}${shape("sldNum", String(number))}</p:notes>`,
      ] as const,
    ];
  });
  return packed({
    "[Content_Types].xml": types({ "ppt/presentation.xml": "presentationml.presentation.main" }),
    "_rels/.rels": relations([["officeDocument", "ppt/presentation.xml"]]),
    "ppt/_rels/presentation.xml.rels": relations(
      slides.map((_slide, index) => ["slide", `slides/slide${index + 1}.xml`]),
    ),
    "ppt/presentation.xml": `${head}<p:presentation ${spaces}><p:sldIdLst>${order.map((number) => `<p:sldId id="${255 + number}" r:id="r${number}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    ...Object.fromEntries(files),
  });
}

/** `body`: what is in `office:body`. */
export function openDocumentOf(kind: "text" | "spreadsheet" | "presentation", body: string, manifest = ""): Buffer {
  const names = ["office", "text", "table", "draw", "presentation"];
  const spaces = names.map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`).join(" ");
  return packed({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "META-INF/manifest.xml": `${head}<manifest>${manifest}</manifest>`,
    "content.xml": `${head}<office:document-content ${spaces}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  });
}
