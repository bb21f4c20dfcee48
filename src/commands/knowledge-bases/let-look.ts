/**
 * "Let guide look in handbook": connects a knowledge base to an agent with one press. Offered wherever something was
 * put into a knowledge base that no agent there looks in.
 */
import type { Named } from "../../ports/access.ts";
import type { ActionHandler } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action } from "../../ports/document.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import { withTimeout } from "../../ports/tools/timeout.ts";
import { cleanText, infoDocument, inline, type ReaderOffer } from "../../presentation/drawing.ts";
import { agentFormTexts, elsewhereSentences, readerSentences as says, shorten } from "../../presentation/sentences.ts";
import { aloneWithAgent, updateAgent } from "../agents/create-or-update.ts";
import { namedOfRef, refOfNamed } from "../agents/name-ref.ts";
import { announce } from "../announce.ts";
import { manages } from "../in-reach.ts";
import { manualLeft, withoutManual } from "../ledger/own-manual.ts";
import type { CommandPorts } from "../ports.ts";
import { type Readers, readersHere, readersOf } from "../readers.ts";
import { formButton, privately, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";

/** Buttons of a choice. */
const maxChoices = 20;
const maxNameChars = 60;
/** An offer is left out when it takes longer to find out. */
const offerMs = 2_000;

type Who = Pick<CommandContext, "actor" | "place">;

export type LetLook = ReturnType<typeof createLetLook>;

export function createLetLook(ports: CommandPorts) {
  const { service, names, reach, audit, clock, log, settings } = ports;

  function button(base: Named, agent: Named | undefined): Action {
    const value = [base, ...(agent === undefined ? [] : [agent])].map((named) => refOfNamed(named, settings.project));
    return {
      id: "let-look",
      label: says.letLook(agent?.name, base.name),
      value: value.join(" "),
      style: "primary",
    };
  }

  function offerOf(base: Named, readers: Readers): ReaderOffer | undefined {
    if (readers.agents.length > 0 || !names.offers("agent-bases")) return undefined;
    const { here, open } = readers;
    if (here === undefined && open.length === 0) {
      if (!names.offers("agent-changes")) {
        return { sentences: [says.nobodyKnown(base.name), inline(elsewhereSentences.addThere)] };
      }
      return {
        sentences: [says.nobodyKnown(base.name)],
        action: formButton(agentFormTexts.openCreate, "agent create"),
      };
    }
    return {
      sentences: [says.nobody(base.name)],
      action: button(base, here ?? (open.length === 1 ? open[0] : undefined)),
    };
  }

  /** For everyone there. Undefined if an agent looks in it already, or if that can't be found out in time. */
  async function offer(base: Named, who: Who): Promise<ReaderOffer | undefined> {
    const looked = renewedOffer(base, who).catch((err: unknown) => {
      log.warn({ err }, "Could not find out which agents look in a knowledge base");
      return undefined;
    });
    return withTimeout(looked, offerMs, clock);
  }

  /** Nobody is told that an agent doesn't look because of an older list. */
  async function renewedOffer(base: Named, who: Who): Promise<ReaderOffer | undefined> {
    if ((await readersHere(ports, base, who)).agents.length > 0) return undefined;
    await reach.lists.renew();
    return offerOf(base, await readersHere(ports, base, who));
  }

  /** The same for one person: those who can't press the button are told whom to ask. */
  async function offerFor(base: Named, who: Who): Promise<ReaderOffer | undefined> {
    const found = await offer(base, who);
    if (found?.action === undefined || manages(ports, who)) return found;
    return { sentences: [...found.sentences, says.askManager(base.name)] };
  }

  async function choose(base: Named, who: Who): Promise<CommandResult> {
    const readers = await readersHere(ports, base, who);
    const others = readers.open.filter(
      ({ project, name }) => project !== readers.here?.project || name !== readers.here.name,
    );
    const agents = [...(readers.here === undefined ? [] : [readers.here]), ...others].slice(0, maxChoices);
    if (agents.length === 0) return privately(infoDocument(says.nobodyKnown(base.name)));
    const document = infoDocument(says.which(base.name));
    const actions = agents.map((agent): Action => ({ ...button(base, agent), style: "plain" }));
    return privately({ ...document, blocks: [...document.blocks, { kind: "actions", layout: "column", actions }] });
  }

  async function press(value: string, context: CommandContext): Promise<CommandResult> {
    const [baseRef = "", agentRef] = value.split(" ");
    const base = await namedOfRef(ports, "knowledge-base", baseRef);
    if (agentRef === undefined) return choose(base, context);
    const agent = await namedOfRef(ports, "agent", agentRef);
    const shown = infoDocument(says.connecting(agent.name, base.name), { tone: "running" });
    return working(shown, log, () => connect(agent, base, context));
  }

  async function connect({ project, name }: Named, base: Named, context: CommandContext): Promise<CommandResult> {
    const about = { agent: name, knowledgeBase: `${base.project}.${base.name}` };
    const note = (outcome: "done" | "failed", code?: string) =>
      audit.record(context, {
        role: "manage",
        action: "agent let-look",
        about,
        outcome,
        code,
      });
    let isManualLeft = false;
    const outcome = await aloneWithAgent(ports, { project, name }, async () => {
      const agent = await service.getAgent(project, name);
      if (readersOf([agent], base).length > 0) {
        names.keepAgent(agent);
        return { kind: "already" } as const;
      }
      // A knowledge base that was deleted meanwhile must not be added: some services accept any name.
      await service.getKnowledgeBase(base.project, base.name);
      const all = [...agent.knowledgeBases, `${base.project}.${base.name}`];
      const rest = withoutManual(agent, all, settings);
      isManualLeft = rest !== undefined;
      const knowledgeBases = rest ?? all;
      // Some services replace all data of an agent.
      const tables = agent.tables.length === 0 ? {} : { tables: agent.tables };
      return updateAgent(service, project, name, { knowledgeBases, ...tables });
    }).catch(async (failure: unknown) => {
      await note("failed", toParleyError(failure).code);
      throw failure;
    });
    switch (outcome.kind) {
      case "already":
        return privately(infoDocument(says.already(name, base.name), { tone: "done" }));
      case "saved":
      case "already-there":
        names.keepAgent(outcome.agent);
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
    await tellChannel({ project, name }, base, context);
    const left = isManualLeft ? manualLeft({ project, name }, settings) : { sentences: [], actions: [] };
    const said = [says.connected(name, base.name), ...left.sentences];
    return privately(infoDocument(said, { tone: "done", actions: left.actions }));
  }

  /** One line in the channel, unless people there can't ask that agent. */
  async function tellChannel(agent: Named, base: Named, context: CommandContext): Promise<void> {
    const { actor, place } = context;
    if (reach.isDirect(place)) return;
    try {
      const { here, open } = await readersHere(ports, base, { actor, place });
      const isAskedThere = [...open, ...(here === undefined ? [] : [here])].some(
        ({ project, name }) => project === agent.project && name === agent.name,
      );
      if (!isAskedThere) return;
      const person = shorten(cleanText(actor.name), maxNameChars);
      await announce(ports, context, says.announced(person, agent.name, base.name));
    } catch (err) {
      log.warn({ err }, "A change of an agent could not be announced");
    }
  }

  const action: ActionHandler = { role: "manage", offer: "agent-bases", press };
  return { offer, offerFor, actions: { "let-look": action } };
}
