/**
 * Draws Parley's own tab: the welcome card, the channels that a person shares with Parley, running jobs, and for people
 * who manage what is wrong. It says nothing of what was asked or added: the person may not be in those channels.
 */

import type { Action, Block, Document, Inline } from "../../core/document.ts";
import type { Job } from "../../core/model/job.ts";
import { welcomeSentences } from "../sentences/commands.ts";
import { codeText } from "../sentences/errors.ts";
import { countText, momentText, numberText } from "../sentences/quantities.ts";
import { labels } from "../sentences/questions.ts";
import { bold, code, dotted, link, person, say } from "./inline.ts";
import { headlineOf } from "./job-document.ts";
import { titledDocument } from "./notice.ts";
import { cleanText } from "./sanitise.ts";
import { type Welcome, welcomeDocument } from "./welcome-document.ts";

const says = {
  /** A code that this version doesn't know. */
  unknownFailure: "Questions failed.",
  moreRunning: (count: number): string => `${countText(count, "more job")}: see /kb jobs in their channels.`,
  moreFailures: (count: number): string => `${countText(count, "other problem")}: see /parley status and the log.`,
};

export type SharedChannel = {
  readonly channel: string;
  /** Absent: none is chosen there. */
  readonly agent?: string;
  /** The agent was deleted. */
  readonly isGone?: true;
};

/** Questions that failed with the same agent in the same way. */
export type FailureGroup = {
  readonly agent?: string;
  readonly code: string;
  readonly count: number;
  readonly lastTurnId: string;
  readonly lastRef: string;
  readonly lastAtMs: number;
};

/** `channel`, `url`: only where the person can see them. */
export type ShownFailure = {
  readonly ref: string;
  readonly atMs: number;
  readonly channel?: string;
  readonly url?: string;
};

export type Home = {
  readonly welcome: Welcome;
  /** Absent: the platform does not tell. */
  readonly channels?: readonly SharedChannel[];
  readonly jobs?: readonly Job[];
  /** For people who manage: what is wrong, and what to do. */
  readonly problem?: string;
  /** For people who manage. */
  readonly failures?: readonly FailureGroup[];
  /** For people who manage: how many questions wait for a better answer. */
  readonly gaps?: number;
};

export const showFailuresAction = "show-failures";

/** Slack shows 100 blocks in all. */
const maxJobs = 10;
const maxFailures = 8;

export function homeDocument({ welcome, channels = [], jobs = [], problem, failures = [], gaps = 0 }: Home): Document {
  const card = welcomeDocument(welcome);
  const items = channels.map((shared) => ({ mark: "bullet" as const, text: channelText(shared) }));
  const shownJobs = jobs.slice(0, maxJobs);
  const shownFailures = failures.slice(0, maxFailures);
  return {
    ...card,
    blocks: [
      ...card.blocks,
      ...section("Needs attention", problem === undefined ? [] : [paragraph(say`${cleanText(problem)}`)]),
      ...section("Running now", shownJobs.flatMap(jobBlocks), more(jobs.length - shownJobs.length, says.moreRunning)),
      ...section(
        "Problems in the last day",
        shownFailures.flatMap(failureBlocks),
        more(failures.length - shownFailures.length, says.moreFailures),
      ),
      ...(gaps === 0
        ? []
        : [
            paragraph(
              say`${countText(gaps, "question")} ${gaps === 1 ? "waits" : "wait"} for a better answer: see /kb gaps in a channel.`,
            ),
          ]),
      ...section("Your channels", items.length === 0 ? [] : [{ kind: "list", items }]),
    ],
  };
}

/** Behind Show: what these failures mean, what to do, and each one's reference. */
export function failuresDocument({ agent, code: failed }: FailureGroup, shown: readonly ShownFailure[]): Document {
  const { what, hint } = codeText(failed) ?? { what: says.unknownFailure, hint: "" };
  const name: readonly (string | Inline)[] = agent === undefined ? [] : [say`${bold(cleanText(agent))}: `];
  const items = shown.map(({ ref, atMs, channel, url }) => ({
    mark: "bullet" as const,
    text: dotted(
      url === undefined ? momentText(atMs) : say`${link(momentText(atMs), url)}`,
      channel === undefined ? undefined : say`${[{ text: channel, channelId: channel }]}`,
      say`${code(ref)}`,
    ),
  }));
  const blocks: readonly Block[] = [
    ...(hint === "" ? [] : [paragraph(say`${hint}`)]),
    { kind: "list", items },
    { kind: "quiet", text: say`The log has each question's reference.` },
  ];
  return titledDocument(say`${name}${what}`, blocks);
}

function section(title: string, blocks: readonly Block[], rest: readonly Block[] = []): readonly Block[] {
  if (blocks.length === 0) return [];
  return [{ kind: "divider" }, { kind: "headline", text: say`${title}` }, ...blocks, ...rest];
}

function more(count: number, sentence: (count: number) => string): readonly Block[] {
  return count <= 0 ? [] : [{ kind: "quiet", text: say`${sentence(count)}` }];
}

function jobBlocks(job: Job): readonly Block[] {
  const cancel: Action = { id: "cancel-job", label: labels.cancel, value: job.id, style: "plain" };
  return [
    paragraph(dotted(headlineOf(job), say`${person(cleanText(job.actor.name), job.actor.id)}`)),
    { kind: "actions", layout: "row", actions: [cancel] },
  ];
}

function failureBlocks(group: FailureGroup): readonly Block[] {
  const { agent, count, lastAtMs, lastRef, lastTurnId } = group;
  const what = codeText(group.code)?.what ?? says.unknownFailure;
  const show: Action = { id: showFailuresAction, label: "Show", value: lastTurnId, style: "plain" };
  const name = agent === undefined ? "" : say`${bold(cleanText(agent))}: `;
  return [
    paragraph(
      say`⚠️ ${name}${what} ${count === 1 ? "Once, " : `${numberText(count)} times, last `}${momentText(lastAtMs)} · ref ${code(lastRef)}`,
    ),
    { kind: "actions", layout: "row", actions: [show] },
  ];
}

function paragraph(text: Inline): Block {
  return { kind: "text", text };
}

function channelText({ channel, agent, isGone }: SharedChannel): Inline {
  const name = { text: channel, channelId: channel };
  if (agent !== undefined && isGone === true) return say`${[name]}: ${welcomeSentences.gone(agent)}`;
  return agent === undefined ? say`${[name]}` : say`${[name]}: ${bold(agent)} answers`;
}
