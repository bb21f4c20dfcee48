/** Composes the page: URL -> current conversation, events -> state -> view, clicks -> requests. */
import { type ComponentProps, Fragment, render } from "preact";
import type { Action } from "../../../src/core/document.ts";
import type { Thread } from "../conversations/thread-key.ts";
import type { PrivateNote } from "../writing/messages.ts";
import { createAttention } from "./attention.ts";
import { createActions } from "./connection/actions.ts";
import { nowMs } from "./connection/clock.ts";
import { newId } from "./connection/connection.ts";
import { connect } from "./connection/live.ts";
import { createOutbox, isCommand, type OutboxEntry } from "./connection/outbox.ts";
import { createReading } from "./connection/reading.ts";
import { type Upload, wakeUploads } from "./connection/upload.ts";
import { sendAs } from "./connection/whose.ts";
import { addressNow, beginsIn, hrefOf } from "./conversations/address.ts";
import { createChanges } from "./conversations/changes.ts";
import { createDrawer } from "./conversations/drawer.ts";
import { untilTomorrow } from "./conversations/groups.ts";
import { createMissing, type Missing } from "./conversations/missing.ts";
import { createReaders } from "./conversations/readers.tsx";
import { createSearchButton } from "./conversations/search-button.ts";
import { channelTitle, createSidebar } from "./conversations/sidebar.tsx";
import { actionKey, isDecision } from "./drawing/buttons.tsx";
import { Card } from "./drawing/card.tsx";
import { byId, icon, plain } from "./drawing/element.ts";
import { Gone, Welcome } from "./drawing/empty.tsx";
import { itemsOf, stepsNoteIds } from "./drawing/items.ts";
import { createScrolling } from "./drawing/scrolling.ts";
import { Messages } from "./drawing/thread.tsx";
import { createAttachments } from "./input/attachments.ts";
import { createCompletion } from "./input/completion.tsx";
import { createComposer } from "./input/composer.ts";
import { createKeys } from "./input/keys.ts";
import { showProblem } from "./input/problem.ts";
import { loadStyle } from "./look/load-style.ts";
import { ThemeSwitch } from "./look/theme-switch.tsx";
import { hideSaid, isShort, showSaid } from "./parts/said.tsx";
import { showFoot } from "./people/foot.tsx";
import { keptFor, me } from "./people/me.ts";
import { watchSession } from "./people/signed-out.tsx";
import { createState, threadKey } from "./state.ts";

const find = (id: string) => byId(id, HTMLElement);
const store = createState();
const { state } = store;
const box = byId("box", HTMLTextAreaElement);
// Before the list is read: what is typed early must not be read by everyone.
if (me.ownChannel !== undefined) state.channels = [me.ownChannel, ...state.channels];
sendAs(me.id);
let isFirst = true;

find("menu").append(icon("menu"));
find("notify").prepend(icon("bell"));
render(<ThemeSwitch />, find("theme"));
find("send").append(icon("send"));
find("newest").prepend(icon("down"));

function announce(text: string): void {
  find("announcer").textContent = text;
}

const { readList, readEarlier, readFirstView, readThread, readCommands, complete } = createReading({
  store,
  onList: (found) => attention.read(found, state.isRead ? state.conversations : undefined),
  onCommands: () => {
    // Someone may have started typing a command before the list arrived.
    if (document.activeElement === box) completion.update();
  },
  onProblem: showProblem,
});

// Sending to the server.

const { press, showForm, editQuestion, deleteQuestion, formAgain } = createActions({ complete, onVote: store.vote });

const outbox = createOutbox({
  person: me.id,
  pending: state.pending,
  changed: store.changed,
  onSent: (entry) => {
    announce("Sent.");
    // A command isn't stored as a message: this line shows what the answer below it is about.
    const { id, channel, thread, text, uploads } = entry;
    const command = [text.trim(), ...uploads.map(({ name }) => name)].join(" · ");
    if (isCommand(text)) store.putNote({ id, channel, thread, command });
  },
  onForm: showForm,
  onRefused: (entry, error) => giveBack(entry, `${error.what} ${error.hint}`),
});

/** Puts the text of an unsent message back into the box. */
function giveBack(entry: Pick<OutboxEntry, "channel" | "thread" | "isNew" | "text" | "uploads">, why: string): void {
  if (entry.isNew && state.current.thread === entry.thread) location.hash = hrefOf({ channel: entry.channel });
  // After the URL has changed, and with it the conversation that the draft belongs to.
  setTimeout(() => composer.giveBack(entry.text, why, entry.uploads));
}

/** threadKey of what this page has just begun. Nothing is stored there yet: what follows arrives as events. */
let begun: string | undefined;

function goTo(at: Thread): void {
  begun = threadKey(at);
  location.hash = hrefOf(at);
}

