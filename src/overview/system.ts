/** Reads what the page System shows: instances, budgets, settings, and the latest errors of all instances. */

import type { App } from "../app.ts";
import type { Installation } from "../core/overview/installation.ts";
import type { Places } from "../core/overview/places.ts";
import { type QuestionEntry, questionLogIn, questionQuery } from "../core/overview/question-log.ts";
import type { BudgetLine, LoweredLine, RecentError, SystemReader } from "../core/overview/system.ts";
import { codeText } from "../presentation/sentences.ts";
import { joined } from "./budgets.ts";
import type { Instances } from "./instances.ts";

const maxErrors = 100;
/** Of each way to fail. */
const maxQuestions = 50;
/** Of each budget: a platform that complains does so in many channels. */
const maxLowered = 20;

export function createSystem(
  app: App,
  {
    installation,
    budgets,
    instances,
    places,
  }: {
    readonly installation: Installation;
    readonly budgets: () => readonly BudgetLine[];
    readonly instances: Pick<Instances, "alive">;
    readonly places: Pick<Places, "kindOf" | "nameOf">;
  },
): SystemReader {
  /** They are stored, so they survive a restart and are those of all instances. */
  const questionLog = questionLogIn(app.state);

  async function failedQuestions(): Promise<readonly QuestionEntry[]> {
    const [failed, notShown] = await Promise.all([
      questionLog.query(questionQuery({ outcome: "failed" }), maxQuestions),
      questionLog.query(questionQuery({ outcome: "not-shown", why: "failed" }), maxQuestions),
    ]);
    return [...failed.entries, ...notShown.entries].map(({ record }) => record);
  }

  async function named(platform: string, line: LoweredLine): Promise<LoweredLine> {
    const { workspace, channel, perMinute, wholeAgainAtMs } = line;
    if (channel === undefined) return line;
    // Its channel would say whose it is.
    const isDirect = places.kindOf({ platform, workspace, channel }) === "direct";
    if (isDirect) return { workspace, isDirect, perMinute, wholeAgainAtMs };
    const { name } = await places.nameOf({ platform, workspace, channel });
    return { ...line, name };
  }

  return {
    read: async () => {
      const [alive, failed] = await Promise.all([instances.alive(), failedQuestions()]);
      const lines = joined(
        budgets(),
        alive.slice(1).flatMap((one) => one.budgets),
      );
      return {
        instances: alive.map(({ line }) => line),
        budgets: await Promise.all(
          lines.map(async ({ lowered, ...line }) => ({
            ...line,
            lowered: await Promise.all(lowered.slice(0, maxLowered).map((one) => named(line.platform, one))),
          })),
        ),
        settings: installation.settings,
        errors: latest(installation.errors(), failed),
      };
    },
  };
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
