/**
 * Remembers who has signed in. The cookie is random and only its hash is stored, so neither a stolen store nor a token
 * opens a session. Every instance reads the same store.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { KeyValue } from "../../../src/core/ports/state.ts";
import { workspaceName } from "../intake/inbound.ts";
import { maxSessionsOfPerson, sessionMs } from "../limits.ts";
import { isEqual } from "./equal.ts";
import type { Visitor } from "./visitor.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Absent where each request says who sends it. */
    session?: Session | undefined;
  }
}

export type StoredSession = {
  readonly version: 1;
  readonly visitor: Visitor;
  /** Made with the session's own secret from what the person signed in with: it no longer fits once that changes. */
  readonly proof: string;
  readonly expiresAtMs: number;
};

export type Session = {
  readonly visitor: Visitor;
  readonly expiresAtMs: number;
  /** For sign-outs: says nothing about the cookie. */
  readonly key: string;
};

/**
 * `onEnd` is called with the key of each session that is ended, so that its open pages end too. `wayOf` is what a visitor's sign-in rests on (the token, the provider and its secret, the lists of roles); undefined if
 * that way is no longer open.
 */
export function createSessions({
  store,
  wayOf,
  onEnd,
  clock,
}: {
  readonly store: KeyValue<StoredSession>;
  readonly onEnd: (key: string) => void;
  readonly wayOf: (visitor: Visitor) => string | undefined;
  readonly clock: Pick<Clock, "now">;
}) {
  const endEach = async (keys: readonly string[]) => {
    for (const key of keys) {
      await store.delete(key);
      onEnd(key);
    }
  };

  async function allOf(id: string): Promise<readonly (readonly [string, StoredSession])[]> {
    const found: (readonly [string, StoredSession])[] = [];
    for await (const entry of store.entries(`${workspaceName}/${groupOf(id)}/`)) found.push(entry);
    return found;
  }

  return {
    /**
     * Returns the cookie's value. The session `before` in this browser ends. So do the person's sessions with another
     * role, which is no longer theirs, and the oldest of too many.
     */
    begin: async (visitor: Visitor, before?: Session): Promise<string> => {
      const secret = randomBytes(32).toString("base64url");
      const way = wayOf(visitor);
      if (way === undefined) throw new Error("This way to sign in isn't open.");
      const expiresAtMs = clock.now() + sessionMs;
      const session: StoredSession = { version: 1, visitor, proof: proofOf(way, secret), expiresAtMs };
      const others = (await allOf(visitor.id)).filter(([key]) => key !== before?.key);
      await store.set(keyOf(groupOf(visitor.id), secret), session, sessionMs);
      const newestFirst = others.toSorted(([, one], [, other]) => other.expiresAtMs - one.expiresAtMs);
      const alike = newestFirst.filter(([, { visitor: then }]) => then.role === visitor.role);
      const kept = new Set(alike.slice(0, maxSessionsOfPerson - 1));
      await endEach(newestFirst.filter((one) => !kept.has(one)).map(([key]) => key));
      if (before !== undefined) await endEach([before.key]);
      return `${groupOf(visitor.id)}.${secret}`;
    },

    /** Undefined if it is unknown, has expired, or rests on what no longer holds. Rejects while storage is unreachable. */
    find: async (cookie: string | undefined): Promise<Session | undefined> => {
      const { group, secret } = parsed(cookie);
      if (group === undefined || secret === undefined) return undefined;
      const key = keyOf(group, secret);
      const session = await store.get(key);
      if (session === undefined || session.expiresAtMs <= clock.now()) return undefined;
      const way = wayOf(session.visitor);
      if (way === undefined || !isEqual(session.proof, proofOf(way, secret))) return undefined;
      return { visitor: session.visitor, expiresAtMs: session.expiresAtMs, key };
    },

    end: (key: string): Promise<void> => endEach([key]),

    /** All sessions of that person, in every browser. */
    endAll: async ({ id }: Visitor): Promise<void> => endEach((await allOf(id)).map(([key]) => key)),
  };
}

/** A person's sessions have keys that begin alike, so that all of them can be found. */
function groupOf(id: string): string {
  return createHash("sha256").update(`person ${id}`).digest("hex").slice(0, 32);
}

function keyOf(group: string, secret: string): string {
  return `${workspaceName}/${group}/${createHash("sha256").update(`session ${secret}`).digest("hex")}`;
}

export function proofOf(way: string, secret: string): string {
  return createHmac("sha256", secret).update(way).digest("base64url");
}

function parsed(cookie: string | undefined): { readonly group?: string; readonly secret?: string } {
  const [, group, secret] = /^([\da-f]{32})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  return group === undefined || secret === undefined ? {} : { group, secret };
}
