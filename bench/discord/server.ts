/** Runs the strict local Discord in its own process. The parent orders what people do, and reads what was written. */
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeDiscordOptions, startFakeDiscord, token } from "../../test/fakes/discord/index.ts";
import { type Json, textOf } from "../../test/fakes/discord/world.ts";
import { type Asked, sentAtMs, type Write } from "../answers.ts";
import { obey } from "../orders.ts";

export type Order =
  | { readonly do: "start"; readonly options: FakeDiscordOptions; readonly people: number }
  /** Resolves when Parley is there and its commands are known. */
  | { readonly do: "wait" }
  /** Mentions, all at once, each by another person: in a channel of its own, or all in one. */
  | { readonly do: "ask"; readonly from: number; readonly count: number; readonly isOneChannel: boolean }
  /** The same by command. Resolves with how long each acknowledgement took. */
  | { readonly do: "command"; readonly from: number; readonly count: number }
  | { readonly do: "finals" }
  | { readonly do: "report" };

export type Report = {
  readonly writes: readonly Write[];
  /** Edits of one message that were under way here at once, at most. */
  readonly editsAtOnce: number;
};

const post = "POST /channels/:c/messages";
const edit = "PATCH /channels/:c/messages/:m";
const maxAckMs = 3_000;

type Discord = Awaited<ReturnType<typeof startFakeDiscord>>;
let discord: Discord | undefined;

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === "start") {
    discord = await startFakeDiscord(order.options);
    for (let index = 0; index < order.people; index += 1) settle(discord, index);
    return { apiUrl: discord.apiUrl, token };
  }
  if (discord === undefined) throw new Error("not started");
  switch (order.do) {
    case "wait":
      while (!discord.gateway.isOnline() || discord.registrations.length === 0) await sleep(10);
      return;
    case "ask":
      return ask(discord, order);
    case "command":
      return command(discord, order);
    case "finals":
      return new Set(discord.calls.map(writeOf).flatMap((write) => (write.sentAtMs === undefined ? [] : write.thread)))
        .size;
    case "report":
      return { writes: discord.calls.map(writeOf), editsAtOnce: editsAtOnce(discord) } satisfies Report;
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

function ask(
  { world, human }: Discord,
  { from, count, isOneChannel }: Extract<Order, { do: "ask" }>,
): readonly Asked[] {
  return Array.from({ length: count }, (_, at) => {
    const index = from + at;
    const channel = world.channel(isOneChannel ? "general" : nameOf(index));
    const { id, atMs } = human(nameOf(index)).mention(channel, `question ${index}`);
    return { index, thread: id, atMs };
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

function writeOf({ route, path, body, atMs, status }: Discord["calls"][number]): Write {
  const kind = route === post ? "post" : route === edit ? "edit" : "other";
  const components = (Array.isArray(body["components"]) ? body["components"] : []) as readonly Json[];
  const text = textOf({ content: String(body["content"] ?? ""), components });
  const steps = [...text.matchAll(/^(\S) .*“s(\d+)”/gmu)].map(([, mark, step]) => ({
    step: Number(step),
    isRunning: mark === "⏳",
  }));
  const newest = steps.at(-1);
  return {
    kind,
    atMs,
    ...(status < 300 ? {} : { refusal: `${status} ${route}` }),
    ...(kind === "other" ? {} : { thread: path.split("/")[2] ?? "" }),
    ...(newest === undefined ? {} : { newest }),
    steps: steps.map(({ step }) => step),
    ...sentAtMs(text),
  };
}

function editsAtOnce({ calls }: Discord): number {
  const edits = calls.filter(({ route }) => route === edit);
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
