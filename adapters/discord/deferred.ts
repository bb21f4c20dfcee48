/**
 * Answers that were promised to an interaction ("… is thinking"): the first part of such a Reply is that very answer, not
 * another message. Kept until its token dies, also through a restart.
 */
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { KeyValue } from "../../src/bridge/ports/state.ts";
import { timeOf } from "./ids.ts";
import { interactionLifeMs } from "./limits.ts";

/** An interaction that can be answered by its token. */
export type Token = { readonly interaction: string; readonly application: string; readonly token: string };

export type Deferred = {
  /** Undefined when the Turn was not asked by an interaction, or too long ago. */
  readonly tokenIn: (platformData: Readonly<Record<string, string>> | undefined) => Token | undefined;
  readonly remember: (replyId: string, token: Token) => Promise<void>;
  readonly find: (replyId: string) => Promise<Token | undefined>;
  readonly forget: (replyId: string) => Promise<void>;
};

const maxRemembered = 1_000;

export function createDeferred(options: { readonly keyValue: KeyValue<string>; readonly clock: Clock }): Deferred {
  const { keyValue, clock } = options;
  const remembered = new Map<string, Token | undefined>();
  const key = (replyId: string) => `deferred/${replyId}`;
  const leftMs = (token: Token) => timeOf(token.interaction) + interactionLifeMs - clock.now();

  const keep = (replyId: string, token: Token | undefined) => {
    remembered.delete(replyId);
    remembered.set(replyId, token);
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? "");
  };

  return {
    tokenIn: (platformData) => {
      const { interaction, application, token } = platformData ?? {};
      if (interaction === undefined || application === undefined || token === undefined) return undefined;
      const found = { interaction, application, token };
      return leftMs(found) > 0 ? found : undefined;
    },
    remember: async (replyId, token) => {
      keep(replyId, token);
      await keyValue.set(key(replyId), JSON.stringify(token), Math.max(1, leftMs(token))).catch(() => undefined);
    },
    find: async (replyId) => {
      if (!remembered.has(replyId)) {
        const stored = await keyValue.get(key(replyId)).catch(() => undefined);
        keep(replyId, stored === undefined ? undefined : (JSON.parse(stored) as Token));
      }
      const token = remembered.get(replyId);
      return token !== undefined && leftMs(token) > 0 ? token : undefined;
    },
    forget: async (replyId) => {
      keep(replyId, undefined);
      await keyValue.delete(key(replyId)).catch(() => undefined);
    },
  };
}
