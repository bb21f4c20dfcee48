/** Reads OpenDocument: texts as Markdown, sheets as tables, presentations slide by slide with the speaker's notes. */
import { documentSentences } from "../../presentation/sentences.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { type Archive, textIn } from "./archive.ts";
import { oneFile, type Part, type ReadDocument } from "./parts.ts";
import { checkSheetRows, sheetPart } from "./sheet-text.ts";
import { readXml, tableMarkdown } from "./xml.ts";

/** What nobody sees in the text. */
const left = ["text:tracked-changes", "office:annotation", "office:forms"];
/** A cell that is repeated more often is read only this often: a sheet can end with thousands of empty cells. */
const maxRepeated = 500;

/** Throws ReadFailure. */
export function readOpenDocument(archive: Archive): ReadDocument {
  if (textIn(archive, "META-INF/manifest.xml").includes("encryption-data")) {
    throw new ReadFailure("unreadable", documentSentences.encrypted);
  }
  const { parts, size } = partsIn(textIn(archive, "content.xml"));
  if (parts.length === 0) throw new ReadFailure("unreadable", documentSentences.noText);
  return { parts, size, notes: [] };
}

/** Some programs write what a cell shows only as its value. */
function valueIn(attributes: Readonly<Record<string, string>>): string {
  const kinds = ["string-value", "date-value", "time-value", "boolean-value", "value"];
  return kinds.map((kind) => attributes[`office:${kind}`] ?? "").find((value) => value !== "") ?? "";
}

type Row = { cells: string[]; times: number };

function partsIn(xml: string): Pick<ReadDocument, "parts" | "size"> {
  const parts: Part[] = [];
  let blocks: string[] = [];
  let notes: string[] | undefined;
  /** Of paragraphs that are open: a footnote is inside another one. */
  const open: string[] = [];
  let skipped = 0;
  let isSheets = false;
  let sheet = "";
  let rows: Row[] = [];
  let rowCount = 0;
  let cell: string[] | undefined;
  let cellTimes = 1;
  let cellValue = "";
  /** Around the table that is open: one can be in a cell of another. */
  const outer: { readonly rows: Row[]; readonly cell: string[] | undefined; readonly cellTimes: number }[] = [];
  let lists = 0;
  let slides = 0;

  const add = (text: string) => {
    if (open.length > 0) open[open.length - 1] += text;
  };
  const whole = () => blocks.filter((block) => block !== "").join("\n\n");

  readXml(xml, {
    open: (name, attributes) => {
      const number = (key: string, least: number) => Math.max(least, Number(attributes[key] ?? least) || least);
      if (left.includes(name)) skipped += 1;
      if (skipped > 0) return;
      if (name === "office:spreadsheet") isSheets = true;
      else if (name === "text:p" || name === "text:h") {
        const level = name === "text:h" ? Math.min(number("text:outline-level", 1), 4) : 0;
        open.push(level > 0 ? `${"#".repeat(level)} ` : lists > 0 && cell === undefined ? "- " : "");
      } else if (name === "text:s") add(" ".repeat(Math.min(number("text:c", 1), 10)));
      else if (name === "text:tab" || name === "text:line-break") add(" ");
      else if (name === "text:list") lists += 1;
      else if (name === "table:table") {
        outer.push({ rows, cell, cellTimes });
        rows = [];
        cell = undefined;
        sheet = attributes["table:name"] ?? "";
      } else if (name === "table:table-row") rows.push({ cells: [], times: number("table:number-rows-repeated", 1) });
      else if (name === "table:table-cell" || name === "table:covered-table-cell") {
        cell = [];
        cellValue = valueIn(attributes);
        cellTimes = Math.min(number("table:number-columns-repeated", 1), maxRepeated);
      } else if (name === "draw:page") {
        blocks = [];
        slides += 1;
      } else if (name === "presentation:notes") notes = [];
    },
    text: (text) => {
      if (skipped === 0) add(text);
    },
    close: (name) => {
      if (left.includes(name)) skipped -= 1;
      else if (skipped > 0) return;
      else if (name === "text:p" || name === "text:h") {
        const text = (open.pop() ?? "").replace(/\s+/g, " ").trim();
        if (text !== "" && text !== "-") (cell ?? notes ?? blocks).push(text);
      } else if (name === "text:list") lists -= 1;
      else if (name === "table:table-cell" || name === "table:covered-table-cell") {
        const text = (cell ?? []).join(" ") || cellValue;
        for (let times = 0; times < cellTimes; times += 1) rows.at(-1)?.cells.push(text);
        cell = undefined;
      } else if (name === "table:table-row") {
        const last = rows.at(-1);
        const isEmpty = last?.cells.every((text) => text === "") ?? true;
        rowCount += isEmpty ? 0 : (last?.times ?? 1);
        checkSheetRows(rowCount);
        if (last !== undefined) last.times = isEmpty ? 1 : last.times;
      } else if (name === "table:table") {
        const cells = rows.flatMap(({ cells, times }) => Array.from({ length: times }, () => cells));
        const around = outer.pop();
        rows = around?.rows ?? [];
        cell = around?.cell;
        cellTimes = around?.cellTimes ?? 1;
        cellValue = "";
        if (cell !== undefined) cell.push(...cells.flat().filter((text) => text !== ""));
        else if (isSheets) parts.push(...[sheetPart(sheet, cells) ?? []].flat());
        else blocks.push(tableMarkdown(cells));
      } else if (name === "presentation:notes") {
        if (notes !== undefined && notes.length > 0) blocks.push(documentSentences.notes(notes.join("\n\n")));
        notes = undefined;
      } else if (name === "draw:page") {
        if (whole() !== "") parts.push({ label: documentSentences.slide(slides), text: whole() });
        blocks = [];
      }
    },
  });
  if (isSheets) return { parts, size: { count: parts.length, unit: "sheet" } };
  if (slides > 0) return { parts, size: { count: slides, unit: "slide" } };
  if (whole() !== "") parts.push({ label: "", text: whole() });
  return { parts, size: oneFile };
}
