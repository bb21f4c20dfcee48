/** Composes the page: URL -> current conversation, events -> state -> view, clicks -> requests. */
import { createActions } from "./connection/actions.js";
import { connect, request } from "./connection/connection.js";
import { createOutbox, isCommand } from "./connection/outbox.js";
import { element, icon, plain } from "./drawing/element.js";
import { createScrolling } from "./drawing/scrolling.js";
import { createSidebar, hrefOf } from "./drawing/sidebar.js";
import { createThread } from "./drawing/thread.js";
import { createCompletion } from "./input/completion.js";
import { createComposer } from "./input/composer.js";
import { createState, threadKey } from "./state.js";

const find = (id) => document.getElementById(id);
const store = createState();
const { state } = store;
const box = find("box");
let listLimit = 100;
let isFirst = true;

find("menu").append(icon("menu"));
find("send").append(icon("send"));
find("newest").prepend(icon("down"));

function announce(text) {
  find("announcer").textContent = text;
}

// Reading from the server.

async function readList() {
  const { status, body } = await request(
    "GET",
    `/api/conversations?limit=${listLimit}&channel=${encodeURIComponent(state.current.channel)}`,
  );
  if (status === 200) store.readList(body);
}

async function readThread(at) {
  if (at.thread === undefined) return;
  const since = store.arrivalsNow();
  const { status, body } = await request(
    "GET",
    `/api/conversations/${encodeURIComponent(at.channel)}/${encodeURIComponent(at.thread)}`,
  );
  if (status === 200) store.readThread({ channel: at.channel, thread: at.thread }, body.messages, since);
}

async function readCommands() {
  const { status, body } = await request("GET", "/api/commands");
  if (status !== 200) return;
  state.commands = body;
  // Someone may have started typing a command before the list arrived.
  if (document.activeElement === box) completion.update();
}

async function complete(completes, typed) {
  const query = new URLSearchParams({ completes, typed, channel: state.current.channel });
  const { status, body } = await request("GET", `/api/complete?${query}`);
  return status === 200 ? body : [];
}

// Sending to the server.

const { press, showForm, editQuestion, deleteQuestion } = createActions({ complete, announce });

const outbox = createOutbox({
  pending: state.pending,
  changed: store.changed,
  onSent: (entry) => {
    announce("Sent.");
    // A command isn't stored as a message: this line shows what the answer below it is about.
    const { id, channel, thread, text } = entry;
    if (isCommand(text)) store.putNote({ id, channel, thread, command: text.trim() });
  },
  onForm: showForm,
  onRefused: (entry, error) => giveBack(entry, `${error.what} ${error.hint}`),
});

/** Puts the text of an unsent message back into the box. */
function giveBack(entry, why) {
  if (entry.isNew && state.current.thread === entry.thread) location.hash = hrefOf({ channel: entry.channel });
  // After the URL has changed, and with it the conversation that the draft belongs to.
  setTimeout(() => composer.giveBack(entry.text, why));
}

function send(text) {
  const entry = outbox.send({ ...state.current, text });
  scrolling.follow();
  if (entry.isNew) location.hash = hrefOf(entry);
}

function askAnew(channel, text) {
  const entry = outbox.send({ channel, text });
  scrolling.follow();
  location.hash = hrefOf(entry);
}

// Drawing.

const scrolling = createScrolling({ scroller: find("scroller"), content: find("thread"), newest: find("newest") });
const completion = createCompletion({ box, list: find("completion"), commands: () => state.commands, complete });
const composer = createComposer({
  form: find("composer"),
  box,
  problem: find("box-problem"),
  completion,
  onSend: send,
});
const sidebar = createSidebar({
  box: find("channels"),
  newLink: find("new"),
  onEarlier: () => {
    listLimit *= 4;
    readList();
  },
});
const thread = createThread({
  box: find("thread"),
  actions: {
    // An example is a question like any other, in a conversation of its own.
    press: (about, action, button) =>
      action.id === "ask-example" ? askAnew(about.channel, action.value) : press(about, action, button),
    edit: editQuestion,
    remove: deleteQuestion,
    undoSend: (entry) => {
      outbox.undoSend(entry.id);
      giveBack(entry, "");
    },
    dropNote: (note) => store.dropNote(note, note.id),
  },
  // Reading starts at the question of an answer, and at the top of a private note.
  onResult: (node) => scrolling.showBeginning(node, node.previousElementSibling ?? node),
  onNote: (node) => scrolling.showBeginning(node, node),
});

function drawWelcome() {
  return element(
    "section.welcome",
    {},
    element("h2", {}, "What would you like to know?"),
    element("p.soft", {}, "Your agents search what they know, show their steps and cite sources."),
    element(
      "div.suggestions",
      {},
      ...state.suggestions.map((text) =>
        element("button.suggestion", { type: "button", click: () => send(text) }, text),
      ),
    ),
  );
}

function showAll() {
  const at = state.current;
  sidebar.show(state);
  const isOther = thread.show(state);
  const isWaiting = at.thread !== undefined && !state.readThreads.has(threadKey(at));
  const isEmpty = thread.isEmpty() && state.isRead && !isWaiting;
  const welcome = find("thread").querySelector(".welcome");
  if (isEmpty && welcome === null) find("thread").append(drawWelcome());
  if (!isEmpty) welcome?.remove();
  const title =
    state.conversations.get(threadKey(at))?.title ??
    [...state.pending.values()].find((entry) => entry.thread === at.thread)?.text;
  find("title").textContent = title === undefined ? "New conversation" : plain(title.slice(0, 200));
  find("top-channel").textContent = `# ${at.channel}`;
  document.title = title === undefined ? "Parley" : `${plain(title.slice(0, 80))} · Parley`;
  scrolling.update(isOther, at.messageId);
}

function closeMenu() {
  document.body.classList.remove("has-menu");
  find("veil").hidden = true;
  find("menu").setAttribute("aria-expanded", "false");
}

function addressParts() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    // An invalid percent escape: the URL was cut off.
    return [];
  }
}

function openAddress() {
  const [channel, threadId, messageId] = addressParts();
  const isOther = isFirst || threadId !== state.current.thread;
  isFirst = false;
  state.current = { channel: channel || "general", thread: threadId || undefined, messageId: messageId || undefined };
  store.forgetOthers(state.current);
  composer.open(threadKey(state.current));
  closeMenu();
  store.changed();
  readThread(state.current);
  if (isOther && matchMedia("(pointer: fine)").matches) composer.focus();
}

find("menu").addEventListener("click", () => {
  const isOpen = document.body.classList.toggle("has-menu");
  find("veil").hidden = !isOpen;
  find("menu").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) find("new").focus();
});
find("veil").addEventListener("click", closeMenu);
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !document.body.classList.contains("has-menu")) return;
  closeMenu();
  find("menu").focus();
});
addEventListener("hashchange", openAddress);
addEventListener("resize", () => composer.adjustHeight());

store.subscribe(showAll);
openAddress();
outbox.restore();
connect({
  onHello: async () => {
    outbox.wake();
    await Promise.all([readList(), readThread(state.current), readCommands()]);
  },
  onEvent: (event) => {
    if (event.type === "message" && event.message.author === "parley" && event.message.payload.tone === "running") {
      const known = state.threads.get(threadKey(event.message))?.has(event.message.id);
      if (!known && threadKey(event.message) === threadKey(state.current)) announce("Parley is working on it.");
    }
    store.receive(event);
  },
  onLost: (isLost) => {
    find("connection").textContent = isLost ? "Connection lost, reconnecting. Messages you send are saved." : "";
  },
});
