/** Runs the strict local Slack in its own process. The parent orders what people do, and reads what was written. */
import { type FakeSlackOptions, startFakeSlack } from "../../test/fakes/slack/index.ts";
import type { Json } from "../../test/fakes/slack/world.ts";
import { type Asked, sentAtMs, type Write } from "../answers.ts";
import { obey } from "../orders.ts";

export type Acknowledged = Asked & { readonly ackMs: number };

export type Order =
  | { readonly do: "start"; readonly options: FakeSlackOptions }
  /** Mentions, all at once: in a channel of its own each, or all in one. */
  | { readonly do: "ask"; readonly from: number; readonly count: number; readonly isOneChannel: boolean }
  | { readonly do: "fail"; readonly method: string; readonly times: number; readonly retryAfterS: number }
  | { readonly do: "report" };

let slack: Awaited<ReturnType<typeof startFakeSlack>> | undefined;

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === "start") {
    slack = await startFakeSlack(order.options);
    return { apiUrl: slack.apiUrl };
  }
  if (slack === undefined) throw new Error("not started");
  switch (order.do) {
    case "ask":
      return ask(slack, order);
    case "fail":
      return slack.fail(order.method, "ratelimited", order);
    case "report":
      return slack.calls.filter(({ method }) => /^(chat|agents)\./.test(method)).map(writeOf);
    default:
      return order satisfies never;
  }
}

type Slack = NonNullable<typeof slack>;

/** Fewer than one person may have waiting. */
const questionsEach = 40;

async function ask({ world, person }: Slack, order: Extract<Order, { do: "ask" }>): Promise<readonly Acknowledged[]> {
  const askerOf = (index: number, channel: string) => {
    const id = `U0BENCH${Math.floor(index / questionsEach)}`;
    if (!world.users.has(id)) world.users.set(id, { ...world.users.get("U0BOB"), id });
    world.channels.get(channel)?.members.add(id);
    return person(id);
  };
  const asked = Array.from({ length: order.count }, async (_, at): Promise<Acknowledged> => {
    const index = order.from + at;
    const channel = order.isOneChannel ? "C0GENERAL" : `C0BENCH${index}`;
    if (!world.channels.has(channel)) world.addChannel(channel, ["U0ALICE", "U0BOT"]);
    const { ts, delivered } = askerOf(index, channel).mention(channel, `question ${index}`);
    const acknowledged = (await delivered).map(({ ackMs }) => ackMs ?? Number.POSITIVE_INFINITY);
    return { index, thread: ts, atMs: Number(ts) * 1_000, ackMs: Math.max(...acknowledged) };
  });
  return Promise.all(asked);
}

const kinds: Readonly<Record<string, Write["kind"]>> = { "chat.postMessage": "post", "chat.update": "edit" };

function writeOf({ method, body, error, atMs }: Slack["calls"][number]): Write {
  const blocks = (Array.isArray(body["blocks"]) ? body["blocks"] : []) as readonly Json[];
  const tasks = blocks.flatMap(({ tasks: list }) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const steps = tasks.flatMap((task) => {
    const step = Number(/^step-(\d+)$/.exec(String(task["task_id"]))?.[1] ?? Number.NaN);
    return Number.isNaN(step) ? [] : [{ step, isRunning: task["status"] === "in_progress" }];
  });
  const newest = steps.toSorted((one, other) => one.step - other.step).at(-1);
  const thread = body["thread_ts"] ?? slack?.world.messages.get(String(body["ts"]))?.thread_ts;
  return {
    kind: kinds[method] ?? "other",
    atMs,
    ...(error === undefined ? {} : { refusal: error }),
    ...(thread === undefined ? {} : { thread: String(thread) }),
    ...(newest === undefined ? {} : { newest }),
    steps: steps.map(({ step }) => step),
    ...sentAtMs(JSON.stringify(blocks)),
  };
}

obey(carryOut);
