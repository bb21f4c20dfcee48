/** What runs, what may be written, the settings in force, and the latest errors of all instances. No secret is in it. */

import type { SettingRows } from "../../config/in-force.ts";
import { type QuestionEntry, questionLogIn, questionQuery } from "../../insight/derived/question-log.ts";
import type { RecentError } from "../../operations/recent-errors.ts";
import { codeText } from "../../presentation/sentences.ts";
import type { OverviewApp } from "../app.ts";
import { type BudgetLine, joined, type LoweredLine } from "../budgets.ts";
import type { InstanceLine } from "../instances.ts";
import type { Page } from "../page.ts";
import { type Status, statusOf } from "../status.ts";
import { waitingInstalls } from "./installs.ts";

const maxErrors = 100;
/** Of each way to fail. */
const maxQuestions = 50;
/** Of each budget: a platform that complains does so in many channels. */
const maxLowered = 20;

export const systemPage: Page = {
  name: "system",
  least: "manage",
  isOfAll: true,
  count: waitingInstalls,
  get: { "": readSystem },
};

export type System = {
  readonly status: Status;
  /** The one that answers first. */
  readonly instances: readonly InstanceLine[];
  readonly budgets: readonly BudgetLine[];
  readonly settings: readonly SettingRows[];
  /**
   * Newest first, at most a hundred: questions that failed on any instance, and what the instance that answers has logged
   * since its start.
   */
  readonly errors: readonly RecentError[];
};

/** Rejects with state_unavailable. */
export async function readSystem(app: OverviewApp): Promise<System> {
  const { instances, budgets, installation } = app;
  const [status, alive, failed] = await Promise.all([statusOf(app), instances.alive(), failedQuestions(app)]);
  const lines = joined(
    budgets(),
    alive.slice(1).flatMap((one) => one.budgets),
  );
  return {
    status,
    instances: alive.map(({ line }) => line),
    budgets: await Promise.all(
      lines.map(async ({ lowered, ...line }) => ({
        ...line,
        lowered: await Promise.all(lowered.slice(0, maxLowered).map((one) => named(app, line.platform, one))),
      })),
    ),
    settings: installation.settings,
    errors: latest(installation.errors(), failed),
  };
}

/** They are stored, so they survive a restart and are those of all instances. */
async function failedQuestions({ state }: OverviewApp): Promise<readonly QuestionEntry[]> {
  const questionLog = questionLogIn(state);
  const [failed, notShown] = await Promise.all([
    questionLog.query(questionQuery({ outcome: "failed" }), maxQuestions),
    questionLog.query(questionQuery({ outcome: "not-shown", why: "failed" }), maxQuestions),
  ]);
  return [...failed.entries, ...notShown.entries].map(({ record }) => record);
}

async function named({ places }: OverviewApp, platform: string, line: LoweredLine): Promise<LoweredLine> {
  const { workspace, channel, perMinute, wholeAgainAtMs } = line;
  if (channel === undefined) return line;
  // Its channel would say whose it is.
  const isDirect = places.kindOf({ platform, workspace, channel }) === "direct";
  if (isDirect) return { workspace, isDirect, perMinute, wholeAgainAtMs };
  const { name } = await places.nameOf({ platform, workspace, channel });
  return { ...line, name };
}

/** What the log of this instance says about a question is more than its code. */
function latest(logged: readonly RecentError[], failed: readonly QuestionEntry[]): readonly RecentError[] {
  const known = new Set(logged.map(({ ref }) => ref));
  const asked = failed
    .filter(({ ref }) => !known.has(ref))
    .map(({ ref, code, place, askedAtMs, endedAtMs }) => ({
      atMs: endedAtMs ?? askedAtMs,
      message: codeText(code ?? "")?.what ?? "A question failed",
      ref,
      platform: place.platform,
      code,
    }));
  return [...logged, ...asked].sort((one, other) => other.atMs - one.atMs).slice(0, maxErrors);
}
