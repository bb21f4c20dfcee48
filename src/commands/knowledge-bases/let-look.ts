/**
 * "Let guide look in handbook": connects a knowledge base to an agent with one press. Offered wherever something was
 * put into a knowledge base that no agent there looks in.
 */
import type { Named } from "../../ports/access.ts";
import type { Agent } from "../../ports/agent-service.ts";
import type { ActionHandler } from "../../ports/command-contract.ts";
import type { CommandContext, CommandResult } from "../../ports/commands.ts";
import type { Action } from "../../ports/document.ts";
import { ParleyError, toParleyError } from "../../ports/errors.ts";
import { soon } from "../../ports/tools/soon.ts";
import { cleanText, infoDocument, type ReaderOffer } from "../../presentation/drawing.ts";
import { agentFormTexts, readerSentences as says, shorten } from "../../presentation/sentences.ts";
import { updateAgent } from "../agents/create-or-update.ts";
import { namedOfRef, refOfNamed } from "../agents/name-ref.ts";
import { announce } from "../announce.ts";
import { manages } from "../in-reach.ts";
import type { CommandPorts } from "../ports.ts";
import { type Readers, readersHere, readersOf } from "../readers.ts";
import { formButton, privately, working } from "../results.ts";
import { failureSentences } from "../safe-reason.ts";

/** Buttons of a choice. */
const maxChoices = 20;
const maxNameChars = 60;
/** For the lease of an agent that someone else is changing. */
const maxWaitMs = 20_000;
/** An offer is left out when it takes longer to find out. */
const offerMs = 2_000;

type Who = Pick<CommandContext, "actor" | "place">;

export type LetLook = ReturnType<typeof createLetLook>;

export function createLetLook(ports: CommandPorts) {
  const { service, names, reach, coordinator, audit, clock, log, settings } = ports;

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
    if (readers.agents.length > 0) return undefined;
    const { here, open } = readers;
    if (here === undefined && open.length === 0) {
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
    return soon(looked, offerMs, clock);
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

  /** Read and changed under a lease, so that of two presses at once none undoes the other. */
  async function connect({ project, name }: Named, base: Named, context: CommandContext): Promise<CommandResult> {
    const about = { agent: name, knowledgeBase: `${base.project}.${base.name}` };
    const note = (outcome: "done" | "failed", code?: string) =>
      audit.record(context, {
        role: "manage",
        action: "agent let-look",
        about,
        outcome,
        ...(code === undefined ? {} : { code }),
      });
    const lease = await leaseOf(`agent/${project}/${name}`);
    try {
      const agent = await service.getAgent(project, name);
      if (readersOf([agent], base).length > 0) {
        keep(agent);
        return privately(infoDocument(says.already(name, base.name), { tone: "done" }));
      }
      // A knowledge base that was deleted meanwhile must not be added: some services accept any name.
      await service.getKnowledgeBase(base.project, base.name);
      const knowledgeBases = [...agent.knowledgeBases, `${base.project}.${base.name}`];
      const result = await updateAgent(service, project, name, { knowledgeBases });
      switch (result.kind) {
        case "saved":
        case "already-there":
          keep(result.agent);
          break;
        case "taken":
          throw new ParleyError("name_taken");
        case "failed": {
          await note("failed", result.error.code);
          const why = failureSentences(result.error, undefined, result.isUnsure);
          return privately(infoDocument([says.notConnected(name, base.name), ...why], { tone: "failed" }));
        }
        default:
          return result satisfies never;
      }
    } catch (failure) {
      await note("failed", toParleyError(failure).code);
      throw failure;
    } finally {
      await lease.release();
    }
    await note("done");
    await tellChannel({ project, name }, base, context);
    return privately(infoDocument(says.connected(name, base.name), { tone: "done" }));
  }

  async function leaseOf(key: string) {
    const tooLong = new AbortController();
    const cancel = clock.after(maxWaitMs, () => tooLong.abort(new ParleyError("state_unavailable")));
    return coordinator.lease(key, { signal: tooLong.signal }).finally(cancel);
  }

  function keep(agent: Agent): void {
    if (agent.project === settings.project) names.keepAgent(agent);
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

  const action: ActionHandler = { role: "manage", press };
  return { offer, offerFor, actions: { "let-look": action } };
}
