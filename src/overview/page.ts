/** A page at /admin: what it may be asked and by whom, in one file of `pages`. */

import type { z } from "zod";
import { ParleyError } from "../core/errors.ts";
import type { Actor, Place } from "../core/model/place.ts";
import type { AdminFile, AdminPage, Asked } from "../core/ports/overview.ts";
import { cleanText, csvLine } from "../presentation/drawing.ts";
import type { OverviewApp } from "./app.ts";

export type Page = AdminPage<[app: OverviewApp]>;

/** Throws a sentence, by default the one for commands, if that can't be asked. */
export function parsed<T>(schema: z.ZodType<T>, { input }: Asked, says: { readonly hint?: string } = {}): T {
  const { success, data } = schema.safeParse(input);
  if (!success) throw new ParleyError("command_invalid", says);
  return data;
}

/** Where these pages are: the page's own workspace. */
export const adminPlaceOf = ({ workspace }: Actor): Place => ({ platform: "console", workspace, channel: "admin" });

export type CsvRow = readonly (string | number)[];

export function csvFile(name: string, columns: readonly string[], rows: AsyncIterable<CsvRow>): AdminFile {
  return { name, type: "text/csv; charset=utf-8", text: csvOf(columns, rows) };
}

async function* csvOf(columns: readonly string[], rows: AsyncIterable<CsvRow>): AsyncGenerator<string, void> {
  // Spreadsheets take a file without this mark for one in an old encoding.
  yield `\uFEFF${csvLine(columns)}`;
  for await (const row of rows) yield csvLine(row.map((cell) => cleanText(String(cell))));
}
