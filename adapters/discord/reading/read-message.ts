/**
 * Reads a Discord message as a person sees it: the one function for that, wherever messages are read. Pure: what has to
 * be looked up is passed in.
 */
import { MessageFlags, MessageType } from "@discordjs/core";
import { type Attachment, maxPictureSide } from "../../../src/core/model/place.ts";
import { inQuotes, lines, paragraphs, type Reading, say } from "../../shared/reading.ts";
import { isPicture } from "../drawing/chart.ts";
import { readCustomId } from "../drawing/render.ts";
import {
  type DiscordAttachment,
  type DiscordContent,
  type DiscordMessage,
  type DiscordUser,
  readSnapshot,
} from "../intake/events.ts";
import { type Names, plainText } from "../intake/inbound-text.ts";
import { readComponents } from "./components.ts";
import { readEmbeds, type WrittenBy } from "./embeds.ts";
import { readPoll, readStickers } from "./polls.ts";
import { altText, maxForwards, maxReadChars, newFound, type Work } from "./work.ts";

/** Messages that people and apps write. All other types are lines of Discord's own: joins, pins, new threads, calls. */
export const writtenTypes: readonly MessageType[] = [
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
];

type Replied = NonNullable<DiscordMessage["referenced_message"]>;

export type Reader = {
  readonly names: Names;
  /** Ids of Parley's user and role: a mention that only calls Parley isn't text. */
  readonly ownIds: readonly string[];
  /** Whether the message that it replies to is read too. */
  readonly quotes: (replied: Replied) => boolean;
  /** Of the thread or post that it begins. */
  readonly title?: string | undefined;
};

export function readMessage(message: DiscordMessage, { names, ownIds, quotes, title = "" }: Reader): Reading {
  const found = newFound();
  const named = namesIn(message, names);
  const own = readParts(message, writtenBy(message), { decode: (text) => plainText(text, ownIds, named), found });
  const files = [...filesOf(message, found)];
  const quoting = { names, found, files };
  const quoted = [titled(title, own), repliedTo(message, quotes, quoting), ...forwards(message, quoting, 0)];
  const hasQuotes = quoted.some((one) => one !== "");
  const cut = found.isCut ? restLeftOut : "";
  return {
    own: paragraphs([own, hasQuotes ? "" : cut]),
    quoted: paragraphs([...quoted, hasQuotes ? cut : ""]),
    attachments: files.map(attachmentOf),
    unread: [...found.unread],
  };
}

const restLeftOut = `(The rest is left out: only ${maxReadChars.toLocaleString("en")} characters of a message are read.)`;

/** Nothing that people see. Without the privileged intent, Discord delivers what isn't said to Parley like this. */
export function isBlank(message: DiscordContent): boolean {
  const { content, attachments, embeds, components, sticker_items: stickers, message_snapshots: forwarded } = message;
  const parts = [attachments, embeds, components, stickers, forwarded];
  return content === "" && message.poll == null && parts.every(({ length }) => length === 0);
}

/** Of Parley's own messages: whether it shows work that isn't over, which can still be stopped. */
export function isUnfinished(message: Pick<DiscordContent, "components">): boolean {
  const offersStop = (component: Readonly<Record<string, unknown>>): boolean => {
    const { custom_id: id, components: inner } = component;
    if (typeof id === "string" && readCustomId(id).action === "stop") return true;
    return Array.isArray(inner) && inner.some(offersStop);
  };
  return message.components.some(offersStop);
}

export function attachmentOf(file: DiscordAttachment): Attachment {
  return {
    id: file.id,
    name: shownName(file),
    mediaType: file.content_type ?? "application/octet-stream",
    sizeBytes: file.size,
    reference: file.url,
    smaller: smallerPicture(file),
  };
}

function smallerPicture({ proxy_url: url, width, height }: DiscordAttachment): string | undefined {
  if (url == null || !URL.canParse(url) || width == null || height == null) return undefined;
  const share = maxPictureSide / Math.max(width, height);
  if (!(share < 1)) return undefined;
  const scaled = new URL(url);
  scaled.searchParams.set("width", String(Math.max(1, Math.floor(width * share))));
  scaled.searchParams.set("height", String(Math.max(1, Math.floor(height * share))));
  return scaled.href;
}

export function nameOf(user: DiscordUser | undefined): string | undefined {
  return user === undefined ? undefined : (user.global_name ?? user.username);
}

/** The names of whom and what it mentions, which Discord sends with it. */
function namesIn({ mentions, mention_channels: channels }: DiscordContent, names: Names): Names {
  return {
    ...names,
    user: (id) => nameOf(mentions.find((user) => user.id === id)) ?? names.user(id),
    channel: (id) => names.channel(id) ?? channels.find((channel) => channel.id === id)?.name,
  };
}

