/** Reads how long a service asks to wait: from its headers, or from the words of its error. */

type Header = (name: string) => string | undefined;

/** A longer wait is no wait but a refusal: nobody sits in front of it. */
const longestMs = 24 * 3_600_000;

/** In order of precision. LiteLLM passes the model's own headers on with a prefix, and sends none of its own then. */
const prefixes = ["", "llm_provider-"] as const;

const spokenPattern =
  /\b(?:try|retry) again in ((?:\d{1,9}(?:\.\d{1,9})?\s{0,3}(?:ms|milliseconds?|h|hours?|m|min|minutes?|s|sec|seconds?)\s{0,3}){1,3})/i;
const partPattern = /(\d{1,9}(?:\.\d{1,9})?)\s{0,3}(ms|milli|h|m|s)/gi;

const unitMs: Readonly<Record<string, number>> = { ms: 1, milli: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `retry-after-ms` or `retry-after`, which is seconds or a date. */
export function retryAfterOf(header: Header): number | undefined {
  for (const prefix of prefixes) {
    const exact = numberOf(header(`${prefix}retry-after-ms`));
    if (exact !== undefined) return limited(exact);
    const rough = header(`${prefix}retry-after`);
    const seconds = numberOf(rough);
    if (seconds !== undefined) return limited(seconds * 1000);
    const until = untilDate(rough, header(`${prefix}date`) ?? header("date"));
    if (until !== undefined) return limited(until);
  }
  return undefined;
}

/** Milliseconds of "Please try again in 6m0.5s" and the like. */
export function spokenRetryAfter(text: string): number | undefined {
  const spoken = spokenPattern.exec(text)?.[1];
  if (spoken === undefined) return undefined;
  let sum = 0;
  for (const [, amount = "", unit = ""] of spoken.matchAll(partPattern)) {
    sum += Number(amount) * (unitMs[unit.toLowerCase()] ?? 0);
  }
  return limited(Math.ceil(sum));
}

/** The sender's own clock counts: ours may differ. */
function untilDate(date: string | undefined, now: string | undefined): number | undefined {
  // Without a time of day it's no date of HTTP, but Date.parse reads "-1" and "5, 5" as days of 2001.
  if (date === undefined || now === undefined || !/\d:\d\d/.test(date)) return undefined;
  const ms = Date.parse(date) - Date.parse(now);
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

function limited(ms: number): number | undefined {
  return ms <= longestMs ? ms : undefined;
}
