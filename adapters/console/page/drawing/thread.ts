/**
 * Draws the open conversation: messages in order, private notes below what they refer to, unsent messages last.
 * Elements keep their key and are updated in place, so that a running answer never jumps.
 */
import type { Action } from "../../../../src/core/document.ts";
import type { ReadMessage } from "../../conversations/conversation-routes.ts";
import type { Thread } from "../../conversations/thread-key.ts";
import type { Me } from "../../people/routes.ts";
import type { AttachedFile } from "../../writing/messages.ts";
import { at } from "../connection/address.ts";
import type { OutboxEntry } from "../connection/outbox.ts";
import type { Upload } from "../connection/upload.ts";
import type { ShownNote } from "../conversations/kept-notes.ts";
import { saysOf } from "../input/basket.ts";
import { sizeText } from "../input/file-limits.ts";
import { authorName, isMine } from "../people/me.ts";
import { type State, threadKey } from "../state.ts";
import type { PictureOf } from "./chart.ts";
import { element, icon, plain, type Shape } from "./element.ts";
import { drawByline, updatePayload } from "./message.ts";
import { markVote } from "./vote.ts";

const longQuestionChars = 2_000;

type Asked = Extract<ReadMessage, { readonly author: "you" }>;
type Answered = Extract<ReadMessage, { readonly author: "parley" }>;
type SharedFile = Extract<ReadMessage, { readonly author: "parley-file" }>;

/** A person's message as it is drawn, whether the server has it or not. */
type Question = Thread & {
  readonly id: string;
  readonly text: string;
  readonly atMs: number;
  readonly files?: readonly AttachedFile[];
  readonly uploads?: readonly Upload[];
};

type Status = OutboxEntry["status"];

/** What is shown, in order. */
type Item =
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: ReadMessage;
      /** Stored by the server, but not accepted. */
      readonly status: Status | undefined;
      readonly isLastOwn: boolean;
      readonly hasSteps: boolean;
    }
  | { readonly kind: "note"; readonly key: string; readonly note: ShownNote }
  | { readonly kind: "pending"; readonly key: string; readonly entry: OutboxEntry };

/** The private note with an answer's steps. */
export const stepsNoteId = (messageId: string): string => `${messageId}.steps`;

function drawQuestionText(text: string): HTMLElement[] {
  const box = element("div.question-text", { dir: "auto" }, plain(text));
  if (text.length <= longQuestionChars) return [box];
  box.classList.add("is-folded");
  const more: HTMLButtonElement = element(
    "button.action.is-plain",
    {
      type: "button",
      "aria-expanded": "false",
      click: () => {
        const isFolded = box.classList.toggle("is-folded");
        more.setAttribute("aria-expanded", String(!isFolded));
        more.textContent = isFolded ? "Show more" : "Show less";
      },
    },
    "Show more",
  );
  return [box, more];
}

/** The revision keeps the browser from showing the picture of an earlier answer. */
function pictureUrl(
  { channel, thread, id, revision }: Answered,
  number: number,
  look: Parameters<PictureOf>[1],
): string {
  const path = [channel, thread, id, String(number)].map(encodeURIComponent).join("/");
  return at(`api/charts/${path}?${new URLSearchParams({ ...look, revision: String(revision) })}`);
}

function drawTool(name: string, whose: string, shape: Shape, click: () => void): HTMLElement {
  const look = { class: `icon-button is-${name.toLowerCase()}`, title: name };
  return element("button", { type: "button", ...look, "aria-label": `${name} ${whose} question`, click }, icon(shape));
}

/** The files of a question: each is a download once the question is sent. */
function drawAttached({ channel, thread, id, files, uploads = [] }: Question): HTMLElement | undefined {
  if (files === undefined && uploads.length === 0) return undefined;
  const sent = (files ?? []).map((file) => {
    const path = [channel, thread, id, file.id].map(encodeURIComponent).join("/");
    const inside = [icon("file"), element("span.file-name", { dir: "auto" }, plain(file.name))];
    const size = element("span.soft", {}, sizeText(file.sizeBytes));
    return element("a.file", { href: at(`api/uploads/${path}`), download: plain(file.name) }, ...inside, size);
  });
  const unsent = uploads.map((upload) =>
    element(
      "span.file",
      {},
      icon("file"),
      element("span.file-name", { dir: "auto" }, plain(upload.name)),
      element("span.soft", {}, saysOf(upload)),
    ),
  );
  return element("ul.files", { role: "list" }, ...[...sent, ...unsent].map((file) => element("li", {}, file)));
}

const names = {
  you: "Your question",
  parley: "Parley’s answer",
  "parley-file": "File from Parley",
  note: "Private answer",
};

