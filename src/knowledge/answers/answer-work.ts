/**
 * Puts an added answer into a knowledge base as one row, and keeps its record. All of it happens under the base's insert
 * lease, so of two people who answer at once the second replaces the first, whose text is kept. Everything can run again
 * after a crash.
 */

import { type AnswerAdded, type AnswerStore, answerRowId } from "../../core/content/answering.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import type { Job, JobItem } from "../../core/model/job.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { keepTrying } from "../../core/tools/retry.ts";
import { shorten } from "../../presentation/sentences.ts";
import type { Errand } from "../jobs/inserting.ts";
import type { PayloadOf } from "../jobs/payload.ts";
import type { Keeping } from "../ledger/keeping.ts";
import type { Row } from "../rows/row-format.ts";

const maxTitleChars = 200;
/** A restart of the storage loses nothing. */
const storagePatienceMs = 120_000;

export type AnswerWork = ReturnType<typeof createAnswerWork>;

export function createAnswerWork(options: {
  readonly keeping: Pick<Keeping, "replace">;
  readonly answers: AnswerStore;
  /** Rejects while it can't be stored that it was added. */
  readonly whenAdded: (added: AnswerAdded) => Promise<void>;
  readonly clock: Clock;
}) {
  const { keeping, answers, whenAdded, clock } = options;

  return {
    add: async (
      payload: PayloadOf<"answer">,
      { id: jobId, actor, askedIn }: Pick<Job, "id" | "actor" | "askedIn">,
      errand: Errand,
    ): Promise<Partial<JobItem>> => {
      const { target, signal } = errand;
      const stored = <T>(work: () => Promise<T>) => keepTrying(work, { clock, forMs: storagePatienceMs, signal });
      const given = answerOf(payload, target);
      const row = answerRow(given, payload.url);
      const facts = {
        origin: { kind: "answer", answerId: given.id } as const,
        title: String(row["title"]),
        url: payload.url,
        said: { by: given.by, atMs: given.atMs },
      };
      let kept = given;
      await keeping.replace(
        facts,
        async () => [row],
        errand,
        async () => {
          const before = await stored(() =>
            answers.get({ project: target.project, name: target.knowledgeBase }, given.id),
          );
          kept = { ...successorOf(before, given), row: { title: facts.title, url: payload.url } };
          await stored(() => answers.put(kept));
        },
      );
      await stored(() => whenAdded({ answer: kept, jobId, actor, place: askedIn, tell: payload.tell }));
      return { title: facts.title, rows: 1, url: payload.url };
    },
  };
}

/** Agents read question and answer together; the id comes back with the source where the service returns metadata. */
function answerRow({ id, question, answer, urls }: AddedAnswer, url: string | undefined): Row {
  const more = urls.filter((one) => one !== url);
  const content = [question, answer, more.join("\n")].filter((part) => part !== "").join("\n\n");
  const title = shorten(question === "" ? answer : question, maxTitleChars);
  return { id: answerRowId(id), title, content, ...(url !== undefined && { url }), answer_id: id };
}

/** What it replaced stays, if it was another person's. Doing the same again changes nothing. */
function successorOf(before: AddedAnswer | undefined, given: AddedAnswer): AddedAnswer {
  if (before === undefined) return given;
  if (before.by.key === given.by.key) return { ...given, previous: before.previous };
  const { question, answer, urls, by, atMs } = before;
  return { ...given, previous: { question, answer, urls, by, atMs } };
}

function answerOf({ answer }: PayloadOf<"answer">, { project, knowledgeBase }: Errand["target"]): AddedAnswer {
  const { origin } = answer;
  const { version: _version, ...rest } = answer;
  const known = { version: 1, ...rest, project, knowledgeBase } as const;
  if (origin.kind !== "message") return { ...known, origin };
  const { thread, ...channel } = origin.place;
  return { ...known, origin: { ...origin, place: { ...channel, thread } } };
}
