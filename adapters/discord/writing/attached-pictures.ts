/**
 * Sends messages with the pictures of their charts. Where a picture can't be attached or isn't ready, the table is sent.
 */

import { ComponentType } from "@discordjs/core";
import { LRUCache } from "lru-cache";
import type { Chart, ChartPictures } from "../../../src/core/model/chart.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import type { Call } from "../connection/clients.ts";
import { pictureName, pictureWords } from "../drawing/chart.ts";
import { type DiscordPayload, readCustomId } from "../drawing/render.ts";
import { readFiles } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";
import { discordCode, toPlatformError } from "./api-errors.ts";

/** One way to show a payload. Every write names its attachments, so that an edit leaves no old picture behind. */
export type Version = Pick<DiscordPayload, "components" | "notifies"> & {
  readonly attachments: readonly object[];
  readonly files?: Call["files"];
};

export type OnLess = (() => void) | undefined;

type Options = {
  /** Of the message to edit. */
  readonly messageId?: string;
  /** Parley lacks the permission to attach files there. */
  readonly isForbidden?: boolean;
  /** Called when the table was sent, but the picture can follow. */
  readonly onLess?: OnLess;
};

export type AttachedPictures = ReturnType<typeof createAttachedPictures>;

/** An answer is not held up for its picture: the child process needs about a second for the first one. */
const patienceMs = 300;
const maxRemembered = 1_000;

export function createAttachedPictures({ pictures, clock, log }: DiscordParts & { readonly pictures: ChartPictures }) {
  /** Attachments by message. An edit that keeps its picture uploads nothing. */
  const shown = new LRUCache<string, { readonly id: string; readonly name: string }>({ max: maxRemembered });

  const remember = (response: unknown, chart: Chart, onLess: OnLess) => {
    const message = readFiles(response);
    if (message === undefined) return;
    const name = pictureName(chart);
    const file = message.attachments.find(({ filename }) => filename === name);
    if (file !== undefined) shown.set(message.id, { id: file.id, name });
    // A post that was repeated: Discord returned the first one, which had no picture.
    else onLess?.();
  };

  /** Undefined if Discord refused it. */
  const tryToSend = async (
    send: (version: Version) => Promise<unknown>,
    version: Version,
    chart: Chart,
    onLess: OnLess,
  ): Promise<{ readonly response: unknown } | undefined> => {
    try {
      const response = await send(version);
      remember(response, chart, onLess);
      return { response };
    } catch (thrown) {
      const { code } = toPlatformError(thrown);
      if (code !== "payload_refused" && code !== "not_permitted" && code !== "platform_refused") throw thrown;
      log.info({ code: discordCode(thrown) }, "Discord refused the picture of a chart");
      return undefined;
    }
  };

  const draw = (chart: Chart): Promise<Buffer | undefined> => pictures.png(chart, "dark");

  return {
    /** Draws the picture of that payload, if it has one. Never rejects. */
    prepare: async ({ pictured }: DiscordPayload): Promise<boolean> =>
      pictured === undefined || (await draw(pictured.chart)) !== undefined,

    /** Sends the best version that Discord accepts; resolves with its response. */
    send: async (
      payload: DiscordPayload,
      send: (version: Version) => Promise<unknown>,
      { messageId, isForbidden = false, onLess }: Options = {},
    ): Promise<unknown> => {
      const { pictured, components, notifies } = payload;
      const table = { components, attachments: [], notifies };
      const known = messageId === undefined ? undefined : shown.get(messageId);
      if (pictured !== undefined && !isForbidden) {
        const { chart } = pictured;
        const picture = { ...table, components: pictured.components };
        if (known?.name === pictureName(chart)) {
          const kept = await tryToSend(send, { ...picture, attachments: [{ id: known.id }] }, chart, onLess);
          if (kept !== undefined) return kept.response;
        }
        const data = await withTimeout(draw(chart), patienceMs, clock);
        const sent = data && (await tryToSend(send, { ...picture, ...upload(chart, data) }, chart, onLess));
        if (sent !== undefined) return sent.response;
      }
      if (messageId !== undefined) shown.delete(messageId);
      // There is nothing to offer where no picture can be shown.
      if (pictured !== undefined && isForbidden) return send({ ...table, components: withoutChart(components) });
      const response = await send(table);
      if (pictured !== undefined) onLess?.();
      return response;
    },
  };
}

function upload(chart: Chart, data: Buffer): Pick<Version, "attachments" | "files"> {
  const name = pictureName(chart);
  const description = pictureWords(chart);
  return {
    attachments: [{ id: "0", filename: name, description: description === "" ? undefined : description }],
    files: [{ name, data, contentType: "image/png" }],
  };
}

/** Without the button that would show the chart. */
function withoutChart(components: DiscordPayload["components"]): DiscordPayload["components"] {
  return components.flatMap((component): DiscordPayload["components"] => {
    if (component.type !== ComponentType.ActionRow) return [component];
    const left = component.components.filter(
      (one) => !("custom_id" in one) || readCustomId(one.custom_id).action !== "chart",
    );
    return left.length === 0 ? [] : [{ ...component, components: left }];
  });
}
