/**
 * A chat room that knows nothing but lines of text: no threads, buttons, forms or private messages. The platform over it
 * shows how little an adapter needs, and what it does instead of each of these.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Action, type Document, isActionId } from "../../src/core/document.ts";
import { ParleyError } from "../../src/core/errors.ts";
import type { Actor, Place } from "../../src/core/model/place.ts";
import type {
  Acknowledgement,
  ChatPlatform,
  Inbound,
  InboundPort,
  PostMark,
  Responder,
} from "../../src/core/ports/chat-platform.ts";
import type { PlatformParts } from "../../src/core/ports/platform-module.ts";
import { createPause } from "../../src/core/tools/pause.ts";
import { cleanText, drawWithin, errorDocument, publicVersion, reworded } from "../../src/presentation/drawing.ts";
import { documentText, splitMarkdown } from "../../src/presentation/markdown.ts";
import { fallbackSentences } from "../../src/presentation/sentences.ts";

const maxChars = 2_000;
const own = "parley";
/** Leaves some room for the lines that say what to type. */
const answers = { maxMessages: 10, charsPerMessage: 1_800 };

export type Line = {
  readonly id: string;
  readonly channel: string;
  readonly author: string;
  text: string;
  readonly file?: string;
  readonly mark?: PostMark;
};

type RoomEvent = { readonly kind: "said" | "edited" | "deleted"; readonly line: Line; readonly serial: number };

/** The room itself: what Parley would reach over a network. */
export function createPlainRoom() {
  let serial = 0;
  let refusesPosts = false;
  const lines = new Map<string, Line>();
  const violations: string[] = [];
  let listener: ((event: RoomEvent) => void) | undefined;
  const tell = (kind: RoomEvent["kind"], line: Line) => {
    serial += 1;
    if (line.author !== own) listener?.({ kind, line, serial });
  };
  const check = (text: string) => {
    if (text.length > maxChars || text.trim() === "") violations.push(`a line of ${text.length} characters`);
  };
  return {
    lines,
    violations,
    say: (line: Omit<Line, "id">): Line => {
      if (line.author === own && refusesPosts) throw new ParleyError("not_permitted");
      if (line.author === own && line.file === undefined) check(line.text);
      serial += 1;
      const said = { ...line, id: `l${serial}` };
      lines.set(said.id, said);
      tell("said", said);
      return said;
    },
    change: (line: Line, text: string) => {
      if (line.author === own) check(text);
      line.text = text;
      tell("edited", line);
    },
    remove: (line: Line) => {
      lines.delete(line.id);
      tell("deleted", line);
    },
    refusePosts: () => {
      refusesPosts = true;
    },
    repeat: (line: Line) => tell("said", line),
    /** The newest listener hears everything from now on. */
    listen: (heard: typeof listener) => {
      listener = heard;
    },
  };
}

export type PlainRoom = ReturnType<typeof createPlainRoom>;

const platformName = "plain";
export const placeOf = (channel: string): Place => ({ platform: platformName, workspace: "room", channel });

/** What people type instead of pressing it: "!retry turn1". The value can include spaces. */
const typedAction = ({ id, value }: Action) => `!${id} ${value}`;
const mention = /^parley:\s*/i;

type Parts = Pick<PlatformParts, "commands" | "clock" | "log">;

