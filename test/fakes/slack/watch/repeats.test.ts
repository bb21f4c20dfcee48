/** The local Slack names edits that change nothing or notify people, messages that stand twice, and calls that come too early. */
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { botToken, type FakeSlack, startFakeSlack } from "../index.ts";
import type { Json } from "../world.ts";

let slack: FakeSlack;
let thread: string;

beforeEach(async () => {
  slack = await startFakeSlack({ rates: false, ackTimeoutMs: 1 });
  const { stop } = slack;
  onTestFinished(stop);
  thread = slack.person("U0ALICE").say("C0GENERAL", "hello").ts;
});

async function call(method: string, body: Readonly<Record<string, string>>): Promise<Json> {
  const headers = { authorization: `Bearer ${botToken}` };
  const form = new URLSearchParams({ channel: "C0GENERAL", ...body });
  const answer = await fetch(`${slack.apiUrl}${method}`, { method: "POST", headers, body: form });
  return (await answer.json()) as Json;
}

const post = (text: string) =>
  call("chat.postMessage", { thread_ts: thread, text, unfurl_links: "false", unfurl_media: "false" });
const edit = (ts: unknown, text: string) => call("chat.update", { ts: String(ts), text });

describe("an edit", () => {
  it("that changes nothing is a violation, and one that changes something is none", async () => {
    const { ts } = await post("reading");
    await edit(ts, "reading more");
    expect(slack.violations).toEqual([]);

    await edit(ts, "reading more");

    expect(slack.violations).toEqual([`an edit of ${ts} changed nothing`]);
  });

  it("may repeat a mention of the message, and name no one else", async () => {
    slack.world.mayBePinged.add("U0ALICE");
    const naming = (person: string) => {
      const elements = [{ type: "rich_text_section", elements: [{ type: "user", user_id: person }] }];
      return JSON.stringify([{ type: "rich_text", elements }]);
    };
    const more = { unfurl_links: "false", unfurl_media: "false" };
    const { ts } = await call("chat.postMessage", {
      thread_ts: thread,
      text: "42",
      blocks: naming("U0ALICE"),
      ...more,
    });
    await call("chat.update", { ts: String(ts), text: "It is 42", blocks: naming("U0ALICE") });
    expect(slack.violations).toEqual([]);

    await call("chat.update", { ts: String(ts), text: "It was 42", blocks: naming("U0BOB") });

    expect(slack.violations).toEqual(["chat.update would ping: <@U0BOB>"]);
  });

  it("may come once more when its answer was lost", async () => {
    const { ts } = await post("reading");
    slack.fail("chat.update", "lost");
    await edit(ts, "42").catch(() => undefined);

    await edit(ts, "42");
    expect(slack.violations).toEqual([]);
    await edit(ts, "42");

    expect(slack.violations).toEqual([`an edit of ${ts} changed nothing`]);
  });
});

describe("a message", () => {
  it("that is posted twice for one question is a violation", async () => {
    await post("42");
    await post("Anything else?");
    expect(slack.violations).toEqual([]);

    const { ts } = await post("42");

    expect(slack.violations).toEqual([`the same message 2 times in one thread: ${ts} "42"`]);
  });

  it("may be posted as often as someone asked", async () => {
    slack.person("U0ALICE").say("C0GENERAL", "again?", { thread });

    await post("42");
    await post("42");

    expect(slack.violations).toEqual([]);
  });
});

describe("a call", () => {
  it("before the wait of an arranged 429 is over is a violation, in that channel", async () => {
    slack.fail("chat.postMessage", "ratelimited", { retryAfterS: 3 });
    await post("42");
    slack.advance(1_000);

    await call("chat.postMessage", { channel: "D0ALICE", text: "hello", unfurl_links: "false" });
    expect(slack.violations).toEqual([]);
    await post("42");
    slack.advance(3_000);
    await post("43");

    expect(slack.violations).toEqual([
      expect.stringMatching(/^chat\.postMessage was called \d+ ms too early after a 429$/),
    ]);
  });

  it("that was underway when the refusal came is none", async () => {
    slack.fail("chat.update", "ratelimited", { retryAfterS: 3 });
    const { ts } = await post("reading");

    await Promise.all([edit(ts, "42"), edit(ts, "43")]);

    expect(slack.violations).toEqual([]);
  });
});