/** Below a question that the server doesn't have yet. */
function sendingText(status: Status | undefined, uploads: readonly Upload[] = []): string | undefined {
  if (uploads.some(({ state }) => state === "waiting")) return "Not sent yet, retrying";
  if (status === "sending" && uploads.some(({ state }) => state === "uploading")) return "Sending with its files…";
  if (status === undefined) return undefined;
  return status === "waiting" ? "Not sent yet, retrying" : "Sending…";
}

function itemsOf(state: State, me: Me): readonly Item[] {
  const at = state.current;
  const key = threadKey(at);
  const messages = [...(state.threads.get(key)?.values() ?? [])].map(({ message }) => message);
  messages.sort((a, b) => (a.order < b.order ? -1 : 1));
  const notes = [...(state.notes.get(key)?.values() ?? [])];
  const noteItem = (note: ShownNote): Item => ({ kind: "note", key: `note-${note.id}`, note });
  const anchored = (id: string) => notes.filter((note) => note.anchor === id).map(noteItem);
  const ids = new Set(messages.map((message) => message.id));
  const loose = notes.filter((note) => note.anchor === undefined || !ids.has(note.anchor));
  const looseAfter = (order: string) => loose.filter((note) => note.after === order).map(noteItem);

  const items: Item[] = [...looseAfter("")];
  // One's own last question can be edited, and the last one deleted by people who manage.
  const questions = messages.filter((message) => message.author === "you");
  const last: (ReadMessage | undefined)[] = [questions.at(-1), questions.findLast((message) => isMine(me, message))];
  for (const message of messages) {
    // Stored by the server, but not accepted: the bridge could not journal it, so it is retried.
    const status = state.pending.get(message.id)?.status === "waiting" ? "waiting" : undefined;
    const hasSteps = notes.some(({ id, payload }) => id === stepsNoteId(message.id) && payload !== undefined);
    const isLastOwn = last.includes(message);
    items.push({ kind: "message", key: `message-${message.id}`, message, status, isLastOwn, hasSteps });
    items.push(...anchored(message.id), ...looseAfter(message.order));
  }
  const placed = new Set(items.map((item) => item.key));
  items.push(...loose.map(noteItem).filter((item) => !placed.has(item.key)));
  for (const entry of state.pending.values()) {
    const isHere = threadKey(entry) === key && !ids.has(entry.id);
    if (isHere) items.push({ kind: "pending", key: `message-${entry.id}`, entry });
  }
  return items;
}

