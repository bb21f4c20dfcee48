/** What a stranger can do to the real process with single requests: broken ones, odd ones, and those that end in the middle. */
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { signingSecret, startFakeSlack } from "../../fakes/slack/index.ts";

const json = "content-type: application/json\r\n";
const form = "content-type: application/x-www-form-urlencoded\r\n";
const paths = [
  "/",
  "/login",
  "/api/messages",
  "/api/events?tab=a",
  "/slack/events",
  "/docs/%ff",
  "/files/%00",
  "//[",
  "*",
];
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
const bodies = [
  "\r\n",
  `${json}content-length: 4\r\n\r\nnull`,
  `${json}content-length: 1000\r\n\r\n{"id"`,
  `${form}content-length: 1000\r\n\r\ntoken=x`,
  `${form}content-length: 9\r\n\r\n%ff%fe%zz`,
  `${form}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  `content-type: multipart/form-data; boundary=x\r\ncontent-length: 9\r\n\r\n--x\r\nabcd`,
  `${json}expect: 100-continue\r\ncontent-length: 10\r\n\r\n`,
  `${json}x-slack-signature: v0=\r\nx-slack-request-timestamp: NaN\r\ncontent-length: 2\r\n\r\n{}`,
  "connection: upgrade\r\nupgrade: websocket\r\n\r\n",
];

/** Sends it, waits for a sign of an answer or a moment, and leaves without a word. */
function sendAndLeave(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(100, () => socket.resetAndDestroy());
    socket.once("data", () => socket.resetAndDestroy());
    socket.on("error", () => {}).once("close", () => resolve());
  });
}

describe("broken and odd requests", () => {
  let parley: ParleyProcess | undefined;
  afterEach(() => parley?.close());

  it.for(["with a token", "without one"])("don't end Parley and aren't logged as its errors: %s", async (kind) => {
    const slack = await startFakeSlack();
    parley = await createParleyProcess({
      ...{ SLACK_BOT_TOKEN: "xoxb-test-bot", SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: slack.apiUrl },
      ...{ CONSOLE: "on", ...(kind === "with a token" ? { CONSOLE_TOKEN: "a-token-of-the-page" } : {}) },
    });
    await parley.start();
    const port = Number(new URL(parley.url).port);
    const requests = methods.flatMap((method) =>
      paths.flatMap((path) => bodies.map((body) => `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${body}`)),
    );

    while (requests.length > 0) {
      await Promise.all(requests.splice(0, 60).map((request) => sendAndLeave(port, request)));
    }

    expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
    expect(parley.output()).not.toContain('"level":"error"');
    await slack.stop();
  });
});
