/** Routes for reading and changing conversations: the list, one of them, its name, its pin, its end. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Thumb } from "../../../src/core/model/turn.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { OwnVote } from "../../../src/core/ports/platform-module.ts";
import type { Channels, ListedChannel } from "../channels/channels.ts";
import { isPrivateChannel } from "../channels/reading.ts";
import { identifier, placeOf } from "../intake/inbound.ts";
import { problem, problemOf, storageFailed } from "../intake/problem.ts";
import { conversationsPerPage, maxPinned, maxQueryChars } from "../limits.ts";
import { actorOf, type Visitor, visitorOf } from "../people/visitor.ts";
import type { ConsoleMessage, ConversationSummary } from "../writing/messages.ts";
import type { Hub } from "../writing/sse.ts";
import type { ConsoleStore } from "../writing/store.ts";
import type { Deletions } from "./deletions.ts";
import type { Listed } from "./listing.ts";
import { createSearch } from "./search.ts";
import type { Thread } from "./thread-key.ts";

/** The list, with what the page shows beside it. */
export type ConversationList = Listed & {
  readonly channels: readonly ListedChannel[];
  /** The newest pin first. */
  readonly pinned: readonly ConversationSummary[];
  readonly you: Pick<Visitor, "id" | "role">;
  readonly notifyAfterMs: number;
};

/** null: this person has not voted on it. Absent: nobody can. */
export type ReadMessage = ConsoleMessage & { readonly vote?: Thumb | null };

const renaming = z.object({ title: z.string().max(1_000) });
const pinning = z.object({ isPinned: z.boolean() });
const deleting = z.object({ id: identifier });

/** Renaming and deleting are for who began it and people who manage; everyone's own channel is theirs. */
function mayChange(visitor: Visitor, { channel, begunBy }: ConversationSummary): boolean {
  return visitor.role === "manage" || isPrivateChannel(channel) || begunBy === visitor.id;
}