export function createThread({
  box,
  me,
  actions,
  onResult,
  onNote,
}: {
  readonly box: HTMLElement;
  readonly me: Me;
  readonly actions: {
    readonly press: (about: Answered | ShownNote, action: Action, button: HTMLButtonElement) => unknown;
    readonly edit: (question: Asked) => void;
    readonly remove: (question: Asked) => void;
    readonly undoSend: (entry: OutboxEntry) => void;
    readonly dropNote: (note: ShownNote) => void;
  };
  /** Something new can be read. */
  readonly onResult: (node: HTMLElement) => void;
  readonly onNote: (node: HTMLElement) => void;
}) {
  const elements = new Map<string, HTMLElement>();
  let shownKey: string | undefined;

  /** A person's message: one's own, or someone else's. `stored`: as the server has it; what it hasn't was typed here. */
  function drawQuestion(
    node: HTMLElement,
    message: Question,
    {
      stored,
      entry,
      isLastOwn = false,
      status,
    }: {
      readonly stored?: Asked;
      readonly entry?: OutboxEntry;
      readonly isLastOwn?: boolean;
      readonly status: Status | undefined;
    },
  ): void {
    const { text, atMs } = message;
    const isEdited = stored?.isEdited === true;
    const progress = message.uploads?.map(saysOf);
    const key = JSON.stringify([text, isEdited, isLastOwn, status, stored?.by, progress]);
    if (node.dataset["key"] === key) return;
    node.dataset["key"] = key;
    node.classList.toggle("is-pending", status !== undefined);
    const isYours = stored === undefined || isMine(me, stored);
    const name = isYours ? "You" : plain(authorName(me, stored));
    const whose = isYours ? "your" : `${name}’s`;
    node.classList.toggle("is-own", isYours);
    const mayDelete = isYours || me.role === "manage";
    const tools =
      stored !== undefined && isLastOwn && status === undefined && mayDelete
        ? element(
            "span.tools",
            {},
            isYours ? drawTool("Edit", whose, "pen", () => actions.edit(stored)) : undefined,
            drawTool("Delete", whose, "bin", () => actions.remove(stored)),
          )
        : undefined;
    const isLabel = !isYours && !stored.by.isVerified && stored.by.id !== "you";
    const unverified = isLabel
      ? element("span.unverified", { title: "The author typed this name. It isn’t verified." }, "unverified")
      : undefined;
    node.setAttribute("aria-label", isYours ? "Your question" : `${name}’s question`);
    const says = sendingText(status, message.uploads);
    node.replaceChildren(
      drawByline(name, atMs, unverified, isEdited ? element("span", {}, "edited") : undefined, tools),
      ...(text.trim() === "" ? [] : drawQuestionText(text)),
      drawAttached(message) ?? "",
      ...(says === undefined
        ? []
        : [
            element(
              "p.sending",
              { role: "status" },
              says,
              says !== "Sending…" && entry !== undefined
                ? element(
                    "button.action.is-plain",
                    { type: "button", click: () => actions.undoSend(entry) },
                    "Undo send",
                  )
                : undefined,
            ),
          ]),
    );
  }

  function drawFile(node: HTMLElement, { file, atMs }: SharedFile): void {
    if (node.childElementCount > 0) return;
    node.append(
      drawByline("Parley", atMs),
      element(
        "a.file",
        { href: at(`files/${encodeURIComponent(file.id)}`), download: file.name },
        icon("file"),
        element("span", {}, file.name),
        element("span.soft", {}, sizeText(file.sizeBytes)),
      ),
    );
  }

  function drawNote(node: HTMLElement, note: ShownNote): void {
    if (note.command !== undefined && node.querySelector(".command") === null) {
      node.prepend(element("p.command", {}, element("code", {}, plain(note.command))));
    }
    if (note.payload === undefined) return;
    const isPrivate =
      node.querySelector(".private") ??
      element(
        "div.private",
        {},
        icon("lock"),
        element("span", {}, "Only you can see this"),
        element("button.action.is-plain", { type: "button", click: () => actions.dropNote(note) }, "Hide"),
      );
    updatePayload(node, note.payload, {
      press: (action, button) => actions.press(note, action, button),
      onNews: () => onNote(node),
    });
    node.append(isPrivate);
  }

  function make(item: Item): HTMLElement {
    const author = item.kind === "pending" ? "you" : item.kind === "message" ? item.message.author : "note";
    const { id } = item.kind === "pending" ? item.entry : item.kind === "message" ? item.message : item.note;
    const look = { class: `message is-${author}`, "aria-label": names[author], tabindex: -1, "data-id": id };
    return element("article", look);
  }

  function update(node: HTMLElement, item: Item) {
    if (item.kind === "note") return drawNote(node, item.note);
    if (item.kind === "pending") {
      return drawQuestion(node, item.entry, { entry: item.entry, status: item.entry.status });
    }
    const { message, isLastOwn, status } = item;
    if (message.author === "you") return drawQuestion(node, message, { stored: message, isLastOwn, status });
    if (message.author === "parley-file") return drawFile(node, message);
    if (node.querySelector(".byline") === null) node.append(drawByline("Parley", message.atMs));
    // The agent is known once the question is asked.
    const who = node.querySelector(".byline > .who");
    if (who !== null) who.textContent = message.payload.byline ?? "Parley";
    const isResult = updatePayload(node, message.payload, {
      press: (action, button) => actions.press(message, action, button),
      pictureOf: (number, look) => pictureUrl(message, number, look),
    });
    if (isResult) onResult(node);
    markVote(node, message.vote);
    const steps = node.querySelector('[data-action="steps"]');
    const label = message.payload.actions.find(({ id }) => id === "steps")?.label;
    if (steps !== null) steps.textContent = item.hasSteps ? "Hide steps" : (label ?? "");
    steps?.setAttribute("aria-expanded", String(item.hasSteps));
  }

  return {
    /** Returns whether it now shows another thread. */
    show: (state: State) => {
      const key = threadKey(state.current);
      const isOther = key !== shownKey;
      if (isOther) {
        elements.clear();
        box.replaceChildren();
        shownKey = key;
      }
      const items = itemsOf(state, me);
      const keys = new Set(items.map((item) => item.key));
      for (const [known, node] of elements) {
        if (keys.has(known)) continue;
        node.remove();
        elements.delete(known);
      }
      items.forEach((item, index) => {
        const node = elements.get(item.key) ?? make(item);
        elements.set(item.key, node);
        update(node, item);
        if (box.children[index] !== node) box.insertBefore(node, box.children[index] ?? null);
      });
      return isOther;
    },
    isEmpty: () => elements.size === 0,
  };
}
