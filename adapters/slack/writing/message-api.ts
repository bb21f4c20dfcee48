/**
 * Calls Slack's API to post, edit and delete one message, with the blocks that its workspace accepts.
 * Only a try shows what a workspace accepts. A message whose blocks are refused is sent once more in its plainest form.
 * Slack's validator then says of each kind in question whether the workspace refuses it, for a day, or the content was
 * at fault.
 */

import { webApi } from "@slack/bolt";
import { LRUCache } from "lru-cache";
import type { AdapterMetrics } from "../../../src/core/metrics.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import { byClock, upTo } from "../../../src/core/tools/cache-time.ts";
import type { WebClient } from "../connection/clients.ts";
import type { SlackPayload } from "../drawing/render.ts";
import {
  type ChosenBlock,
  chosenBlocks,
  type NewerKind,
  newerKinds,
  plainBlocks,
  type SlackBlock,
} from "../drawing/slots.ts";
import { threadTs } from "../ids.ts";
import { slackCode } from "./api-errors.ts";
import { examineKind } from "./block-samples.ts";
import { type Refusals, rememberedMs } from "./refusals.ts";

type Metadata = { readonly event_type: string; readonly event_payload: Record<string, string | number> };

/** A preview would fetch a URL that an agent wrote, which could leak data. */
export const withoutPreviews = { unfurl_links: false, unfurl_media: false } as const;

export type MessageApi = ReturnType<typeof createMessageApi>;

export type Posted = {
  readonly channel?: string;
  readonly ts?: string;
  /** As Slack stored it. */
  readonly message?: { readonly thread_ts?: string };
};

/** The validator may not know what a workspace has: so many refused messages outweigh it, if none got through for a day. */
const maxDoubts = 3;
const maxRemembered = 1_000;
const blockRefusals: readonly (string | undefined)[] = ["invalid_blocks", "invalid_blocks_format"];

export function createMessageApi(options: {
  /** For the validator. */
  readonly client: WebClient;
  readonly refusals: Refusals;
  /** The app's scopes; undefined while Slack has not listed them. */
  readonly granted: () => readonly string[] | undefined;
  readonly metrics?: AdapterMetrics | undefined;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { refusals, granted, metrics, clock, log } = options;
  /** Refused messages with a kind that the validator accepts, by workspace and kind, since one was accepted. */
  const doubts = new LRUCache<string, number>(upTo(maxRemembered));
  /** With which a message got through, by workspace and kind: what is refused then is its content. */
  const accepted = new LRUCache<string, true>({ ...upTo(maxRemembered), ttl: rememberedMs, ...byClock(clock) });

  /** Never rejects. */
  async function blame(workspace: string, kinds: readonly NewerKind[], says: string): Promise<void> {
    for (const kind of kinds) {
      const key = `${workspace}/${kind}`;
      const count = (doubts.get(key) ?? 0) + 1;
      doubts.set(key, count);
      const isOver = count >= maxDoubts;
      // Then the validator is asked anew at the next one.
      if (isOver) doubts.delete(key);
      const isOutweighed = isOver && !accepted.has(key);
      const isAccepted = !isOutweighed && (count > 1 || (await examineKind(options.client, kind)) === "accepted");
      if (!isAccepted) {
        doubts.delete(key);
        refusals.remember(workspace, refusedName(kind), says);
        metrics?.onBlocksRefused(kind);
      } else if (count === 1) {
        log.warn({ workspace, kind, says }, "Slack refused the content of a message, not its kind of block");
      }
    }
  }

  /** Calls `write` with the blocks to send, and once more with the plainest ones if Slack refuses these. */
  async function send<T>(
    workspace: string,
    { slots }: Pick<SlackPayload, "slots">,
    write: (blocks: SlackBlock[]) => Promise<T>,
  ): Promise<T> {
    const names = await refusals.of(workspace);
    const sent = chosenBlocks(slots, new Set(newerKinds.filter((kind) => names.has(refusedName(kind)))));
    const kinds = kindsOf(sent);
    try {
      const written = await write(sent.map(({ block }) => block));
      for (const kind of kinds) {
        doubts.delete(`${workspace}/${kind}`);
        accepted.set(`${workspace}/${kind}`, true);
      }
      return written;
    } catch (thrown) {
      if (!isBlockRefusal(thrown) || kinds.length === 0) throw thrown;
      const says = reasonsOf(thrown);
      let isContent = false;
      try {
        return await write([...plainBlocks(slots)]);
      } catch (again) {
        isContent = isBlockRefusal(again);
        throw again;
      } finally {
        if (!isContent) void blame(workspace, blamedIn(sent, says), says[0] ?? "no reason");
      }
    }
  }

  const post = (
    client: WebClient,
    place: Place,
    payload: SlackPayload,
    metadata: Metadata | undefined,
    username: string | undefined,
  ): Promise<Posted> =>
    send(place.workspace, payload, (blocks) =>
      client.chat.postMessage({
        channel: place.channel,
        text: payload.text,
        blocks,
        ...withoutPreviews,
        thread_ts: threadTs(place),
        metadata,
        username,
      }),
    );

  const namesAuthors = () => granted()?.includes("chat:write.customize") === true;

  return {
    namesAuthors,
    /** For the other ways to say something: a response_url, an ephemeral message. */
    send,
    /** An update can't change the author's name, so only a post has it. */
    post: async (client: WebClient, place: Place, payload: SlackPayload, metadata?: Metadata): Promise<Posted> => {
      const username = namesAuthors() ? payload.username : undefined;
      try {
        return await post(client, place, payload, metadata, username);
      } catch (thrown) {
        // The scope was taken away since Slack listed it.
        if (username === undefined || slackCode(thrown) !== "missing_scope") throw thrown;
        return post(client, place, payload, metadata, undefined);
      }
    },
    update: async (
      client: WebClient,
      { channel, workspace }: Place,
      ts: string,
      payload: SlackPayload,
    ): Promise<void> => {
      await send(workspace, payload, (blocks) => client.chat.update({ channel, ts, text: payload.text, blocks }));
    },
    /** Succeeds if the message is gone already. */
    remove: async (client: WebClient, channel: string, ts: string): Promise<void> => {
      try {
        await client.chat.delete({ channel, ts });
      } catch (thrown) {
        if (slackCode(thrown) !== "message_not_found") throw thrown;
      }
    },
  };
}

function refusedName(kind: NewerKind): string {
  return `blocks/${kind}`;
}

function isBlockRefusal(thrown: unknown): boolean {
  return blockRefusals.includes(slackCode(thrown));
}

function kindsOf(chosen: readonly ChosenBlock[]): readonly NewerKind[] {
  const needs = new Set(chosen.flatMap((one) => one.needs));
  return newerKinds.filter((kind) => needs.has(kind));
}

/** The kinds of the blocks that Slack names; if it names none, the newest kinds of the message. */
function blamedIn(sent: readonly ChosenBlock[], says: readonly string[]): readonly NewerKind[] {
  const named = says.flatMap((reason) => sent[Number(/json-pointer:\/blocks\/(\d{1,3})\b/.exec(reason)?.[1])] ?? []);
  const blamed = kindsOf(named);
  if (blamed.length > 0) return blamed;
  const all = kindsOf(sent);
  const newest = all.filter((kind) => newerKinds.indexOf(kind) < newerKinds.indexOf("plan"));
  return newest.length > 0 ? newest : all;
}

/** Slack's own words, each with a pointer to what it refuses. */
function reasonsOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof webApi.WebAPIPlatformError)) return [];
  return thrown.data.response_metadata?.messages ?? [];
}
