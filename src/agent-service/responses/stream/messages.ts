/**
 * The answer of a run, out of its message items: the one with the highest output index. Words before a tool or before
 * a later message are reasoning. A delta costs one comparison and one concatenation; texts are compared at their end
 * only, and sent again only if they differ.
 */
import type { AgentEvent } from "../../../core/model/agent-event.ts";
import type { Source } from "../../../core/model/turn.ts";
import { isObject } from "../../../core/tools/parse-json.ts";
import { citedSource, maxSources, sourceKey } from "../../openai/citations.ts";

/** Fields that say which item, and which part of it, an event is about. Any may be missing or wrong. */
export type Spot = Readonly<Record<string, unknown>>;

/** Gives each item without an output index the next place. */
export type Orders = { readonly of: (index: unknown) => number };

type Part = { text: string };

type Message = {
  readonly order: number;
  /** The server says where it stands among the items. */
  readonly hasIndex: boolean;
  readonly parts: Map<number, Part>;
  readonly sources: Map<string, Source>;
  /** Its text was handed on as reasoning. */
  isSaid: boolean;
  /** A tool began after it, so more text under its id is another message. */
  isClosed: boolean;
};

/** Of answers that are sent again as a whole during a run, all together. Real ones need it once or twice. */
const maxResentChars = 8_000_000;

