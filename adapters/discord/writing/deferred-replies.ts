/**
 * Stores interaction tokens, to answer by them later, also after a restart.
 * The first part of a deferred Reply ("… is thinking") has to be written with the token, and in a channel closed to
 * Parley all parts. Tokens are stored until they expire.
 */
import { putNewest } from "../../../src/ports/tools/newest.ts";
import { timeOf } from "../ids.ts";
import { interactionLifeMs } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import type { Token } from "./interaction-api.ts";

/** How a message was written by a token: as the first response, or as a follow-up. */
export type Answer = { readonly token: Token; readonly isFirst: boolean };

export type DeferredReplies = ReturnType<typeof createDeferredReplies>;

const maxRemembered = 1_000;

export function createDeferredReplies({ keyValue, clock }: DiscordParts) {
  const leftMs = (token: Token) => timeOf(token.interaction) + interactionLifeMs - clock.now();

  /** A cache over the store, which is read only after a restart. Never rejects. */
  const createCache = <T>(prefix: string, tokenOf: (value: T) => Token) => {
    const known = new Map<string, T | undefined>();
    const cache = (id: string, value: T | undefined) => putNewest(known, id, value, maxRemembered);
    return {
      set: async (id: string, value: T) => {
        cache(id, value);
        const forMs = Math.max(1, leftMs(tokenOf(value)));
        await keyValue.set(prefix + id, JSON.stringify(value), forMs).catch(() => undefined);
      },
      find: async (id: string): Promise<T | undefined> => {
        if (!known.has(id)) {
          const stored = await keyValue.get(prefix + id).catch(() => undefined);
          cache(id, stored === undefined ? undefined : (JSON.parse(stored) as T));
        }
        const value = known.get(id);
        return value !== undefined && leftMs(tokenOf(value)) > 0 ? value : undefined;
      },
      forget: async (id: string) => {
        cache(id, undefined);
        await keyValue.delete(prefix + id).catch(() => undefined);
      },
    };
  };
  const replies = createCache<Token>("deferred/", (token) => token);
  const answers = createCache<Answer>("answer/", ({ token }) => token);

  return {
    /** Undefined if the Turn was not asked by an interaction, or if its token has expired. */
    tokenIn: (platformData: Readonly<Record<string, string>> | undefined): Token | undefined => {
      const { interaction, application, token } = platformData ?? {};
      if (interaction === undefined || application === undefined || token === undefined) return undefined;
      const found = { interaction, application, token };
      return leftMs(found) > 0 ? found : undefined;
    },
    remember: replies.set,
    find: replies.find,
    forget: replies.forget,
    rememberAnswer: answers.set,
    findAnswer: answers.find,
  };
}
