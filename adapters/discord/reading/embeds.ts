/**
 * Reads embeds: the cards of apps. Previews of links are left out: nobody wrote them, and the link is in the text.
 */
import { z } from "zod";
import { momentText } from "../../../src/presentation/sentences.ts";
import { lines, mayRead, oneLine, paragraphs, say } from "../../shared/reading.ts";
import { readComponents } from "./components.ts";
import { altText, listOf, type Work, words } from "./work.ts";

const mediaSchema = z.looseObject({ url: words, description: words });
const embedSchema = z.looseObject({
  type: z.string().catch("rich"),
  url: words,
  title: words,
  description: words,
  timestamp: words,
  provider: z.looseObject({ name: words }).optional().catch(undefined),
  author: z.looseObject({ name: words }).optional().catch(undefined),
  fields: listOf(z.looseObject({ name: words, value: words })),
  image: mediaSchema.optional().catch(undefined),
  thumbnail: mediaSchema.optional().catch(undefined),
  video: mediaSchema.optional().catch(undefined),
  footer: z.looseObject({ text: words }).optional().catch(undefined),
  components: z.array(z.unknown()).catch([]),
});
type Embed = z.infer<typeof embedSchema>;

/** By type. Apps can only send "rich" ones; Discord makes all others out of links, and the last one of a poll. */
export const embedTypes = {
  read: ["rich"],
  previews: ["image", "video", "gifv", "article", "link"],
  /** Only in system messages; the poll itself has its counts. */
  ignored: ["poll_result", "auto_moderation_message"],
} as const;

/** Who wrote the message. A forward doesn't say. */
export type WrittenBy = "app" | "person" | "unknown";

export function readEmbeds(embeds: readonly unknown[], content: string, by: WrittenBy, work: Work): string {
  const urls = new Set<string>();
  const read: string[] = [];
  for (const one of embeds) {
    const parsed = embedSchema.safeParse(one);
    if (!parsed.success) continue;
    if (!mayRead(work)) break;
    const embed = parsed.data;
    if (isIgnored(embed) || isPreview(embed, content, by)) continue;
    // Of several with one URL, Discord shows the first one, with the pictures of all.
    if (embed.url !== "" && urls.has(embed.url)) continue;
    urls.add(embed.url);
    read.push(card(embed, work));
  }
  return paragraphs(read);
}

function isIgnored({ type }: Embed): boolean {
  return embedTypes.ignored.some((ignored) => ignored === type);
}

/**
 * Some sites' previews are "rich" too. People can't send embeds, so an embed below a link of theirs is its preview; an
 * app's alert often repeats its own link, and only previews name their provider.
 */
function isPreview({ type, url, provider }: Embed, content: string, by: WrittenBy): boolean {
  if (embedTypes.previews.some((preview) => preview === type)) return true;
  if (url === "" || !content.includes("://")) return false;
  if (by === "person") return true;
  const isLinked = content.includes(bare(url));
  return by === "app" ? isLinked && provider !== undefined : isLinked;
}

function bare(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}

/** From top to bottom, as the client shows it. */
function card(embed: Embed, work: Work): string {
  const { url, title, description, fields, footer, timestamp, image, thumbnail, video } = embed;
  const head = oneLine(say(title, work));
  const body = lines([
    oneLine(say(embed.provider?.name ?? "", work)),
    oneLine(say(embed.author?.name ?? "", work)),
    head === "" || url === "" ? head : `[${head}](${url})`,
    say(description, work),
    ...fields.map((field) => (mayRead(work) ? fieldText(field, work) : "")),
  ]);
  const shown = lines([
    body,
    mediaText("picture", image, work),
    mediaText("video", video, work),
    altText("picture", thumbnail?.description ?? "", work),
    readComponents(embed.components, work),
    [oneLine(say(footer?.text ?? "", work)), momentOf(timestamp)].filter((part) => part !== "").join(" · "),
  ]);
  // Beside words it is an icon.
  if (shown === "" && thumbnail !== undefined) work.found.unread.add("a picture");
  return shown;
}

function fieldText({ name, value }: Embed["fields"][number], work: Work): string {
  const label = oneLine(say(name, work));
  const said = say(value, work);
  if (label === "" || said === "") return label || said;
  return `${label}:${said.includes("\n") ? "\n" : " "}${said}`;
}

function momentOf(timestamp: string): string {
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? "" : momentText(ms);
}

function mediaText(kind: string, media: Embed["image"], work: Work): string {
  if (media === undefined || (media.url === "" && media.description === "")) return "";
  const said = altText(kind, media.description, work);
  if (said === "") work.found.unread.add(`a ${kind}`);
  return said;
}
