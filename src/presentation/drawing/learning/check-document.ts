/** Draws a Job of checks: how many answers still hold, which don't, and what changed since the last time. */

import type { Document, Inline, ListItem, Tone } from "../../../core/document.ts";
import type { CheckResult } from "../../../core/model/insight.ts";
import type { Job } from "../../../core/model/job.ts";
import { jobSentences } from "../../sentences/knowledge.ts";
import { agoText, countText, durationText, numberText } from "../../sentences/quantities.ts";
import { labels } from "../../sentences/questions.ts";
import { shorten } from "../../sentences/steps.ts";
import { bold, code, dotted, inlineText, person, say } from "../inline.ts";
import { cleanText } from "../sanitise.ts";
import { type ComparedChecks, type ComparedLine, compareChecks } from "./check-comparison.ts";

const says = {
  cancelled: (held: number, asked: number, agent: string): Inline =>
    say`${bold("Cancelled")}${
      asked === 0
        ? ` before the first question was asked · ${agent}`
        : `: ${numberText(held)} of ${numberText(asked)} still answered from the right source · ${agent}`
    }`,
  result: {
    held: "right source",
    "other-source": "another source",
    "no-source": "no source",
  } satisfies Readonly<Record<CheckResult, string>>,
  /** Behind a question that doesn't hold. */
  heldBefore: (ms: number, nowMs: number): string => `held when checked ${agoText(ms, nowMs)}`,
};

const maxLines = 20;
const maxReasons = 3;
const maxReasonChars = 160;
const maxAgentChars = 60;

export function checkDocument(job: Job, agent: string, nowMs: number, isServiceAway: boolean): Document {
  const compared = compareChecks(job.items);
  const isOver = job.state === "done" || job.state === "failed" || job.state === "cancelled";
  const name = shorten(cleanText(agent), maxAgentChars);
  const headline = headlineOf(job, compared, name);
  const items = linesOf(compared, nowMs);
  const { before } = compared;
  const quiet = dotted(
    say`checked by ${person(job.actor.name, job.actor.id)}`,
    durationText((job.endedAtMs ?? nowMs) - job.createdAtMs),
    isOver && before !== undefined
      ? `last checked ${agoText(before.atMs, nowMs)}: ${numberText(before.held)} of ${numberText(before.asked)}`
      : undefined,
    isOver && compared.failed.size > 0 ? say`ref ${code(job.ref)}` : undefined,
  );
  const canRetry = job.items.some(({ state }) => state === "failed" || state === "cancelled");
  return {
    tone: toneOf(job, compared),
    blocks: [
      { kind: "headline", text: headline },
      ...(isServiceAway ? [{ kind: "text" as const, text: say`${jobSentences.serviceAway}` }] : []),
      ...(items.length === 0 ? [] : [{ kind: "list" as const, items }]),
      { kind: "quiet", text: quiet },
    ],
    actions: !isOver
      ? [{ id: "cancel-job", label: labels.cancel, value: job.id, style: "plain" }]
      : canRetry
        ? [{ id: "retry-job", label: labels.retryFailed, value: job.id, style: "plain" }]
        : [],
    summary: shorten(inlineText(isOver ? headline : checking(name)), 150),
  };
}

const checking = (agent: string): Inline => say`Checking ${bold(agent)}`;

function headlineOf(job: Job, { held, asked, gone, failed }: ComparedChecks, agent: string): Inline {
  switch (job.state) {
    case "queued":
    case "running": {
      const tried = asked + gone + [...failed.values()].reduce((all, one) => all + one, 0);
      return say`${checking(agent)} · ${numberText(tried)} of ${numberText(job.items.length)} asked`;
    }
    case "cancelled":
      return says.cancelled(held, asked, agent);
    case "done":
    case "failed":
      return asked === 0
        ? say`${bold("Nothing could be checked")} · ${agent}`
        : say`${bold(`${numberText(held)} of ${numberText(asked)}`)} still answered from the right source · ${agent}`;
    default:
      return job.state satisfies never;
  }
}

function toneOf(job: Job, { held, asked, failed }: ComparedChecks): Tone {
  switch (job.state) {
    case "queued":
      return "waiting";
    case "running":
      return "running";
    case "cancelled":
      return "stopped";
    case "done":
    case "failed":
      if (asked === 0) return "failed";
      return held === asked && failed.size === 0 ? "done" : "partial";
    default:
      return job.state satisfies never;
  }
}

function linesOf({ lines, gone, failed }: ComparedChecks, nowMs: number): readonly ListItem[] {
  const named = lines.flatMap((line) => (line.question === undefined ? [] : [{ ...line, question: line.question }]));
  const shown = named.slice(0, maxLines).map(
    (line): ListItem => ({
      mark: line.kind === "healed" ? "done" : "failed",
      text: dotted(line.question, ...wordsOf(line, nowMs)),
    }),
  );
  const unnamed = lines.length - named.length;
  const reasons = [...failed].slice(0, maxReasons).map(([reason, count]): ListItem => {
    const why = shorten(cleanText(reason), maxReasonChars);
    return { mark: "failed", text: say`${numberText(count)} couldn't be asked${why === "" ? "" : `: ${why}`}` };
  });
  const counted = [
    ...(named.length > shown.length ? [`and ${numberText(named.length - shown.length)} more`] : []),
    ...(unnamed > 0 ? [`+${numberText(unnamed)} more that can't be shown here`] : []),
    ...(gone > 0
      ? [`${countText(gone, "question")} left out: ${gone === 1 ? "its answer was" : "their answers were"} removed`]
      : []),
  ];
  return [...shown, ...counted.map((text): ListItem => ({ mark: "bullet", text: say`${text}` })), ...reasons];
}

function wordsOf({ kind, result, before }: ComparedLine, nowMs: number): readonly string[] {
  const isSame = before?.result === result;
  const then =
    before === undefined ? undefined : `${says.result[before.result]} when checked ${agoText(before.atMs, nowMs)}`;
  switch (kind) {
    case "healed":
      return ["holds again", ...(then === undefined ? [] : [then])];
    case "first-lost":
      return [says.result[result]];
    case "lost":
      return [says.result[result], ...(before === undefined ? [] : [says.heldBefore(before.atMs, nowMs)])];
    case "still-lost":
      if (before === undefined || then === undefined) return [says.result[result]];
      return [says.result[result], isSame ? `same when checked ${agoText(before.atMs, nowMs)}` : then];
    default:
      return kind satisfies never;
  }
}
