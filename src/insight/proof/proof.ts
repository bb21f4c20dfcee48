/** The record of a proof: a question asked again because an answer was added, what came of it, and who is told. */
import { z } from "zod";
import type { App } from "../../app.ts";
import type { Named } from "../../core/access.ts";
import { answerRowId } from "../../core/content/answering.ts";
import type { AddedAnswer } from "../../core/model/insight.ts";
import { type Actor, type Place, workspaceKey } from "../../core/model/place.ts";
import type { Source, TurnView } from "../../core/model/turn.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../core/ports/collection.ts";
import { cleanText } from "../../presentation/drawing.ts";
import { beginningInOneLine, firstLines } from "../../presentation/markdown.ts";

/** What is kept of an answer. */
export type Said = {
  readonly answer: string;
  readonly sources: readonly Pick<Source, "title" | "url" | "addedBy">[];
};

/** A passage that was found for the question. */
export type RankedPassage = Pick<Source, "title" | "url" | "relevance"> & { readonly isOwn?: true };

export type ProofResult =
  | {
      readonly kind: "used";
      readonly tookMs: number;
      readonly atMs: number;
      readonly after: Said;
      readonly note: Said;
      /** When the answer was given that was there while it was asked. Absent: it was gone; the proof's own counts. */
      readonly answerAtMs?: number;
    }
  | {
      readonly kind: "unused";
      readonly tookMs: number;
      readonly atMs: number;
      /** Best first, down to the added answer. Absent: the person may not search there, or nothing could be found out. */
      readonly passages?: readonly RankedPassage[];
      /** The agent doesn't look in that knowledge base. */
      readonly isElsewhere?: true;
    }
  /** "outdated": the answer was removed or replaced meanwhile. */
  | { readonly kind: "failed" | "outdated"; readonly atMs: number; readonly what: string; readonly hint: string };

export type Proof = Pick<Place, "platform" | "workspace"> & {
  readonly version: 1;
  /** Of the Job that added the answer. */
  readonly id: string;
  readonly agent: Named;
  readonly question: string;
  readonly answer: Pick<AddedAnswer, "id" | "project" | "knowledgeBase" | "question" | "by" | "atMs">;
  /** Absent: nobody was let down by an answer before. */
  readonly gapId?: string;
  /** For whom it is asked again: who added the answer, or pressed the button. */
  readonly actor: Actor;
  readonly place: Place;
  readonly tell: boolean;
  /** Runs begun whose end nobody knows. */
  readonly begun: number;
  /** Since when the service can't be asked. */
  readonly failingSinceMs?: number;
  readonly createdAtMs: number;
  readonly result?: ProofResult;
  /** The person has seen what came of it. */
  readonly isShown?: true;
  /** Nothing is left to do, until a button is pressed. */
  readonly isFinished?: true;
};

const text = z.string();

/** By workspace and id. Finished ones stay for their buttons. */
export const proofCollection: CollectionDefinition<Proof, "atMs"> = {
  holds: "Proofs of added answers",
  person: { kind: "added answers", erase: (proof, strip) => strip(proof), isBare: true },
  retain: { days: 30, since: "atMs" },
  schema: z.looseObject({ id: text, question: text, answer: z.looseObject({ question: text }) }),
  fields: { atMs: ({ result, createdAtMs }) => result?.atMs ?? createdAtMs },
  indexes: [{ by: [], order: "atMs" }],
};

export const proofsIn = ({ collection }: { readonly collection: CollectionFactory }): Collection<Proof, "atMs"> =>
  collection("proofs", proofCollection);

/** How long a service that is down is asked again, and an asker of whom nothing is known is looked up again. */
export const patienceMs = 30 * 60_000;

export function proofKey({ platform, workspace, id }: Pick<Proof, "platform" | "workspace" | "id">): string {
  return `${workspaceKey({ platform, workspace })}/${id}`;
}

/**
 * Changes it as it is now, which a button may have changed since. Undefined leaves it. Returns what is stored then. One
 * that is gone, such as an erased person's, isn't stored again.
 */
export async function changeProof(
  { state }: Pick<App, "state">,
  proof: Proof,
  change: (newest: Proof) => Proof | undefined,
): Promise<Proof> {
  const changed = await proofsIn(state).update(proofKey(proof), ({ record }) => change(record));
  return changed?.record ?? proof;
}

const maxSources = 3;

export function saidOf(
  { answer = "", answerTable, sources }: Pick<TurnView, "answer" | "answerTable" | "sources">,
  maxChars: number,
  keepsLines = false,
): Said {
  const rows = [answerTable?.columns ?? [], ...(answerTable?.rows ?? [])].map((row) => row.join(" | "));
  return {
    answer: keptText(cleanText(answer.trim() === "" ? rows.slice(0, 5).join("; ") : answer), maxChars, keepsLines),
    sources: sources.slice(0, maxSources).map(({ title, url, addedBy }) => ({ title, url, addedBy })),
  };
}

/** As it is, if it fits; else its beginning. */
function keptText(answer: string, maxChars: number, keepsLines: boolean): string {
  if (keepsLines || answer.trim().length <= maxChars) return firstLines(answer, maxChars);
  return beginningInOneLine(answer, maxChars);
}

/** Whether that source is the row of that answer. Services cut rows into passages, and some keep only their text. */
export function isOfAnswer(
  { rowId, title, excerpt }: Pick<Source, "rowId" | "title" | "excerpt">,
  { id, question }: Pick<AddedAnswer, "id" | "question">,
): boolean {
  const row = answerRowId(id);
  if (rowId === row || rowId?.startsWith(`${row}:`) === true) return true;
  const asked = oneLine(question);
  return asked !== "" && (oneLine(title) === asked || oneLine(excerpt ?? "").startsWith(asked));
}

/** The used source comes first, by the name of its author: it is what the person and those who asked look for. */
export function ownFirst(view: TurnView, { answer }: Pick<Proof, "answer">): TurnView {
  const { question, by, atMs } = answer;
  const own = view.sources.filter((source) => isOfAnswer(source, answer));
  const named = own.map((source) => ({
    ...source,
    ...(question === "" ? {} : { title: question }),
    addedBy: source.addedBy ?? { name: by.name, atMs },
  }));
  return { ...view, sources: [...named.slice(0, 1), ...view.sources.filter((source) => !own.includes(source))] };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