function send(text: string, uploads: readonly Upload[] = []): void {
  const entry = outbox.send({ ...state.current, text, uploads });
  scrolling.follow();
  if (entry.isNew) goTo(entry);
}

function askAnew(channel: string, text: string): void {
  const entry = outbox.send({ channel, text });
  scrolling.follow();
  goTo(entry);
}

// Drawing.

const scrolling = createScrolling({ scroller: find("scroller"), content: find("thread"), newest: find("newest") });
const attachments = createAttachments({ box, say: announce });
const completion = createCompletion({
  box,
  list: find("completion"),
  commands: () => state.commands,
  complete,
  onAttach: attachments.choose,
});
const composer = createComposer({
  form: find("composer"),
  box,
  problem: find("box-problem"),
  completion,
  attachments,
  kept: keptFor(me),
  onSend: send,
});
const drawer = createDrawer({ button: find("menu"), veil: find("veil"), first: find("new") });
createSearchButton(find("search"), { state, onProblem: showProblem });
const missing = createMissing(store);
const changes = createChanges({
  onLeave: missing.expect,
  onChannel: (channel) => {
    location.hash = hrefOf({ channel });
  },
  onProblem: showProblem,
});
const sidebar = createSidebar({
  box: find("channels"),
  list: find("conversations"),
  newLink: byId("new", HTMLAnchorElement),
  changes,
  onEarlier: readEarlier,
});
const messageActions: ComponentProps<typeof Messages>["actions"] = {
  press: async (about, action) => {
    // An example is a question like any other, in a conversation of its own.
    if (action.id === "ask-example") return void askAnew(beginsIn(state), action.value);
    const stepsIds = stepsNoteIds(about.id).filter((id) => store.hasNote(about, id));
    if (action.id === "steps" && stepsIds.length > 0) {
      for (const id of stepsIds) store.dropNote(about, id);
      return undefined;
    }
    const pressed = await press(about, action);
    if ("problem" in pressed) return pressed.problem;
    // The choice is made; what follows says so.
    if (action.id === "ask-another") store.dropNote(about, about.id);
    else if ("after" in about && isDecision(action)) store.notePressed(about, actionKey(action), pressed.answerId);
    return undefined;
  },
  formAgain,
  edit: editQuestion,
  remove: (message) => {
    missing.expect(message);
    deleteQuestion(message);
  },
  undoSend: (entry) => {
    outbox.undoSend(entry.id);
    giveBack(entry, "");
  },
  dropNote: (note) => store.dropNote(note, note.id),
};

/** The conversation that a button of an empty one opens, once it has an answer. */
let opening: (Thread & { readonly id: string }) | undefined;

async function pressAtWelcome(action: Action): Promise<string | undefined> {
  if (action.id === "ask-example") return void send(action.value);
  const thread = newId();
  opening = { channel: state.current.channel, thread, id: thread };
  const pressed = await press(opening, action);
  return "problem" in pressed ? pressed.problem : undefined;
}

/** Id of the private answer that is shown for a while. */
let brief: string | undefined;

/**
 * Where people are alone, what they are told in a sentence isn't kept among the messages. What they typed a command for
 * stays beside the command.
 */
function showsBriefly({ id, payload, ...at }: PrivateNote): boolean {
  const isTyped = state.notes.get(threadKey(at))?.get(id)?.command !== undefined;
  const isBrief = me.how === "loopback" && payload !== undefined && isShort(payload) && !isTyped;
  if (isBrief) {
    brief = id;
    const said = { payloads: [payload], Card, press: async () => undefined };
    loadStyle("styles/said.css").then(() => {
      if (brief === id) showSaid({ said, stays: payload.tone === "running", asks: false, from: null });
    });
  } else if (brief === id) {
    brief = undefined;
    hideSaid();
  }
  return isBrief;
}

let shownKey: string | undefined;

/** `lacks`: what the address names and isn't there. Returns whether it now shows another conversation. */
function showConversation(lacks: Missing | undefined): boolean {
  const { current, readThreads, isRead, firstViews } = state;
  const key = threadKey(current);
  const isOther = key !== shownKey;
  shownKey = key;
  const items = itemsOf(state, me);
  const isWaiting = current.thread !== undefined && !readThreads.has(key);
  const isEmpty = items.length === 0 && isRead && !isWaiting;
  const welcome = isEmpty && lacks === undefined ? firstViews.get(current.channel) : undefined;
  // Reading starts at the question of an answer, and at the top of a private note.
  const onResult = (node: HTMLElement) => {
    const { previousElementSibling: question } = node;
    scrolling.showBeginning(node, question instanceof HTMLElement ? question : node);
  };
  render(
    <Fragment key={key}>
      <Messages
        items={items}
        messageId={current.messageId}
        me={me}
        actions={messageActions}
        onResult={onResult}
        onNote={(node) => scrolling.showBeginning(node, node)}
      />
      {welcome === undefined ? undefined : <Welcome payload={welcome} press={pressAtWelcome} />}
      {lacks === undefined ? undefined : <Gone what={lacks} channel={firstChannel()} />}
    </Fragment>,
    find("thread"),
  );
  find("dock").hidden = lacks !== undefined;
  return isOther;
}

