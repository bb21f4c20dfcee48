/**
 * Personal tokens, with which a person's other programs, such as an MCP client, act as that person. A token is shown
 * once, and only its hash is stored. It acts with its person's rights of now, and only while they could be signed in.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Collection, CollectionDefinition, CollectionFactory } from "../../../src/core/ports/collection.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { workspaceName } from "../intake/inbound.ts";
import { maxTokenNameChars, maxTokensOfPerson, sessionMs, tokenSeenEveryMs, unusedTokenDays } from "../limits.ts";
import { isEqual } from "./equal.ts";
import type { KnownPerson } from "./people.ts";
import { proofOf } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

export type StoredToken = {
  readonly version: 1;
  readonly actorId: string;
  /** What its person calls it. Untrusted text. */
  readonly name: string;
  /** Made with the token from what the person signs in with: it no longer fits once that changes. */
  readonly proof: string;
  readonly createdAtMs: number;
  /** To a few minutes. Absent: never. */
  readonly usedAtMs?: number;
};

type TokenField = "person" | "createdAtMs" | "sinceMs";
type StoredTokens = Collection<StoredToken, TokenField>;

const sinceMsOf = ({ usedAtMs, createdAtMs }: StoredToken) => usedAtMs ?? createdAtMs;

/** By the hash of the token. */
export const tokenCollection: CollectionDefinition<StoredToken, TokenField> = {
  holds: "Personal tokens of the page, as hashes: what their people call them, and when they were used last",
  person: { kind: "personal tokens", erase: "delete" },
  retain: { days: unusedTokenDays, since: "sinceMs" },
  schema: z.looseObject({ actorId: z.string(), name: z.string(), proof: z.string(), createdAtMs: z.number() }),
  fields: {
    person: ({ actorId }) => actorId,
    createdAtMs: ({ createdAtMs }) => createdAtMs,
    sinceMs: sinceMsOf,
  },
  indexes: [
    { by: ["person"], order: "createdAtMs" },
    { by: [], order: "sinceMs" },
  ],
};

/** As the page lists it. */
export type ListedToken = Pick<StoredToken, "name" | "createdAtMs" | "usedAtMs"> & {
  /** Says nothing about the token. */
  readonly id: string;
};

/** Whom a token stands for. */
export type TokenHolder = { readonly visitor: Visitor; readonly id: string };

const prefix = "parley_";
const shape = /^parley_[\w-]{43}$/;
/** Whether that text looks like a token, wherever it stands. */
export const looksLikeToken = (text: string) => text.includes(prefix);

const idOf = (token: string) => createHash("sha256").update(`token ${token}`).digest("hex");
const keyOf = (id: string) => `${workspaceName}/${id}`;

export type PersonalTokens = ReturnType<typeof createPersonalTokens>;

/** `wayOf`: what a visitor's sign-in rests on; undefined if that way is no longer open. */
export function createPersonalTokens({
  collection,
  known,
  wayOf,
  clock,
}: {
  readonly collection: CollectionFactory;
  /** That person as the settings see them now; "gone" if their way to sign in is closed. */
  readonly known: (id: string) => Promise<KnownPerson | "gone" | undefined>;
  readonly wayOf: (visitor: Visitor) => string | undefined;
  readonly clock: Pick<Clock, "now">;
}) {
  const tokens: StoredTokens = collection("personal-tokens", tokenCollection);
  const ofPerson = ({ id }: Visitor) => ({ order: "createdAtMs", where: { person: id } }) as const;

  async function holderOf(id: string, token: string): Promise<TokenHolder | undefined> {
    const stored = (await tokens.get(keyOf(id)))?.record;
    if (stored === undefined || sinceMsOf(stored) + unusedTokenDays * dayMs <= clock.now()) return undefined;
    const person = await known(stored.actorId);
    if (person === undefined || person === "gone") return undefined;
    // People who leave can't sign in again, so their tokens end when their last session would.
    if (person.seenAtMs + sessionMs <= clock.now()) return undefined;
    const way = wayOf(person.visitor);
    if (way === undefined || !isEqual(stored.proof, proofOf(way, token))) return undefined;
    return { visitor: person.visitor, id };
  }

  return {
    /** Newest first. */
    list: async (visitor: Visitor): Promise<readonly ListedToken[]> => {
      const { entries } = await tokens.query(ofPerson(visitor), maxTokensOfPerson);
      return entries.map(({ id, record: { name, createdAtMs, usedAtMs } }) => ({
        id: id.slice(keyOf("").length),
        name,
        createdAtMs,
        usedAtMs,
      }));
    },

    /** The only time that the token itself is known. */
    make: async (
      visitor: Visitor,
      wanted: string,
    ): Promise<{ readonly token: string; readonly name: string } | "empty" | "too-many"> => {
      const name = cleanText(wanted).trim().replace(/\s+/g, " ").slice(0, maxTokenNameChars);
      if (name === "") return "empty";
      const way = wayOf(visitor);
      if (way === undefined) throw new Error("This way to sign in isn't open.");
      const { count } = await tokens.count(ofPerson(visitor), maxTokensOfPerson);
      if (count >= maxTokensOfPerson) return "too-many";
      const token = `${prefix}${randomBytes(32).toString("base64url")}`;
      await tokens.put(keyOf(idOf(token)), {
        version: 1,
        actorId: visitor.id,
        name,
        proof: proofOf(way, token),
        createdAtMs: clock.now(),
      });
      return { token, name };
    },

    /** Returns its name; undefined if that person has no such token. */
    revoke: async (visitor: Visitor, id: string): Promise<string | undefined> => {
      const stored = (await tokens.get(keyOf(id)))?.record;
      if (stored?.actorId !== visitor.id) return undefined;
      await tokens.delete(keyOf(id));
      return stored.name;
    },

    /** Undefined if it is unknown, was revoked, or its person can't be signed in. Rejects while storage is unreachable. */
    find: async (token: string): Promise<TokenHolder | undefined> => {
      if (!shape.test(token)) return undefined;
      const holder = await holderOf(idOf(token), token);
      if (holder === undefined) return undefined;
      const nowMs = clock.now();
      await tokens.update(keyOf(holder.id), (entry) =>
        nowMs - (entry.record.usedAtMs ?? 0) < tokenSeenEveryMs ? undefined : { ...entry.record, usedAtMs: nowMs },
      );
      return holder;
    },

    /** Whether it still stands for someone who can use Parley. */
    stillHolds: async (token: string): Promise<boolean> => {
      const holder = await holderOf(idOf(token), token);
      return holder !== undefined && holder.visitor.role !== "nobody";
    },
  };
}

const dayMs = 86_400_000;
