/** Dates in Excel are numbers of days, which only the format of their cell tells from other numbers. */
import { localName, readXml } from "./xml.ts";

/** Of the formats that every workbook has: dates and times (ECMA-376, part 1, 18.8.30). */
const usualDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The numbers of the cell styles that show a date or a time. */
export function dateStylesIn(xml: string): ReadonlySet<number> {
  const formats = new Map<number, string>();
  const styles = new Set<number>();
  let isCells = false;
  let count = 0;
  readXml(xml, {
    open: (name, { numFmtId = "", formatCode = "" }) => {
      const tag = localName(name);
      if (tag === "numFmt") formats.set(Number(numFmtId), formatCode);
      else if (tag === "cellXfs") isCells = true;
      else if (tag === "xf" && isCells) {
        const id = Number(numFmtId);
        if (usualDates.has(id) || isDateFormat(formats.get(id) ?? "")) styles.add(count);
        count += 1;
      }
    },
    text: () => {},
    close: (name) => {
      if (localName(name) === "cellXfs") isCells = false;
    },
  });
  return styles;
}

/** Letters in quotes, behind a backslash and in brackets (a colour, a language) are no parts of a date; "[h]" is one. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(
    code.replace(/"[^"]{0,255}"|\\.|\[(?![hms]{1,9}\])[^\]]{0,255}\]/gi, "").replace(/General/gi, ""),
  );
}

const dayMs = 24 * 60 * 60_000;
/** 31 December 9999. */
const maxDays = 2_958_466;
/** Between the calendar that begins in 1904 and the usual one. */
const laterDays = 1_462;

/** "2026-03-03", "2026-03-03 09:30:00" or "09:30:00". Undefined for what is no date. */
export function shownDate(days: number, is1904: boolean): string | undefined {
  const since1900 = is1904 ? days + laterDays : days;
  if (days < 0 || since1900 >= maxDays) return undefined;
  // Excel takes 1900 for a leap year, so its days before March of it are one too early.
  const start = Date.UTC(1899, 11, since1900 < 60 ? 31 : 30);
  const [date = "", time = ""] = new Date(start + Math.round((since1900 * dayMs) / 1_000) * 1_000)
    .toISOString()
    .slice(0, 19)
    .split("T");
  if (days < 1) return time;
  return time === "00:00:00" ? date : `${date} ${time}`;
}
