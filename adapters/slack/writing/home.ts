/**
 * Publishes the Home tab, and lists the channels that a person shares with Parley.
 * A person who opens the tab again and again costs one publication every five seconds: the newest document wins.
 */
import { LRUCache } from "lru-cache";
import type { Document } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { HomeTab } from "../../../src/core/ports/chat-platform.ts";
import { upTo } from "../../../src/core/tools/cache-time.ts";
import { type Clients, retryAfterRateLimit } from "../connection/clients.ts";
import { homeTabMissing } from "../connection/scopes.ts";
import { homeView } from "../drawing/home-view.ts";
import { placeOf } from "../ids.ts";
import type { Channels } from "../intake/channels.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode } from "./api-errors.ts";

const pauseMs = 5_000;
const maxShown = 100;
const maxRemembered = 2_000;

type Visitor = {
  /** The earliest time of the next publication. */
  nextMs: number;
  waiting?: { document: Document; readonly done: Promise<void> };
};

export function createHome(
  options: SlackParts & {
    readonly clients: Clients;
    readonly channels: Channels;
    readonly closing: AbortSignal;
  },
): HomeTab & { readonly problem: () => string | undefined } {
  const { clients, channels, closing, clock, log } = options;
  const visitors = new LRUCache<string, Visitor>(upTo(maxRemembered));
  let problem: string | undefined;

  const send = async (userId: string, document: Document): Promise<void> => {
    const view = homeView(document);
    const publishOnce = async () => {
      try {
        await clients.final.views.publish({ user_id: userId, view });
        problem = undefined;
      } catch (thrown) {
        if (slackCode(thrown) !== "not_enabled") throw thrown;
        if (problem === undefined) log.warn({ platform: "slack" }, homeTabMissing);
        problem = homeTabMissing;
        throw new ParleyError("platform_refused", { cause: thrown });
      }
    };
    await retryAfterRateLimit(clock, publishOnce);
  };

  const publish = (userId: string, document: Document): Promise<void> => {
    const visitor = visitors.get(userId) ?? { nextMs: 0 };
    visitors.set(userId, visitor);
    if (visitor.waiting !== undefined) {
      visitor.waiting.document = document;
      return visitor.waiting.done;
    }
    const nowMs = clock.now();
    if (nowMs >= visitor.nextMs) {
      visitor.nextMs = nowMs + pauseMs;
      return send(userId, document);
    }
    const done = clock.sleep(visitor.nextMs - nowMs, closing).then(() => {
      const newest = visitor.waiting?.document ?? document;
      delete visitor.waiting;
      visitor.nextMs = clock.now() + pauseMs;
      return send(userId, newest);
    });
    visitor.waiting = { document, done };
    return done;
  };

  return {
    problem: () => problem,
    publish: (actor: Actor, document: Document) => publish(actor.id, document),
    sharedChannels: async (actor: Actor): Promise<readonly Place[] | undefined> => {
      const [own, theirs] = await Promise.all([channels.listOf(undefined), channels.listOf(actor.id)]);
      if (own === undefined || theirs === undefined) return undefined;
      const shared = new Set(own);
      return theirs
        .filter((id) => shared.has(id))
        .slice(0, maxShown)
        .map((id) => placeOf(actor.workspace, id));
    },
  };
}
