/** Lists the knowledge bases that an answer can go into: the one that a team most likely means comes first. */
import type { Named } from "../../ports/access.ts";
import type { Asker } from "../../ports/commands.ts";
import type { Ledger } from "../../ports/content/ledger.ts";
import { writtenName } from "../find-by-name.ts";
import { createBaseChoices } from "../knowledge-bases/base-choices.ts";
import type { CommandPorts } from "../ports.ts";

/** Discord's limit for choices in a form. */
const maxChoices = 25;

export type AnswerBasesPorts = Pick<
  CommandPorts,
  "service" | "bindings" | "names" | "reach" | "settings" | "clock" | "log"
> & {
  readonly knowledge: { readonly ledger: Pick<Ledger, "page"> };
  /** The knowledge bases that an agent looks in. */
  readonly basesOf: (agent: Named) => Promise<readonly Named[]>;
};

export function createAnswerBases(ports: AnswerBasesPorts) {
  const { bindings, reach, settings, knowledge, basesOf } = ports;
  const choices = createBaseChoices(ports);
  const nameOf = (base: Named) => writtenName(base, settings.project);

  /** Those of the agent that this person can add to. */
  async function ofAgent(agent: Named, { actor, place }: Asker): Promise<readonly Named[]> {
    const bases = (await basesOf(agent)).slice(0, maxChoices);
    const may = await Promise.all(bases.map((base) => reach.mayBase(actor, "ingest", place, base)));
    return bases.filter((_base, index) => may[index]?.allowed);
  }

  /** The one that was chosen for the channel. */
  async function chosenFor({ actor, place }: Asker): Promise<string | undefined> {
    const own = await bindings.own(place);
    if (own?.knowledgeBase !== undefined) return own.knowledgeBase;
    const resolved = await reach.resolve(actor, place);
    return resolved.kind === "bound" ? resolved.binding.knowledgeBase : undefined;
  }

  /** The one that people added to last. */
  async function newestOf(bases: readonly Named[]): Promise<string | undefined> {
    if (bases.length < 2) return undefined;
    const pages = await Promise.all(bases.map((base) => knowledge.ledger.page(base, 0, 1)));
    const added = bases.map((base, index) => ({ base, atMs: pages[index]?.documents[0]?.addedAtMs ?? 0 }));
    const [newest] = added.sort((one, other) => other.atMs - one.atMs);
    return newest === undefined || newest.atMs === 0 ? undefined : nameOf(newest.base);
  }

  /** Undefined: it isn't known in time. */
  return async (agent: Named | undefined, who: Asker): Promise<readonly string[] | undefined> => {
    const own = (agent === undefined ? undefined : await choices.inTime(ofAgent(agent, who))) ?? [];
    const [names, chosen, newest] =
      own.length === 0
        ? [await choices.of(who)]
        : [own.map(nameOf), ...(await Promise.all([choices.inTime(chosenFor(who)), choices.inTime(newestOf(own))]))];
    if (names === undefined) return undefined;
    const first = [chosen, newest].find((name) => name !== undefined && names.includes(name));
    return [...new Set([...(first === undefined ? [] : [first]), ...names])].slice(0, maxChoices);
  };
}
