/** Does what is due now, as a process does that then ends: a test says when there is one. */
import type { Works } from "../../src/core/ports/storage/works.ts";
import { until } from "./until.ts";

/** On SQLite, processes that a test has at once share one store. */
const looking = new WeakMap<Works, Promise<void>>();

export function look(works: Works, kinds: readonly string[] = ["schedules", "reviews"]): Promise<void> {
  const known = looking.get(works);
  if (known !== undefined) return known;
  const looked = lookOnce(works, kinds).finally(() => looking.delete(works));
  looking.set(works, looked);
  return looked;
}

async function lookOnce(works: Works, kinds: readonly string[]): Promise<void> {
  const isIdle = async () => {
    for (const kind of kinds) {
      for (const state of ["waiting", "active"] as const)
        if ((await works.list(kind, state, 1)).length > 0) return false;
    }
    return true;
  };
  await works.start();
  // Twice: one may be due again between the two reads.
  await until("what is due", async () => (await isIdle()) && (await isIdle()));
  await works.drain();
}
