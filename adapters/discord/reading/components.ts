/**
 * Reads components: the newer way in which apps, Parley among them, lay out a message. Buttons that do something aren't
 * read: they are controls, and "Acknowledge" is nothing that was said. Links are.
 */
import { ComponentType } from "@discordjs/core";
import { z } from "zod";
import { lines, mayRead, oneLine, paragraphs, say } from "../../shared/reading.ts";
import { altText, flag, listOf, maxDepth, type Work, whole, words } from "./work.ts";

const mediaSchema = z.looseObject({ url: words, content_type: words, attachment_id: words });
const itemSchema = z.looseObject({ media: mediaSchema, description: words });
const componentSchema = z.looseObject({
  type: whole,
  components: z.array(z.unknown()).catch([]),
  accessory: z.unknown().optional(),
  content: words,
  label: words,
  url: words,
  description: words,
  name: words,
  size: whole,
  emoji: z.looseObject({ name: words }).optional().catch(undefined),
  media: mediaSchema.optional().catch(undefined),
  file: mediaSchema.optional().catch(undefined),
  items: listOf(itemSchema),
  options: listOf(z.looseObject({ label: words, default: flag })),
  default_values: listOf(z.looseObject({ id: words, type: words })),
});
type Component = z.infer<typeof componentSchema>;
type Media = z.infer<typeof mediaSchema>;
type ReadComponent = (component: Component, work: Work, depth: number) => string;

const children: ReadComponent = ({ components }, work, depth) => readComponents(components, work, depth + 1);
/** What a closed menu shows: the current choice. */
const chosenIds: ReadComponent = ({ default_values: chosen }, work) =>
  chosen.map(({ id, type }) => oneLine(say(mentionOf(type, id), work))).join(", ");

/** By type: every kind that a message can have. docs/what-parley-reads.md lists these, and a test compares it. */
export const componentReaders: Readonly<Record<number, ReadComponent>> = {
  [ComponentType.ActionRow]: (row, work, depth) =>
    lines(row.components.map((one) => readComponent(one, work, depth + 1))),
  [ComponentType.Button]: ({ url, label, emoji }, work) => {
    const said = oneLine(say(label || (emoji?.name ?? ""), work));
    return url === "" ? "" : said === "" ? url : `[${said}](${url})`;
  },
  [ComponentType.StringSelect]: ({ options }, work) =>
    options
      .filter((option) => option.default)
      .map(({ label }) => oneLine(say(label, work)))
      .join(", "),
  [ComponentType.UserSelect]: chosenIds,
  [ComponentType.RoleSelect]: chosenIds,
  [ComponentType.MentionableSelect]: chosenIds,
  [ComponentType.ChannelSelect]: chosenIds,
  [ComponentType.Section]: (section, work, depth) =>
    lines([
      lines(section.components.map((one) => readComponent(one, work, depth + 1))),
      section.accessory === undefined ? "" : readComponent(section.accessory, work, depth + 1),
    ]),
  [ComponentType.TextDisplay]: ({ content }, work) => say(content, work),
  [ComponentType.Thumbnail]: ({ media, description }, work) => mediaText(media, description, work),
  [ComponentType.MediaGallery]: ({ items }, work) =>
    lines(items.map(({ media, description }) => (mayRead(work) ? mediaText(media, description, work) : ""))),
  [ComponentType.File]: ({ file, name, size }, work) => {
    if (file !== undefined) attach(file, name, size, work);
    return "";
  },
  [ComponentType.Container]: children,
};

/** A line, a card about what someone plays, and what only forms have. */
export const wordless: ReadonlySet<number> = new Set([
  ComponentType.Separator,
  ComponentType.TextInput,
  ComponentType.ContentInventoryEntry,
  ComponentType.Label,
  ComponentType.FileUpload,
  ComponentType.RadioGroup,
  ComponentType.CheckboxGroup,
  ComponentType.Checkbox,
]);

export function readComponents(components: readonly unknown[], work: Work, depth = 0): string {
  return paragraphs(components.map((component) => readComponent(component, work, depth)));
}

function readComponent(component: unknown, work: Work, depth: number): string {
  if (depth > maxDepth || !mayRead(work)) {
    work.found.isCut = true;
    return "";
  }
  const parsed = componentSchema.safeParse(component);
  if (!parsed.success) return "";
  const { data } = parsed;
  const read = componentReaders[data.type];
  if (read !== undefined) return read(data, work, depth);
  if (wordless.has(data.type)) return "";
  const said = lines([say(data.content || data.label, work), say(data.description, work), children(data, work, depth)]);
  if (said === "") work.found.unread.add(`a part of a kind that isn't known (${data.type})`);
  return said;
}

function mentionOf(type: string, id: string): string {
  if (type === "channel") return `<#${id}>`;
  return type === "role" ? `<@&${id}>` : `<@${id}>`;
}

/** A picture or a video: as a file if it was uploaded, and in the words that describe it. */
function mediaText(media: Media | undefined, description: string, work: Work): string {
  const kind = media?.content_type.startsWith("video/") === true ? "video" : "picture";
  const said = altText(kind, description, work);
  if (media === undefined) return said;
  if (media.attachment_id !== "") attach(media, "", 0, work);
  else if (said === "") work.found.unread.add(`a ${kind}`);
  return said;
}

function attach({ url, content_type: type, attachment_id: id }: Media, name: string, size: number, work: Work): void {
  const filename = name || decodedName(url);
  // Discord names the file again in `attachments` today; its reference says that it doesn't.
  work.found.files.push({ id: id || url, filename, content_type: type || null, size, url });
}

function decodedName(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last) || "file";
  } catch {
    return last;
  }
}
