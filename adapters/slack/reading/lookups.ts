/**
 * Looks up what messages hold by id alone: people, public channels, user groups, and files of other organisations. All
 * of it is cached for ten minutes; what Slack doesn't tell in time stays an id, and nobody waits for it again.
 */
import { LRUCache } from "lru-cache";
import { byClock, upTo } from "../../../src/core/tools/cache-time.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { WebClient } from "../connection/clients.ts";
import { userGroupScope } from "../connection/scopes.ts";
import { placeOf, type Self } from "../ids.ts";
import type { Actors } from "../intake/actors.ts";
import type { Channels } from "../intake/channels.ts";
import { readFiles, type SlackFile, type SlackMessage } from "../intake/events.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode } from "../writing/api-errors.ts";
import { isRaw, rawList } from "./raw.ts";
import type { Lookups } from "./read-message.ts";
import { isStub } from "./shared-files.ts";

export type MessageLookups = ReturnType<typeof createLookups>;

type Looked = Pick<SlackMessage, "text" | "blocks" | "attachments" | "files">;

const rememberedMs = 10 * 60_000;
const maxRemembered = 5_000;
/** Of one message or thread: a crowd of names is not worth the calls. */
const maxNames = 30;
const maxFiles = 10;
/** A message must be acknowledged within 3 s. */
const withinMs = 700;
const maxFilesInCards = 100;

const ids = {
  people: /<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>|"user_id":"([UW][A-Z0-9]+)"/g,
  channels: /<#([CG][A-Z0-9]+)(?:\|[^<>]*)?>|"channel_id":"([CG][A-Z0-9]+)"/g,
  groups: /<!subteam\^(S[A-Z0-9]+)>|"usergroup_id":"(S[A-Z0-9]+)"/g,
};

export function createLookups(
  options: SlackParts & {
    readonly client: WebClient;
    readonly actors: Actors;
    readonly channels: Channels;
    readonly granted: () => readonly string[] | undefined;
  },
) {
  const { client, actors, channels, granted, clock, log } = options;
  /** An older entry stands until Slack tells again. */
  const limits = {
    ...upTo(maxRemembered),
    ttl: rememberedMs,
    ...byClock(clock),
    allowStale: true,
    noDeleteOnStaleGet: true,
  };
  /** "": Slack doesn't tell. */
  const names = new LRUCache<string, string>(limits);
  const files = new LRUCache<string, { readonly file: SlackFile | undefined }>(limits);
  let groupsUntilMs = 0;
  /** A mention arrives twice at the same moment. */
  const running = new Map<string, Promise<void>>();
  function once(key: string, work: () => Promise<void>): Promise<void> {
    const known = running.get(key) ?? work().finally(() => running.delete(key));
    running.set(key, known);
    return known;
  }

  async function lookUpChannel(self: Self, id: string): Promise<void> {
    const place = placeOf(self.teamId, id);
    // People who aren't in a private channel don't see its name, wherever someone mentions it.
    const isPublic = (await channels.visibility(place)) === "public";
    const found = isPublic ? await channels.channelName(place) : undefined;
    names.set(id, typeof found === "object" ? found.name : "");
  }

  async function lookUpGroups(): Promise<void> {
    try {
      const { usergroups = [] } = await client.usergroups.list();
      for (const { id, handle, name } of usergroups) if (id !== undefined) names.set(id, handle ?? name ?? "");
    } catch (thrown) {
      log.info({ code: slackCode(thrown) }, "Slack did not list its user groups");
    }
    groupsUntilMs = clock.now() + rememberedMs;
  }

  async function lookUpFile(id: string): Promise<void> {
    try {
      const { file } = await client.files.info({ file: id });
      files.set(id, { file: readFiles([file])[0] });
    } catch (thrown) {
      files.set(id, { file: undefined });
      log.info({ code: slackCode(thrown) }, "Slack did not tell about a shared file");
    }
  }

  function unknownOf(self: Self, messages: readonly Looked[]) {
    const text = messages.map((message) => searchable(message)).join("\n");
    const found = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ""));
    const people = [...found(ids.people)].filter(
      (id) => id !== self.userId && !names.has(id) && actors.knownName(id) === undefined,
    );
    const unknownChannels = [...found(ids.channels)].filter((id) => !names.has(id));
    const hasGroups = granted()?.includes(userGroupScope) === true && groupsUntilMs <= clock.now();
    const groups = hasGroups ? [...found(ids.groups)].filter((id) => !names.has(id)) : [];
    const mayReadFiles = granted()?.includes("files:read") !== false;
    const stubs = mayReadFiles ? stubsOf(messages).filter((id) => !files.has(id)) : [];
    return { people, channels: unknownChannels, groups, stubs };
  }

  const known: Lookups = {
    nameOf: (id) => actors.knownName(id) ?? (names.get(id) || undefined),
    fileOf: (id) => files.get(id)?.file,
  };

  return {
    /** What is known without asking Slack. */
    known,
    needs: (self: Self, message: Looked): boolean =>
      Object.values(unknownOf(self, [message])).some((unknown) => unknown.length > 0),
    /** Never rejects. Resolves in time for an acknowledgement. */
    of: async (self: Self, messages: readonly Looked[]): Promise<Lookups> => {
      const unknown = unknownOf(self, messages);
      const lookUpPeople = async () => {
        const asked = unknown.people.slice(0, maxNames);
        const found = await actors.names(self, asked);
        for (const id of asked) if (!found.has(id)) names.set(id, "");
      };
      const work = [
        ...(unknown.people.length === 0 ? [] : [lookUpPeople()]),
        ...unknown.channels.slice(0, maxNames).map((id) => once(id, () => lookUpChannel(self, id))),
        ...(unknown.groups.length === 0 ? [] : [once("groups", lookUpGroups)]),
        ...unknown.stubs.slice(0, maxFiles).map((id) => once(id, () => lookUpFile(id))),
      ];
      if (work.length > 0) await withTimeout(Promise.allSettled(work), withinMs, clock);
      return known;
    },
  };
}

/** Nearly every message holds nothing to look up, and is not searched any further. */
function searchable({ text = "", blocks, attachments }: Looked): string {
  const json = JSON.stringify([blocks ?? [], attachments ?? []]);
  const unquoted = text === "" ? "" : `${text}\n`;
  return json === "[[],[]]" ? unquoted : unquoted + json;
}

function stubsOf(messages: readonly Looked[]): readonly string[] {
  return messages
    .flatMap(({ files = [], attachments }) => {
      const cards = rawList(attachments).slice(0, maxFilesInCards);
      const ofCards = cards.flatMap((card) => (isRaw(card) ? readFiles(rawList(card["files"])) : []));
      return [...files, ...ofCards];
    })
    .flatMap((file) => (isStub(file) ? [file.id] : []));
}
