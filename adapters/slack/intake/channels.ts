/**
 * Looks up who can read a channel (conversations.info), and which channels a person is in (users.conversations). Both are
 * cached. What Slack doesn't tell is unknown, which counts as private.
 */
import { LRUCache } from "lru-cache";
import type { Actor, Place, Visibility } from "../../../src/core/model/place.ts";
import { byClock, upTo } from "../../../src/core/tools/cache-time.ts";
import type { WebClient } from "../connection/clients.ts";
import type { ReadScheduler } from "../connection/read-scheduler.ts";
import { channelListScopes } from "../connection/scopes.ts";
import { isDirectChannel } from "../ids.ts";
import { listIntervalMs, pageMessages } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { toPlatformError } from "../writing/api-errors.ts";

export type Channels = ReturnType<typeof createChannels>;

const listedForMs = 5 * 60_000;
const describedForMs = 10 * 60_000;
/** Nobody waits for the same refusal again and again. */
const refusedForMs = 60_000;
/** Of channels, for one person. */
const maxPages = 5;
/** Of Parley's own channels, beyond those; 5,000 in all. */
const maxMorePages = 20;
const maxTries = 4;
const maxRemembered = 5_000;

type Kind = "public_channel" | "private_channel" | "mpim";
const sharedKinds: readonly Kind[] = ["public_channel", "private_channel"];

/** `next`: the cursor of the pages that were not read. */
type Listed = { readonly ids: ReadonlySet<string>; readonly next?: string };
type Described = {
  readonly visibility: Visibility;
  readonly isGroup: boolean;
  readonly name?: string;
  readonly isArchived?: true;
};
/** As far as Parley reads what Slack tells of a channel. */
type ToldChannel = {
  readonly name?: string;
  readonly is_im?: boolean;
  readonly is_mpim?: boolean;
  readonly is_private?: boolean;
  readonly is_ext_shared?: boolean;
  readonly is_archived?: boolean;
};

