/** Turns a refusal of access.ts into the error a person sees, and names the people who can help. */

import type { RoleEntry, Verdict } from "../core/access.ts";
import type { Document, Inline } from "../core/document.ts";
import { ParleyError } from "../core/errors.ts";
import type { Actor, Place } from "../core/model/place.ts";
import { errorDocument, person, say, titledDocument } from "../presentation/drawing.ts";
import { abilities, accessSentences, errorText } from "../presentation/sentences.ts";
import { refusalOf } from "./roles.ts";

const says = {
  admins: say`Ask a workspace admin.`,
  managers: say`Ask a Parley manager.`,
};

/** Knows what people are called. */
type NamesPeople = { readonly nameOf: (id: string, place: Place) => Promise<string | undefined> };

type No = Extract<Verdict, { allowed: false }>;

/** A longer list would be read by nobody. */
const maxNamed = 3;
const maxAsked = 10;

/** `agent`: the one the person asked for, if any. */
export function refusalError(actor: Actor, { why, role, because }: No, agent?: string): ParleyError {
  if (why === "not-served") return new ParleyError("not_served");
  if (why === "role" && role !== undefined)
    return refusalOf(actor, `You can't ${abilities[role]} here: ${because ?? ""}.`);
  if (agent === undefined) return new ParleyError("not_allowed");
  const hint =
    why === "guest"
      ? "Guests get their answers from this channel's agent: ask without naming another."
      : accessSentences.agentElsewhere;
  return new ParleyError("agent_not_here", { what: accessSentences.agentNotHere(agent.slice(0, 100)), hint });
}

/** For a missing role: why, and whom to ask. Any other refusal is drawn as an error. */
export async function refusalDocument(
  { actor, place }: { readonly actor: Actor; readonly place: Place },
  verdict: No,
  managers: readonly RoleEntry[] | undefined,
  people: NamesPeople,
): Promise<Document> {
  const error = refusalError(actor, verdict);
  if (error.code !== "not_allowed" || verdict.role === undefined) return errorDocument(error);
  const { what, hint } = errorText(error);
  // The page's sign-in has lists of its own.
  const whom = actor.signedInAs === undefined ? await whomToAsk(place, managers, people) : says.managers;
  const text = say`${whom} ${hint}`;
  const said = titledDocument(what, [{ kind: "text", text }], { tone: "failed" });
  return { ...said, isForEveryone: true };
}

/** People who are listed for another workspace aren't named here. */
function isUserThere(entry: RoleEntry, { platform, workspace }: Place): entry is Exclude<RoleEntry, "*"> {
  if (entry === "*" || entry.platform !== platform || entry.kind !== "user" || entry.id.includes(":")) return false;
  return entry.workspace === undefined || entry.workspace === workspace;
}

/** The people listed in MANAGERS, by name and without a ping; else who manages by default. */
async function whomToAsk(
  place: Place,
  managers: readonly RoleEntry[] | undefined,
  people: NamesPeople,
): Promise<Inline> {
  if (managers === undefined) return says.admins;
  const ids = managers.flatMap((entry) => (isUserThere(entry, place) ? [entry.id] : []));
  // More would be asked for than are named.
  const asked = ids.slice(0, maxAsked).map(async (id) => ({ id, name: await people.nameOf(id, place) }));
  const seen = await Promise.all(asked);
  const known = seen.flatMap(({ id, name }) => (name === undefined ? [] : [person(name, id)]));
  // Some platforms know the name of an id, others show the words: one of them is enough.
  const unknown = seen.filter(({ name }) => name === undefined).slice(0, 1);
  const others = unknown.map(({ id }) => person(known.length > 0 ? "another Parley manager" : "a Parley manager", id));
  const named = [...known, ...others].slice(0, maxNamed);
  return named.length === 0
    ? says.managers
    : say`Ask ${named.flatMap((one, index) => (index === 0 ? [one] : [index === named.length - 1 ? " or " : ", ", one]))}.`;
}
