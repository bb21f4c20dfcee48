/**
 * "Get the rest" where no file may be attached: what is left of a megabyte, drawn for whoever presses. Not by the clock:
 * time is what the regular expressions have read, and no more than about one message is cut and drawn before everything else has
 * its turn.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { render as renderConsole } from "../../../adapters/console/drawing/render.ts";
import { platformLimits as consoleLimits } from "../../../adapters/console/limits.ts";
import { createResponders } from "../../../adapters/console/writing/responder.ts";
import { render as renderDiscord } from "../../../adapters/discord/drawing/render.ts";
import { platformLimits as discordLimits } from "../../../adapters/discord/limits.ts";
import { createInteractionResponder } from "../../../adapters/discord/writing/responder.ts";
import { render as renderSlack } from "../../../adapters/slack/drawing/render.ts";
import { platformLimits as slackLimits } from "../../../adapters/slack/limits.ts";
import { createRespond } from "../../../adapters/slack/writing/responder.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Responder } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { cutBlocks } from "../../../src/presentation/markdown/cut-blocks.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";

const megabyte = 1_000_000;

const texts: Readonly<Record<string, string>> = {
  "Chinese without spaces": "漢字",
  "lines of words": "ab cd\n",
  labels: "[a](http://b.c) ",
  "small tables": "|a|b|\n|-|-|\n|1|2|\n\n",
};

const said = (text: string, chars: number): Document => ({
  tone: "info",
  blocks: [{ kind: "markdown", text: text.repeat(Math.ceil(chars / text.length)) }],
  actions: [],
  summary: "The rest",
});

type Sent = unknown[];
type Case = {
  readonly charsPerMessage: number;
  readonly render: (document: Document) => unknown;
  readonly open: (clock: Clock, sent: Sent) => Responder;
};

const place = { platform: "any", workspace: "T1", channel: "C1" };

const cases: Readonly<Record<string, Case>> = {
  slack: {
    charsPerMessage: slackLimits.answers?.charsPerMessage ?? 0,
    render: renderSlack,
    open: (clock, sent) => {
      const messages = { send: async (_workspace: string, payload: unknown) => void sent.push(payload) };
      const deps = { clients: {}, messages, clock, log: silentLog } as unknown as Parameters<typeof createRespond>[0];
      return createRespond(deps)({ userId: "U1", place, publicPlace: place });
    },
  },
  discord: {
    charsPerMessage: discordLimits.answers?.charsPerMessage ?? 0,
    render: renderDiscord,
    open: (clock, sent) => {
      const put = async (_token: unknown, payload: unknown) => String(sent.push(payload));
      return createInteractionResponder({
        state: { token: { interaction: "1" }, ack: { kind: "deferred", visibility: "private", isShown: false } },
        interactions: { replaceFirst: put, followUp: put },
        ...{ userId: "1", clock, log: silentLog },
      } as unknown as Parameters<typeof createInteractionResponder>[0]);
    },
  },
  console: {
    charsPerMessage: consoleLimits.answers?.charsPerMessage ?? 0,
    render: renderConsole,
    open: (clock, sent) => {
      const hub = { notify: (event: unknown) => void sent.push(event) };
      const deps = { store: {}, hub, clock, log: silentLog } as unknown as Parameters<typeof createResponders>[0];
      return createResponders(deps)({ id: "1", tab: "1", person: "you" }, { channel: "C1", thread: "1" } as never);
    },
  },
};

/** Characters that expressions have met so far. */
let read = 0;
const { prototype } = RegExp;
const { exec } = prototype;

beforeEach(() => {
  read = 0;
  // Every method of strings and expressions ends here, once it is not the built-in one any more.
  prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    const until = found === null ? (this.sticky ? from : text.length) : found.index + found[0].length;
    read += until - from + 1;
    return found;
  };
});

afterEach(() => {
  prototype.exec = exec;
});

function readFor(work: () => unknown): number {
  const before = read;
  work();
  return read - before;
}

describe.each(Object.keys(cases))("what is left of a megabyte on %s", (name) => {
  const { charsPerMessage, render, open } = cases[name] as Case;

  it.each(Object.keys(texts))("of %s is drawn one message at a time for the person who presses", async (hostile) => {
    const text = texts[hostile] ?? "";
    const oneMessage = readFor(() => {
      cutBlocks(said(text, megabyte).blocks, [], charsPerMessage);
      render(said(text, charsPerMessage));
    });
    let beganAt = read;
    const stretches: number[] = [];
    const clock: Clock = { ...createFakeClock(), now: () => (read / oneMessage) * 1_000 };
    const sent: Sent = [];
    const everyTurn = () => {
      stretches.push(read - beganAt);
      beganAt = read;
      turn = setImmediate(everyTurn);
    };
    let turn = setImmediate(everyTurn);

    await open(clock, sent).send(said(text, megabyte), "private");
    stretches.push(read - beganAt);
    clearImmediate(turn);

    expect(sent.length).toBeGreaterThanOrEqual(1);
    expect(sent.length).toBeLessThanOrEqual(10);
    expect(Math.max(...stretches)).toBeLessThanOrEqual(2 * oneMessage);
  });
});
