/** Calls Slack's API to post, edit and delete one message, with the blocks that its workspace accepts. */
import type { Place } from "../../../src/core/model/place.ts";
import type { WebClient } from "../connection/clients.ts";
import type { SlackPayload } from "../drawing/render.ts";
import { threadTs } from "../ids.ts";
import type { AcceptedBlocks } from "./accepted-blocks.ts";
import { slackCode } from "./api-errors.ts";

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

export function createMessageApi(options: {
  readonly accepted: AcceptedBlocks;
  /** The app's scopes; undefined while Slack has not listed them. */
  readonly granted: () => readonly string[] | undefined;
}) {
  const { accepted, granted } = options;
  const post = (
    client: WebClient,
    place: Place,
    payload: SlackPayload,
    metadata: Metadata | undefined,
    username: string | undefined,
  ): Promise<Posted> =>
    accepted.send(place.workspace, payload, (blocks) =>
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
      await accepted.send(workspace, payload, (blocks) =>
        client.chat.update({ channel, ts, text: payload.text, blocks }),
      );
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
