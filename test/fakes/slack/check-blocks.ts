/**
 * Slack's answer to blocks and views: its error code and the reasons, for messages, modals and the Home tab. Written
 * from Slack's documentation and not from the adapter, so that it doesn't share the adapter's mistakes.
 */
import { checkOptions } from "./blocks/elements.ts";
import { judgeBlocks, modernKinds, type Verdict } from "./blocks/judge.ts";
import { checkPlain, createNotes, isObject } from "./blocks/notes.ts";

export { hasRichText } from "./blocks/markdown.ts";
export { pings } from "./blocks/pings.ts";

export type BlockProfile = "modern" | "classic";

/** Kinds of blocks that a workspace refuses. */
export const refusedBy: Readonly<Record<BlockProfile, readonly string[]>> = { modern: [], classic: modernKinds };

/** Slack's error code, or undefined when it takes the blocks. */
export function checkMessageBlocks(blocks: unknown, profile: BlockProfile): string | undefined {
  return judgeMessage(blocks, refusedBy[profile]).error;
}

export function judgeMessage(blocks: unknown, refuses: readonly string[] = []): Verdict {
  return judgeBlocks(blocks, "message", refuses);
}

export function checkView(view: unknown, readsFiles = true): string | undefined {
  return judgeModal(view, readsFiles).error;
}

/** `readsFiles`: the app has the scope that a file field needs. */
export function judgeModal(view: unknown, readsFiles: boolean): Verdict {
  const { messages, note } = createNotes();
  if (!isObject(view) || view["type"] !== "modal") {
    return { error: "invalid_arguments", messages: ["[ERROR] must be a modal [json-pointer:/view]"] };
  }
  const blocks = Array.isArray(view["blocks"]) ? view["blocks"] : [];
  const hasInputs = blocks.some((block) => isObject(block) && block["type"] === "input");
  checkPlain(view["title"], "/view/title", 24, note);
  if (hasInputs || view["submit"] !== undefined) checkPlain(view["submit"], "/view/submit", 24, note);
  if (view["close"] !== undefined) checkPlain(view["close"], "/view/close", 24, note);
  blocks.forEach((block, index) => {
    const type = block?.element?.type;
    if (type === "file_input" && !readsFiles) note(`/view/blocks/${index}/element`, "needs the scope files:read");
  });
  return judgeView(view, "modal", messages);
}

/** The Home tab has neither title nor submit button, and no inputs here. */
export function judgeHome(view: unknown, refuses: readonly string[] = []): Verdict {
  const { messages, note } = createNotes();
  if (!isObject(view) || view["type"] !== "home") {
    return { error: "invalid_arguments", messages: ["[ERROR] must be a home tab [json-pointer:/view]"] };
  }
  for (const name of ["title", "submit", "close"]) {
    if (view[name] !== undefined) note("/view", `invalid additional property: ${name}`);
  }
  return judgeView(view, "home", messages, refuses);
}

function judgeView(
  view: Readonly<Record<string, unknown>>,
  surface: "modal" | "home",
  before: readonly string[],
  refuses: readonly string[] = [],
): Verdict {
  const { messages, note } = createNotes();
  if (String(view["private_metadata"] ?? "").length > 3_000) {
    note("/view/private_metadata", "must be less than 3001 characters");
  }
  const all = [...before, ...messages, ...judgeBlocks(view["blocks"], surface, refuses, "/view/blocks").messages];
  if (all.length > 0) return { error: "invalid_arguments", messages: all };
  return Buffer.byteLength(JSON.stringify(view)) > 250 * 1024
    ? { error: "view_too_large", messages: [] }
    : { messages: [] };
}

export function areOptions(options: unknown): boolean {
  const { messages, note } = createNotes();
  checkOptions(options, "/options", 100, note);
  return messages.length === 0;
}
