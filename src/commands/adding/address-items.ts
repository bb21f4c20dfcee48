/** Checks URLs while the person waits, and makes them items of a Job: each once, refused ones with their reason. */

import type { Asker } from "../../core/commands.ts";
import type { Job, JobItem } from "../../core/model/job.ts";
import { personKey } from "../../core/model/place.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AddressGate, AddressVerdict } from "../../knowledge/knowledge.ts";
import { addressSentences, shorten } from "../../presentation/sentences.ts";
import type { CommandApp } from "../app.ts";

/** Answers to `/kb ingest`, `/kb add` and `/kb query`. */
const feedSentences = {
  didYouMean: (address: string): string => `did you mean ${address}?`,
} as const;

/** Concurrent DNS lookups. */
const checksAtOnce = 50;
/** If DNS takes longer, only the URL's text is checked here; the name is resolved again before anything is fetched. */
const checkingMs = 2_000;

type AddressItems = { readonly items: readonly JobItem[]; readonly duplicates: number };

/** `way`: who will read them. */
export async function addressItems(
  { knowledge, clock }: CommandApp,
  texts: readonly string[],
  way: Job["way"],
  { actor, place }: Asker,
): Promise<AddressItems> {
  const { gate, asOwner, resolvesHere } = knowledge.reading;
  const mustResolve = (way === "parley" && resolvesHere) || knowledge.settings.requiresDns;
  return asOwner(personKey(place, actor), () => itemsOf(texts, gate, mustResolve, clock));
}

/** Each URL once, in the given order; refused ones with their reason. */
async function itemsOf(
  texts: readonly string[],
  gate: AddressGate,
  mustResolve: boolean,
  clock: Clock,
): Promise<AddressItems> {
  const unique = [...new Set(texts)];
  const checked: JobItem[] = [];
  const untilMs = clock.now() + checkingMs;
  for (let at = 0; at < unique.length; at += checksAtOnce) {
    const part = unique.slice(at, at + checksAtOnce);
    const options = { mustResolve, textAfterMs: untilMs - clock.now() };
    checked.push(...(await Promise.all(part.map(async (text) => itemOf(text, await gate.check(text, options))))));
  }
  const byUrl = new Map(checked.map((item) => [item.url ?? item.label, item]));
  return { items: [...byUrl.values()], duplicates: texts.length - byUrl.size };
}

function itemOf(text: string, verdict: AddressVerdict): JobItem {
  const label = shorten(text, 300);
  if (verdict.kind === "allowed") {
    verdict.url.hash = "";
    return { label, kind: "url", state: "waiting", url: verdict.url.href };
  }
  const { rule, suggestion } = verdict;
  const meant = suggestion === undefined ? "" : `; ${feedSentences.didYouMean(suggestion)}`;
  return { label, kind: "url", state: "failed", reason: `${addressSentences[rule]}${meant}` };
}