const attention = createAttention({
  store,
  parts: {
    menu: find("menu"),
    notify: byId("notify", HTMLButtonElement),
    offer: find("offer"),
    accept: find("accept"),
    decline: find("decline"),
  },
  open: (href) => {
    location.hash = href;
  },
});

const readers = createReaders({
  box: find("readers"),
  me,
  onChoose: (channel) => {
    composer.carry();
    location.hash = hrefOf({ channel });
  },
});
createKeys({ box, thread: find("thread"), me, isEmpty: composer.isEmpty, say: announce });

function showAll(): void {
  if (missing.leave()) return;
  const at = state.current;
  attention.update();
  sidebar.show(state);
  const lacks = missing.what();
  const isOther = showConversation(lacks);
  readers.show(state, lacks !== undefined);
  const title =
    state.conversations.get(threadKey(at))?.title ??
    nameOf([...state.pending.values()].find((entry) => entry.thread === at.thread));
  const untitled = lacks === undefined ? "New conversation" : "Not found";
  find("title").textContent = title === undefined ? untitled : plain(title.slice(0, 200));
  find("top-channel").textContent = lacks === undefined ? channelTitle(state.channels, at.channel) : "";
  document.title = attention.titleOf(title);
  scrolling.update(isOther, at.messageId);
}

/** Of a conversation whose first message isn't sent yet: a question of files alone is named after them. */
function nameOf(entry: OutboxEntry | undefined): string | undefined {
  return entry?.text.trim() === "" ? entry.uploads.map(({ name }) => name).join(", ") : entry?.text;
}

/** Where people are who chose no channel. */
function firstChannel(): string {
  return state.channels[0]?.id ?? state.current.channel;
}

function openAddress(): void {
  const { channel = firstChannel(), thread, messageId } = addressNow();
  const isOther = isFirst || thread !== state.current.thread;
  isFirst = false;
  state.current = { channel, thread, messageId };
  store.forgetOthers(state.current);
  composer.open(threadKey(state.current));
  drawer.close();
  store.changed();
  if (begun !== threadKey(state.current)) readThread(state.current);
  begun = undefined;
  readFirstView();
  if (isOther && matchMedia("(pointer: fine)").matches) composer.focus();
}

addEventListener("hashchange", openAddress);
// Another tab may have chosen another agent.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") readFirstView();
});
/** The groups of the list are the reader's days. Looks each hour, because a computer's clock can be set. */
function turnDay(): void {
  setTimeout(
    () => {
      store.changed();
      turnDay();
    },
    Math.min(untilTomorrow(nowMs()) + 1_000, 3_600_000),
  );
}
turnDay();
addEventListener("resize", () => composer.adjustHeight());

showFoot(find("person"), find("admin"), me);
store.subscribe(showAll);
const early = window.takeEarly();
openAddress();
outbox.restore();
if (early.text !== undefined) send(early.text, attachments.begin(early.files));
else if (early.files.length > 0) attachments.add(early.files);
if (early.pressed !== undefined) document.getElementById(early.pressed)?.click();
const { reopen } = connect({
  person: me.id,
  kept: keptFor(me),
  onHello: async () => {
    wakeUploads();
    outbox.wake();
    await Promise.all([readList(), readThread(state.current), readFirstView(), readCommands()]);
  },
  onPoll: () => Promise.all([readList(), readThread(state.current)]),
  onEvent: (event) => {
    if (event.type === "channels") return void readList();
    attention.receive(event);
    if (event.type === "message" && event.message.author === "parley" && event.message.payload.tone === "running") {
      const known = state.threads.get(threadKey(event.message))?.has(event.message.id);
      if (!known && threadKey(event.message) === threadKey(state.current)) announce("Parley is working on it.");
    }
    if (event.type === "note" && showsBriefly(event.note)) return undefined;
    store.receive(event);
    if (event.type === "note" && event.note.thread === opening?.thread && state.current.thread === undefined) {
      goTo(opening);
    }
    return undefined;
  },
  onLost: (isLost) => {
    find("connection").textContent = isLost ? "Connection lost, reconnecting. Messages you send are saved." : "";
  },
});
watchSession({
  box: find("session"),
  me,
  onBack: () => {
    outbox.wake();
    reopen();
  },
});
