/**
 * Slack's checks of tables and charts. Rows, characters, series and shares have the limits of summer 2026: what keeps
 * those is accepted by every workspace.
 */
import {
  checkItems,
  checkKeys,
  checkOptional,
  checkString,
  createDistinct,
  isObject,
  type Json,
  listAt,
  type Note,
} from "./notes.ts";
import { checkRichText, richChars } from "./rich-text.ts";

const maxColumns = 20;
const maxTableRows = 100;
const maxDataRows = 101;
const maxTableChars = 10_000;
const maxSeries = 6;
const maxPoints = 20;
const maxLabel = 20;
const endless = Number.POSITIVE_INFINITY;

export function checkTable(block: Json, at: string, note: Note): undefined {
  const rows = rowsAt(block["rows"], `${at}/rows`, maxTableRows, 1, note);
  const chars = rows.flatMap((row, index) =>
    row.map((cell, column) => cellChars(cell, `${at}/rows/${index}/${column}`, note)),
  );
  checkChars(chars, at, note);
  const settings = block["column_settings"];
  if (settings !== undefined) listAt(settings, `${at}/column_settings`, maxColumns, note);
}

/** Its first row is the header. */
export function checkDataTable(block: Json, at: string, note: Note): undefined {
  checkString(block["caption"], `${at}/caption`, 3_000, note);
  const rows = rowsAt(block["rows"], `${at}/rows`, maxDataRows, 2, note);
  const width = rows[0]?.length ?? 0;
  const chars = rows.flatMap((row, index) => {
    const place = `${at}/rows/${index}`;
    if (row.length !== width) note(place, `all rows must have the same number of cells: ${row.length}, not ${width}`);
    return row.map((cell, column) => {
      const isRich = isObject(cell) && cell["type"] === "rich_text";
      if (index === 0 && isRich) note(`${place}/${column}/type`, "unsupported type: rich_text in the header");
      return cellChars(cell, `${place}/${column}`, note);
    });
  });
  checkChars(chars, at, note);
  checkInteger(block["page_size"], 1, 100, `${at}/page_size`, note);
  checkInteger(block["row_header_column_index"], 0, Math.max(0, width - 1), `${at}/row_header_column_index`, note);
}

function rowsAt(rows: unknown, at: string, max: number, min: number, note: Note): readonly (readonly unknown[])[] {
  return listAt(rows, at, max, note, min).map((row, index) => listAt(row, `${at}/${index}`, maxColumns, note));
}

function checkChars(chars: readonly number[], at: string, note: Note): undefined {
  const sum = chars.reduce((total, each) => total + each, 0);
  if (sum > maxTableChars) note(at, `table_total_characters: no more than ${maxTableChars}`);
}

function checkInteger(value: unknown, min: number, max: number, at: string, note: Note): undefined {
  if (value === undefined) return;
  const isGood = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  if (!isGood) note(at, `must be an integer between ${min} and ${max}`);
}

/** Its characters. */
function cellChars(cell: unknown, at: string, note: Note): number {
  if (!isObject(cell)) {
    note(at, "must provide an object");
    return 0;
  }
  switch (cell["type"]) {
    case "raw_text":
      checkKeys(cell, ["type", "text"], at, note);
      checkString(cell["text"], `${at}/text`, endless, note);
      return String(cell["text"] ?? "").length;
    case "raw_number":
      checkKeys(cell, ["type", "value", "text"], at, note);
      checkNumber(cell["value"], `${at}/value`, note);
      checkString(cell["text"], `${at}/text`, endless, note);
      return String(cell["text"] ?? "").length;
    case "rich_text":
      checkRichText(cell, at, note);
      return richChars(cell);
    default:
      note(`${at}/type`, `unsupported type: ${cell["type"]}`);
      return 0;
  }
}

export function checkVisualization(block: Json, at: string, note: Note): undefined {
  checkString(block["title"], `${at}/title`, 50, note);
  const chart = block["chart"];
  const place = `${at}/chart`;
  if (!isObject(chart)) return note(place, "must provide an object");
  switch (chart["type"]) {
    case "pie":
      return checkPie(chart, place, note);
    case "bar":
    case "line":
    case "area":
      return checkSeries(chart, place, note);
    default:
      return note(`${place}/type`, `unsupported type: ${chart["type"]}; expected pie, bar, line or area`);
  }
}

function checkPie(chart: Json, at: string, note: Note): undefined {
  checkKeys(chart, ["type", "segments"], at, note);
  checkItems(chart["segments"], `${at}/segments`, maxSeries, note, (segment, place) => {
    checkKeys(segment, ["label", "value"], place, note);
    checkString(segment["label"], `${place}/label`, maxLabel, note);
    checkNumber(segment["value"], `${place}/value`, note);
    if (Number(segment["value"]) <= 0) note(`${place}/value`, "must be greater than 0");
  });
}

function checkSeries(chart: Json, at: string, note: Note): undefined {
  checkKeys(chart, ["type", "series", "axis_config"], at, note);
  const categories = categoriesOf(chart["axis_config"], `${at}/axis_config`, note);
  const distinctName = createDistinct("series name", note);
  checkItems(chart["series"], `${at}/series`, maxSeries, note, (series, place) => {
    checkKeys(series, ["name", "data"], place, note);
    checkString(series["name"], `${place}/name`, maxLabel, note);
    distinctName(series["name"], `${place}/name`);
    const distinctLabel = createDistinct("data point", note);
    const labels: unknown[] = [];
    checkItems(series["data"], `${place}/data`, maxPoints, note, (point, spot) => {
      checkKeys(point, ["label", "value"], spot, note);
      checkString(point["label"], `${spot}/label`, maxLabel, note);
      checkNumber(point["value"], `${spot}/value`, note);
      distinctLabel(point["label"], `${spot}/label`);
      labels.push(point["label"]);
      if (!categories.includes(point["label"])) note(`${spot}/label`, "not one of axis_config.categories");
    });
    for (const category of categories) {
      if (!labels.includes(category)) note(`${place}/data`, `no data point for the category ${category}`);
    }
  });
}

function categoriesOf(axis: unknown, at: string, note: Note): readonly unknown[] {
  if (!isObject(axis)) {
    note(at, "missing required field");
    return [];
  }
  checkKeys(axis, ["categories", "x_label", "y_label"], at, note);
  checkOptional(axis["x_label"], `${at}/x_label`, 50, note);
  checkOptional(axis["y_label"], `${at}/y_label`, 50, note);
  const distinct = createDistinct("category", note);
  const categories = listAt(axis["categories"], `${at}/categories`, maxPoints, note);
  categories.forEach((category, index) => {
    checkString(category, `${at}/categories/${index}`, maxLabel, note);
    distinct(category, `${at}/categories/${index}`);
  });
  return categories;
}

function checkNumber(value: unknown, at: string, note: Note): undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) note(at, "must provide a number");
}
