/** `/agent`: lists agents, shows which one answers here and why, and sets another. */
import type { Named } from "../../ports/access.ts";
import type { Agent } from "../../ports/agent-service.ts";
import { type CommandSet, type OptionValues, textOption } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Document } from "../../ports/document.ts";
import { ParleyError } from "../../ports/errors.ts";
import { bold, cleanText, dotted, infoDocument, inline, listDocument } from "../../presentation/drawing.ts";
import {
  accessSentences,
  agentSentences,
  announcementSentences,
  bindingSentences,
  elsewhereSentences,
  instructionSentences,
  modeSentences,
  nameSentences,
} from "../../presentation/sentences.ts";
import { announce } from "../announce.ts";
import { agentDefinitions } from "../definitions.ts";
import { findAgentAnywhere, nearHint, writtenName } from "../find-by-name.ts";
import { agentInReach, isSeenByAnyone, manages } from "../in-reach.ts";
import type { CommandPorts } from "../ports.ts";
import { openly, privately } from "../results.ts";
import { agentDocument, channelsText } from "./agent-document.ts";
import { agentForms } from "./create-edit-commands.ts";
import { agentDeletion } from "./delete-command.ts";
import { channelInstructions } from "./instructions-command.ts";
import { nameOfRef } from "./name-ref.ts";

/** Agents listed; the rest are only counted. */
const maxListed = 50;

type Scope = "channel" | "workspace";

