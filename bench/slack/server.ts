/** Runs the strict local Slack in its own process. The parent orders what people do, and reads what was written. */
import { setTimeout as sleep } from "node:timers/promises";
import { appToken, botToken, type FakeSlackOptions, startFakeSlack } from "../../test/fakes/slack/index.ts";
import type { Json } from "../../test/fakes/slack/world.ts";
import {
  type Asked,
  isFinal,
  lastWordIn,
  newestOf,
  type Report,
  sentAtMs,
  stepsIn,
  type Write,
} from "../bots/answers.ts";
import { obey } from "../bots/orders.ts";
import type { CommonOrder, Started, State } from "../bots/room.ts";

export type Acknowledged = Asked & { readonly ackMs: number };

export type Order =
  | CommonOrder
  | { readonly do: "start"; readonly options: FakeSlackOptions }
  | { readonly do: "fail"; readonly method: string; readonly times: number; readonly retryAfterS: number };

let slack: Awaited<ReturnType<typeof startFakeSlack>> | undefined;

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === "start") {
    slack = await startFakeSlack(order.options);
    const settings = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl };
    return { settings } satisfies Started;
  }
  if (slack === undefined) throw new Error("not started");
  switch (order.do) {
    case "wait":
      while (slack.deliveries.sockets.size === 0) await sleep(10);
      return;
    case "ask":
      return ask(slack, order);
    case "fail":
      return slack.fail(order.method, "ratelimited", order);
    case "state":
      return stateOf(slack);
    case "report":
      return reportOf(slack);
    default:
      return order satisfies never;
  }
}

type Slack = NonNullable<typeof slack>;

/** Fewer than one person may have waiting. */
const questionsEach = 40;
/** The question under which a message stands, by its thread. */
const questions = new Map<string, { readonly index: number; readonly channel: string }>();

async function ask({ world, person }: Slack, order: Extract<Order, { do: "ask" }>): Promise<readonly Acknowledged[]> {
  const askerOf = (index: number, channel: string) => {
    const id = `U0BENCH${Math.floor(index / questionsEach)}`;
    if (!world.users.has(id)) world.users.set(id, { ...world.users.get("U0BOB"), id });
    world.channels.get(channel)?.members.add(id);
    return person(id);
  };
  const asked = Array.from({ length: order.count }, async (_, at): Promise<Acknowledged> => {
    const index = order.from + at;
    const channel = order.where === "one channel" ? "C0GENERAL" : `C0BENCH${index}`;
    if (!world.channels.has(channel)) world.addChannel(channel, ["U0ALICE", "U0BOT"]);
    const { ts, delivered } = askerOf(index, channel).mention(channel, `question ${index}`);
    questions.set(ts, { index, channel });
    const acknowledged = (await delivered).map(({ ackMs }) => ackMs ?? Number.POSITIVE_INFINITY);
    return { index, atMs: Number(ts) * 1_000, ackMs: Math.max(...acknowledged) };
  });
  return Promise.all(asked);
}

const kinds: Readonly<Record<string, Write["kind"]>> = {
  "chat.postMessage": "post",
  "chat.update": "edit",
  "assistant.threads.setStatus": "status",
};
const reading = /^(auth|apps|conversations|users|files\.info)\b/;
const writesOf = ({ calls }: Slack) => calls.filter(({ method }) => !reading.test(method));

/** Threads of messages that were edited, which are gone when they were deleted since. */
const threads = new Map<string, string>();

function writeOf({ method, body, error, atMs }: Slack["calls"][number]): Write {
  const said = JSON.stringify([body["blocks"] ?? [], body["text"], body["status"]]);
  const shown = JSON.stringify(body["blocks"] ?? body["text"] ?? "");
  const tasks = tasksIn(body["blocks"]);
  const plain = kinds[method] === "status" ? stepsIn(`⏳ ${body["status"]}`) : stepsIn(String(body["text"] ?? ""));
  const own = slack?.world.messages.get(String(body["ts"]))?.thread_ts;
  if (own !== undefined) threads.set(String(body["ts"]), own);
  const thread = body["thread_ts"] ?? own ?? threads.get(String(body["ts"]));
  const question = questions.get(String(thread))?.index;
  return {
    kind: kinds[method] ?? "other",
    call: method,
    atMs,
    ...(error === undefined ? {} : { refusal: error === "ratelimited" ? "limited" : "other" }),
    ...(question === undefined ? {} : { question }),
    ...newestOf(tasks.length > 0 ? tasks : plain),
    ...sentAtMs(said),
    ...lastWordIn(shown),
  };
}

/** Steps are tasks, wherever in the blocks. */
function tasksIn(blocks: unknown): { readonly step: number; readonly isRunning: boolean }[] {
  if (Array.isArray(blocks)) return blocks.flatMap(tasksIn);
  if (typeof blocks !== "object" || blocks === null) return [];
  const { task_id, status } = blocks as Json;
  const step = /^step-(\d+)$/.exec(String(task_id))?.[1];
  if (step !== undefined) return [{ step: Number(step), isRunning: status === "in_progress" }];
  return Object.values(blocks).flatMap(tasksIn);
}

/** What was read already is not read again: the parent asks often. */
let known = 0;
let lastWriteAtMs = 0;
const ended = new Set<number>();

function stateOf(from: Slack): State {
  for (const call of from.calls.slice(known)) {
    if (reading.test(call.method)) continue;
    const write = writeOf(call);
    lastWriteAtMs = Math.max(lastWriteAtMs, write.atMs);
    if (isFinal(write) && write.question !== undefined) ended.add(write.question);
  }
  known = from.calls.length;
  return { finals: ended.size, lastWriteAtMs };
}

function reportOf(from: Slack): Report {
  stateOf(from);
  return {
    writes: writesOf(from).map(writeOf),
    standing: [...questions].map(([ts, { channel }]) => {
      const own = from.world.thread(channel, ts).filter(({ bot_id }) => bot_id !== undefined);
      const isAnswer = ({ text, blocks }: (typeof own)[number]) => /Sent at \d/.test(text + JSON.stringify(blocks));
      return { messages: own.length, answers: own.filter(isAnswer).length };
    }),
    limited: from.calls.flatMap(({ method, error }) => (error === "ratelimited" ? [method] : [])),
    tooEarly: from.violations.filter((violation) => violation.includes("too early after a 429")).length,
    editsAtOnce: Number.NaN,
  };
}

obey(carryOut);
