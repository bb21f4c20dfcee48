/**
 * What `npm start` runs, with Slack's settings, as somebody starts it: that everything is put together, what /readyz says, and
 * that requests of others do nothing.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type LoopbackSite, startLoopbackSite } from "../../doubles/network/loopback-site.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { until } from "../../doubles/until.ts";
import { post, type SentRequest } from "../../fakes/slack/deliveries.ts";
import { appToken, botToken, type FakeSlack, signingSecret, startFakeSlack } from "../../fakes/slack/index.ts";
import { textOf } from "./parley.ts";

const question = "How do I connect Slack?";

type Readiness = { readonly ready: boolean; readonly checks: { readonly slack: { ok: boolean; reason?: string } } };

async function readyz(parley: ParleyProcess): Promise<Readiness> {
  return (await (await fetch(`${parley.url}/readyz`)).json()) as Readiness;
}

async function untilReady(parley: ParleyProcess, holds: (seen: Readiness) => boolean): Promise<Readiness> {
  let seen = await readyz(parley);
  await until("what /readyz should say", async () => {
    seen = await readyz(parley);
    return holds(seen);
  });
  return seen;
}

const own = (slack: FakeSlack, thread: string) =>
  slack.world.thread("C0GENERAL", thread).filter((message) => message.bot_id !== undefined);

const isAnswered = (slack: FakeSlack, thread: string) =>
  own(slack, thread).some((message) => textOf(message.blocks).includes("Show steps"));

describe("over a socket", () => {
  let slack: FakeSlack;
  let parley: ParleyProcess;
  let site: LoopbackSite;
  beforeAll(async () => {
    slack = await startFakeSlack();
    site = await startLoopbackSite();
    parley = await createParleyProcess({
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      INGEST_ALLOW_PRIVATE: "true",
    });
    await parley.start();
  });
  afterAll(async () => {
    await parley?.close();
    await slack?.stop();
    await site?.close();
  });

  it("answers a mention with steps, sources and one message", async () => {
    const asked = slack.person("U0ALICE").mention("C0GENERAL", question);
    await until("the answer", () => isAnswered(slack, asked.ts));

    expect(own(slack, asked.ts).length).toBe(1);
    expect(textOf(own(slack, asked.ts)[0]?.blocks)).toMatch(/\d sources? ·/);
    expect(slack.violations).toEqual([]);
  });

  it("runs a command of a mention in a thread, where Slack has no slash commands, and keeps its own manual as it is", async () => {
    const bob = slack.person("U0BOB");
    const root = bob.say("C0GENERAL", "Let us keep these.");

    bob.mention("C0GENERAL", `/kb ingest ${site.good.join(" ")} ${site.bad} into docs`, { thread: root.ts });
    await until("the refusal", () =>
      [...slack.world.messages.values()].some(
        (message) => message.thread_ts === root.ts && JSON.stringify(message).includes("docs is Parley's own manual"),
      ),
    );

    expect(slack.violations).toEqual([]);
  });

  it("says on /readyz that the socket is lost, and that it is back", async () => {
    slack.refuseSockets("internal_error");
    for (const socket of slack.deliveries.sockets) socket.kill();

    const lost = await untilReady(parley, ({ ready }) => !ready);
    slack.refuseSockets(undefined);
    const back = await untilReady(parley, ({ ready }) => ready);

    expect(lost.checks.slack.ok).toBe(false);
    expect(lost.checks.slack.reason).toMatch(/reconnecting|retrying/);
    expect(back.checks.slack).toEqual({ ok: true });
  });

  it("shuts down in order, and receives nothing more", async () => {
    expect(await parley.end()).toBe(0);
    await until("the end of the socket", () => slack.deliveries.sockets.size === 0);
  });
});

describe("with a scope too few", () => {
  it("says so on /readyz and in one line of the log, and works as far as it can", async () => {
    const scopes = ["app_mentions:read", "channels:history", "chat:write", "commands", "users:read"];
    const slack = await startFakeSlack({ scopes });
    const parley = await createParleyProcess({
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
    });
    onTestFinished(async () => {
      await parley.close();
      await slack.stop();
    });
    await parley.start();

    const seen = await readyz(parley);
    const asked = slack.person("U0ALICE").mention("C0GENERAL", question);
    await until("the answer", () => isAnswered(slack, asked.ts));

    expect(seen.checks.slack.ok).toBe(true);
    expect(seen.checks.slack.reason).toContain("files:read");
    expect(parley.output().match(/The Slack app lacks/g)?.length).toBe(1);
    expect(parley.output()).not.toContain(botToken);
  });
});

describe("over HTTP", () => {
  let slack: FakeSlack;
  let parley: ParleyProcess;
  beforeAll(async () => {
    slack = await startFakeSlack();
    parley = await createParleyProcess({
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
    });
    await parley.start();
    slack.useRequestUrl(`${parley.url}/slack/events`);
  });
  afterAll(async () => {
    await parley?.close();
    await slack?.stop();
  });

  it("answers a mention, a command and a button", async () => {
    const alice = slack.person("U0ALICE");
    const asked = alice.mention("C0GENERAL", question);
    await until("the answer", () => isAnswered(slack, asked.ts));

    await alice.command("/agent", "list", "C0GENERAL");
    await until("a response", () => slack.responses.some(({ body }) => textOf(body["blocks"]).includes("guide")));
    await alice.click(own(slack, asked.ts)[0]?.ts ?? "", "Show steps");
    await until("the steps", () => slack.responses.some(({ body }) => textOf(body["blocks"]).includes("'s steps")));

    expect(own(slack, asked.ts).length).toBe(1);
    expect(slack.violations).toEqual([]);
  });

  it("does nothing for a request that is forged, stale, unsigned or a copy", async () => {
    const { sign, requests } = slack.deliveries;
    const genuine = requests.find(({ body }) => body.includes("app_mention")) as SentRequest;
    const command = requests.find(({ body }) => body.includes("command=")) as SentRequest;
    const fresh = genuine.body.replace(/"(ts|event_ts)":"\d+/g, '"$1":"1600000000').replace(/"Ev\d+"/, '"Ev9"');
    const signed = (body: string, ageS: number): SentRequest => {
      const seconds = Math.floor(Date.now() / 1000) - ageS;
      return {
        ...genuine,
        body,
        headers: {
          ...genuine.headers,
          "x-slack-request-timestamp": `${seconds}`,
          "x-slack-signature": sign(body, seconds),
        },
      };
    };
    const { "x-slack-signature": _signature, ...unsigned } = genuine.headers;
    const before = slack.calls.length;
    const responses = slack.responses.length;

    const refused = await Promise.all([
      post({
        ...signed(fresh, 0),
        headers: { ...signed(fresh, 0).headers, "x-slack-signature": `v0=${"0".repeat(64)}` },
      }),
      post(signed(fresh, 6 * 60)),
      post({ ...genuine, body: fresh, headers: unsigned }),
    ]);
    const copied = await Promise.all([post(genuine), post(command)]);
    // Whatever these had caused would have been done before what is asked now.
    const asked = slack.person("U0ALICE").mention("C0GENERAL", "How do I run the doctor?");
    await until("the answer", () => isAnswered(slack, asked.ts));
    const caused = slack.calls
      .slice(before)
      .filter(({ method, body }) => method.startsWith("chat.") && body["thread_ts"] !== asked.ts);

    expect(refused.map((answer) => answer?.status)).toEqual([401, 401, 401]);
    expect(copied.map((answer) => answer?.status)).toEqual([200, 200]);
    expect(slack.responses.length).toBe(responses);
    expect(caused.filter(({ method }) => method === "chat.postMessage")).toEqual([]);
    expect(own(slack, asked.ts).length).toBe(1);
  });
});
