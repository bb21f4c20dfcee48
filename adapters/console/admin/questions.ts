/** The Questions pages' data: the list by filters, one question, a step as it is, and the list as a file. */
import type { Context } from "hono";
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import { personKey } from "../../../src/core/model/place.ts";
import type { FigureReader } from "../../../src/core/overview/figures.ts";
import type { GapLine } from "../../../src/core/overview/gap-pages.ts";
import { questionOutcomes, reasonsNotShown } from "../../../src/core/overview/question-log.ts";
import type {
  ExportedQuestion,
  QuestionSearch,
  Questions,
  SeenQuestion,
} from "../../../src/core/overview/questions.ts";
import { csvLine } from "../../../src/presentation/drawing.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { platformName, workspaceName } from "../intake/inbound.ts";
import { actorOf, visitorOf } from "../people/visitor.ts";
import type { OldPage } from "./admin-page.ts";

const says = {
  /** Columns of the list of questions as a file. */
  questionColumns: [
    ...["Reference", "Asked", "Ended", "Seconds", "Platform", "Workspace", "Channel", "Channel name"],
    ...["Agent", "Outcome", "Reason", "Error", "Source", "Up", "Down", "Asked by", "Question"],
  ],
};

const perPage = 50;
const id = z.string().min(1).max(300);
const moment = z.coerce.number().int().min(0).max(8.64e15);

/** One question, with its gap. */
export type ShownQuestion = Omit<SeenQuestion, "gapKey"> & {
  readonly gap?: GapLine | undefined;
  /** Questions that failed in the same way in the last seven days, with this one. */
  readonly failedAlike?: number | undefined;
};

const filterQuery = z.object({
  from: moment.optional(),
  until: moment.optional(),
  platform: id.optional(),
  workspace: id.optional(),
  channel: id.optional(),
  /** `channelKey`, instead of the three. */
  place: id.optional(),
  agent: id.optional(),
  outcome: z.enum(questionOutcomes).optional(),
  why: z.enum(reasonsNotShown).optional(),
  feedback: z.enum(["up", "down"]).optional(),
  ref: id.optional(),
  words: id.optional(),
});

/** "TIME:ID". */
const cursorQuery = z.string().regex(/^\d{1,16}:[\w-]{1,100}$/);

function searchOf(context: Context): QuestionSearch {
  const given = Object.entries(context.req.query()).filter(([, value]) => value !== "");
  const parsed = filterQuery.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new ParleyError("command_invalid", adminSentences.noFilter);
  const { from, until, ref, place, ...others } = parsed.data;
  const [platform, workspace, channel] = place === undefined ? [] : place.split("/").map(decoded);
  const there = place === undefined ? {} : { platform, workspace, channel };
  // References are lower case, and shown as "ref 0yxs"; people may copy or write them otherwise.
  const plainRef = ref?.trim().toLowerCase().replace(/^ref /, "");
  return { ...others, ...there, fromMs: from, untilMs: until, ref: plainRef };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function cursorOf(context: Context): string | undefined {
  const after = context.req.query("after");
  if (after === undefined || after === "") return undefined;
  const parsed = cursorQuery.safeParse(after);
  if (!parsed.success) throw new ParleyError("command_invalid", adminSentences.noFilter);
  return parsed.data;
}

const viewerOf = (context: Context) =>
  personKey({ platform: platformName, workspace: workspaceName }, visitorOf(context));

export const questionsPage: OldPage = {
  name: "questions",
  least: "manage",
  mount: (app, { overview: { questions, gaps, figures } }) => {
    app.get("/api/admin/questions", async (context) => {
      const after = cursorOf(context);
      return context.json(await questions.list(viewerOf(context), searchOf(context), perPage, after));
    });

    app.get("/api/admin/questions/choices", async (context) => context.json(await questions.choices()));

    app.get("/api/admin/questions.csv", (context) => {
      const file = csvStream(questions, viewerOf(context), searchOf(context));
      return context.body(file, 200, {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="questions.csv"',
      });
    });

    app.get("/api/admin/questions/:question", async (context) => {
      const asked = context.req.param("question");
      const found = await questions.one(viewerOf(context), asked.length > 8 ? asked : asked.toLowerCase());
      if (found === undefined) throw new ParleyError("place_gone", adminSentences.noQuestion);
      const { gapKey, ...seen } = found;
      const gap = gapKey === undefined ? undefined : await gaps.line(actorOf(visitorOf(context)), gapKey);
      const code = seen.listed.state === "ended" ? seen.listed.code : undefined;
      const failedAlike = code === undefined ? undefined : await countOf(figures, code);
      return context.json({ ...seen, gap, failedAlike } satisfies ShownQuestion);
    });

    app.get("/api/admin/questions/:question/steps/:step", async (context) => {
      const { question, step } = context.req.param();
      const raw = await questions.raw(viewerOf(context), question, Number(step));
      if (raw === undefined) throw new ParleyError("place_gone", adminSentences.noStep);
      return context.json(raw);
    });
  },
};

/** An extra: a question is shown without it. */
async function countOf(figures: FigureReader, code: string): Promise<number | undefined> {
  const found = await figures.of(7, "UTC").catch(() => undefined);
  return found?.failures.find((failure) => failure.code === code)?.count;
}

/** Reads on only as fast as the browser takes it, so the memory it needs doesn't grow with the list. */
function csvStream(questions: Questions, viewer: string, search: QuestionSearch): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = questions.all(viewer, search)[Symbol.asyncIterator]();
  let hasBegun = false;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      // Excel reads UTF-8 only with this mark.
      if (!hasBegun) controller.enqueue(encoder.encode(`\uFEFF${csvLine(says.questionColumns)}`));
      hasBegun = true;
      const { value, done } = await lines.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value.map((line) => csvLine(cellsOf(line))).join("")));
    },
    cancel: async () => {
      await lines.return?.();
    },
  });
}

function cellsOf(question: ExportedQuestion): readonly string[] {
  const { ref, askedAtMs, endedAtMs, askedIn, agent, text, hasSource } = question;
  const { platform, workspace, kind, channel, name } = askedIn;
  const ended = question.state === "ended" ? question : undefined;
  const time = (ms: number | undefined) => (ms === undefined ? "" : new Date(ms).toISOString());
  const seconds = ended?.durationMs === undefined ? "" : (ended.durationMs / 1_000).toFixed(1);
  return [
    ...[ref, time(askedAtMs), time(endedAtMs), seconds],
    ...[platform, workspace, channel ?? "", name ?? (kind === "direct" ? "Direct message" : "")],
    ...[
      agent?.name ?? "",
      ended?.outcome ?? question.state,
      ended?.why ?? "",
      ended?.code ?? "",
      hasSource ? "yes" : "no",
    ],
    ...[String(ended?.up ?? 0), String(ended?.down ?? 0), text?.by ?? "", text?.question ?? ""],
  ];
}
