/** Shows times in the reader's time zone, also those that the server wrote as "2026-11-21 04:48 UTC". */
import { nowMs } from "../connection/clock.ts";

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);
const clock = format({ hour: "2-digit", minute: "2-digit" });
const clockWithSeconds = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayMonth = format({ day: "numeric", month: "short" });
const dayMonthYear = format({ day: "numeric", month: "short", year: "numeric" });
const whole = format({ dateStyle: "full", timeStyle: "long" });

/** "10:32", "12 Nov, 10:32", "12 Nov 2025, 10:32"; of a day only "12 Nov". */
type Unit = "day" | "minute" | "second";

function timeText(atMs: number, unit: Unit): string {
  const at = new Date(atMs);
  const now = new Date(nowMs());
  const day = (at.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear).format(at);
  if (unit === "day") return day;
  const time = (unit === "second" ? clockWithSeconds : clock).format(at);
  return at.toDateString() === now.toDateString() ? time : `${day}, ${time}`;
}

/** With all of it on hover. `unit`: "second" shows seconds. */
export function Time({ atMs, unit = "minute" }: { readonly atMs: number; readonly unit?: Unit }) {
  return (
    <time datetime={new Date(atMs).toISOString()} title={whole.format(atMs)}>
      {timeText(atMs, unit)}
    </time>
  );
}

const written = /(\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC)/;

/** The pieces of a text; every second one is a time, in ms, if it is one. */
const piecesOf = (text: string) =>
  text.split(written).map((piece, index) => {
    const atMs = index % 2 === 1 ? Date.parse(`${piece.slice(0, 10)}T${piece.slice(11, 16)}Z`) : Number.NaN;
    return { piece, atMs: Number.isNaN(atMs) ? undefined : atMs };
  });

/** Text with its times. It is the same moment, so nothing is lost if a person wrote it. */
export function WithTimes({ text }: { readonly text: string }) {
  return (
    <>
      {piecesOf(text).map(({ piece, atMs }, index) =>
        // Pieces of one text, in their order.
        atMs === undefined ? piece : <Time key={index} atMs={atMs} />,
      )}
    </>
  );
}

/** The same as plain text. */
export const shownTimes = (text: string): string =>
  piecesOf(text)
    .map(({ piece, atMs }) => (atMs === undefined ? piece : timeText(atMs, "minute")))
    .join("");
