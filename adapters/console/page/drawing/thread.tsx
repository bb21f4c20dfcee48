/** The open conversation. Elements keep their key and are updated in place, so that a running answer never jumps. */
import { useRef, useState } from "preact/hooks";
import type { Action } from "../../../../src/core/document.ts";
import type { ReadMessage } from "../../conversations/conversation-routes.ts";
import type { Thread } from "../../conversations/thread-key.ts";
import type { Me } from "../../people/routes.ts";
import type { AttachedFile } from "../../writing/messages.ts";
import { at } from "../connection/address.ts";
import type { OutboxEntry } from "../connection/outbox.ts";
import type { Upload } from "../connection/upload.ts";
import type { ShownNote } from "../conversations/kept-notes.ts";
import { saysOf } from "../input/basket.tsx";
import { sizeText } from "../input/file-limits.ts";
import { refusesForm } from "../input/shown-form.ts";
import { FormAgain } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import type { Shape } from "../parts/shapes.ts";
import { authorName, isMine } from "../people/me.ts";
import { Buttons } from "./buttons.tsx";
import { Blocks, Byline, Card, shownBlocks } from "./card.tsx";
import type { PictureOf } from "./chart.tsx";
import { plain } from "./element.ts";
import { foldsSteps, type Item, type Status } from "./items.ts";
import { lookOfWords } from "./long-words.ts";
import { Time } from "./times.tsx";

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