export function createChannels(
  options: SlackParts & {
    readonly client: WebClient;
    readonly scheduler: ReadScheduler;
    /** The app's scopes; undefined while Slack has not listed them. */
    readonly granted: () => readonly string[] | undefined;
    /** Of the connected workspace; undefined before the connection. */
    readonly teamId: () => string | undefined;
    readonly closing: AbortSignal;
  },
) {
  const { client, scheduler, granted, teamId, closing, clock, log } = options;
  const lists = new LRUCache<string, Promise<Listed | undefined>>({
    ...upTo(maxRemembered),
    ttl: listedForMs,
    ...byClock(clock),
  });
  const descriptions = new LRUCache<string, Promise<Described | "gone" | undefined>>({
    ...upTo(maxRemembered),
    ttl: describedForMs,
    ...byClock(clock),
  });

  /** Parley's token can't read the channels of another workspace, such as one that Parley served earlier. */
  const isElsewhere = ({ workspace }: Place) => workspace !== (teamId() ?? workspace);

  const grantedOf = (wanted: readonly Kind[]) =>
    wanted.filter((kind) => {
      const scope = channelListScopes[kind];
      return scope !== undefined && granted()?.includes(scope) === true;
    });

  type Page = { readonly ids: readonly string[]; readonly next: string | undefined };

  async function readPage(kinds: readonly Kind[], user?: string, cursor?: string): Promise<Page> {
    const asked = { types: kinds.join(","), exclude_archived: true, limit: pageMessages, user, cursor };
    const { channels = [], response_metadata: more } = await client.users.conversations(asked);
    const ids: string[] = [];
    for (const channel of channels) {
      if (channel.id === undefined) continue;
      ids.push(channel.id);
      // A list of all of them with their names then needs no request for each.
      if (user === undefined && isWholly(channel)) descriptions.set(channel.id, Promise.resolve(described(channel)));
    }
    return { ids, next: more?.next_cursor || undefined };
  }

  /** Of a person, or Parley's own. Slack tells of other people's private channels only where Parley is, too. */
  async function readList(user: string | undefined, wanted: readonly Kind[]): Promise<Listed | undefined> {
    const kinds = grantedOf(wanted);
    if (kinds.length === 0) return undefined;
    const found = new Set<string>();
    let next: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const read = await scheduler.live("list", () => readPage(kinds, user, next));
      for (const id of read.ids) found.add(id);
      next = read.next;
      if (next === undefined) break;
    }
    return { ids: found, next };
  }

  /** Parley's own channels beyond those of `readList`, as far as they are known; a list is read at once, and more slowly. */
  let more: ReadonlySet<string> = new Set();
  let moreUntilMs = 0;
  function readMore(cursor: string): void {
    if (clock.now() < moreUntilMs) return;
    moreUntilMs = Number.POSITIVE_INFINITY;
    const kinds = grantedOf(sharedKinds);
    const found = new Set<string>();
    // What is known stands until all was read once more.
    if (more.size === 0) more = found;
    const readAll = async () => {
      // The pages before were read at once.
      await clock.sleep(maxPages * listIntervalMs, closing);
      let next: string | undefined = cursor;
      for (let page = 0; page < maxMorePages && next !== undefined; page += 1) {
        const at: string = next;
        const read = () => readPage(kinds, undefined, at);
        const { ids, next: after } = await scheduler.background("list", read, closing, maxTries);
        for (const id of ids) found.add(id);
        next = after;
      }
      more = found;
      if (next !== undefined) log.warn({ channels: found.size }, "Parley is in more Slack channels than it lists");
    };
    readAll()
      .catch((thrown: unknown) => {
        if (!closing.aborted)
          log.info({ code: toPlatformError(thrown).code }, "Slack did not list all of Parley's channels");
      })
      .finally(() => {
        moreUntilMs = clock.now() + listedForMs;
      });
  }

  function listOf(user: string | undefined, kinds: readonly Kind[]): Promise<Listed | undefined> {
    const key = `${user ?? ""} ${kinds.join()}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const found = readList(user, kinds).catch((thrown: unknown) => {
      lists.delete(key);
      log.info(
        { code: toPlatformError(thrown).code },
        "Slack did not list the channels that a person shares with Parley",
      );
      return undefined;
    });
    lists.set(key, found);
    return found;
  }

  async function readDescription(id: string): Promise<Described | undefined> {
    const { channel } = await scheduler.info(() => client.conversations.info({ channel: id }));
    return channel === undefined ? undefined : described(channel);
  }

  function look(id: string): Promise<Described | "gone" | undefined> {
    const known = descriptions.get(id);
    if (known !== undefined) return known;
    const found = readDescription(id).catch((thrown: unknown) => {
      const { code } = toPlatformError(thrown);
      log.debug({ code }, "Slack did not tell who can read a channel");
      if (descriptions.peek(id) === found) descriptions.set(id, found, { ttl: refusedForMs });
      return code === "place_gone" ? ("gone" as const) : undefined;
    });
    descriptions.set(id, found);
    return found;
  }

  async function describe(id: string): Promise<Described | undefined> {
    const found = await look(id);
    return found === "gone" ? undefined : found;
  }

  async function isIn(place: Place): Promise<boolean | undefined> {
    const { channel } = place;
    if (isDirectChannel(channel)) return undefined;
    if (isElsewhere(place)) return false;
    try {
      const { channel: found } = await scheduler.info(() => client.conversations.info({ channel }));
      return found === undefined ? undefined : found.is_archived !== true && found.is_member !== false;
    } catch (thrown) {
      // A private channel that Parley was removed from isn't found.
      return toPlatformError(thrown).code === "place_gone" ? false : undefined;
    }
  }

  return {
    isIn,
    /**
     * Ids of the channels that a person (absent: Parley) is in; undefined if Slack doesn't tell. Of a person the first
     * thousand; of Parley more are found while this is asked again.
     */
    listOf: async (user: string | undefined): Promise<readonly string[] | undefined> => {
      const listed = await listOf(user, sharedKinds);
      if (listed === undefined) return undefined;
      if (user !== undefined || listed.next === undefined) return [...listed.ids];
      readMore(listed.next);
      return [...new Set([...listed.ids, ...more])];
    },
    visibility: async (place: Place): Promise<Visibility | undefined> => {
      if (isDirectChannel(place.channel)) return "direct";
      return isElsewhere(place) ? undefined : (await describe(place.channel))?.visibility;
    },
    channelName: async (place: Place): Promise<{ readonly name: string } | "gone" | undefined> => {
      const { channel } = place;
      if (isDirectChannel(channel)) return undefined;
      if (isElsewhere(place)) return "gone";
      const found = await look(channel);
      if (found === "gone" || found?.isArchived === true) return "gone";
      // Slack makes its name of the names of its members.
      if (found?.isGroup === true) return { name: "group message" };
      return found?.name === undefined ? undefined : { name: found.name };
    },
    isMember: async ({ id }: Actor, place: Place): Promise<boolean | undefined> => {
      const { channel } = place;
      if (isDirectChannel(channel) || isElsewhere(place)) return undefined;
      const isGroup = (await describe(channel))?.isGroup === true;
      const listed = await listOf(id, isGroup ? ["mpim"] : sharedKinds);
      if (listed === undefined) return undefined;
      return listed.ids.has(channel) || (listed.next === undefined ? false : undefined);
    },
  };
}

function described(channel: ToldChannel): Described {
  const { is_im: isDirect, is_mpim: isGroup = false, is_private: isPrivate } = channel;
  if (isDirect === true) return { visibility: "direct", isGroup: false };
  // In a channel shared with another organisation, a link may not lead its people anywhere.
  const isOpen = isPrivate === false && !isGroup && channel.is_ext_shared !== true;
  const isArchived = channel.is_archived === true ? (true as const) : undefined;
  return { visibility: isOpen ? "public" : "private", isGroup, name: channel.name, isArchived };
}

/** Lists may tell less of a channel; without these it isn't known who can read it. */
function isWholly(channel: ToldChannel): boolean {
  return channel.is_private !== undefined && channel.is_ext_shared !== undefined && channel.name !== undefined;
}
