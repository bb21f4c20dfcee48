/**
 * The answer of a run, out of its message items: the one with the highest output index. Words before a tool or before
 * a later message are reasoning. A delta costs one comparison and one concatenation; texts are compared at their end
 * only, and sent again only if they differ.
 */
import type { Source } from "../../core/model/turn.ts";
import { isObject } from "../../core/tools/parse-json.ts";
import type { Fields } from "../http/events.ts";
import { citedSource, maxSources, sourceKey } from "../openai/citations.ts";
import { thought } from "../thoughts/thoughts.ts";
import { endThought, type Message, orderOf, type Part, type Run } from "./run.ts";

/** Of answers that are sent again as a whole during a run, all together. Real ones need it once or twice. */
const maxResentChars = 8_000_000;

/** Parts beyond it count as one. Real messages have one. */
const maxParts = 100;

/** The next piece of an answer or of a refusal, if it belongs where the last one went. */
export function addToLast({ answer: { fast }, events }: Run, spot: Fields, delta: string): boolean {
  if (fast === undefined) return false;
  const { item_id: id, output_index: output, content_index: content } = fast.spot;
  const isSame =
    spot["output_index"] === output &&
    spot["content_index"] === content &&
    (output !== undefined || spot["item_id"] === id);
  if (!isSame) return false;
  fast.part.text += delta;
  events.push({ type: "answer-delta", text: delta });
  return true;
}

/** The same wherever it belongs. `spot`: says which item, and which part of it; any of its fields may be missing or wrong. */
export function addPiece(run: Run, spot: Fields, delta: string): void {
  const { answer } = run;
  let message = at(run, spot);
  if (message.isClosed) message = create(run, spot["item_id"], undefined);
  const content = contentIndex(spot);
  const isShown = show(run, message);
  const part = partOf(message, content);
  part.text += delta;
  answer.fast = undefined;
  if (!isShown) return;
  if (!isLastPart(message, content)) {
    answer.isStale = true;
    return;
  }
  run.events.push({ type: "answer-delta", text: delta });
  answer.fast = { part, spot };
}

/** A part is complete. An empty text says nothing: servers send it for parts they did stream. */
export function replacePart(run: Run, spot: Fields, text: string): void {
  if (text !== "") replace(run, at(run, spot), contentIndex(spot), text, false);
}

export function citeIn(run: Run, spot: Fields, annotations: unknown): void {
  const message = at(run, spot);
  for (const one of Array.isArray(annotations) ? annotations.slice(0, maxSources) : [annotations]) cite(message, one);
}

/** A message item begins. */
export function beginMessage(run: Run, { id }: Fields, index: unknown): void {
  if (typeof id !== "string" || !run.answer.byId.has(id)) create(run, id, index);
  run.answer.fast = undefined;
}

/** A message item is complete. An earlier one than the answer's is reasoning. */
export function finishMessage(run: Run, item: Fields, index: unknown): void {
  const message = find(run, item["id"], index) ?? create(run, item["id"], index);
  readItem(run, message, item, false);
  const { shown, latest } = run.answer;
  if (message !== shown && latest !== undefined && message.order < latest.order) sayOnce(run, message);
}

/** A tool began at that place. */
export function interrupt(run: Run, order: number): void {
  endThought(run);
  const { text, spot } = run.held;
  if (text !== "") {
    run.held = { text: "", spot: {} };
    addPiece(run, spot, text);
  }
  const { shown } = run.answer;
  if (shown === undefined || order <= shown.order) return;
  if (!shown.hasIndex && lengthOf(shown) > 0) shown.isClosed = true;
  hide(run);
}

/** The message items of the terminal event rule. The last one is the answer, whatever its id. */
export function readFinalMessages(run: Run, items: readonly (readonly [item: Fields, index: number])[]): void {
  const { byId, byIndex, latest } = run.answer;
  items.forEach(([item, index], position) => {
    const isLast = position === items.length - 1;
    const { id } = item;
    const known = typeof id === "string" ? byId.get(id) : undefined;
    const message = known ?? (isLast ? latest : byIndex.get(index));
    if (message !== undefined) readItem(run, message, item, true);
    else if (isLast) readItem(run, create(run, id, index), item, true);
  });
}

/** The answer that the events so far make; undefined while that isn't the text of one message. */
export function shownText({ answer: { isStale, shown } }: Run): string | undefined {
  if (isStale) return undefined;
  return shown === undefined ? "" : textIn(shown);
}

/** Texts of all messages, in their order of arrival. */
export function allTexts({ answer }: Run): readonly string[] {
  return answer.all.map(textIn);
}