/** A long question is folded. */
function QuestionText({ text }: { readonly text: string }) {
  const [isFolded, setFolded] = useState(text.length > longQuestionChars);
  return (
    <>
      <div class={`question-text${isFolded ? " is-folded" : ""}${lookOfWords(text)}`} dir="auto">
        {plain(text)}
      </div>
      {text.length <= longQuestionChars ? undefined : (
        <button type="button" class="action is-plain" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
          {isFolded ? "Show more" : "Show less"}
        </button>
      )}
    </>
  );
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

function Tool({
  name,
  whose,
  shape,
  press,
}: {
  readonly name: string;
  readonly whose: string;
  readonly shape: Shape;
  readonly press: () => void;
}) {
  return (
    <button
      type="button"
      class={`icon-button is-${name.toLowerCase()}`}
      aria-label={`${name} ${whose} question`}
      title={name}
      onClick={press}
    >
      <Icon name={shape} />
    </button>
  );
}

/** The files of a question: each is a download once the question is sent. */
function Attached({ question: { channel, thread, id, files = [], uploads = [] } }: { readonly question: Question }) {
  if (files.length + uploads.length === 0) return null;
  const addressOf = (file: AttachedFile) => {
    const path = [channel, thread, id, file.id].map(encodeURIComponent).join("/");
    return at(`api/uploads/${path}`);
  };
  const inside = (name: string, says: string) => (
    <>
      <Icon name="file" />
      <span class="file-name" dir="auto">
        {plain(name)}
      </span>
      <span class="soft">{says}</span>
    </>
  );
  return (
    <ul class="files" role="list">
      {files.map((file) => (
        <li key={file.id}>
          <a class="file" href={addressOf(file)} download={plain(file.name)}>
            {inside(file.name, sizeText(file.sizeBytes))}
          </a>
        </li>
      ))}
      {uploads.map((upload) => (
        <li key={upload.key}>
          <span class="file">{inside(upload.name, saysOf(upload))}</span>
        </li>
      ))}
    </ul>
  );
}

/** Below a question that the server doesn't have yet. */
function sendingText(status: Status | undefined, uploads: readonly Upload[] = []): string | undefined {
  if (uploads.some(({ state }) => state === "waiting")) return "Not sent yet, retrying";
  if (status === "sending" && uploads.some(({ state }) => state === "uploading")) return "Sending with its files…";
  if (status === undefined) return undefined;
  return status === "waiting" ? "Not sent yet, retrying" : "Sending…";
}

type Actions = {
  /** Resolves to why it failed, if it did. */
  readonly press: (about: Answered | ShownNote, action: Action) => Promise<string | undefined>;
  readonly edit: (question: Asked) => void;
  readonly remove: (question: Asked) => void;
  readonly undoSend: (entry: OutboxEntry) => void;
  readonly dropNote: (note: ShownNote) => void;
  /** Opens the form again that this private answer refuses, with what was typed. */
  readonly formAgain: (noteId: string) => (() => void) | undefined;
};

/** Below a question that the server doesn't have yet. */
function Sending({ says, undo }: { readonly says: string; readonly undo: (() => void) | undefined }) {
  return (
    <p class="sending" role="status">
      {says}
      {says === "Sending…" || undo === undefined ? undefined : (
        <button type="button" class="action is-plain" onClick={undo}>
          Undo send
        </button>
      )}
    </p>
  );
}

/** A person's message: one's own, or someone else's. `stored`: as the server has it; what it hasn't was typed here. */
function QuestionMessage({
  question,
  stored,
  entry,
  isLastOwn = false,
  status,
  me,
  actions,
}: {
  readonly question: Question;
  readonly stored?: Asked;
  readonly entry?: OutboxEntry;
  readonly isLastOwn?: boolean;
  readonly status: Status | undefined;
  readonly me: Me;
  readonly actions: Actions;
}) {
  const isYours = stored === undefined || isMine(me, stored);
  const name = isYours ? "You" : plain(authorName(me, stored));
  const whose = isYours ? "your" : `${name}’s`;
  const mayDelete = isYours || me.role === "manage";
  const isLabel = !isYours && !stored.by.isVerified && stored.by.id !== "you";
  const says = sendingText(status, question.uploads);
  const look = `${status === undefined ? "" : " is-pending"}${isYours ? " is-own" : ""}`;
  return (
    <article
      class={`message is-you${look}`}
      aria-label={isYours ? "Your question" : `${name}’s question`}
      tabindex={-1}
      data-id={question.id}
    >
      <Byline name={name} time={<Time atMs={question.atMs} />}>
        {isLabel ? (
          <span class="unverified" title="The author typed this name. It isn’t verified.">
            unverified
          </span>
        ) : undefined}
        {stored?.isEdited ? <span>edited</span> : undefined}
        {stored !== undefined && isLastOwn && status === undefined && mayDelete ? (
          <span class="tools">
            {isYours ? <Tool name="Edit" whose={whose} shape="pen" press={() => actions.edit(stored)} /> : undefined}
            <Tool name="Delete" whose={whose} shape="bin" press={() => actions.remove(stored)} />
          </span>
        ) : undefined}
      </Byline>
      {question.text.trim() === "" ? undefined : <QuestionText key={question.text} text={question.text} />}
      <Attached question={question} />
      {says === undefined ? undefined : (
        <Sending says={says} undo={entry === undefined ? undefined : () => actions.undoSend(entry)} />
      )}
    </article>
  );
}

function FileMessage({ message: { id, file, atMs } }: { readonly message: SharedFile }) {
  return (
    <article class="message is-parley-file" aria-label="File from Parley" tabindex={-1} data-id={id}>
      <Byline name="Parley" time={<Time atMs={atMs} />} />
      <a class="file" href={at(`files/${encodeURIComponent(file.id)}`)} download={file.name}>
        <Icon name="file" />
        <span>{file.name}</span>
        <span class="soft">{sizeText(file.sizeBytes)}</span>
      </a>
    </article>
  );
}

function NoteMessage({
  note,
  decided,
  isAlone,
  actions,
  onNote,
}: {
  readonly note: ShownNote;
  /** Decisions that were made, and didn't fail. */
  readonly decided: readonly string[];
  /** Nobody else could read it. */
  readonly isAlone: boolean;
  readonly actions: Actions;
  readonly onNote: (node: HTMLElement) => void;
}) {
  const { id, command, payload } = note;
  const formAgain = payload !== undefined && refusesForm(payload) ? actions.formAgain(id) : undefined;
  const article = useRef<HTMLElement>(null);
  return (
    <article
      class="message is-note"
      aria-label="Private answer"
      tabindex={-1}
      data-id={id}
      data-tone={payload?.tone}
      ref={article}
    >
      {command === undefined ? undefined : (
        <p class="command">
          <code>{plain(command)}</code>
        </p>
      )}
      {payload === undefined ? undefined : (
        <>
          <Card
            payload={payload}
            press={(action) => actions.press(note, action)}
            own={{ decided }}
            onNews={() => article.current !== null && onNote(article.current)}
          />
          <div class="private">
            {formAgain === undefined ? undefined : <FormAgain press={formAgain} />}
            {isAlone ? undefined : <Icon name="lock" />}
            <span class={isAlone ? "hidden" : undefined}>Only you can see this</span>
            <button type="button" class="action is-plain" onClick={() => actions.dropNote(note)}>
              Hide
            </button>
          </div>
        </>
      )}
    </article>
  );
}

/** The steps with their times and what they found, and raw below them. */
function StepDetails({ steps, actions }: { readonly steps: readonly ShownNote[]; readonly actions: Actions }) {
  return (
    <div class="details">
      {steps.map((note, at) => {
        const { blocks = [], actions: buttons = [] } = note.payload ?? {};
        const press = (action: Action) => actions.press(note, action);
        const context = { tone: "info", sources: [], charts: [], press } as const;
        // The fold is their heading, and Raw is pressed once.
        return (
          <div key={note.id}>
            <Blocks blocks={shownBlocks(blocks).filter(({ kind }) => kind !== "headline")} context={context} />
            {at < steps.length - 1 ? undefined : (
              <div class="actions">
                <Buttons actions={buttons} press={press} />
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

function AnswerMessage({
  message,
  steps,
  actions,
  onResult,
}: {
  readonly message: Answered;
  readonly steps: readonly ShownNote[];
  readonly actions: Actions;
  readonly onResult: (node: HTMLElement) => void;
}) {
  const { id, atMs, begunAtMs, payload, vote } = message;
  const article = useRef<HTMLElement>(null);
  return (
    <article
      class="message is-parley"
      aria-label="Parley’s answer"
      tabindex={-1}
      data-id={id}
      data-tone={payload.tone}
      ref={article}
    >
      {/* The agent is known once the question is asked. */}
      <Byline name={payload.byline ?? "Parley"} time={<Time atMs={atMs} />} />
      <Card
        payload={payload}
        press={(action) => actions.press(message, action)}
        pictureOf={(number, look) => pictureUrl(message, number, look)}
        own={{ vote, hasSteps: steps.length > 0 }}
        details={foldsSteps(message) && steps.length > 0 ? <StepDetails steps={steps} actions={actions} /> : undefined}
        begunAtMs={begunAtMs}
        onResult={() => article.current !== null && onResult(article.current)}
      />
    </article>
  );
}

/** Drawn at first, and with each press: 10,000 messages took a browser more than a minute. */
const drawnAtOnce = 300;

/** The number of the first item that is drawn. It stays while people read, unless a whole conversation arrives. */
function useFirstDrawn(items: readonly Item[], messageId: string | undefined) {
  const [, drawAgain] = useState(0);
  const first = useRef(0);
  const count = useRef(0);
  if (items.length - count.current > drawnAtOnce) first.current = items.length - drawnAtOnce;
  count.current = items.length;
  const named = items.findIndex((item) => item.kind === "message" && item.message.id === messageId);
  if (named >= 0) first.current = Math.min(first.current, named);
  const showEarlier = () => {
    first.current = Math.max(0, first.current - drawnAtOnce);
    drawAgain(first.current);
  };
  return { first: first.current, showEarlier };
}

/** The open conversation. */
export function Messages({
  items,
  messageId,
  me,
  actions,
  onResult,
  onNote,
}: {
  readonly items: readonly Item[];
  /** The one that the address names. */
  readonly messageId: string | undefined;
  readonly me: Me;
  readonly actions: Actions;
  /** Something new can be read. */
  readonly onResult: (node: HTMLElement) => void;
  readonly onNote: (node: HTMLElement) => void;
}) {
  const { first, showEarlier } = useFirstDrawn(items, messageId);
  return (
    <>
      {first === 0 ? undefined : (
        <button type="button" class="action is-plain" onClick={showEarlier}>
          Show earlier messages
        </button>
      )}
      {items.slice(first).map((item) => {
        if (item.kind === "note") {
          const { key, note, decided } = item;
          const how = { note, decided, isAlone: me.how === "loopback" };
          return <NoteMessage key={key} {...how} actions={actions} onNote={onNote} />;
        }
        if (item.kind === "pending") {
          const { key, entry } = item;
          const how = { question: entry, entry, status: entry.status };
          return <QuestionMessage key={key} {...how} me={me} actions={actions} />;
        }
        const { key, message, isLastOwn, status, steps } = item;
        if (message.author === "you") {
          const how = { question: message, stored: message, isLastOwn, status };
          return <QuestionMessage key={key} {...how} me={me} actions={actions} />;
        }
        if (message.author === "parley-file") return <FileMessage key={key} message={message} />;
        const own = { message, steps };
        return <AnswerMessage key={key} {...own} actions={actions} onResult={onResult} />;
      })}
    </>
  );
}
