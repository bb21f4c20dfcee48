/**
 * Stores interaction tokens, to answer by them later, also after a restart.
 * The first part of a deferred Reply ("… is thinking") has to be written with the token, and in a channel closed to
 * Parley all parts. Tokens are stored until they expire.
 */
import { LRUCache } from "lru-cache";
import { timeOf } from "../ids.ts";
import { interactionLifeMs } from "../limits.ts";
import type { DiscordParts } from "../parts.ts";
import type { Token } from "./interaction-api.ts";

/** How a message was written by a token: as the first response, or as a follow-up. */
export type Answer = { readonly token: Token; readonly isFirst: boolean };

export type DeferredReplies = ReturnType<typeof createDeferredReplies>;

const maxRemembered = 1_000;

export function createDeferredReplies({ keyValue, clock }: DiscordParts) {
  /** Interactions whose tokens Discord no longer takes, though their time isn't up. */
  const refused = new LRUCache<string, true>({ max: maxRemembered });

  const isAlive = ({ interaction }: Token) => leftMs(interaction) > 0 && !refused.has(interaction);
  const leftMs = (interaction: string) => timeOf(interaction) + interactionLifeMs - clock.now();

  /** A cache over the store, which is read only after a restart. Never rejects. */
  const createCache = <T>(prefix: string, tokenOf: (value: T) => Token) => {
    const known = new LRUCache<string, { readonly value: T | undefined }>({ max: maxRemembered });
    const cache = (id: string, value: T | undefined) => known.set(id, { value });
    const alive = (value: T | undefined) => (value !== undefined && isAlive(tokenOf(value)) ? value : undefined);
    return {
      set: async (id: string, value: T) => {
        cache(id, value);
        const forMs = Math.max(1, leftMs(tokenOf(value).interaction));
        await keyValue.set(prefix + id, JSON.stringify(value), forMs).catch(() => undefined);
      },
      /** Without a look into the store. */
      known: (id: string): T | undefined => alive(known.get(id)?.value),
      find: async (id: string): Promise<T | undefined> => {
        if (!known.has(id)) {
          const stored = await keyValue.get(prefix + id).catch(() => undefined);
          cache(id, stored === undefined ? undefined : (JSON.parse(stored) as T));
        }
        return alive(known.get(id)?.value);
      },
      /** Also when the token has expired meanwhile. */
      was: (id: string): boolean => known.get(id)?.value !== undefined,
      /** Nothing is stored for it. */
      isNone: (id: string) => cache(id, undefined),
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
      return isAlive(found) ? found : undefined;
    },
    remember: replies.set,
    find: replies.find,
    /** Whether that Reply is written by a token now, as far as this process knows. */
    isWrittenByToken: (replyId: string): boolean => replies.known(replyId) !== undefined,
    forget: replies.forget,
    rememberAnswer: answers.set,
    findAnswer: answers.find,
    /** That message was written by a token, as far as this process knows. */
    wasAnswer: answers.was,
    /** That message was written without a token. */
    isNoAnswer: answers.isNone,
    /** Discord no longer takes that token. */
    noteRefused: ({ interaction }: Token): void => {
      refused.set(interaction, true);
    },
  };
}
