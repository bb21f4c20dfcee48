/**
 * Knows the names of a workspace's people from users.list, so that a line that begins with one of them is left to that
 * person. Read in the background, an hour at a time; without the list, Parley knows those who have written.
 */
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { WebClient } from "../connection/clients.ts";
import { listIntervalMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";

const keptMs = 60 * 60_000;
/** After a failure. */
const againMs = 5 * 60_000;
/** Slack advises 200 a page. */
const pageSize = 200;
const maxPeople = 10_000;
/** The first line after the start waits so long for the first page. */
const firstWaitMs = 500;

export function createPeopleList({ client, clock, log }: SlackParts & { readonly client: WebClient }) {
  let names: readonly string[] = [];
  let dueAtMs = 0;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const found = new Set<string>();
    let cursor = "";
    for (let people = 0; people < maxPeople; people += pageSize) {
      const page = await client.users.list({ limit: pageSize, cursor: cursor === "" ? undefined : cursor });
      for (const { name, real_name: real, profile, deleted, is_bot: isBot } of page.members ?? []) {
        if (deleted === true || isBot === true) continue;
        for (const one of [profile?.display_name, profile?.real_name, real, name]) if (one) found.add(one);
      }
      // What is known so far helps already.
      if (names.length < found.size) names = [...found];
      cursor = page.response_metadata?.next_cursor ?? "";
      if (cursor === "") break;
      await clock.sleep(listIntervalMs);
    }
    names = [...found];
    dueAtMs = clock.now() + keptMs;
  }

  function begin(): Promise<void> {
    reading ??= read()
      .catch((thrown: unknown) => {
        const { code, retryAfterMs } = toPlatformError(thrown);
        dueAtMs = clock.now() + (retryAfterMs ?? againMs);
        log.info({ code }, "The people of a Slack workspace can't be listed");
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  return {
    /** Display, real and user names; the same list until it is read again. Never rejects. */
    names: async (): Promise<readonly string[]> => {
      if (clock.now() < dueAtMs) return names;
      const begun = begin();
      if (names.length === 0) await withTimeout(begun, firstWaitMs, clock);
      return names;
    },
  };
}
