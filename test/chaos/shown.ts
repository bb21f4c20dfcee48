/** Reads what Parley shows on Slack and Discord, and what people see of a reply on each platform. */
import { filePart } from "../../src/core/model/reply.ts";
import type { Turn } from "../../src/core/model/turn.ts";
import type { FakeDiscord } from "../fakes/discord/index.ts";
import { botId, loadingFlag, type Message, textOf } from "../fakes/discord/world.ts";
import { type Town, wordsOf } from "../reliability/towns/slack-town.ts";

export type Places = { readonly town: Town; readonly discord: FakeDiscord; readonly pageUrl: string };

type Standing = {
  readonly words: string;
  /** "… is thinking": a promise that was not kept. */
  readonly isPromise: boolean;
};

/** Messages of Parley that everybody sees, by id: nobody asks in direct messages here, and single people are told things there. */
export function standing({ town, discord }: Omit<Places, "pageUrl">): ReadonlyMap<string, Standing> {
  // Files stand in messages of their own, and are looked at with their Reply.
  const onSlack = [...town.slack.world.messages.values()]
    .filter(({ bot_id, visibleTo, files }) => bot_id !== undefined && visibleTo === undefined && files === undefined)
    .map((message) => [message.ts, { words: wordsOf(message), isPromise: false }] as const);
  const isDirect = (channelId: string) => discord.world.channels.get(channelId)?.type === 1;
  const isSeen = ({ authorId, isDeleted, seenBy, channelId }: Message) =>
    authorId === botId && !isDeleted && seenBy === undefined && !isDirect(channelId);
  const onDiscord = [...discord.world.messages.values()].filter(isSeen).map((message) => {
    const isPromise = (message.flags & loadingFlag) !== 0;
    return [message.id, { words: textOf(message), isPromise }] as const;
  });
  return new Map([...onSlack, ...onDiscord]);
}

/** The words of all parts; undefined when one of them does not stand there. */
export async function shownWords(turn: Turn, places: Places): Promise<string | undefined> {
  if (turn.conversation.platform === "console") return pageWords(turn, places.pageUrl);
  const all = standing(places);
  // A part that is gone was removed when the question was asked again and its new answer was shorter.
  const standingParts = turn.reply.parts.filter(({ state }) => state !== "gone");
  const parts = standingParts.map(({ index, messageId = "" }) => {
    if (index === filePart && places.town.slack.world.files.has(messageId)) return "";
    return all.get(messageId)?.words ?? toldAlone(turn, messageId, places);
  });
  return parts.some((part) => part === undefined) ? undefined : parts.join("\n");
}

/**
 * Where one instance could store nothing and said so to whoever gave the command, and another one could, the answer stands
 * in that very message.
 */
function toldAlone({ actor, via }: Turn, messageId: string, { discord }: Places): string | undefined {
  const message = via === "command" ? discord.world.messages.get(messageId) : undefined;
  return message?.seenBy === actor.id && !message.isDeleted ? textOf(message) : undefined;
}

async function pageWords({ conversation, id: turnId, reply }: Turn, pageUrl: string): Promise<string | undefined> {
  const response = await fetch(`${pageUrl}/api/conversations/general/${conversation.thread}`);
  const { messages } = (await response.json()) as {
    readonly messages: readonly { readonly id: string; readonly author: string }[];
  };
  const own = messages.filter(({ author, id }) => author === "parley" && id.startsWith(turnId));
  return own.length === reply.parts.length ? JSON.stringify(own) : undefined;
}
