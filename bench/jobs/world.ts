/**
 * Everything around Parley that a job needs, in a separate process so that its work isn't counted as Parley's: a strict
 * local Slack, a service that accepts content, and sites with pages as large as those of documentation.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type FeedingService, startFeedingService } from "../../test/doubles/service/feeding-service.ts";
import { type FakeSlackOptions, startFakeSlack } from "../../test/fakes/slack/index.ts";
import { obey } from "../bots/orders.ts";

export type WorldOptions = {
  readonly slack?: FakeSlackOptions;
  /** What the service calls its version: decides who reads pages. */
  readonly version: string;
  readonly agents: number;
  /** What an insert takes. */
  readonly insertMs: number;
  /** Sites, each of them a host of its own. */
  readonly sites: number;
  readonly pageKilobytes: number;
};

export type World = { readonly apiUrl: string; readonly serviceUrl: string; readonly sites: readonly string[] };

export type Report = {
  readonly inserts: number;
  readonly inserted: number;
  readonly mostAtOnce: number;
  /** When the Job's message was posted and edited. */
  readonly writesAtMs: readonly number[];
  readonly messages: number;
  readonly text: string;
  /** Of all pages of one site: the least time between two requests. */
  readonly leastSpacingMs: number;
};

export type Order =
  | { readonly do: "start"; readonly options: WorldOptions }
  | { readonly do: "ingest"; readonly urls: readonly string[]; readonly more: string }
  /** Suggestions for what is typed into a form's field for an agent: how long each took. */
  | { readonly do: "complete"; readonly typed: readonly string[]; readonly pauseMs: number }
  | { readonly do: "report" };

const general = "C0GENERAL";
const words =
  "the lamp of the lighthouse is lit at dusk by its keeper who trims the wick every evening before boats return".split(
    " ",
  );

let slack: Awaited<ReturnType<typeof startFakeSlack>> | undefined;
let service: FeedingService | undefined;
const asked = new Map<string, number[]>();

obey<Order>(async (order) => {
  if (order.do === "start") return start(order.options);
  if (slack === undefined || service === undefined) throw new Error("not started");
  const alice = slack.person("U0ALICE");
  switch (order.do) {
    case "ingest":
      await alice.command("/kb", `ingest ${order.urls.join(" ")} into docs ${order.more}`, general);
      return undefined;
    case "complete":
      return complete(alice, order);
    case "report":
      return report(slack, service);
    default:
      return order satisfies never;
  }
});

async function start(options: WorldOptions): Promise<World> {
  const { version, insertMs, pageKilobytes } = options;
  slack = await startFakeSlack(options.slack);
  service = await startFeedingService({
    version,
    agents: Array.from({ length: options.agents }, (_, index) => `agent_${String(index).padStart(4, "0")}`),
    insert: async () => {
      await sleep(insertMs);
      return undefined;
    },
  });
  const sites = await Promise.all(Array.from({ length: options.sites }, () => startSite(pageKilobytes)));
  return { apiUrl: slack.apiUrl, serviceUrl: service.url, sites };
}

async function startSite(kilobytes: number): Promise<string> {
  const server: Server = createServer((request, response) => {
    const { url: path = "/" } = request;
    if (path === "/robots.txt") return response.writeHead(404).end();
    const times = asked.get(request.headers.host ?? "") ?? [];
    asked.set(request.headers.host ?? "", times);
    times.push(performance.now());
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page(path, kilobytes));
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Navigation, text in sections, code, a footer; no two pages say the same. */
function page(path: string, kilobytes: number): string {
  const links = Array.from({ length: 60 }, (_, index) => `<li><a href="/other${index}">Page ${index}</a></li>`).join(
    "",
  );
  const parts: string[] = [];
  for (let chars = 0, at = 0; chars < kilobytes * 1_000; at += 1) {
    const text = Array.from({ length: 70 }, (_, word) => words[(word * (at + 3)) % words.length]).join(" ");
    const part = `<section><h2>Part ${at} of ${path}</h2><p>${text}</p><pre><code>lamp --lit ${at}</code></pre></section>\n`;
    parts.push(part);
    chars += part.length;
  }
  return `<!doctype html><html lang="en"><head><title>Page ${path}</title></head><body><nav><ul>${links}</ul></nav>
<main><h1>Page ${path}</h1>${parts.join("")}</main><footer>All rights reserved</footer></body></html>`;
}

type Slack = NonNullable<typeof slack>;

async function complete(
  alice: ReturnType<Slack["person"]>,
  { typed, pauseMs }: Extract<Order, { do: "complete" }>,
): Promise<readonly number[]> {
  await alice.command("/agent", "use", general);
  while (alice.view() === undefined) await sleep(20);
  const view = alice.view();
  if (view === undefined) throw new Error("There is no form");
  const tookMs: number[] = [];
  for (const text of typed) {
    const startedAtMs = performance.now();
    const { answer } = await alice.suggest(view, "name", text);
    tookMs.push(performance.now() - startedAtMs);
    const { options } = answer as { readonly options: readonly unknown[] };
    if (options.length === 0) throw new Error(`Nothing is suggested for ${text}`);
    await sleep(pauseMs);
  }
  return tookMs;
}

function report({ world, calls }: Slack, { inserts, most }: FeedingService): Report {
  const messages = [...world.messages.values()].filter(
    ({ channel, bot_id, visibleTo }) => channel === general && bot_id !== undefined && visibleTo === undefined,
  );
  const writes = calls.filter(
    ({ method, body, error }) =>
      error === undefined && /^chat\.(?:postMessage|update)$/.test(method) && body["channel"] === general,
  );
  const spacings = [...asked.values()].flatMap((times) => times.slice(1).map((ms, index) => ms - (times[index] ?? 0)));
  return {
    inserts: inserts.length,
    inserted: inserts.filter(({ endedAtMs }) => endedAtMs !== undefined).length,
    mostAtOnce: most("docs"),
    writesAtMs: writes.map(({ atMs }) => atMs),
    messages: messages.length,
    text: messages.map(({ text, blocks }) => `${text}\n${JSON.stringify(blocks)}`).join("\n"),
    leastSpacingMs: Math.min(...spacings),
  };
}