export function createPlain(room: PlainRoom, { commands, clock, log }: Parts): ChatPlatform<string> {
  /** First words of the commands, as typed: with COMMAND_PREFIX. */
  const groups = new Set(commands.definitions.map(({ path }) => `${commands.prefix}${path.split(" ")[0] ?? path}`));
  let port: InboundPort | undefined;

  const render = (document: Document): readonly string[] => {
    const said = reworded(document, commands, {
      command: (name) => `!${name}`,
      action: (action) => `type ${typedAction(action)}`,
    });
    const inBlocks = said.blocks.flatMap((block) => (block.kind === "actions" ? block.actions : []));
    const offers = [...inBlocks, ...said.actions].map(
      (action) => `${cleanText(action.accessibleLabel ?? action.label)}: ${typedAction(action)}`,
    );
    const words = cleanText(documentText({ ...said, blocks: said.blocks.filter(({ kind }) => kind !== "actions") }));
    return splitMarkdown([words.trim() === "" ? said.summary : words, ...offers].join("\n"), { maxChars });
  };

  const actorOf = (name: string): Actor => ({
    id: name,
    workspace: "room",
    name,
    isAdmin: name === "alice",
    isGuest: false,
    isExternal: false,
    isBot: false,
    roles: [],
  });

  /** Answers in the channel, where everybody reads along. */
  const responderIn = (channel: string): Responder => {
    let posted: readonly Line[] = [];
    return {
      send: async (document, visibility) => {
        try {
          const shown = visibility === "public" ? document : publicVersion(document);
          const { payloads } = await drawWithin(shown, answers, render, createPause(clock));
          for (const line of posted) if (room.lines.has(line.id)) room.remove(line);
          posted = payloads.map((text) => room.say({ channel, author: own, text }));
        } catch (thrown) {
          log.error({ err: thrown, channel }, "A reply could not be shown in the room");
        }
      },
    };
  };

  const inboundOf = ({ kind, line, serial }: RoomEvent): Inbound => {
    const place = placeOf(line.channel);
    const reply = responderIn(line.channel);
    // The room can't be told what was stored; only a form needs an answer.
    const ack = async (how: Acknowledgement) => {
      if (how.kind === "form") await reply.send(errorDocument(fallbackSentences.noForms), "public");
    };
    const key = `${platformName}/room/${line.id}`;
    const order = String(kind === "said" ? line.id.slice(1) : serial).padStart(12, "0");
    const base = { place, actor: actorOf(line.author), ack, reply, order };
    if (kind === "deleted") {
      return { ...base, kind: "message-deleted", eventKey: `${key}/deleted`, questionKey: key, messageId: line.id };
    }
    const mentionsParley = mention.test(line.text);
    const words = line.text.replace(mention, "");
    const typed = typedOf(words, mentionsParley);
    // The bridge knows a command by its slash, also in a message that was edited.
    const text = typed.kind === "nothing" ? words : `/${words.slice(1)}`;
    const message = {
      messageId: line.id,
      text,
      attachments: [],
      mentionsParley,
      addressesOthers: false,
      isDirect: false,
    };
    if (kind === "edited") {
      const asked = { questionKey: key, conversation: place };
      return { ...base, kind: "message-edited", eventKey: `${key}/edited/${serial}`, ...asked, ...message };
    }
    switch (typed.kind) {
      case "nothing":
        return { ...base, kind: "message", eventKey: key, conversation: place, ...message };
      case "action":
        return { ...base, kind: "action", eventKey: key, action: typed.id, value: typed.value };
      case "command": {
        const input = { kind: "typed", text } as const;
        return { ...base, kind: "command", eventKey: key, input, attachments: [], conversation: place };
      }
      default:
        return typed satisfies never;
    }
  };

  /** "!wow" between people is neither; after a mention of Parley it is a command, and gets an answer. */
  const typedOf = (text: string, mentionsParley: boolean) => {
    if (!text.startsWith("!")) return { kind: "nothing" } as const;
    const [word = "", ...rest] = text.slice(1).split(" ");
    if (isActionId(word)) return { kind: "action", id: word, value: rest.join(" ") } as const;
    return { kind: mentionsParley || groups.has(word) ? "command" : "nothing" } as const;
  };

  const take = async (event: RoomEvent): Promise<void> => {
    // The room changes its lines in place.
    const copy = { ...event, line: { ...event.line } };
    await nextTurn();
    await port?.handle(inboundOf(copy));
  };

  const existing = (id: string): Line => {
    const line = room.lines.get(id);
    if (line === undefined) throw new ParleyError("message_gone");
    return line;
  };
  const samePart = (one: PostMark | undefined, other: PostMark) => JSON.stringify(one) === JSON.stringify(other);
  /** A mark is posted once: what stands with it is what it is. */
  const postOnce = (line: Omit<Line, "id">): string => {
    if (!line.channel.startsWith("#")) throw new ParleyError("place_gone");
    const { mark } = line;
    const known = [...room.lines.values()].find((one) => mark !== undefined && samePart(one.mark, mark));
    return (known ?? room.say(line)).id;
  };

  return {
    name: platformName,
    limits: {
      answers,
      writes: { keptForFinals: 0 },
      maxAttachmentTextBytes: 100_000,
    },
    render,
    start: async (inbound) => {
      port = inbound;
      room.listen((event) => void take(event));
    },
    // The room cannot be asked to send no more: what still comes is handed on.
    stopIntake: async () => undefined,
    close: async () => {
      port = undefined;
    },
    health: () => (port === undefined ? { isConnected: false, reason: "The room is closed." } : { isConnected: true }),
    post: async ({ channel }, text, mark, { signal }) => {
      signal?.throwIfAborted();
      return postOnce({ channel, author: own, text, mark });
    },
    edit: async ({ messageId }, text) => room.change(existing(messageId), text),
    remove: async ({ messageId }) => room.remove(existing(messageId)),
    findOwn: async ({ channel }, replyId) =>
      [...room.lines.values()].flatMap(({ id, mark, ...line }) =>
        line.channel === channel && mark?.replyId === replyId
          ? [{ part: mark.part, generation: mark.generation, messageId: id }]
          : [],
      ),
    // A channel without threads has no bounds: nothing of it is told to an agent.
    readThread: async () => [],
    openAttachment: async () => {
      throw new ParleyError("platform_refused");
    },
    uploadFile: async ({ channel }, { name, content }, mark) =>
      postOnce({ channel, author: own, text: name, file: content, ...(mark === undefined ? {} : { mark }) }),
    permalink: async () => undefined,
  };
}