function writtenBy({ author, webhook_id: webhook }: Pick<Replied, "author" | "webhook_id">): WrittenBy {
  return author.bot === true || webhook !== undefined ? "app" : "person";
}

/** In the order in which Discord shows them. */
function readParts(message: DiscordContent, by: WrittenBy, work: Work): string {
  const { content, attachments, embeds, components, sticker_items: stickers, poll, activity, flags } = message;
  if (activity != null) work.found.unread.add("an invitation to an activity");
  return paragraphs([
    say(content, work),
    readPoll(poll, work),
    lines(attachments.map((file) => altText(shownName(file), file.description ?? "", work))),
    (flags & MessageFlags.SuppressEmbeds) === 0 ? readEmbeds(embeds, content, by, work) : "",
    readComponents(components, work),
    readStickers(stickers, work),
  ]);
}

/** Discord proposes the beginning of a message as the title: then it says nothing new. */
function titled(title: string, own: string): string {
  const said = title.trim();
  return said === "" || own.toLowerCase().includes(said.toLowerCase()) ? "" : `Title: ${said}`;
}

type Quoting = { readonly names: Names; readonly found: Work["found"]; readonly files: DiscordAttachment[] };

function repliedTo(message: DiscordMessage, quotes: Reader["quotes"], quoting: Quoting): string {
  const { referenced_message: replied, type } = message;
  const { unread } = quoting.found;
  if (replied == null) {
    if (replied === null && type === MessageType.Reply) unread.add("the message it replies to, which was deleted");
    return "";
  }
  if (!quotes(replied)) return "";
  if (isBlank(replied)) unread.add("the message it replies to");
  const author = nameOf(replied.author) ?? replied.author.id;
  return quote(`Reply to a message from ${author}`, replied, writtenBy(replied), quoting, 0);
}

/** Discord doesn't say who wrote them. */
function forwards(message: DiscordContent, quoting: Quoting, depth: number): readonly string[] {
  return message.message_snapshots.flatMap((one) => {
    const snapshot = readSnapshot(one)?.message;
    if (snapshot === undefined) return [];
    if (depth >= maxForwards) {
      quoting.found.unread.add("a forward inside of forwards");
      return [];
    }
    const channel = quoting.names.channel(message.message_reference?.channel_id ?? "");
    const heading = channel === undefined ? "Forwarded message" : `Forwarded message (#${channel})`;
    return [quote(heading, snapshot, "unknown", quoting, depth + 1)];
  });
}

/** Adds its files to `quoting.files`. */
function quote(heading: string, quoted: DiscordContent, by: WrittenBy, quoting: Quoting, depth: number): string {
  const { names, found, files } = quoting;
  const named = namesIn(quoted, names);
  const words = readParts(quoted, by, { decode: (text) => plainText(text, [], named), found });
  const attached = filesOf(quoted, found).filter(({ id }) => !files.some((file) => file.id === id));
  files.push(...attached);
  // Alone, files that can't be read are no words.
  const isListed = attached.length > 0 && (words !== "" || attached.some(hasText));
  const list = isListed ? `(attached: ${attached.map(shownName).join(", ")})` : "";
  const said = paragraphs([words, list, ...forwards(quoted, quoting, depth)]);
  return said === "" ? "" : `${heading}:\n${inQuotes(said)}`;
}

/** A file that Discord shows in the list of a media channel, and not in the message. */
const hiddenFileFlag = 1 << 1;

/** Those of its components too, each once. Pictures of charts only illustrate what Parley says. */
function filesOf({ attachments }: DiscordContent, found: Work["found"]): readonly DiscordAttachment[] {
  const listed = attachments.filter(({ flags }) => ((flags ?? 0) & hiddenFileFlag) === 0);
  const isListed = (file: DiscordAttachment) =>
    file.url.startsWith("attachment://") || listed.some(({ id }) => id === file.id);
  const shown = found.files.splice(0).filter((file) => !isListed(file));
  return [...listed, ...shown].filter(({ filename }) => !isPicture(filename));
}

function hasText({ content_type: type }: DiscordAttachment): boolean {
  return !/^(?:image|audio|video)\//.test(type ?? "");
}

/** With all its letters: `filename` has only some. */
function shownName({ filename, title }: DiscordAttachment): string {
  if (title == null || title === "") return filename;
  const ending = /\.\w{1,10}$/.exec(filename)?.[0] ?? "";
  return title.endsWith(ending) ? title : title + ending;
}
