/** What Slack must accept of a drawn document: in every workspace, whatever kinds of blocks it refuses. */
import { expect } from "vitest";
import { render as renderSlots } from "../../../adapters/slack/drawing/render.ts";
import { chosenBlocks, type NewerKind, newerKinds, plainBlocks } from "../../../adapters/slack/drawing/slots.ts";
import type { Block, Document } from "../../../src/core/document.ts";
import { hasRichText, judgeMessage, pings } from "../../fakes/slack/check-blocks.ts";

export function document(...blocks: readonly Block[]): Document {
  return {
    tone: "done",
    blocks,
    actions: [{ id: "steps", label: "Show steps", value: "turn1", style: "plain" }],
    summary: "Answer ready.",
  };
}

/** What a workspace gets that accepts all kinds of blocks, or none of the newer ones. */
export function render(drawn: Document) {
  return renderSlots(drawn).map((payload) => ({
    ...payload,
    rich: chosenBlocks(payload.slots, new Set()).map(({ block }) => block),
    plain: plainBlocks(payload.slots),
  }));
}

/** Every string that stands in the message. */
export function shown(node: unknown): string {
  if (typeof node === "string") return node;
  if (typeof node !== "object" || node === null) return "";
  return Object.entries(node)
    .filter(([key]) => key === "text" || key === "title" || typeof node === "object")
    .map(([, value]) => shown(value))
    .join(" ");
}

/** Workspaces that refuse nothing, each newer kind alone, and all of them. */
export const refusals: readonly ReadonlySet<NewerKind>[] = [
  new Set(),
  ...newerKinds.map((kind) => new Set([kind])),
  new Set(newerKinds),
];

export function expectAccepted(drawn: Document): void {
  const payloads = renderSlots(drawn);
  expect(payloads.length).toBeGreaterThan(0);
  for (const { slots, text } of payloads) {
    for (const refused of refusals) {
      const chosen = chosenBlocks(slots, refused);
      const blocks = chosen.map(({ block }) => block);
      expect(judgeMessage(blocks, [...refused])).toEqual({ messages: [] });
      expect(chosen.flatMap(({ needs }) => needs).filter((kind) => refused.has(kind))).toEqual([]);
      expect(blocks.filter(({ type }) => refused.has(type as NewerKind))).toEqual([]);
      // Else Slack would refuse to put it in the place of one that has some.
      expect(hasRichText(blocks)).toBe(true);
      expect(pings(blocks)).toEqual([]);
    }
    expect(pings({ type: "mrkdwn", text })).toEqual([]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
    expect(text).not.toBe("");
  }
}
