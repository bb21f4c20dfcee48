/**
 * Answers by an interaction's token: the first part of a Reply that was promised ("… is thinking") is that very answer,
 * not another message, and where Parley is not let in, only the token can write. Kept until it dies, also through a restart.
 */
import type { Clock } from "../../../src/ports/clock.ts";
import type { KeyValue } from "../../../src/ports/state.ts";
import { keepNewest } from "../../../src/ports/tools/newest.ts";
import { timeOf } from "../ids.ts";
import { interactionLifeMs } from "../limits.ts";

/** An interaction that can be answered by its token. */
export type Token = { readonly interaction: string; readonly application: string; readonly token: string };

/** A message that was written by a token: the first answer, or one that followed it. */
export type Answer = { readonly token: Token; readonly isFirst: boolean };

export type DeferredReplies = {
  /** Undefined when the Turn was not asked by an interaction, or too long ago. */
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

  /** Memory before the store, which is only asked after a restart. Never rejects. */
  const createMemory = <T>(prefix: string, tokenOf: (value: T) => Token) => {
    const known = new Map<string, T | undefined>();
    const keep = (id: string, value: T | undefined) => {
      known.delete(id);
      known.set(id, value);
      keepNewest(known, maxRemembered);
    };
    return {
      set: async (id: string, value: T) => {
        keep(id, value);
        const forMs = Math.max(1, leftMs(tokenOf(value)));
        await keyValue.set(prefix + id, JSON.stringify(value), forMs).catch(() => undefined);
      },
      find: async (id: string): Promise<T | undefined> => {
        if (!known.has(id)) {
          const stored = await keyValue.get(prefix + id).catch(() => undefined);
          keep(id, stored === undefined ? undefined : (JSON.parse(stored) as T));
        }
        const value = known.get(id);
        return value !== undefined && leftMs(tokenOf(value)) > 0 ? value : undefined;
      },
      forget: async (id: string) => {
        keep(id, undefined);
        await keyValue.delete(prefix + id).catch(() => undefined);
      },
    };
  };
  const replies = createMemory<Token>("deferred/", (token) => token);
  const answers = createMemory<Answer>("answer/", ({ token }) => token);

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
