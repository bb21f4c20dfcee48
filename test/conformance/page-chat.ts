/**
 * Talks to Parley as its own page does, without a browser: its requests, and all that its stream and its threads show.
 */
import { randomUUID } from "node:crypto";
import type { ConsoleMessage, ConsolePayload, PageEvent } from "../../adapters/console/writing/messages.ts";
import type { Action, Block } from "../../src/core/document.ts";

/** A first knowledge base or model can take long in a service that loads its parts when they are needed. */
const stepLimitMs = 60_000;
const pauseMs = 100;
/** A person may send 30 commands and presses at once, and then one every two seconds. */
const atOnce = 28;
const msPerCommand = 2_100;
const channel = "general";
const tab = "journey";

export type Chat = Awaited<ReturnType<typeof openChat>>;

export async function openChat(url: string, signal: AbortSignal) {
  const notes = new Map<string, ConsolePayload[]>();
  const stream = await fetch(`${url}/api/events?tab=${tab}`, { signal });
  void listen(stream, (event) => {
    if (event.type !== "note" || event.note.payload === undefined) return;
    notes.set(event.note.thread, [...(notes.get(event.note.thread) ?? []), event.note.payload]);
  }).catch(() => undefined);

  let allowed = atOnce;
  let allowedAtMs = performance.now();
  async function pace(): Promise<void> {
    const nowMs = performance.now();
    allowed = Math.min(atOnce, allowed + (nowMs - allowedAtMs) / msPerCommand) - 1;
    allowedAtMs = nowMs;
    if (allowed < 0) await new Promise((resolve) => setTimeout(resolve, -allowed * msPerCommand));
  }

  async function post(path: string, more: object): Promise<string> {
    await pace();
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: randomUUID(), tab, channel, ...more }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`);
    return (JSON.parse(text) as { readonly thread: string }).thread;
  }

  async function shownIn(thread: string): Promise<readonly ConsolePayload[]> {
    const response = await fetch(`${url}/api/conversations/${channel}/${thread}`);
    const { messages } = (await response.json()) as { readonly messages: readonly ConsoleMessage[] };
    const stored = messages.flatMap((message) => (message.author === "parley" ? [message.payload] : []));
    return [...stored, ...(notes.get(thread) ?? [])];
  }

  return {
    /** A question or a command; resolves with the thread that it opens. */
    send: (text: string) => post("/api/messages", { text }),
    /** `context`: what the form is about. */
    submit: (thread: string, formId: string, values: object, context = "") =>
      post("/api/forms", { thread, formId, values, context }),
    press: (thread: string, action: string, value: string) => post("/api/actions", { thread, action, value }),
    /** The first thing shown in the thread that is it. */
    until: async (thread: string, what: string, isIt: (shown: ConsolePayload) => boolean): Promise<ConsolePayload> => {
      const untilMs = performance.now() + stepLimitMs;
      for (;;) {
        const shown = await shownIn(thread);
        const found = shown.find(isIt);
        if (found !== undefined) return found;
        if (performance.now() > untilMs) {
          throw new Error(`${what} did not come; shown was: ${shown.map(textOf).join(" | ") || "nothing"}`);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
  };
}

async function listen(stream: Response, take: (event: PageEvent) => void): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const part of stream.body ?? []) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith('data: {"type"')) take(JSON.parse(line.slice(6)) as PageEvent);
  }
}

/** With everything unfolded. */
function blocksOf({ blocks }: ConsolePayload): readonly Block[] {
  return blocks.flatMap((block) =>
    block.kind === "fold"
      ? [
          ...block.blocks,
          { kind: "actions", layout: "row", actions: block.actions },
          { kind: "quiet", text: block.quiet },
        ]
      : [block],
  );
}

export function sourcesOf(shown: ConsolePayload) {
  return blocksOf(shown).flatMap((block) => (block.kind === "sources" ? block.sources : []));
}

/** What a person reads of it, in one line. */
export function textOf(shown: ConsolePayload): string {
  const inline = (text: readonly { readonly text: string }[]) => text.map((span) => span.text).join("");
  const lines = blocksOf(shown).flatMap((block) => {
    if (block.kind === "list") return block.items.map(({ text }) => inline(text));
    if (block.kind === "markdown") return [block.text];
    if (block.kind === "actions") return block.actions.map(({ label }) => `[${label}]`);
    if (block.kind === "sources")
      return block.sources.map(({ title, url, from }) => `[${title}] ${url ?? ""} ${from ?? ""}`);
    return "text" in block && typeof block.text !== "string" ? [inline(block.text)] : [];
  });
  return lines.join(" / ");
}

/** A button anywhere in it, by what stands on it or is read aloud for it. Throws when there is none. */
export function buttonOf(shown: ConsolePayload, id: string, label = ""): Action {
  const rows = blocksOf(shown).flatMap((block) => (block.kind === "actions" ? block.actions : []));
  const found = [...shown.actions, ...rows].find(
    (action) => action.id === id && (action.accessibleLabel ?? action.label).includes(label),
  );
  if (found === undefined) throw new Error(`no button ${id} ${label}: ${textOf(shown)}`);
  return found;
}
