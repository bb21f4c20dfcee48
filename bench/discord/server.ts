/** Runs the strict local Discord in its own process. The parent orders what people do, and reads what was written. */
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeDiscordOptions, startFakeDiscord, token } from "../../test/fakes/discord/index.ts";
import { botId, type Json, textOf } from "../../test/fakes/discord/world.ts";
import {
  type Asked,
  indexIn,
  isFinal,
  lastWordIn,
  newestOf,
  type Report,
  sentAtMs,
  stepsIn,
  type Write,
} from "../bots/answers.ts";
import { obey } from "../bots/orders.ts";
import type { CommonOrder, Started, State, Where } from "../bots/room.ts";

export type Order =
  | CommonOrder
  | { readonly do: "start"; readonly options: FakeDiscordOptions; readonly people: number }
  /** Questions by command. Resolves with how long each acknowledgement took. */
  | { readonly do: "command"; readonly from: number; readonly count: number }
  /** The same, all at once, for what is shown of the answers. */
  | { readonly do: "ask by command"; readonly from: number; readonly count: number; readonly where: Where };

const post = "POST /channels/:c/messages";
const edit = "PATCH /channels/:c/messages/:m";
const reading = /^GET /;
const maxAckMs = 3_000;

/** By the message or the command that asks. */
const questions = new Map<string, number>();
/** The same by the command's token, with which its answer is written. */
const byToken = new Map<string, number>();

type Discord = Awaited<ReturnType<typeof startFakeDiscord>>;
let discord: Discord | undefined;

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === "start") {
    discord = await startFakeDiscord(order.options);
    for (let index = 0; index < order.people; index += 1) settle(discord, index);
    const settings = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl, DISCORD_MESSAGE_CONTENT: "true" };
    return { settings } satisfies Started;
  }
  if (discord === undefined) throw new Error("not started");
  switch (order.do) {
    case "wait":
      while (!discord.gateway.isOnline()) await sleep(10);
      while (order.bot === "parley" && discord.registrations.length === 0) await sleep(10);
      return;
    case "ask":
      return ask(discord, order);
    case "command":
      return command(discord, order);
    case "ask by command":
      return askByCommand(discord, order);
    case "state":
      return stateOf(discord);
    case "report":
      return reportOf(discord);
    default:
      return order satisfies never;
  }
}

/** A person with a channel. */
function settle({ world }: Discord, index: number): void {
  const number = String(index).padStart(6, "0");
  const name = nameOf(index);
  const id = `500000000000${number}`;
  world.people.set(id, { id, name, isBot: false, roles: [], takesDirectMessages: true });
  world.addChannel({ id: `600000000000${number}`, type: 0, name });
}

function nameOf(index: number): string {
  return `bench-${index}`;
}

function ask({ world, human }: Discord, { from, count, where }: Extract<Order, { do: "ask" }>): readonly Asked[] {
  return Array.from({ length: count }, (_, at) => {
    const index = from + at;
    const channel = world.channel(where === "one channel" ? "general" : nameOf(index));
    const { id, atMs } = human(nameOf(index)).mention(channel, `question ${index}`);
    questions.set(id, index);
    return { index, atMs };
  });
}

function askByCommand({ world, human }: Discord, { from, count, where }: Extract<Order, { do: "ask by command" }>) {
  return Array.from({ length: count }, (_, at): Asked => {
    const index = from + at;
    const name = nameOf(index);
    const channel = world.channel(where === "one channel" ? "general" : name);
    const { id, atMs } = human(name).command(channel, "ask", { question: `question ${index}` });
    questions.set(id, index);
    return { index, atMs };
  });
}

async function command({ world, human, calls }: Discord, { from, count }: Extract<Order, { do: "command" }>) {
  const results = Array.from({ length: count }, (_, at) => {
    const name = nameOf(from + at);
    return human(name).command(world.channel(name), "ask", { question: `question ${from + at}` });
  });
  const untilMs = Date.now() + maxAckMs;
  while (results.some(({ type }) => type === undefined) && Date.now() < untilMs) await sleep(5);
  return results.map(({ id, atMs }) => {
    const callback = calls.find(({ path, status }) => path.startsWith(`/interactions/${id}/`) && status < 300);
    return (callback?.atMs ?? Number.POSITIVE_INFINITY) - atMs;
  });
}

