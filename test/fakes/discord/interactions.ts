/** Interactions: acknowledged once and within 3 s, answered with a token that expires after 15 minutes. */
import { DiscordRefusal } from "./rest/refusal.ts";
import { botId, ephemeralFlag, type Json, listOf, loadingFlag, type Message, textOf, type World } from "./world.ts";

/** What a person got. */
export type Result = {
  readonly id: string;
  readonly token: string;
  readonly personId: string;
  readonly channelId: string;
  /** The message of the button. */
  readonly source: Message | undefined;
  readonly atMs: number;
  /** The type of the callback: 4 message, 5 deferred, 6 deferred update, 7 update, 8 choices, 9 modal. */
  type: number | undefined;
  /** The first answer, or the message that is updated. */
  answer: Message | undefined;
  modal: Json | undefined;
  choices: readonly Json[] | undefined;
  readonly followUps: Message[];
};

export type Interactions = ReturnType<typeof createInteractions>;

export function createInteractions(options: {
  readonly world: World;
  readonly nowMs: () => number;
  readonly refuse: (problems: readonly string[]) => void;
}) {
  const { world, nowMs, refuse } = options;
  const byToken = new Map<string, Result>();
  let ackMs = 3_000;

  const alive = (token: string): Result => {
    const result = byToken.get(token);
    if (result?.type === undefined) throw new DiscordRefusal(404, 10_015, "Unknown Webhook");
    if (nowMs() - result.atMs > 15 * 60_000) throw new DiscordRefusal(401, 50_027, "Invalid Webhook Token");
    return result;
  };
  const answerFor = (result: Result, data: Json, flags: number, attachments: readonly Json[] = []): Message =>
    world.addMessage({
      channelId: result.channelId,
      authorId: botId,
      type: 20,
      components: listOf(data["components"]),
      content: String(data["content"] ?? ""),
      attachments,
      flags,
      seenBy: (flags & ephemeralFlag) === 0 ? undefined : result.personId,
    });

  return {
    /** Callbacks that come later find nothing. */
    setAckMs: (ms: number) => {
      ackMs = ms;
    },
    begin: (personId: string, channelId: string, source?: Message): Result => {
      const id = world.snowflake();
      const result: Result = {
        ...{ id, personId, channelId, source, token: `token-${id}`, atMs: nowMs(), followUps: [] },
        ...{ type: undefined, answer: undefined, modal: undefined, choices: undefined },
      };
      byToken.set(result.token, result);
      return result;
    },
    /** `written`: the files that the new message has, or the one that is changed. */
    acknowledge: (
      id: string,
      token: string,
      type: number,
      data: Json,
      written: (before: Message | undefined) => readonly Json[],
    ): void => {
      const result = byToken.get(token);
      if (result === undefined || result.id !== id || nowMs() - result.atMs > ackMs) {
        throw new DiscordRefusal(404, 10_062, "Unknown interaction");
      }
      if (result.type !== undefined)
        throw new DiscordRefusal(400, 40_060, "Interaction has already been acknowledged.");
      const attachments = type === 4 || type === 7 ? written(type === 7 ? result.source : undefined) : [];
      result.type = type;
      const flags = Number(data["flags"] ?? 0);
      if (type === 4) result.answer = answerFor(result, data, flags, attachments);
      else if (type === 5) result.answer = answerFor(result, {}, (flags & ephemeralFlag) | loadingFlag);
      else if (type === 6) result.answer = result.source;
      else if (type === 7 && result.source !== undefined) {
        result.answer = result.source;
        result.source.components = listOf(data["components"]);
        result.source.attachments = attachments;
        result.source.versions.push(textOf(result.source));
      } else if (type === 8) {
        result.choices = listOf(data["choices"]);
        if (result.choices.length > 25) refuse(["more than 25 choices"]);
      } else if (type === 9) result.modal = data;
      else refuse([`a callback of type ${type}`]);
    },
    answer: (token: string, id: string): Message => {
      const result = alive(token);
      const message = id === "@original" ? result.answer : result.followUps.find((one) => one.id === id);
      if (message === undefined || message.isDeleted) throw new DiscordRefusal(404, 10_008, "Unknown Message");
      return message;
    },
    followUp: (token: string, data: Json, attachments: readonly Json[]): Message => {
      const result = alive(token);
      const message = answerFor(result, data, Number(data["flags"] ?? 0), attachments);
      result.followUps.push(message);
      return message;
    },
  };
}
