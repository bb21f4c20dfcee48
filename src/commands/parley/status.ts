/** `/parley status`: the agent service, who answers in a place, and what is waiting. */

import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Inline, ListItem } from "../../core/document.ts";
import { toParleyError } from "../../core/errors.ts";
import type { ServiceProfile } from "../../core/ports/agent-service.ts";
import { cleanText, code, listDocument, say } from "../../presentation/drawing.ts";
import { bindingSentences, errorText, limitsText, numberText, serverText } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";
import type { Command } from "../command.ts";
import { privately } from "../results.ts";

type Counts = Readonly<Record<"answered" | "quiet" | "notForYou" | "personBelow", number>>;

const says = {
  counts: (counts: Counts): string =>
    [
      `Said to nobody in seven days: ${numberText(counts.answered + counts.quiet)}`,
      `answered ${numberText(counts.answered)}`,
      `kept quiet ${numberText(counts.quiet)}`,
      `Not for you ${numberText(counts.notForYou)}`,
      `a person answered below: ${numberText(counts.personBelow)}`,
    ].join(" · "),
};

const statusSentences = {
  title: "Status",
  service: (profile: ServiceProfile): Inline => say`Agent service: OK (${serverText(profile)})`,
  serviceLimits: (profile: ServiceProfile): string => {
    const limits = limitsText(profile);
    return `${limits.slice(0, 1).toUpperCase()}${limits.slice(1)}`;
  },
  serviceFailed: (what: string, hint: string): string => `${what} ${hint}`,
  questions: (running: number, waiting: number): string =>
    `Running ${numberText(running)} · waiting ${numberText(waiting)}`,
  parley: (version: string): string => `Parley ${version}`,
  project: (name: string): Inline => say`Project ${code(name)}`,
} as const;

type ServiceLine = {
  readonly line: ListItem;
  readonly limits: readonly string[];
  readonly hasProjects: boolean;
  /** What doesn't work although the service answers. */
  readonly failing?: string;
};

export const parleyStatus: Command = {
  path: "parley status",
  summary: "Health, and who answers here",
  options: [],
  role: "ask",
  examples: ["parley status"],
  run: (app, _options, context) => status(app, context),
};

async function status(app: CommandApp, context: CommandContext): Promise<CommandResult> {
  const [service, agent] = await Promise.all([serviceLine(app), agentLine(app, context)]);
  const lines: ListItem[] = [service.line, agent];
  if (service.failing !== undefined) lines.push({ mark: "failed", text: say`${cleanText(service.failing)}` });
  const { running, waiting } = app.bridge().counts();
  lines.push({ mark: "bullet", text: say`${statusSentences.questions(running, waiting)}` });
  const lacking = context.roles.manage.allowed
    ? app.sites.get(context.place.platform)?.platform.health().reason
    : undefined;
  if (lacking !== undefined) lines.push({ mark: "failed", text: say`${lacking}` });
  const quiet = [
    ...(await heardLine(app, context)),
    ...service.limits,
    statusSentences.parley(app.settings.version),
    ...(service.hasProjects ? [statusSentences.project(app.settings.project)] : []),
  ];
  return privately(listDocument(statusSentences.title, lines, { quiet }));
}

/** Limits of the built-in service go without saying. */
async function serviceLine(app: CommandApp): Promise<ServiceLine> {
  try {
    const profile = await app.service.status();
    const line = { mark: "done", text: statusSentences.service(profile) } as const;
    const limits = profile.generation === "local" ? [] : [statusSentences.serviceLimits(profile)];
    const { failing } = profile;
    return { line, limits, hasProjects: profile.offers.includes("projects"), failing };
  } catch (failure) {
    const { what, hint } = errorText(toParleyError(failure));
    const line = { mark: "failed", text: say`${statusSentences.serviceFailed(what, hint)}` } as const;
    return { line, limits: [], hasProjects: true };
  }
}

/** For people who manage: whether Parley speaks where nobody asked. */
async function heardLine(app: CommandApp, { roles, place }: CommandContext): Promise<readonly string[]> {
  if (!roles.manage.allowed || app.reach.answersAll(place)) return [];
  const counts = await app
    .bridge()
    .heard(place)
    .catch(() => undefined);
  return counts === undefined || counts.answered + counts.quiet === 0 ? [] : [says.counts(counts)];
}

async function agentLine(app: CommandApp, { actor, place }: CommandContext): Promise<ListItem> {
  try {
    const resolved = await app.reach.resolve(actor, place);
    if (resolved.kind === "none") return { mark: "failed", text: say`${bindingSentences.none}` };
    if (resolved.kind === "choose") {
      return {
        mark: "bullet",
        text: bindingSentences.choose(await app.reach.openAmong(actor, place, resolved.agents)),
      };
    }
    const { binding, from } = resolved;
    return { mark: "done", text: say`${bindingSentences.answers(binding.agent)} ${bindingSentences.why[from]}` };
  } catch (failure) {
    return { mark: "failed", text: say`${errorText(toParleyError(failure)).what}` };
  }
}