export function createConversationRoutes(options: {
  readonly store: ConsoleStore;
  readonly channels: Channels;
  readonly deletions: Deletions;
  readonly hub: Pick<Hub, "notify">;
  readonly ownVote: OwnVote;
  readonly notifyAfterMs: number;
  readonly clock: { readonly now: () => number };
  readonly log: Log;
}): Hono {
  const { store, channels, deletions, hub } = options;
  const { listing } = store;
  const search = createSearch({ store });
  const app = new Hono();
  app.onError(storageFailed(options.log));

  /** Undefined alike for one that never was, is deleted, or belongs to someone else. */
  async function find(
    context: Context,
  ): Promise<{ at: Thread; visitor: Visitor; summary: ConversationSummary } | undefined> {
    const visitor = visitorOf(context);
    const { channel = "", thread = "" } = context.req.param() as Record<string, string>;
    if (!(await channels.isOpenTo(visitor, channel))) return undefined;
    const summary = await store.summary({ channel, thread });
    return summary === undefined ? undefined : { at: { channel, thread }, visitor, summary };
  }

  const gone = (context: Context) => context.json(problem("place_gone"), 404);

  async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T | undefined> {
    // A form on another site can't send a JSON body.
    if (context.req.header("content-type")?.startsWith("application/json") !== true) return undefined;
    return schema.safeParse(await context.req.json().catch(() => undefined)).data;
  }
  const invalid = (context: Context) => context.json(problem("command_invalid", "Reload the page and try again."), 400);

  app.get("/api/conversations", async (context) => {
    const visitor = visitorOf(context);
    const { before, limit } = context.req.query();
    const wanted = Math.trunc(Number(limit));
    const count = wanted > 0 ? Math.min(wanted, 4 * conversationsPerPage) : conversationsPerPage;
    const open = await channels.listFor(visitor);
    const ids = open.map(({ id }) => id);
    const start = before !== undefined && /^\d{1,20}$/.test(before) ? Number(before) : undefined;
    const page = await listing.page(ids, count, start);
    if (start !== undefined) return context.json(page);
    const pinned = (await listing.pinned(visitor.id, maxPinned)).filter(({ channel }) => ids.includes(channel));
    const you = { id: visitor.id, role: visitor.role };
    const { notifyAfterMs } = options;
    return context.json({ ...page, channels: open, pinned, you, notifyAfterMs } satisfies ConversationList);
  });

  app.get("/api/search", async (context) => {
    const visitor = visitorOf(context);
    const { q: query = "", before } = context.req.query();
    const ids = (await channels.listFor(visitor)).map(({ id }) => id);
    const start = before !== undefined && /^\d{1,20}$/.test(before) ? Number(before) : undefined;
    // Where people sign in by name, everyone searches what they began or wrote in.
    const of = visitor.isVerified ? { person: visitor.id } : { channels: ids };
    return context.json(await search(query.slice(0, maxQueryChars), of, ids, start));
  });

  app.get("/api/conversations/:channel/:thread", async (context) => {
    const at = context.req.param();
    if (!(await channels.isOpenTo(visitorOf(context), at.channel))) return gone(context);
    const messages = await store.list(at);
    // A conversation's record follows its first message; while it is deleted, its messages follow its record.
    const isKnown = (await store.summary(at)) !== undefined || (messages.length > 0 && !(await store.isGoing(at)));
    if (!isKnown) return gone(context);
    const voter = voterOf(visitorOf(context), context.req.query("voter"));
    if (voter === undefined) return context.json({ messages });
    const votes = await votesOf(messages, voter, options.ownVote);
    const read: readonly ReadMessage[] = messages.map((message, index) => ({ ...message, vote: votes[index] ?? null }));
    return context.json({ messages: read });
  });

  app.put("/api/conversations/:channel/:thread/title", async (context) => {
    const found = await find(context);
    if (found === undefined) return gone(context);
    if (!mayChange(found.visitor, found.summary)) return context.json(problem("not_allowed"), 403);
    const { title } = (await bodyOf(context, renaming)) ?? {};
    if (title === undefined || title.trim() === "") return invalid(context);
    return (await store.rename(found.at, title, found.visitor.id)) ? context.json({}) : gone(context);
  });

  app.put("/api/conversations/:channel/:thread/pin", async (context) => {
    const found = await find(context);
    if (found === undefined) return gone(context);
    const { isPinned } = (await bodyOf(context, pinning)) ?? {};
    if (isPinned === undefined) return invalid(context);
    await options.store.pin(found.at, found.visitor.id, isPinned, options.clock.now());
    hub.notify({ type: "pinned", personId: found.visitor.id, ...found.at, isPinned });
    return context.json({});
  });

  app.delete("/api/conversations/:channel/:thread", async (context) => {
    const found = await find(context);
    // Deleted already, perhaps by another tab.
    if (found === undefined) return context.json({});
    const { id } = (await bodyOf(context, deleting)) ?? {};
    if (id === undefined) return invalid(context);
    const { visitor, at, summary } = found;
    if (!mayChange(visitor, summary)) return context.json(problem("not_allowed"), 403);
    const mayForgetOthers = visitor.role === "manage" || isPrivateChannel(at.channel);
    try {
      await deletions.conversation({ ...at, id }, actorOf(visitor), mayForgetOthers);
    } catch (failure) {
      if (!(failure instanceof ParleyError) || failure.code !== "not_allowed") throw failure;
      return context.json(problemOf(failure), 403);
    }
    return context.json({}, 202);
  });

  return app;
}

/** Where nobody signs in, each browser has a vote; elsewhere each person. */
function voterOf({ how, id }: Visitor, browser: string | undefined): string | undefined {
  return how === "loopback" ? identifier.safeParse(browser).data : id;
}

/** By message. They are an extra: without storage the page shows its messages without them. */
async function votesOf(messages: readonly ConsoleMessage[], voter: string, ownVote: OwnVote) {
  const all = messages.map(async (message) => {
    const turnId =
      message.author === "parley" ? message.payload.actions.find(({ id }) => id === "thumb-up")?.value : undefined;
    if (turnId === undefined) return undefined;
    return ownVote(turnId, placeOf(message.channel, message.thread), voter).catch(() => undefined);
  });
  return Promise.all(all);
}
