/**
 * Stores interaction tokens, to answer by them later, also after a restart.
 * The first part of a deferred Reply ("… is thinking") has to be written with the token, and in a channel closed to
 * Parley all parts. Tokens are stored until they expire.
 */
import type { Clock } from "../../../src/ports/clock.ts";
import type { KeyValue } from "../../../src/ports/state.ts";
import { keepNewest } from "../../../src/ports/tools/newest.ts";
import { timeOf } from "../ids.ts";
import { interactionLifeMs } from "../limits.ts";

/** An interaction that can be answered by its token. */
export type Token = { readonly interaction: string; readonly application: string; readonly token: string };

/** How a message was written by a token: as the first response, or as a follow-up. */
export type Answer = { readonly token: Token; readonly isFirst: boolean };

export type DeferredReplies = {
  /** Undefined if the Turn was not asked by an interaction, or if its token has expired. */
  readonly tokenIn: (platformData: Readonly<Record<string, string>> | undefined) => Token | undefined;
  readonly remember: (replyId: string, token: Token) => Promise<void>;
  readonly find: (replyId: string) => Promise<Token | undefined>;
  readonly forget: (replyId: string) => Promise<void>;
  readonly rememberAnswer: (messageId: string, answer: Answer) => Promise<void>;
  readonly findAnswer: (messageId: string) => Promise<Answer | undefined>;
};

const maxRemembered = 1_000;

export function createDeferredReplies(options: {
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
}): DeferredReplies {
  const { keyValue, clock } = options;
  const leftMs = (token: Token) => timeOf(token.interaction) + interactionLifeMs - clock.now();

  /** A cache over the store, which is read only after a restart. Never rejects. */
  const createCache = <T>(prefix: string, tokenOf: (value: T) => Token) => {
    const known = new Map<string, T | undefined>();
    const cache = (id: string, value: T | undefined) => {
      known.delete(id);
      known.set(id, value);
      keepNewest(known, maxRemembered);
    };
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
    tokenIn: (platformData) => {
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
