/** Begins the Jobs that add answers, for the room that makes them. */
import type { AnswerRows } from "../../core/content/answering.ts";
import { shorten, workSentences } from "../../presentation/sentences.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { answerAction } from "../jobs/payload.ts";

const maxLabelChars = 200;

export function createAnswerRows(jobs: Pick<Jobs, "begin" | "ended">): AnswerRows {
  return {
    begin: async ({ answer, url, tell }, context) => {
      const { version, id, project, knowledgeBase, question, answer: text, urls, by, origin, atMs } = answer;
      const stored = { version, id, question, answer: text, urls: [...urls], by, origin, atMs };
      const label = shorten(question === "" ? text : question, maxLabelChars);
      const { job } = await jobs.begin({
        context,
        project,
        knowledgeBase,
        way: "parley",
        action: answerAction,
        isSilent: true,
        items: [
          {
            item: { label, kind: "rows", state: "waiting" },
            payload: { kind: "answer", answer: stored, tell, url },
          },
        ],
      });
      return { jobId: job?.id ?? "" };
    },

    ended: async (jobId) => {
      const [item] = (await jobs.ended(jobId))?.items ?? [];
      switch (item?.state) {
        case "done":
          return { state: "done" };
        case "cancelled":
          return { state: "failed", reason: "it was cancelled" };
        case "failed":
          return { state: "failed", reason: item.reason ?? workSentences.lost };
        default:
          return { state: "running" };
      }
    },
  };
}
