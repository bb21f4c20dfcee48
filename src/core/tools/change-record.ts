/** Changes a stored record without changing its state, and starts over when someone else changed it in between. */
import type { RecordStore, StoredRecord } from "../ports/state.ts";

const maxAttempts = 5;

/** `changeOf` gets the record as it is now, and returns undefined to leave it alone. Undefined when nothing changed. */
export async function changeRecord<R extends StoredRecord>(
  store: Pick<RecordStore<R>, "get" | "transition">,
  id: string,
  changeOf: (record: R) => Parameters<RecordStore<R>["transition"]>[3],
): Promise<R | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const record = await store.get(id);
    const change = record && changeOf(record);
    if (record === undefined || change === undefined) return undefined;
    const state = record.state as R["state"] & string;
    const changed = await store.transition(id, [state], state, change, record.fence);
    if (changed !== undefined) return changed;
  }
  return undefined;
}
