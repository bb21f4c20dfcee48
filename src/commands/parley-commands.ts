/** `/parley`: help, status, the channel's mode, forgetting a conversation, and the caller's roles. */
import { type CommandSet, type OptionValues, textOption } from "../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../ports/commands.ts";
import type { ListItem } from "../ports/document.ts";
import { toParleyError } from "../ports/errors.ts";
import type { Role } from "../ports/model/place.ts";
import { cleanText, infoDocument, inline, listDocument } from "../presentation/drawing.ts";
import {
  announcementSentences,
  bindingSentences,
  errorText,
  forgetSentences,
  modeSentences,
  overheardSentences,
  roleSentences,
  statusSentences,
} from "../presentation/sentences.ts";
import { announce } from "./announce.ts";
import { modes, parleyDefinitions } from "./definitions.ts";
import { helpDocument } from "./help-document.ts";
import type { CommandPorts } from "./ports.ts";
import type { Registry } from "./registry.ts";
import { openly, privately, working } from "./results.ts";

type ServiceLine = {
  readonly line: ListItem;
  readonly limits: readonly string[];
  readonly hasProjects: boolean;
  /** What doesn't work although the service answers. */
  readonly failing?: string;
};

const roles: readonly Role[] = ["ask", "ingest", "manage"];

/** `registry` is called lazily, because it includes these commands too. */
export function parleyCommands(ports: CommandPorts, registry: () => Registry): CommandSet {
  const { bindings, service, reach, settings, audit } = ports;
  const typed = (path: string) => `/${settings.commandPrefix}${path}`;

  async function status(context: CommandContext): Promise<CommandResult> {
    const [service, agent] = await Promise.all([serviceLine(), agentLine(context)]);
    const lines: ListItem[] = [service.line, agent];
    if (service.failing !== undefined) lines.push({ mark: "failed", text: inline(cleanText(service.failing)) });
    const { running, waiting } = ports.counts();
    lines.push({ mark: "bullet", text: inline(statusSentences.questions(running, waiting)) });
    const lacking = context.roles.manage.allowed ? ports.lacking(context.place.platform) : undefined;
    if (lacking !== undefined) lines.push({ mark: "failed", text: inline(lacking) });
    const quiet = [
      ...(await heardLine(context)),
      ...service.limits,
      statusSentences.parley(settings.version),
      ...(service.hasProjects ? [statusSentences.project(settings.project)] : []),
    ];
    return privately(listDocument(statusSentences.title, lines, { quiet }));
  }

  /** Limits of the built-in service go without saying. */
  async function serviceLine(): Promise<ServiceLine> {
    try {
      const profile = await service.status();
      const line = { mark: "done", text: statusSentences.service(profile) } as const;
      const limits = profile.generation === "local" ? [] : [statusSentences.serviceLimits(profile)];
      const { failing } = profile;
      return { line, limits, hasProjects: profile.offers.includes("projects"), failing };
    } catch (failure) {
      const { what, hint } = errorText(toParleyError(failure));
      const line = { mark: "failed", text: inline(statusSentences.serviceFailed(what, hint)) } as const;
      return { line, limits: [], hasProjects: true };
    }
  }

  /** For people who manage: whether Parley speaks where nobody asked. */
  async function heardLine({ roles, place }: CommandContext): Promise<readonly string[]> {
    if (!roles.manage.allowed || reach.answersAll(place)) return [];
    const counts = await ports.heard(place).catch(() => undefined);
    return counts === undefined || counts.answered + counts.quiet === 0 ? [] : [overheardSentences.counts(counts)];
  }

  async function agentLine({ actor, place }: CommandContext): Promise<ListItem> {
    try {
      const resolved = await reach.resolve(actor, place);
      if (resolved.kind === "none") return { mark: "failed", text: inline(bindingSentences.none) };
      if (resolved.kind === "choose") {
        return { mark: "bullet", text: bindingSentences.choose(await reach.openAmong(actor, place, resolved.agents)) };
      }
      const { binding, from } = resolved;
      return { mark: "done", text: inline(bindingSentences.answers(binding.agent), ` ${bindingSentences.why[from]}`) };
    } catch (failure) {
      return { mark: "failed", text: inline(errorText(toParleyError(failure)).what) };
    }
  }

  async function mode(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const given = textOption(options, "mode");
    const { place } = context;
    const answersAll = reach.answersAll(place);
    if (given === undefined) {
      if (answersAll) return openly(infoDocument(modeSentences.answersAll));
      const now = await bindings.modeOf(place);
      const is = modeSentences.is[now];
      const mayChange = context.roles.manage.allowed;
      return openly(infoDocument(mayChange ? [is, modeSentences.change(typed("parley mode mention"))] : [is]));
    }
    // The definition allows no other values.
    const wanted = modes.find((mode) => mode === given) ?? "thread";
    const before = await bindings.modeOf(place);
    await bindings.setChannel(place, { mode: wanted });
    await audit.record(context, { role: "manage", action: "parley mode", about: { mode: wanted }, outcome: "done" });
    if (before !== wanted) await announce(ports, context, announcementSentences.mode(context.actor, wanted));
    const says = answersAll ? modeSentences.answersAll : modeSentences.is[wanted];
    return openly(infoDocument(says, { tone: "done" }));
  }

  async function forget({ conversation, actor, place, roles }: CommandContext): Promise<CommandResult> {
    const forgetting = {
      ...infoDocument(forgetSentences.forgetting, { tone: "running" }),
      isForEveryone: true,
    } as const;
    const isDirect = reach.isDirect(place);
    // A command in a direct message may have a Conversation of its own, in which nothing was asked yet.
    const meant = isDirect && place.thread === undefined ? place : conversation;
    return working(forgetting, ports.log, async () => {
      const count = await ports.forget(meant, actor, roles.manage.allowed || isDirect);
      if (count === 0) return openly(infoDocument(forgetSentences.nothing));
      return openly(infoDocument([forgetSentences.forgotten(count), forgetSentences.stays], { tone: "done" }));
    });
  }

  function whatYouMay(context: CommandContext): CommandResult {
    const items = roles.map((role): ListItem => {
      const { allowed, because } = context.roles[role];
      return { mark: allowed ? "done" : "failed", text: roleSentences.line(role, allowed, because) };
    });
    return privately(listDocument(roleSentences.title, items));
  }

  return {
    definitions: parleyDefinitions,
    handlers: {
      "parley help": {
        run: async (options, { roles, place }) => {
          const isDirect = reach.isDirect(place);
          return openly(helpDocument(registry(), textOption(options, "about"), { roles, isDirect }));
        },
      },
      "parley status": { run: (_options, context) => status(context) },
      "parley mode": { run: mode },
      "parley forget": { run: (_options, context) => forget(context) },
      "parley roles": { run: async (_options, context) => whatYouMay(context) },
    },
  };
}
