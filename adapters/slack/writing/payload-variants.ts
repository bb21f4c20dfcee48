/**
 * Sends a payload's rich variant, or the plain one to workspaces that refuse rich blocks.
 * Only a try shows which variant a workspace accepts; the result is remembered for an hour.
 */
import type { SlackPayload } from "../drawing/render.ts";
import { chosenBlocks, plainBlocks, type SlackBlock } from "../drawing/slots.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode } from "./api-errors.ts";

export type PayloadVariants = ReturnType<typeof createPayloadVariants>;

/** Short, because one answer may contain something that Slack refuses in the rich variant only. */
const rememberedMs = 3_600_000;

export function createPayloadVariants({ keyValue, clock, log }: SlackParts) {
  /** Until when a workspace gets the plain variant, in ms since the epoch; 0 if it accepts the rich one. */
  const plainUntilMs = new Map<string, number>();
  const key = (workspace: string) => `${workspace}/blocks`;

  const remember = (workspace: string) => {
    const untilMs = clock.now() + rememberedMs;
    plainUntilMs.set(workspace, untilMs);
    void keyValue.set(key(workspace), String(untilMs), rememberedMs).catch(() => undefined);
    log.warn({ workspace }, "This Slack workspace refuses plan, markdown and table blocks; sending plain ones");
  };

  return {
    /** Calls `write` with the blocks to send, and once more with the plain ones if Slack refuses the rich ones. */
    send: async <T>(
      workspace: string,
      { slots }: Pick<SlackPayload, "slots">,
      write: (blocks: SlackBlock[]) => Promise<T>,
    ): Promise<T> => {
      let untilMs = plainUntilMs.get(workspace);
      if (untilMs === undefined) {
        untilMs = Number(await keyValue.get(key(workspace)).catch(() => undefined)) || 0;
        plainUntilMs.set(workspace, untilMs);
      }
      if (clock.now() < untilMs) return write([...plainBlocks(slots)]);
      try {
        return await write(chosenBlocks(slots, new Set()).map(({ block }) => block));
      } catch (thrown) {
        if (!["invalid_blocks", "invalid_blocks_format"].includes(slackCode(thrown) ?? "")) throw thrown;
      }
      try {
        const written = await write([...plainBlocks(slots)]);
        // Slack refused the variant, not the content.
        remember(workspace);
        return written;
      } catch (thrown) {
        // The plain variant is accepted, but can't replace a rich message: it has to be posted anew.
        if (slackCode(thrown) === "block_mismatch") remember(workspace);
        throw thrown;
      }
    },
  };
}
