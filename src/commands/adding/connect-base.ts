/**
 * "Connect handbook to guide": connects a knowledge base to an agent with one press. Offered wherever something was
 * put into a knowledge base that no agent there looks in.
 */

import type { Named } from "../../core/access.ts";
import type { CommandContext, CommandResult } from "../../core/commands.ts";
import type { Action, Inline } from "../../core/document.ts";
import { ParleyError, toParleyError } from "../../core/errors.ts";
import type { Job } from "../../core/model/job.ts";
import { withTimeout } from "../../core/tools/timeout.ts";
import { isRefresh } from "../../knowledge/knowledge.ts";
import { bold, cleanText, infoDocument, type ReaderOffer, say } from "../../presentation/drawing.ts";
import { elsewhereSentences, shorten } from "../../presentation/sentences.ts";
import { aloneWithAgent, updateAgent } from "../agents/write-agent.ts";
import { announce } from "../announce.ts";
import type { CommandApp } from "../app.ts";
import type { Interactions } from "../command.ts";
import { checkOfferOfRefresh } from "../insight/check-offer.ts";
import { manualLeft, withoutManual } from "../ledger/own-manual.ts";
import { defaultBaseInReach, manages } from "../names/in-reach.ts";
import { namedOfRef, refOfNamed } from "../names/name-ref.ts";
import { type Readers, readersHere, readersOf } from "../names/readers.ts";
import { formButton, privately, withOffer, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";
import { agentFormTexts, readerSentences } from "../words.ts";
import { offerToUseHere } from "./use-here.ts";

/** Which agents look in a knowledge base, and letting another one look. */
const says = {
  nobodyKnown: (base: string): Inline => say`There is no agent yet that could use ${bold(base)}.`,
  askManager: (base: string): Inline => say`Ask someone who manages Parley here to connect ${bold(base)} to an agent.`,
  which: (base: string): Inline => say`Which agent should use ${bold(base)}?`,
  connecting: (agent: string, base: string): Inline => say`Letting ${bold(agent)} look in ${bold(base)}…`,
  connected: (agent: string, base: string): Inline => say`${bold(agent)} now uses ${bold(base)}.`,
  already: (agent: string, base: string): Inline => say`${bold(agent)} already uses ${bold(base)}.`,
  notConnected: (agent: string, base: string): Inline => say`Couldn't connect ${bold(base)} to ${bold(agent)}.`,
  announced: (person: string, agent: string, base: string): Inline =>
    say`${person} connected ${bold(base)} to ${bold(agent)}.`,
} as const;

/** Buttons of a choice. */
const maxChoices = 20;
const maxNameChars = 60;
/** An offer is left out when it takes longer to find out. */
const offerMs = 2_000;

type Who = Pick<CommandContext, "actor" | "place">;

export const connectBaseButton: Interactions = {
  actions: { "connect-base": { role: "manage", offer: "agent-bases", press } },
};

function button(app: CommandApp, base: Named, agent: Named | undefined): Action {
  const value = [base, ...(agent === undefined ? [] : [agent])].map((named) => refOfNamed(named, app.settings.project));
  return {
    id: "connect-base",
    label: readerSentences.connectBase(agent?.name, base.name),
    value: value.join(" "),
    style: "primary",
  };
}

function offerOf(app: CommandApp, base: Named, readers: Readers): ReaderOffer | undefined {
  if (readers.agents.length > 0 || !app.names.offers("agent-bases")) return undefined;
  const { here, open } = readers;
  if (here === undefined && open.length === 0) {
    if (!app.names.offers("agent-changes")) {
      return { sentences: [says.nobodyKnown(base.name), say`${elsewhereSentences.addThere}`] };
    }
    return {
      sentences: [says.nobodyKnown(base.name)],
      action: formButton(agentFormTexts.openCreate, "agent create"),
    };
  }
  return {
    sentences: [readerSentences.nobody(base.name)],
    action: button(app, base, here ?? (open.length === 1 ? open[0] : undefined)),
  };
}

/** For everyone there. Undefined if an agent looks in it already, or if that can't be found out in time. */
export async function offerReader(app: CommandApp, base: Named, who: Who): Promise<ReaderOffer | undefined> {
  const looked = renewedOffer(app, base, who).catch((err: unknown) => {
    app.log.warn({ err }, "Could not find out which agents look in a knowledge base");
    return undefined;
  });
  return withTimeout(looked, offerMs, app.clock);
}

/** Nobody is told that an agent doesn't look because of an older list. */
async function renewedOffer(app: CommandApp, base: Named, who: Who): Promise<ReaderOffer | undefined> {
  if ((await readersHere(app, base, who)).agents.length > 0) return undefined;
  await app.names.current.renew();
  return offerOf(app, base, await readersHere(app, base, who));
}

/** The same for one person: those who can't press the button are told whom to ask. */
export async function offerReaderTo(app: CommandApp, base: Named, who: Who): Promise<ReaderOffer | undefined> {
  const found = await offerReader(app, base, who);
  if (found?.action === undefined || manages(app, who)) return found;
  return { sentences: [...found.sentences, says.askManager(base.name)] };
}

async function choose(app: CommandApp, base: Named, who: Who): Promise<CommandResult> {
  const readers = await readersHere(app, base, who);
  const others = readers.open.filter(
    ({ project, name }) => project !== readers.here?.project || name !== readers.here.name,
  );
  const agents = [...(readers.here === undefined ? [] : [readers.here]), ...others].slice(0, maxChoices);
  if (agents.length === 0) return privately(infoDocument(says.nobodyKnown(base.name)));
  const document = infoDocument(says.which(base.name));
  const actions = agents.map((agent): Action => ({ ...button(app, base, agent), style: "plain" }));
  return privately({ ...document, blocks: [...document.blocks, { kind: "actions", layout: "column", actions }] });
}

async function press(app: CommandApp, value: string, context: CommandContext): Promise<CommandResult> {
  const [baseRef = "", agentRef] = value.split(" ");
  const base = await namedOfRef(app, "knowledge-base", baseRef);
  if (agentRef === undefined) return choose(app, base, context);
  const agent = await namedOfRef(app, "agent", agentRef);
  const shown = infoDocument(says.connecting(agent.name, base.name), { tone: "running" });
  return working(shown, app.log, () => connect(app, agent, base, context));
}

async function connect(
  app: CommandApp,
  { project, name }: Named,
  base: Named,
  context: CommandContext,
): Promise<CommandResult> {
  const about = { agent: name, knowledgeBase: `${base.project}.${base.name}` };
  const note = (outcome: "done" | "failed", code?: string) =>
    app.audit.record(context, {
      role: "manage",
      action: "agent connect-base",
      about,
      outcome,
      code,
    });
  let isManualLeft = false;
  const outcome = await aloneWithAgent(app, { project, name }, async () => {
    const agent = await app.service.getAgent(project, name);
    if (readersOf([agent], base).length > 0) {
      app.names.keepAgent(agent);
      return { kind: "already" } as const;
    }
    // A knowledge base that was deleted meanwhile must not be added: some services accept any name.
    await app.service.getKnowledgeBase(base.project, base.name);
    const all = [...agent.knowledgeBases, `${base.project}.${base.name}`];
    const rest = withoutManual(agent, all, app.settings);
    isManualLeft = rest !== undefined;
    const knowledgeBases = rest ?? all;
    // Some services replace all data of an agent.
    const tables = agent.tables.length === 0 ? {} : { tables: agent.tables };
    return updateAgent(app.service, project, name, { knowledgeBases, ...tables });
  }).catch(async (failure: unknown) => {
    await note("failed", toParleyError(failure).code);
    throw failure;
  });
  switch (outcome.kind) {
    case "already":
      return privately(infoDocument(says.already(name, base.name), { tone: "done" }));
    case "saved":
    case "already-there":
      app.names.keepAgent(outcome.agent);
      break;
    case "taken":
      await note("failed", "name_taken");
      throw new ParleyError("name_taken");
    case "failed": {
      await note("failed", outcome.error.code);
      const why = failureSentences(outcome.error, undefined, outcome.isUnsure);
      return privately(infoDocument([says.notConnected(name, base.name), ...why], { tone: "failed" }));
    }
    default:
      return outcome satisfies never;
  }
  await note("done");
  await tellChannel(app, { project, name }, base, context);
  const connected = privately(infoDocument(says.connected(name, base.name), { tone: "done" }));
  const left = isManualLeft ? manualLeft({ project, name }, app.settings) : undefined;
  const target = await defaultBaseInReach(app, "ingest", context);
  const isDefault = target?.project === base.project && target.name === base.name;
  const useHere = isDefault ? undefined : await offerToUseHere(app, base, context.place);
  return withOffer(withOffer(connected, left), useHere);
}

/** One line in the channel, unless people there can't ask that agent. */
async function tellChannel(app: CommandApp, agent: Named, base: Named, context: CommandContext): Promise<void> {
  const { actor, place } = context;
  if (app.reach.isDirect(place)) return;
  try {
    const { here, open } = await readersHere(app, base, { actor, place });
    const isAskedThere = [...open, ...(here === undefined ? [] : [here])].some(
      ({ project, name }) => project === agent.project && name === agent.name,
    );
    if (!isAskedThere) return;
    const person = shorten(cleanText(actor.name), maxNameChars);
    await announce(app, context, says.announced(person, agent.name, base.name));
  } catch (err) {
    app.log.warn({ err }, "A change of an agent could not be announced");
  }
}

/** Under a Job that added something, while no agent there looks in its knowledge base. */
export async function offerUnder(app: CommandApp, job: Job): Promise<ReaderOffer | undefined> {
  const { project, knowledgeBase, actor, askedIn } = job;
  const offer = await offerReader(app, { project, name: knowledgeBase }, { actor, place: askedIn });
  return offer ?? (isRefresh(job) ? checkOfferOfRefresh(app, job) : undefined);
}
