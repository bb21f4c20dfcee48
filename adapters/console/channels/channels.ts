/**
 * The page's shared channels: made, renamed and removed by people who manage. Ids never change and are never used
 * again, so a removed channel can be named wherever it is mentioned.
 */
import { randomBytes } from "node:crypto";
import type { Actor } from "../../../src/core/model/place.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { cleanText } from "../../../src/presentation/drawing.ts";
import { workspaceName as workspace } from "../intake/inbound.ts";
import { maxChannelNameChars, maxChannels } from "../limits.ts";
import type { Visitor } from "../people/visitor.ts";
import { alone } from "../writing/alone.ts";
import { isPrivateChannel, mayRead, privateChannelOf } from "./reading.ts";

type Stored = {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly removedAtMs?: number;
  /** Who removed it, until everything that was said there is deleted. */
  readonly leaving?: Actor;
};

/** As the page lists it. */
export type ListedChannel = { readonly id: string; readonly name: string; readonly isPrivate?: true };

export type Channels = ReturnType<typeof createChannels>;

/** What a name can be refused for. */
export type NameProblem = "empty" | "taken" | "too-many";

const privateName = "Private";

/** The channel that a visitor with a name reads alone. */
export const ownChannelOf = ({ id, isVerified }: Pick<Visitor, "id" | "isVerified">): ListedChannel | undefined =>
  isVerified ? { id: privateChannelOf(id), name: privateName, isPrivate: true } : undefined;

/** Until people change them. */
const first: readonly Stored[] = ["general", "random"].map((id) => ({ version: 1, id, name: id, createdAtMs: 0 }));

export function createChannels(deps: {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Pick<Coordinator, "lease">;
  readonly clock: Clock;
}) {
  const { clock } = deps;
  const records = deps.keyValue<Stored>("console-channels");
  const keyOf = (id: string) => `${workspace}/${encodeURIComponent(id)}`;

  /** With the removed ones, oldest first. */
  async function all(): Promise<readonly Stored[]> {
    const found = new Map(first.map((channel) => [channel.id, channel]));
    for await (const [, channel] of records.entries(`${workspace}/`)) found.set(channel.id, channel);
    return [...found.values()].sort((a, b) => a.createdAtMs - b.createdAtMs);
  }

  async function find(id: string): Promise<Stored | undefined> {
    return (await records.get(keyOf(id))) ?? first.find((channel) => channel.id === id);
  }

  const isOpen = ({ removedAtMs }: Stored) => removedAtMs === undefined;

  async function exists(id: string): Promise<boolean> {
    if (isPrivateChannel(id)) return true;
    const channel = await find(id);
    return channel !== undefined && isOpen(channel);
  }

  const oneByOne = <T>(change: () => Promise<T>): Promise<T> => alone(`${workspace}/channels`, deps, change);

  function problemOf(name: string, others: readonly Stored[]): NameProblem | undefined {
    if (name === "") return "empty";
    const isTaken = others.some((other) => isOpen(other) && other.name.toLowerCase() === name.toLowerCase());
    return isTaken ? "taken" : undefined;
  }

  return {
    exists,

    /** Ids of those that everyone reads. */
    shared: async (): Promise<readonly string[]> => (await all()).filter(isOpen).map(({ id }) => id),

    nameOf: async (id: string): Promise<{ readonly name: string } | "gone"> => {
      if (isPrivateChannel(id)) return { name: privateName };
      const channel = await find(id);
      return channel === undefined || !isOpen(channel) ? "gone" : { name: channel.name };
    },

    /** Whether that visitor may read and write there now. */
    isOpenTo: async (visitor: Visitor, id: string): Promise<boolean> => mayRead(visitor, id) && (await exists(id)),

    /** The channels that a visitor sees. A new conversation begins in the first one: their own, if they have one. */
    listFor: async (visitor: Visitor): Promise<readonly ListedChannel[]> => {
      const shared = (await all()).filter((channel) => isOpen(channel) && mayRead(visitor, channel.id));
      const listed = shared.map(({ id, name }): ListedChannel => ({ id, name }));
      const own = ownChannelOf(visitor);
      return own === undefined ? listed : [own, ...listed];
    },

    create: (wanted: string): Promise<Stored | NameProblem> =>
      oneByOne(async () => {
        const name = channelName(wanted);
        const others = await all();
        const problem = problemOf(name, others);
        if (problem !== undefined) return problem;
        if (others.filter(isOpen).length >= maxChannels) return "too-many";
        const channel: Stored = { version: 1, id: idFor(name, others), name, createdAtMs: clock.now() };
        await records.set(keyOf(channel.id), channel);
        return channel;
      }),

    /** Undefined: it is gone. */
    rename: (id: string, wanted: string): Promise<Stored | NameProblem | undefined> =>
      oneByOne(async () => {
        const channel = await find(id);
        if (channel === undefined || !isOpen(channel)) return undefined;
        const name = channelName(wanted);
        const others = (await all()).filter((other) => other.id !== id);
        const problem = problemOf(name, others);
        if (problem !== undefined) return problem;
        const renamed = { ...channel, name };
        await records.set(keyOf(id), renamed);
        return renamed;
      }),

    /** Its conversations go afterwards. The last one stays. */
    remove: (id: string, by: Actor): Promise<"removed" | "gone" | "last"> =>
      oneByOne(async () => {
        const channel = await find(id);
        if (channel === undefined || !isOpen(channel)) return "gone";
        if ((await all()).filter(isOpen).length === 1) return "last";
        await records.set(keyOf(id), { ...channel, removedAtMs: clock.now(), leaving: by });
        return "removed";
      }),

    /** Undefined: it is not being emptied. */
    removedBy: async (id: string): Promise<Actor | undefined> => (await records.get(keyOf(id)))?.leaving,

    emptied: async (id: string): Promise<void> => {
      const channel = await records.get(keyOf(id));
      if (channel === undefined) return;
      const { leaving: _done, ...rest } = channel;
      await records.set(keyOf(id), rest);
    },
  };
}

function channelName(wanted: string): string {
  const line = cleanText(wanted).replace(/^\s*#/, "").trim().replace(/\s+/g, " ");
  return [...line].slice(0, maxChannelNameChars).join("").trim();
}

/** Readable where the name allows it, for addresses and settings: "release-notes". */
function idFor(name: string, others: readonly Stored[]): string {
  const words =
    name
      .toLowerCase()
      .normalize("NFKD")
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join("-").slice(0, 40).replace(/-$/, "");
  const taken = new Set(others.map(({ id }) => id));
  const isFree = slug !== "" && !taken.has(slug) && !isPrivateChannel(slug);
  return isFree
    ? slug
    : `${slug === "" || isPrivateChannel(slug) ? "channel" : slug}-${randomBytes(4).toString("hex")}`;
}