/** The answer: the last message that has a text. */
export function finalAnswer({ answer }: Run): { readonly text: string; readonly sources: readonly Source[] } {
  const best = answer.all.reduce<Message | undefined>((last, message) => {
    if (lengthOf(message) === 0) return last;
    return last === undefined || message.order >= last.order ? message : last;
  }, undefined);
  return best === undefined ? { text: "", sources: [] } : { text: textIn(best), sources: [...best.sources.values()] };
}

/** The text of a content part; undefined for parts that hold none. */
export function partText(part: Fields): string | undefined {
  const text = part["type"] === "refusal" ? part["refusal"] : part["text"];
  return typeof text === "string" ? text : undefined;
}

function find({ answer: { byId, byIndex, latest } }: Run, id: unknown, index: unknown): Message | undefined {
  const known = typeof id === "string" ? byId.get(id) : undefined;
  if (known !== undefined) return known;
  if (typeof index === "number") return byIndex.get(index);
  return typeof id === "string" ? undefined : latest;
}

function create(run: Run, id: unknown, index: unknown): Message {
  const { answer } = run;
  const hasIndex = typeof index === "number";
  const order = orderOf(run, index);
  const message: Message = { order, hasIndex, parts: new Map(), sources: new Map(), isSaid: false, isClosed: false };
  answer.all.push(message);
  if (typeof id === "string") answer.byId.set(id, message);
  if (hasIndex) answer.byIndex.set(index, message);
  if (answer.latest === undefined || message.order >= answer.latest.order) answer.latest = message;
  return message;
}

function at(run: Run, { item_id: id, output_index: index }: Fields): Message {
  return find(run, id, index) ?? create(run, id, index);
}

/** Makes it the answer so far, unless a later message is. */
function show(run: Run, message: Message): boolean {
  const { answer } = run;
  if (answer.shown === message) return true;
  if (message !== answer.latest) return false;
  hide(run);
  answer.shown = message;
  if (lengthOf(message) > 0) tell(run, message);
  return true;
}

/** Sends the whole answer so far, unless too much was sent again already: then it is sent at the end. */
function tell({ answer, events }: Run, message: Message): void {
  answer.resentChars += lengthOf(message);
  answer.isStale = answer.resentChars > maxResentChars;
  if (!answer.isStale) events.push({ type: "answer", text: textIn(message) });
}

/** What was the answer so far is reasoning. */
function hide(run: Run): void {
  const { answer } = run;
  const hidden = answer.shown;
  answer.fast = undefined;
  answer.isStale = false;
  answer.shown = undefined;
  if (hidden === undefined || lengthOf(hidden) === 0) return;
  sayOnce(run, hidden);
  run.events.push({ type: "answer", text: "" });
}

function sayOnce({ events }: Run, message: Message): void {
  if (message.isSaid) return;
  message.isSaid = true;
  events.push(...thought(textIn(message)));
}

/** `isQuiet`: what changes is sent with the end of the run. */
function replace(run: Run, message: Message, content: number, text: string, isQuiet: boolean): void {
  if (text === "" || message.isClosed) return;
  const { answer } = run;
  const part = partOf(message, content);
  const before = part.text;
  if (before === text) return;
  const isShown = !isQuiet && show(run, message);
  part.text = text;
  if (isQuiet && message === answer.shown) answer.isStale = true;
  if (!isShown) return;
  answer.fast = undefined;
  if (!answer.isStale && isLastPart(message, content) && text.startsWith(before)) {
    run.events.push({ type: "answer-delta", text: text.slice(before.length) });
  } else tell(run, message);
}

function readItem(run: Run, message: Message, { content }: Fields, isQuiet: boolean): void {
  if (typeof content === "string") replace(run, message, 0, content, isQuiet);
  if (!Array.isArray(content)) return;
  content.forEach((part, index) => {
    if (!isObject(part)) return;
    const text = partText(part);
    if (text !== undefined) replace(run, message, index, text, isQuiet);
    const { annotations } = part;
    if (Array.isArray(annotations)) for (const one of annotations.slice(0, maxSources)) cite(message, one);
  });
}

function cite({ sources }: Message, annotation: unknown): void {
  const source = citedSource(annotation);
  if (source !== undefined && sources.size < maxSources) sources.set(sourceKey(source), source);
}

function partOf(message: Message, content: number): Part {
  let part = message.parts.get(content);
  if (part === undefined) {
    part = { text: "" };
    message.parts.set(content, part);
  }
  return part;
}

function textIn({ parts }: Message): string {
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

function contentIndex({ content_index: index }: Fields): number {
  return typeof index === "number" && index > 0 ? Math.min(Math.floor(index), maxParts) : 0;
}
