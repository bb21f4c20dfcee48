/** Removes what the page keeps of an erased person beside records that name them: lists, private channel, words, names. */
import { privateChannelOf } from "../channels/reading.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { ListedOf } from "./listing.ts";
import { type Thread, threadOfKey } from "./thread-key.ts";

const batch = 50;

/** Idempotent: that they wrote there goes last, so that a crash leaves what the next run reads. */
export async function forgetPerson(store: ConsoleStore, personId: string): Promise<void> {
  await each(store, { channels: [privateChannelOf(personId)] }, (at) => store.removeAll(at));
  await each(store, { person: personId }, (at) => forgetIn(store, at, personId));
  for await (const at of store.listing.namedBy(personId)) await store.forgetName(at, personId);
  await each(store, { person: personId }, (at) => store.leave(at, personId));
  await each(store, { pinnedBy: personId }, (at) => store.leave(at, personId));
}

/** Their messages; and what Parley said there, if they began it and nobody else wrote in it. */
async function forgetIn(store: ConsoleStore, at: Thread, personId: string): Promise<void> {
  const begunBy = (await store.summary(at))?.begunBy;
  const messages = await store.list(at);
  const said = messages.filter((message) => message.author === "you");
  if (begunBy === personId && said.every(({ by }) => by.id === personId)) return store.removeAll(at);
  for (const { id, by } of said) if (by.id === personId) await store.remove(at, id);
  return store.forgetName(at, personId);
}

async function each({ listing }: ConsoleStore, of: ListedOf, work: (at: Thread) => Promise<void>): Promise<void> {
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const found = await listing.keys(of, below, batch);
    for (const { key, order } of found) {
      await work(threadOfKey(key));
      below = order;
    }
    if (found.length < batch) return;
  }
}
