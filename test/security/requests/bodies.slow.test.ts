/**
 * Requests from strangers that are too large, and names that would like to be more than names: refused before they cost
 * memory, and never a header or a path of their own.
 */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createMindsdbService } from "../../../src/agent-service/mindsdb/request.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { signingSecret, startFakeSlack } from "../../fakes/slack/index.ts";
import { runs } from "../../properties.ts";

/** Of a refused body up to 64 MB are read and dropped, so that a proxy hands the refusal on; what follows is cut. */
const maxMb = 100;

/** Sends until it is refused; what the server took in before that, and how it said so. */
async function flood(
  url: string,
  contentType: string,
): Promise<{ readonly sentMb: number; readonly status: number | "cut" }> {
  const outgoing = request(url, { method: "POST", headers: { "content-type": contentType } });
  const ended = new Promise<number | "cut">((resolve) => {
    outgoing.on("response", (response) => resolve(response.resume().statusCode ?? 0));
    outgoing.on("error", () => resolve("cut"));
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const block = Buffer.alloc(2 ** 20, "x");
  let sentMb = 0;
  for (; sentMb < maxMb && !isOver; sentMb += 1) {
    if (!outgoing.write(block)) await Promise.race([once(outgoing, "drain"), ended]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  outgoing.end();
  return { sentMb, status: await ended };
}

describe("an endless body", () => {
  let parley: ParleyProcess | undefined;
  afterEach(() => parley?.close());

  it.for([
    ["/api/messages", "application/json"],
    ["/slack/events", "application/json"],
    ["/login", "application/x-www-form-urlencoded"],
  ] as const)("is refused at %s before it is read whole", async ([path, contentType]) => {
    const slack = await startFakeSlack();
    parley = await createParleyProcess({
      ...{ SLACK_BOT_TOKEN: "xoxb-test-bot", SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: slack.apiUrl },
      CONSOLE: "on",
      ...(path === "/login" ? { CONSOLE_TOKEN: "a-token-of-the-page" } : {}),
    });
    await parley.start();

    const { sentMb, status } = await flood(`${parley.url}${path}`, contentType);

    expect(sentMb).toBeLessThan(maxMb);
    expect(status === "cut" || status >= 400).toBe(true);
    expect((await fetch(`${parley.url}/healthz`)).status).toBe(200);
    await slack.stop();
  });
});

describe("an endless answer of the service", () => {
  it("is given up at its limit, and its connection closed", async () => {
    const closed = Promise.withResolvers<number>();
    const server = createServer((_incoming, response) => {
      let sentMb = 0;
      response.writeHead(200, { "content-type": "application/json" });
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, "["))) sentMb += 1;
        sentMb += 1;
      };
      response.on("drain", write).on("close", () => closed.resolve(sentMb));
      write();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const limits = { firstChunkMs: 5_000, silenceMs: 5_000, runMs: 5_000, insertMs: 5_000 };
    const service = createMindsdbService({ baseUrl, limits, clock: systemClock, log: silentLog });

    await expect(service.listAgents("mindsdb")).rejects.toMatchObject({ code: "answer_too_large" });
    expect(await closed.promise).toBeLessThan(maxMb);
    await service.close();
    server.close();
  });
});

describe("names towards the service", () => {
  it("make no header and no other path, whatever they hold", async () => {
    const seen: { readonly url: string; readonly names: string }[] = [];
    const server = createServer((incoming, response) => {
      seen.push({ url: incoming.url ?? "", names: incoming.rawHeaders.join("\n") });
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const limits = { firstChunkMs: 5_000, silenceMs: 5_000, runMs: 5_000, insertMs: 5_000 };
    const service = createMindsdbService({ baseUrl, limits, clock: systemClock, log: silentLog });
    const hostile = fc.string({
      unit: fc.constantFrom("\r", "\n", ":", " ", "/", ".", "%", "?", "#", "\\", "X", "é", "\0"),
    });

    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (project, name) => {
        seen.length = 0;
        await service.getAgent(project, name).catch(() => undefined);
        for (const { url, names } of seen) {
          expect(names).not.toMatch(/X|é/);
          if (url !== "/api/status") expect(url.split("/")).toHaveLength(6);
        }
      }),
      { numRuns: runs(60) },
    );
    expect(seen.length).toBeLessThanOrEqual(2);
    await service.close();
    server.close();
  });
});