export function agentCommands(ports: CommandPorts): CommandSet {
  const { service, bindings, names, reach, settings, audit } = ports;
  const { project } = settings;
  const typed = (path: string) => `/${settings.commandPrefix}${path}`;
  const forms = agentForms(ports);
  const deletion = agentDeletion(ports);
  const instructions = channelInstructions(ports);

  async function agentsIn(of: string, { actor, place }: CommandContext, isManager: boolean): Promise<readonly Agent[]> {
    if (of === project) return isManager ? service.listAgents(project) : reach.agents(actor, place);
    const isThere = names.projects().includes(of);
    const agents = isThere ? await names.elsewhere.agentsOf(of) : [];
    if (isManager && !isThere) throw noProject(of);
    if (isManager) return agents;
    const verdicts = await Promise.all(agents.map((agent) => reach.mayAgent(actor, "see", place, agent)));
    return agents.filter((_agent, index) => verdicts[index]?.allowed === true);
  }

  function noProject(given: string): ParleyError {
    const what = nameSentences.noProject(cleanText(given));
    return new ParleyError("project_not_found", {
      what,
      hint: nearHint(given, names.projects()) ?? agentSentences.projects(names.projects()),
    });
  }

  async function list(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const isManager = manages(ports, context);
    const of = textOption(options, "project")?.trim() ?? project;
    const agents = await agentsIn(of, context, isManager);
    const shown = agents.slice(0, maxListed);
    let tellsMore = false;
    const items = await Promise.all(
      shown.map(async (agent) => {
        const channels = isManager ? await bindings.channelsOf(of, agent.name, context.place) : [];
        const where = channelsText(channels);
        tellsMore ||= where !== undefined;
        return dotted(
          bold(writtenName(agent, project)),
          modelText(agent, names.offers("agent-changes")),
          where === undefined ? undefined : inline(agentSentences.answersIn, where),
        );
      }),
    );
    const more = agents.length - shown.length;
    const quiet = more > 0 ? { quiet: [agentSentences.more(more)] } : {};
    if (agents.length === 0) return openly(isManager ? noAgentDocument() : noneInReachDocument());
    const list = listDocument(agentSentences.listTitle(agents.length), items, quiet);
    // Managers see all agents, and the other channels where each one answers.
    const isOpen = of === project && !tellsMore && (await isSeenByAnyone(reach.agents, agents, context.place));
    return isOpen ? openly(list) : privately(list);
  }

  async function show(options: OptionValues, context: CommandContext): Promise<CommandResult> {
    const name = textOption(options, "name") ?? (await agentHere(context));
    if (name === undefined) return which(context);
    const agent = await agentInReach(ports, name, context);
    // Instructions and other channels are shown only to people who can change them.
    if (!reach.may(context.actor, "instructions", context.place).allowed) {
      const { promptTemplate: _instructions, ...shown } = agent;
      return privately(agentDocument(shown, [], isSetUpHere()));
    }
    return privately(
      agentDocument(agent, await bindings.channelsOf(agent.project, agent.name, context.place), isSetUpHere()),
    );
  }

  function isSetUpHere(): boolean {
    return names.offers("agent-changes");
  }

  async function agentHere({ actor, place }: CommandContext): Promise<string | undefined> {
    const resolved = await reach.resolve(actor, place);
    return resolved.kind === "bound" ? writtenBinding(resolved.binding) : undefined;
  }

  async function which({ actor, place, conversation }: CommandContext): Promise<CommandResult> {
    const [resolved, mode, here, own] = await Promise.all([
      reach.resolve(actor, place),
      bindings.modeOf(place),
      ports.conversations.get(conversation),
      bindings.own(place),
    ]);
    const instructions = own?.instructions ?? "";
    const mayRead = instructions !== "" && reach.may(actor, "instructions", place).allowed;
    const told = instructions === "" ? [] : [mayRead ? instructionSentences.shown : instructionSentences.some];
    const withText = (document: Document): Document =>
      mayRead ? { ...document, blocks: [...document.blocks, { kind: "code", text: instructions }] } : document;
    const isNamed = here.agent !== undefined && (await reach.mayAgent(actor, "ask", place, here.agent)).allowed;
    const named =
      isNamed && here.agent !== undefined ? [bindingSentences.inThread(writtenName(here.agent, project))] : [];
    // The agent of a thread may be one that only managers can ask by now.
    const show = isNamed || mayRead ? privately : openly;
    switch (resolved.kind) {
      case "bound":
        return show(
          withText(
            infoDocument(
              [
                bindingSentences.answers(writtenBinding(resolved.binding)),
                bindingSentences.why[resolved.from],
                ...named,
                ...told,
              ],
              { quiet: [reach.answersAll(place) ? modeSentences.answersAll : modeSentences.is[mode]] },
            ),
          ),
        );
      case "choose":
        return show(
          withText(
            infoDocument([
              bindingSentences.choose(await reach.openAmong(actor, place, resolved.agents)),
              ...named,
              bindingSentences.chooseWith(typed("agent use")),
              ...told,
            ]),
          ),
        );
      case "none":
        return openly(noAgentDocument());
      default:
        return resolved satisfies never;
    }
  }

  function noneInReachDocument() {
    const { what, hint } = accessSentences.noneInReach;
    return infoDocument([what, hint]);
  }

  function noAgentDocument() {
    const makes = names.offers("agent-changes");
    const how = makes ? bindingSentences.makeOne(typed("agent create")) : elsewhereSentences.addThere;
    return infoDocument([bindingSentences.none, how]);
  }

  async function use(name: string, scope: Scope, context: CommandContext): Promise<CommandResult> {
    const found = await findAgentOrKnown(name);
    const agent = writtenName(found, project);
    const set = scope === "channel" ? bindings.setChannel : bindings.setWorkspace;
    const before = await agentSetIn(scope, context);
    await set(context.place, { project: found.project, agent: found.name });
    await audit.record(context, { role: "manage", action: "agent use", about: { agent, scope }, outcome: "done" });
    if (before !== agent) await announce(ports, context, announcementSentences.agent(context.actor, agent, scope));
    return openly(infoDocument(bindingSentences.used(agent, scope), { tone: "done" }));
  }

  async function agentSetIn(scope: Scope, { place }: CommandContext): Promise<string | undefined> {
    if (scope === "workspace") {
      // No channel has an empty name, so this resolves to the workspace's binding.
      const resolved = await bindings.resolve({ ...place, channel: "" }).catch(() => undefined);
      const isSet = resolved?.kind === "bound" && resolved.from === "workspace";
      return isSet ? writtenBinding(resolved.binding) : undefined;
    }
    const { project: of = project, agent } = (await bindings.own(place)) ?? {};
    return agent === undefined ? undefined : writtenBinding({ project: of, agent });
  }

  /** A known agent can still be chosen while the service is down. */
  async function findAgentOrKnown(name: string): Promise<Named> {
    try {
      return await findAgentAnywhere(ports, name);
    } catch (failure) {
      const isGone = failure instanceof ParleyError && failure.code === "agent_not_found";
      if (isGone || names.agent(name) === undefined) throw failure;
      return { project, name };
    }
  }

  function writtenBinding({ project: of, agent }: { readonly project: string; readonly agent: string }): string {
    return writtenName({ project: of, name: agent }, project);
  }

  async function clear(scope: Scope, context: CommandContext): Promise<CommandResult> {
    const remove = scope === "channel" ? bindings.clearChannel : bindings.clearWorkspace;
    const wasSet = await remove(context.place);
    if (!wasSet) return openly(infoDocument(bindingSentences.nothingToClear(scope)));
    await audit.record(context, { role: "manage", action: "agent clear", about: { scope }, outcome: "done" });
    await announce(ports, context, announcementSentences.cleared(context.actor, scope));
    return openly(infoDocument(bindingSentences.cleared(scope), { tone: "done" }));
  }

  return {
    definitions: agentDefinitions,
    handlers: {
      "agent list": { run: list },
      "agent show": { run: show },
      "agent use": { run: (options, context) => use(textOption(options, "name") ?? "", scopeOf(options), context) },
      "agent clear": { run: (options, context) => clear(scopeOf(options), context) },
      "agent which": { run: (_options, context) => which(context) },
      ...forms.handlers,
      ...deletion.handlers,
      ...instructions.handlers,
    },
    forms: { ...forms.forms, ...instructions.forms },
    actions: {
      ...deletion.actions,
      "use-agent": {
        role: "manage",
        press: async (ref, context) => use(await nameOfRef(ports, ref), "channel", context),
      },
    },
  };
}

function scopeOf(options: OptionValues): Scope {
  return options["scope"] === "workspace" ? "workspace" : "channel";
}

/** Of agents that are set up elsewhere, Parley knows the model only if the service names it; some agents are models. */
function modelText({ name, model }: Agent, isSetUpHere: boolean): string | undefined {
  if (isSetUpHere) return model?.name ?? agentSentences.defaultModel;
  return model?.name === name ? undefined : model?.name;
}
