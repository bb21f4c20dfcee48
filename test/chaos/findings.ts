/**
 * What must be true when the dust has settled: every question has exactly one ending, in order, nothing stands twice, and
 * nothing is held any more.
 */
import type { Turn } from "../../src/bridge/words.ts";
import type { RedisConnection } from "../../src/state/redis-connection.ts";
import type { StoredMessage } from "../fakes/slack/world.ts";
import { type Town, wordsOf } from "../reliability/slack-town.ts";
import type { Askers } from "./askers.ts";

type PageMessage = {
  readonly id: string;
  readonly author: string;
  readonly payload?: { readonly tone: string; readonly blocks: unknown };
};

/** What the service was asked, in that order. */
export type Ask = { readonly tag: string; readonly atMs: number };

const endings: readonly string[] = ["answered", "failed", "stopped"];

export async function findWrong(options: {
  readonly town: Town;
  readonly askers: Askers;
  readonly asks: readonly Ask[];
  readonly turns: readonly Turn[];
  readonly pageUrl: string;
  readonly connection: RedisConnection;
}): Promise<readonly string[]> {
  const { town, askers, asks, turns, pageUrl, connection } = options;
  const wrong: string[] = [];
  const byEvent = new Map(turns.map((turn) => [turn.eventKey, turn]));
  if (byEvent.size !== turns.length) wrong.push("an event has two Turns");

  for (const question of askers.asked) {
    const turn = byEvent.get(question.eventKey);
    if (turn === undefined) {
      if (question.isDelivered()) wrong.push(`${question.tag} was taken and has no Turn`);
      continue;
    }
    if (!endings.includes(turn.state)) wrong.push(`${question.tag} is still ${turn.state}`);
    if (turn.reply.parts.length === 0) wrong.push(`${question.tag} has no reply`);
    const shown =
      question.platform === "slack" ? slackWords(town, turn) : await pageWords(pageUrl, question.thread, turn);
    if (shown === undefined) wrong.push(`${question.tag}: a part of its reply does not stand there`);
    else if (turn.state === "answered" && !shown.includes(`Answer to ${question.tag}`))
      wrong.push(`${question.tag} does not show its answer`);
    else if (/is looking it up|will look it up|restarted; asking/.test(shown))
      wrong.push(`${question.tag} shows no end: ${shown.slice(0, 200)}`);
  }

  wrong.push(...strays(town, turns), ...disorder(asks, askers, byEvent));
  const held = await connection.run((client) => client.keys("parley:line:*"));
  if (held.length > 0) wrong.push(`still held: ${held.join(", ")}`);
  if (town.service.runs.atOnce > 0) wrong.push(`${town.service.runs.atOnce} runs are still open`);
  wrong.push(...town.slack.violations);
  return wrong;
}

function slackWords(town: Town, turn: Turn): string | undefined {
  const parts = turn.reply.parts.map(({ messageId }) => town.slack.world.messages.get(messageId ?? ""));
  return parts.some((part) => part === undefined) ? undefined : parts.map(wordsOf).join("\n");
}

async function pageWords(pageUrl: string, thread: string, turn: Turn): Promise<string | undefined> {
  const response = await fetch(`${pageUrl}/api/conversations/general/${thread}`);
  const { messages } = (await response.json()) as { readonly messages: readonly PageMessage[] };
  const own = messages.filter(({ author, id }) => author === "parley" && id.startsWith(turn.id));
  return own.length === turn.reply.parts.length ? JSON.stringify(own) : undefined;
}

/** The storage was away and the process that kept the question died: docs/reliability.md says that this can happen. */
export function isLeftWaiting(message: StoredMessage): boolean {
  return message.bot_id !== undefined && wordsOf(message).includes("Your question is kept here");
}

/** Messages of Parley that belong to no Turn, or to one that does not know of them. */
function strays(town: Town, turns: readonly Turn[]): readonly string[] {
  const known = new Set(turns.flatMap((turn) => turn.reply.parts.map(({ messageId }) => messageId)));
  return [...town.slack.world.messages.values()]
    .filter((message) => message.bot_id !== undefined && message.visibleTo === undefined && !known.has(message.ts))
    .filter((message) => !isLeftWaiting(message))
    .map((message) => `a message that belongs to nothing: ${wordsOf(message).slice(0, 200)}`);
}

/** Within a thread the service must have been asked in the order of the questions. */
function disorder(asks: readonly Ask[], askers: Askers, turns: ReadonlyMap<string, Turn>): readonly string[] {
  const questions = new Map(askers.asked.map((question) => [question.tag, question]));
  const told = new Map<string, Ask[]>();
  const wrong: string[] = [];
  for (const ask of asks) {
    const question = questions.get(ask.tag);
    if (question === undefined || askers.askedAgain.has(ask.tag)) continue;
    const before = told.get(question.thread) ?? [];
    told.set(question.thread, [...before, ask]);
    if (before.every(({ tag }) => numberOf(tag) <= numberOf(ask.tag))) continue;
    const history = [...before, ask].map(({ tag, atMs }) => `${tag} asked ${atMs}, ${lifeOf(tag)}`);
    wrong.push(`out of order in ${question.platform}/${question.thread}:\n    ${history.join("\n    ")}`);
  }
  return wrong;

  function lifeOf(tag: string): string {
    const turn = turns.get(questions.get(tag)?.eventKey ?? "");
    if (turn === undefined) return "no Turn";
    const { id, order, state, attempt, fence, createdAtMs, startedAtMs, endedAtMs } = turn;
    return JSON.stringify({ id, order, state, attempt, fence, createdAtMs, startedAtMs, endedAtMs });
  }
}

function numberOf(tag: string): number {
  return Number(tag.slice(1, -1));
}
