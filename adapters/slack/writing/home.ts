/**
 * Publishes the Home tab, and lists the channels that a person shares with Parley.
 * A person who opens the tab again and again costs one publication every five seconds: the newest document wins.
 */
import type { HomeTab } from "../../../src/ports/chat-platform.ts";
import type { Document } from "../../../src/ports/document.ts";
import { ParleyError } from "../../../src/ports/errors.ts";
import type { Actor, Place } from "../../../src/ports/model/place.ts";
import { putNewest } from "../../../src/ports/tools/newest.ts";
import { present } from "../../../src/ports/tools/present.ts";
import { type Clients, retryAfterRateLimit } from "../connection/clients.ts";
import type { ReadScheduler } from "../connection/read-scheduler.ts";
import { channelListScopes, homeTabMissing } from "../connection/scopes.ts";
import { homeView } from "../drawing/home-view.ts";
import { placeOf } from "../ids.ts";
import { pageMessages } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";

const pauseMs = 5_000;
const listedForMs = 5 * 60_000;
/** Of channels, for one person. */
const maxPages = 5;
const maxShown = 100;
const maxRemembered = 2_000;

type Visitor = {
  /** The earliest time of the next publication. */
  nextMs: number;
  waiting?: { document: Document; readonly done: Promise<void> };
};

type Listed = { readonly ids: Promise<readonly string[] | undefined>; readonly untilMs: number };

export function createHome(
  options: SlackParts & {
    readonly clients: Clients;
    readonly scheduler: ReadScheduler;
    /** The app's scopes; undefined while Slack has not listed them. */
    readonly granted: () => readonly string[] | undefined;
    readonly closing: AbortSignal;
  },
): HomeTab & { readonly problem: () => string | undefined } {
  const { clients, scheduler, granted, closing, clock, log } = options;
  const visitors = new Map<string, Visitor>();
  const lists = new Map<string, Listed>();
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
    putNewest(visitors, userId, visitor, maxRemembered);
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

  /** Of a person, or Parley's own. Slack tells of other people's private channels only where Parley is, too. */
  const readChannels = async (user: string | undefined): Promise<readonly string[] | undefined> => {
    const kinds = ["public_channel", "private_channel"].filter((kind) => {
      const scope = channelListScopes[kind];
      return scope !== undefined && granted()?.includes(scope) === true;
    });
    if (kinds.length === 0) return undefined;
    const found: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const asked = {
        types: kinds.join(","),
        exclude_archived: true,
        limit: pageMessages,
        ...present({ user, cursor }),
      };
      const read = await scheduler.live("list", () => clients.read.users.conversations(asked));
      found.push(...(read.channels ?? []).flatMap(({ id }) => id ?? []));
      cursor = read.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
    return found;
  };

  const channelsOf = (user: string | undefined): Promise<readonly string[] | undefined> => {
    const key = user ?? "";
    const known = lists.get(key);
    if (known !== undefined && known.untilMs > clock.now()) return known.ids;
    const ids = readChannels(user).catch((thrown: unknown) => {
      lists.delete(key);
      log.info(
        { code: toPlatformError(thrown).code },
        "Slack did not list the channels that a person shares with Parley",
      );
      return undefined;
    });
    putNewest(lists, key, { ids, untilMs: clock.now() + listedForMs }, maxRemembered);
    return ids;
  };

  return {
    problem: () => problem,
    publish: (actor: Actor, document: Document) => publish(actor.id, document),
    sharedChannels: async (actor: Actor): Promise<readonly Place[] | undefined> => {
      const [own, theirs] = await Promise.all([channelsOf(undefined), channelsOf(actor.id)]);
      if (own === undefined || theirs === undefined) return undefined;
      const shared = new Set(own);
      return theirs
        .filter((id) => shared.has(id))
        .slice(0, maxShown)
        .map((id) => placeOf(actor.workspace, id));
    },
  };
}
