/** Writes into a store what the demo has few of: conversations of the page, audit entries, and jobs. */
import { conversationsIn } from "../../adapters/console/conversations/listing.ts";
import type { ConsoleMessage, ConsolePayload } from "../../adapters/console/writing/messages.ts";
import { type AuditEntry, auditEntriesIn } from "../../src/core/audit.ts";
import type { JobState } from "../../src/core/model/job.ts";
import type { State } from "../../src/core/ports/state.ts";
import { systemClock as clock } from "../../src/core/tools/system-clock.ts";
import { openState } from "../../src/state/open-state.ts";
import { sampleJob } from "../../test/contracts/storage/sample-records.ts";
import { silentLog as log } from "../../test/doubles/silent-log.ts";
import { createRandom } from "../demo/random.ts";
import { idAt } from "../demo/turn.ts";
import type { Store } from "./parley.ts";

export type More = { readonly conversations: number; readonly auditEntries: number; readonly jobs: number };

/** Written at once. */
const atOnce = 200;
const channel = "general";
const by = { id: "you", name: "", isVerified: false };
const dayMs = 86_400_000;
/** About what a conversation of four messages says. */
const words = "The plan includes single sign-on and costs nothing more than the others in this region. ".repeat(12);

export async function fillMore(store: Store, more: More): Promise<void> {
  const state = await openState({ ...store, clock, log });
  const nowMs = clock.now();
  await each(more.conversations, (at) => putConversation(state, at, nowMs));
  const entries = auditEntriesIn(state);
  await each(more.auditEntries, (at) =>
    entries.put(`slack/T${at % 5}/${String(at).padStart(8, "0")}`, entryAt(at, nowMs)),
  );
  const random = createRandom(18);
  await each(more.jobs, async (at) => {
    const createdAtMs = nowMs - 30 * dayMs + at * 200_000;
    const id = idAt(createdAtMs, random);
    const ended: JobState = at % 100 === 7 ? "failed" : at % 100 === 50 ? "cancelled" : "done";
    const items = Array.from({ length: 20 }, (_, item) => ({
      ...({ label: `https://docs.example/${at}/${item}`, kind: "url", title: `Page ${item} of ${at}` } as const),
      ...{ state: ended, rows: 7, pages: 1, startedAtMs: createdAtMs, endedAtMs: createdAtMs + 2_000 },
    }));
    await state.jobs.create(sampleJob(id, { createdAtMs, state: ended, items, endedAtMs: createdAtMs + 60_000 }));
  });
  await state.close();
}

async function each(count: number, write: (at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => write(from + at)));
  }
}

async function putConversation({ keyValue, collection }: State, at: number, nowMs: number): Promise<void> {
  const summaries = conversationsIn({ collection });
  const messages = keyValue<ConsoleMessage>("console-messages");
  const thread = `t${at}`;
  const title = at === 0 ? "A needle in the oldest one" : `Question ${at}`;
  const beganMs = nowMs - (10_000 - at) * 60_000;
  const orderOf = (message: number) => String(beganMs * 1_000 + message).padStart(20, "0");
  for (let message = 0; message < 4; message += 1) {
    const id = `m${message}`;
    const base = { version: 1, id, order: orderOf(message), channel, thread, atMs: beganMs, revision: 1 } as const;
    const payload: ConsolePayload = {
      ...{ version: 1, tone: "done", actions: [], summary: words.slice(0, 80) },
      blocks: [{ kind: "markdown", text: words }],
    };
    const mark = { replyId: `${thread}-${message}`, part: 0 };
    const written: ConsoleMessage =
      message % 2 === 0
        ? { ...base, author: "you", by, text: message === 0 ? title : words, isEdited: false }
        : { ...base, author: "parley", payload, mark, begunAtMs: beganMs };
    await messages.set(`local/${channel}/${thread}/${id}`, written);
  }
  const lastOrder = orderOf(3);
  const key = `local/${channel}/${thread}`;
  const parts = [title, words, words, words].map((text, message) => ({ id: `m${message}`, text: text.toLowerCase() }));
  await keyValue("console-texts").set(key, { version: 1, parts, writers: [{ actorId: by.id }] });
  await summaries.put(key, {
    version: 1,
    channel,
    thread,
    title,
    titleFrom: { kind: "question", id: "m0" },
    lastOrder,
    lastAtMs: beganMs,
  });
}

function entryAt(at: number, nowMs: number): AuditEntry {
  const workspace = `T${at % 5}`;
  const outcome = at % 20 === 3 ? "refused" : at % 50 === 9 ? "failed" : "done";
  const person = at % 300;
  return {
    ...{ version: 1, atMs: nowMs - 200 * dayMs + at * 150_000, role: "manage", outcome },
    actor: { id: `U${person}`, name: `Person ${person}` },
    place: { platform: "slack", workspace, channel: `C${at % 40}` },
    action: ["agent use", "kb ingest", "parley mode", "kb retry"][at % 4] ?? "",
    about: { agent: "support", scope: "channel" },
  };
}
