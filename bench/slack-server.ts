/**
 * The strict local Slack in a process of its own, so that its work is not counted as Parley's. Its parent sends what people
 * do and asks for what was written; it ends with its parent.
 */
import { type FakeSlackOptions, startFakeSlack } from "../test/fakes/slack/index.ts";
import type { Json } from "../test/fakes/slack/world.ts";

export type Asked = { readonly index: number; readonly ts: string; readonly ackMs: number };

/** One call to the Web API that writes; `shows` counts the actions and steps that its blocks show. */
export type Write = {
  readonly method: string;
  readonly atMs: number;
  readonly error?: string;
  /** Of the question it stands under. */
  readonly thread?: string;
  readonly shows: number;
  /** What the answer says of when it was sent. */
  readonly sentAtMs?: number;
  readonly taskIds: readonly string[];
};

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

async function ask({ world, person }: Slack, order: Extract<Order, { do: "ask" }>): Promise<readonly Asked[]> {
  const alice = person("U0ALICE");
  const asked = Array.from({ length: order.count }, async (_, at): Promise<Asked> => {
    const index = order.from + at;
    const channel = order.isOneChannel ? "C0GENERAL" : `C0BENCH${index}`;
    if (!world.channels.has(channel)) world.addChannel(channel, ["U0ALICE", "U0BOT"]);
    const { ts, delivered } = alice.mention(channel, `question ${index}`);
    const acknowledged = (await delivered).map(({ ackMs }) => ackMs ?? Number.POSITIVE_INFINITY);
    return { index, ts, ackMs: Math.max(...acknowledged) };
  });
  return Promise.all(asked);
}

function writeOf({ method, body, error, atMs }: Slack["calls"][number]): Write {
  const blocks = (Array.isArray(body["blocks"]) ? body["blocks"] : []) as readonly Json[];
  const tasks = blocks.flatMap(({ tasks: list }) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const thread = body["thread_ts"] ?? slack?.world.messages.get(String(body["ts"]))?.thread_ts;
  const sent = /Sent at (\d+)/.exec(JSON.stringify(blocks))?.[1];
  return {
    method,
    atMs,
    ...(error === undefined ? {} : { error }),
    ...(thread === undefined ? {} : { thread: String(thread) }),
    ...(sent === undefined ? {} : { sentAtMs: Number(sent) }),
    shows: Math.max(0, ...tasks.map(shownBy)),
    taskIds: tasks.map((task) => String(task["task_id"])),
  };
}

/** Step n is an action (2n + 1 chunks) while it runs, and an observation besides (2n + 2) when it is done. */
function shownBy(task: Json): number {
  const step = Number(/^step-(\d+)$/.exec(String(task["task_id"]))?.[1] ?? Number.NaN);
  if (Number.isNaN(step)) return 0;
  return 2 * step + (task["status"] === "in_progress" ? 1 : 2);
}

process.on("message", ({ id, order }: { id: number; order: Order }) => {
  void carryOut(order).then((result) => process.send?.({ id, result }));
});
process.on("disconnect", () => process.exit(0));