export function createMessages(deps: {
  readonly emit: (event: AgentEvent) => void;
  readonly orders: Orders;
  readonly say: (text: string) => void;
  /** The first text after anything else. */
  readonly onText: () => void;
}) {
  const { emit, orders, say, onText } = deps;
  const all: Message[] = [];
  const byId = new Map<string, Message>();
  const byIndex = new Map<number, Message>();
  /** The message with the highest order so far. */
  let latest: Message | undefined;
  /** The message that the answer so far consists of, for readers of the events. */
  let shown: Message | undefined;
  /** The part that the last delta went to, at the end of the shown message. */
  let fast: Part | undefined;
  let fastId: unknown;
  let fastOutput: unknown;
  let fastContent: unknown;
  /** A piece came for a part before the last one: the answer is sent again when that part is complete. */
  let isStale = false;
  let resentChars = 0;

  function find(id: unknown, index: unknown): Message | undefined {
    const known = typeof id === "string" ? byId.get(id) : undefined;
    if (known !== undefined) return known;
    if (typeof index === "number") return byIndex.get(index);
    return typeof id === "string" ? undefined : latest;
  }

  function create(id: unknown, index: unknown): Message {
    const hasIndex = typeof index === "number";
    const order = orders.of(index);
    const message: Message = { order, hasIndex, parts: new Map(), sources: new Map(), isSaid: false, isClosed: false };
    all.push(message);
    if (typeof id === "string") byId.set(id, message);
    if (hasIndex) byIndex.set(index, message);
    if (latest === undefined || message.order >= latest.order) latest = message;
    return message;
  }

  function at(spot: Spot): Message {
    return find(spot["item_id"], spot["output_index"]) ?? create(spot["item_id"], spot["output_index"]);
  }

  /** Makes it the answer so far, unless a later message is. */
  function show(message: Message): boolean {
    if (shown === message) return true;
    if (message !== latest) return false;
    hide();
    shown = message;
    if (lengthOf(message) > 0) tell(message);
    return true;
  }

  /** Sends the whole answer so far, unless too much was sent again already: then it is sent at the end. */
  function tell(message: Message): void {
    resentChars += lengthOf(message);
    isStale = resentChars > maxResentChars;
    if (!isStale) emit({ type: "answer", text: textOf(message) });
  }

  /** What was the answer so far is reasoning. */
  function hide(): void {
    fast = undefined;
    isStale = false;
    const hidden = shown;
    shown = undefined;
    if (hidden === undefined || lengthOf(hidden) === 0) return;
    sayOnce(hidden);
    emit({ type: "answer", text: "" });
  }

  function sayOnce(message: Message): void {
    if (message.isSaid) return;
    message.isSaid = true;
    say(textOf(message));
  }

  function addSlowly(spot: Spot, delta: string): void {
    onText();
    let message = at(spot);
    if (message.isClosed) message = create(spot["item_id"], undefined);
    const content = contentIndex(spot);
    const isShown = show(message);
    const part = partOf(message, content);
    part.text += delta;
    fast = undefined;
    if (!isShown) return;
    if (!isLastPart(message, content)) {
      isStale = true;
      return;
    }
    emit({ type: "answer-delta", text: delta });
    fast = part;
    fastId = spot["item_id"];
    fastOutput = spot["output_index"];
    fastContent = spot["content_index"];
  }

  /** The text of a part is known whole. An empty text says nothing: servers send it for parts they did stream. */
  function replacePart(message: Message, content: number, text: string, isQuiet: boolean): void {
    if (text === "" || message.isClosed) return;
    const part = message.parts.get(content) ?? partOf(message, content);
    const before = part.text;
    if (before === text) return;
    const isShown = !isQuiet && show(message);
    part.text = text;
    if (isQuiet && message === shown) isStale = true;
    if (!isShown) return;
    fast = undefined;
    if (!isStale && isLastPart(message, content) && text.startsWith(before)) {
      emit({ type: "answer-delta", text: text.slice(before.length) });
      return;
    }
    tell(message);
  }

  function readItem(message: Message, item: Spot, isQuiet: boolean): void {
    const content = item["content"];
    if (typeof content === "string") replacePart(message, 0, content, isQuiet);
    if (!Array.isArray(content)) return;
    content.forEach((part, index) => {
      if (!isObject(part)) return;
      const text = partText(part);
      if (text !== undefined) replacePart(message, index, text, isQuiet);
      citeAll(message, part["annotations"]);
    });
  }

  function citeAll(message: Message, annotations: unknown): void {
    if (Array.isArray(annotations)) for (const one of annotations.slice(0, maxSources)) cite(message, one);
  }

  function cite(message: Message, annotation: unknown): void {
    const source = citedSource(annotation);
    if (source !== undefined && message.sources.size < maxSources) message.sources.set(sourceKey(source), source);
  }

  return {
    /** The next piece of an answer or of a refusal. */
    add: (spot: Spot, delta: string): void => {
      if (
        fast !== undefined &&
        spot["output_index"] === fastOutput &&
        spot["content_index"] === fastContent &&
        (fastOutput !== undefined || spot["item_id"] === fastId)
      ) {
        fast.text += delta;
        emit({ type: "answer-delta", text: delta });
      } else if (delta !== "") addSlowly(spot, delta);
    },
    /** A part is complete. */
    replace: (spot: Spot, text: string): void => {
      if (text !== "") replacePart(at(spot), contentIndex(spot), text, false);
    },
    cite: (spot: Spot, annotations: unknown): void => {
      const message = at(spot);
      if (Array.isArray(annotations)) citeAll(message, annotations);
      else cite(message, annotations);
    },
    /** A message item begins. */
    begin: (item: Spot, index: unknown): void => {
      const { id } = item;
      if (typeof id !== "string" || !byId.has(id)) create(id, index);
      fast = undefined;
    },
    /** A message item is complete. An earlier one than the answer's is reasoning. */
    finish: (item: Spot, index: unknown): void => {
      const message = find(item["id"], index) ?? create(item["id"], index);
      readItem(message, item, false);
      if (message !== shown && latest !== undefined && message.order < latest.order) sayOnce(message);
    },
    /** A tool began at that place. */
    interrupt: (order: number): void => {
      if (shown === undefined || order <= shown.order) return;
      if (!shown.hasIndex && lengthOf(shown) > 0) shown.isClosed = true;
      hide();
    },
    /** The answer that the events so far make; undefined while that isn't the text of one message. */
    shownText: () => (isStale ? undefined : shown === undefined ? "" : textOf(shown)),
    /** Texts of all messages, in their order of arrival. */
    texts: () => all.map(textOf),
    /** The message items of the terminal event rule. The last one is the answer, whatever its id. */
    readOutput: (items: readonly (readonly [item: Spot, index: number])[]): void => {
      items.forEach(([item, index], position) => {
        const isLast = position === items.length - 1;
        const { id } = item;
        const known = typeof id === "string" ? byId.get(id) : undefined;
        const message = known ?? (isLast ? latest : byIndex.get(index));
        if (message !== undefined) readItem(message, item, true);
        else if (isLast) readItem(create(id, index), item, true);
      });
    },
    /** The answer: the last message that has a text. */
    final: (): { readonly text: string; readonly sources: readonly Source[] } => {
      const best = all.reduce<Message | undefined>((last, message) => {
        if (lengthOf(message) === 0) return last;
        return last === undefined || message.order >= last.order ? message : last;
      }, undefined);
      return best === undefined
        ? { text: "", sources: [] }
        : { text: textOf(best), sources: [...best.sources.values()] };
    },
  };
}

/** The text of a content part; undefined for parts that hold none. */
export function partText(part: Spot): string | undefined {
  const text = part["type"] === "refusal" ? part["refusal"] : part["text"];
  return typeof text === "string" ? text : undefined;
}

function partOf(message: Message, content: number): Part {
  let part = message.parts.get(content);
  if (part === undefined) {
    part = { text: "" };
    message.parts.set(content, part);
  }
  return part;
}

function textOf({ parts }: Message): string {
  if (parts.size === 1) for (const part of parts.values()) return part.text;
  const inOrder = [...parts].sort(([a], [b]) => a - b);
  return inOrder.map(([, part]) => part.text).join("");
}

/** Without joining its parts. */
function lengthOf({ parts }: Message): number {
  let length = 0;
  for (const part of parts.values()) length += part.text.length;
  return length;
}

function isLastPart({ parts }: Message, content: number): boolean {
  for (const index of parts.keys()) if (index > content) return false;
  return true;
}

/** Parts beyond it count as one. Real messages have one. */
const maxParts = 100;

function contentIndex({ content_index: index }: Spot): number {
  return typeof index === "number" && index > 0 ? Math.min(Math.floor(index), maxParts) : 0;
}
