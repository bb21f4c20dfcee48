/**
 * Draws the open conversation: messages in order, private notes below what they refer to, unsent messages last.
 * Elements keep their key and are updated in place, so that a running answer never jumps.
 */
import { at } from "../connection/address.js";
import { saysOf } from "../input/basket.js";
import { sizeText } from "../input/file-limits.js";
import { authorName, isMine } from "../people/me.js";
import { threadKey } from "../state.js";
import { element, icon, plain } from "./element.js";
import { drawByline, updatePayload } from "./message.js";
import { markVote } from "./vote.js";

const longQuestionChars = 2_000;

/** The private note with an answer's steps. */
export const stepsNoteId = (messageId) => `${messageId}.steps`;

function drawQuestionText(text) {
  const box = element("div.question-text", { dir: "auto" }, plain(text));
  if (text.length <= longQuestionChars) return [box];
  box.classList.add("is-folded");
  const more = element(
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
function pictureUrl({ channel, thread, id, revision }, number, look) {
  const path = [channel, thread, id, number].map(encodeURIComponent).join("/");
  return at(`api/charts/${path}?${new URLSearchParams({ ...look, revision })}`);
}

function drawTool(name, whose, shape, click) {
  const properties = { type: "button", "aria-label": `${name} ${whose} question`, title: name, click };
  return element(`button.icon-button.is-${name.toLowerCase()}`, properties, icon(shape));
}

/** The files of a question: each is a download once the question is sent. */
function drawAttached({ channel, thread, id, files, uploads = [] }) {
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

/** Below a question that the server doesn't have yet. */
function sendingText(status, uploads = []) {
  if (uploads.some(({ state }) => state === "waiting")) return "Not sent yet, retrying";
  if (status === "sending" && uploads.some(({ state }) => state === "uploading")) return "Sending with its files…";
  return { sending: "Sending…", sent: "Sending…", waiting: "Not sent yet, retrying" }[status];
}

/** The items to show, in order: `{ kind, key }` with the message, note or unsent entry. */
function itemsOf(state) {
  const at = state.current;
  const key = threadKey(at);
  const messages = [...(state.threads.get(key)?.values() ?? [])].map(({ message }) => message);
  messages.sort((a, b) => (a.order < b.order ? -1 : 1));
  const notes = [...(state.notes.get(key)?.values() ?? [])];
  const noteItem = (note) => ({ kind: "note", key: `note-${note.id}`, note });
  const anchored = (id) => notes.filter((note) => note.anchor === id).map(noteItem);
  const ids = new Set(messages.map((message) => message.id));
  const loose = notes.filter((note) => note.anchor === undefined || !ids.has(note.anchor));
  const looseAfter = (order) => loose.filter((note) => note.after === order).map(noteItem);

  const items = [...looseAfter("")];
  // One's own last question can be edited, and the last one deleted by people who manage.
  const questions = messages.filter((message) => message.author === "you");
  const last = [questions.at(-1), questions.findLast((message) => isMine(state.me, message))];
  for (const message of messages) {
    // Stored by the server, but not accepted: the bridge could not journal it, so it is retried.
    const status = state.pending.get(message.id)?.status === "waiting" ? "waiting" : undefined;
    const hasSteps = notes.some(({ id, payload }) => id === stepsNoteId(message.id) && payload !== undefined);
    const isLastOwn = last.includes(message);
    items.push({ kind: "message", key: `message-${message.id}`, message, status, isLastOwn, hasSteps, me: state.me });
    items.push(...anchored(message.id), ...looseAfter(message.order));
  }
  const placed = new Set(items.map((item) => item.key));
  items.push(...loose.map(noteItem).filter((item) => !placed.has(item.key)));
  for (const entry of state.pending.values()) {
    const isHere = threadKey(entry) === key && !ids.has(entry.id);
    if (isHere) items.push({ kind: "pending", key: `message-${entry.id}`, entry, me: state.me });
  }
  return items;
}

/**
 * `actions`: press, edit, remove, undoSend, dropNote. `onResult` and `onNote` are called when something new can be
 * read.
 */
export function createThread({ box, actions, onResult, onNote }) {
  const elements = new Map();
  let shownKey;

  /** A person's message: one's own, or someone else's. */
  function drawQuestion(node, { text, atMs, isEdited, isLastOwn, status }, message, me) {
    const progress = message.uploads?.map(saysOf);
    const key = JSON.stringify([text, isEdited, isLastOwn, status, message.by, progress]);
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    node.classList.toggle("is-pending", status !== undefined);
    // What isn't stored yet was typed here.
    const isYours = message.order === undefined || isMine(me, message);
    const name = isYours ? "You" : plain(authorName(me, message));
    const whose = isYours ? "your" : `${name}’s`;
    node.classList.toggle("is-own", isYours);
    const mayDelete = isYours || me.role === "manage";
    const tools =
      isLastOwn && status === undefined && mayDelete
        ? element(
            "span.tools",
            {},
            isYours ? drawTool("Edit", whose, "pen", () => actions.edit(message)) : undefined,
            drawTool("Delete", whose, "bin", () => actions.remove(message)),
          )
        : undefined;
    const isLabel = !isYours && message.by.isVerified === false && message.by.id !== "you";
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
              says !== "Sending…" && message.order === undefined
                ? element(
                    "button.action.is-plain",
                    { type: "button", click: () => actions.undoSend(message) },
                    "Undo send",
                  )
                : undefined,
            ),
          ]),
    );
  }

  function drawFile(node, { file, atMs }) {
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

  function drawNote(node, note) {
    if (note.command !== undefined && node.querySelector(".command") === null) {
      node.prepend(element("p.command", {}, element("code", {}, plain(note.command))));
    }
    if (note.payload === undefined) return;
    if (node.querySelector(".private") === null) {
      node.append(
        element(
          "div.private",
          {},
          icon("lock"),
          element("span", {}, "Only you can see this"),
          element("button.action.is-plain", { type: "button", click: () => actions.dropNote(note) }, "Hide"),
        ),
      );
    }
    updatePayload(node, note.payload, {
      press: (action, button) => actions.press(note, action, button),
      onNews: () => onNote(node),
    });
    node.append(node.querySelector(".private"));
  }

  function make(item) {
    const author = item.kind === "pending" ? "you" : item.kind === "message" ? item.message.author : "note";
    const name = {
      you: "Your question",
      parley: "Parley’s answer",
      "parley-file": "File from Parley",
      note: "Private answer",
    }[author];
    return element(`article.message.is-${author}`, {
      "aria-label": name,
      tabindex: -1,
      "data-id": item.message?.id ?? item.entry?.id ?? item.note.id,
    });
  }

  function update(node, item) {
    if (item.kind === "note") return drawNote(node, item.note);
    if (item.kind === "pending") return drawQuestion(node, item.entry, item.entry, item.me);
    const { message } = item;
    if (message.author === "you")
      return drawQuestion(node, { ...message, isLastOwn: item.isLastOwn, status: item.status }, message, item.me);
    if (message.author === "parley-file") return drawFile(node, message);
    if (node.querySelector(".byline") === null) node.append(drawByline("Parley", message.atMs));
    // The agent is known once the question is asked.
    node.querySelector(".byline > .who").textContent = message.payload.byline ?? "Parley";
    const isResult = updatePayload(node, message.payload, {
      press: (action, button) => actions.press(message, action, button),
      pictureOf: (number, look) => pictureUrl(message, number, look),
    });
    if (isResult) onResult(node, message);
    markVote(node, message.vote);
    const steps = node.querySelector('[data-action="steps"]');
    const label = message.payload.actions.find(({ id }) => id === "steps")?.label;
    if (steps !== null) steps.textContent = item.hasSteps ? "Hide steps" : label;
    steps?.setAttribute("aria-expanded", String(item.hasSteps));
  }

  return {
    /** Returns whether it now shows another thread. */
    show: (state) => {
      const key = threadKey(state.current);
      const isOther = key !== shownKey;
      if (isOther) {
        elements.clear();
        box.replaceChildren();
        shownKey = key;
      }
      const items = itemsOf(state);
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