/** A thread has its question's id or words; a message in the channel replies to its question, or shows a command's. */
function questionOf(channelId: string, body: Json, messageId: string | undefined): number | undefined {
  const opened = questions.get(channelId) ?? indexIn(discord?.world.channels.get(channelId)?.name ?? "");
  if (opened !== undefined) return opened;
  const replied = (body["message_reference"] as Json | undefined)?.["message_id"];
  return questions.get(String(replied ?? discord?.world.messages.get(messageId ?? "")?.referenceId));
}

function writeOf({ route, path, body, atMs, status }: Discord["calls"][number]): Write {
  const [, root, first = "", token = ""] = path.split("/");
  const asked = root === "interactions" ? questions.get(first) : undefined;
  if (asked !== undefined) byToken.set(token, asked);
  const isByToken = root === "webhooks";
  const kind = route === post ? "post" : route === edit || isByToken ? "edit" : "other";
  const components = (Array.isArray(body["components"]) ? body["components"] : []) as readonly Json[];
  const text = textOf({ content: String(body["content"] ?? ""), components });
  const [, , channelId = "", , messageId] = path.split("/");
  const question =
    kind === "other"
      ? undefined
      : isByToken
        ? byToken.get(token)
        : (questionOf(channelId, body, messageId) ?? indexIn(text));
  return {
    kind,
    call: route,
    atMs,
    ...(status < 300 ? {} : { refusal: status === 429 ? "limited" : "other" }),
    ...(question === undefined ? {} : { question }),
    ...newestOf(stepsIn(text)),
    ...sentAtMs(text),
    ...lastWordIn(text),
  };
}

/** What was read already is not read again: the parent asks often. */
let known = 0;
let lastWriteAtMs = 0;
const ended = new Set<number>();

function stateOf({ calls }: Discord): State {
  // A call without its status yet is read the next time.
  const whole = calls.findIndex(({ answeredAtMs }, at) => at >= known && answeredAtMs === undefined);
  for (const call of calls.slice(known, whole < 0 ? calls.length : whole)) {
    const write = writeOf(call);
    if (!reading.test(write.call)) lastWriteAtMs = Math.max(lastWriteAtMs, write.atMs);
    if (isFinal(write) && write.question !== undefined) ended.add(write.question);
  }
  known = whole < 0 ? calls.length : whole;
  return { finals: ended.size, lastWriteAtMs };
}

function reportOf(from: Discord): Report {
  const { world, calls, violations } = from;
  const own = [...world.messages.values()].filter(({ authorId, isDeleted }) => authorId === botId && !isDeleted);
  const standing = new Map([...questions.values()].map((index) => [index, { messages: 0, answers: 0 }]));
  for (const message of own) {
    const counts = standing.get(questionOf(message.channelId, {}, message.id) ?? indexIn(textOf(message)) ?? -1);
    if (counts === undefined) continue;
    counts.messages += 1;
    if (/Sent at \d/.test(textOf(message))) counts.answers += 1;
  }
  return {
    writes: calls.map(writeOf).filter(({ call }) => !reading.test(call)),
    standing: [...standing.values()],
    limited: calls.flatMap(({ route, status }) => (status === 429 ? [route] : [])),
    tooEarly: violations.filter((violation) => violation.includes("429")).length,
    editsAtOnce: editsAtOnce(from),
  };
}

function editsAtOnce({ calls }: Discord): number {
  const edits = calls.filter(({ route }) => route === edit || route.startsWith("PATCH /webhooks/"));
  return Math.max(
    0,
    ...edits.map(
      (one) =>
        edits.filter(({ path, atMs, answeredAtMs = Number.POSITIVE_INFINITY }) => {
          return path === one.path && atMs <= one.atMs && answeredAtMs > one.atMs;
        }).length,
    ),
  );
}

obey(carryOut);
