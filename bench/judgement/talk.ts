/**
 * Scores whom Parley hears, on talk.jsonl: `hear` and the names alone, with the verdict stubbed by the label. Prints
 * totals only: node bench/judgement/talk.ts [--seen], which lists what went wrong in the seen half.
 */
import { readFileSync } from "node:fs";
import { type Hearing, hear } from "../../src/bridge/intake/listening.ts";
import { spokenTo, wordsOfName } from "../../src/bridge/overheard/spoken-to.ts";

type Line = {
  readonly id: string;
  readonly half: "seen" | "held-out";
  readonly place: "thread" | "channel";
  readonly people: readonly { readonly display: string; readonly real: string }[];
  readonly before: readonly { readonly who: string; readonly text: string; readonly byParley?: boolean }[];
  readonly who: string;
  readonly text: string;
  readonly forParley: boolean;
  readonly shouldAnswer: boolean;
};

/** "answers" and "tells" are shown: an answer, or that it doesn't know. */
type Does = "answers" | "tells" | "silent";

const recentMs = 60_000;
const mentionOf = /(?<![\p{L}\p{N}])@Parley\b/iu;

function hearingOf({ place, people, before, who, text }: Line): Hearing {
  const names = new Set(people.flatMap(({ display, real }) => [...wordsOfName(display), ...wordsOfName(real)]));
  const answeredAt = before.findLastIndex(({ byParley }) => byParley === true);
  const isOwn = place === "thread" && answeredAt >= 0;
  const said = text.replace(mentionOf, "").trim();
  const others = before.filter(({ byParley }) => byParley !== true);
  const asks = before[answeredAt]?.text.trim().endsWith("?") === true;
  return {
    text: said,
    hasFiles: false,
    mentionsParley: mentionOf.test(text),
    addressesOthers: false,
    spokenTo: spokenTo(said, (word) => names.has(word)),
    isDirect: false,
    mode: place === "channel" ? "channel" : "thread",
    isInOwnConversation: isOwn,
    hasAsked: before.some((one) => one.who === who && mentionOf.test(one.text)),
    ...(others.every((one) => one.who === who) ? { isAlone: true as const } : {}),
    ...(isOwn ? { sinceAnswer: { ms: recentMs, messages: before.length - 1 - answeredAt, asks } } : {}),
  };
}

function doesOf(line: Line): Does {
  const heard = hear(hearingOf(line));
  if (heard.kind !== "question") return "silent";
  if (line.shouldAnswer) return "answers";
  return heard.isQuiet ? "silent" : "tells";
}

/** Worked out before the knowledge is asked: whether a line would cost a run. */
function runs(line: Line): boolean {
  return hear(hearingOf(line)).kind === "question";
}

const lines = readFileSync(new URL("./talk.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

for (const half of ["seen", "held-out"] as const) {
  const ofHalf = lines.filter((line) => line.half === half);
  const count = (of: readonly Line[], wanted: (line: Line) => boolean) => `${of.filter(wanted).length} of ${of.length}`;
  const asked = ofHalf.filter(({ forParley, shouldAnswer }) => forParley && shouldAnswer);
  const followUps = asked.filter(({ place, text }) => place === "thread" && !mentionOf.test(text));
  const toNobody = ofHalf.filter(({ forParley, shouldAnswer }) => !forParley && shouldAnswer);
  const keepOut = ofHalf.filter(({ forParley, shouldAnswer }) => !forParley && !shouldAnswer);
  const figures: Readonly<Record<string, string>> = {
    "asked of Parley, answered": count(asked, (line) => doesOf(line) === "answers"),
    "of these follow-ups without a mention": count(followUps, (line) => doesOf(line) === "answers"),
    "to nobody, answered": count(toNobody, (line) => doesOf(line) === "answers"),
    "talk of people, anything shown": count(keepOut, (line) => doesOf(line) !== "silent"),
    "talk of people, kept out before a run": count(keepOut, (line) => !runs(line)),
  };
  process.stdout.write(`${half}\n`);
  for (const [what, figure] of Object.entries(figures)) process.stdout.write(`  ${what}: ${figure}\n`);
  if (half !== "seen" || !process.argv.includes("--seen")) continue;
  for (const line of ofHalf) {
    const does = doesOf(line);
    const isWrong = line.shouldAnswer ? does !== "answers" : !line.forParley && (does !== "silent" || runs(line));
    if (isWrong)
      process.stdout.write(`  ${line.id} ${does}${runs(line) ? " (a run)" : ""}: ${line.who}: ${line.text}\n`);
  }
}
