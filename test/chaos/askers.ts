/**
 * The people of a chaos run, on Slack and on the page: they ask, follow up, press Stop and Try again, and send again what
 * was not taken, as the platforms do for them.
 */
import { general, type Town } from "../reliability/slack-town.ts";
import type { Chance } from "./chance.ts";
import { tagOf } from "./stories.ts";

export type Asked = {
  readonly tag: string;
  readonly eventKey: string;
  readonly platform: "slack" | "console";
  /** Slack: channel and thread; the page: its thread. */
  readonly thread: string;
  /** Whether the platform ever handed it over. */
  readonly isDelivered: () => boolean;
  readonly settled: Promise<unknown>;
};

export type Askers = {
  readonly asked: readonly Asked[];
  /** Tags that were asked more than once because somebody pressed Try again. */
  readonly askedAgain: ReadonlySet<string>;
  readonly askOnSlack: () => void;
  readonly askOnPage: (urls: readonly string[]) => void;
  readonly press: (label: "Stop" | "Try again") => void;
  /** Slack hands an old event over once more. */
  readonly repeat: () => void;
  readonly counts: () => { readonly pressed: number; readonly repeated: number };
};

const pageRetryMs = 300;
const pageRetries = 100;

export function createAskers(town: Town, chance: Chance): Askers {
  const asked: Asked[] = [];
  const askedAgain = new Set<string>();
  const slackThreads: string[] = [];
  const pageThreads: string[] = [];
  const lastOnPage = new Map<string, Promise<unknown>>();
  const counts = { pressed: 0, repeated: 0 };
  const people = ["U0ALICE", "U0BOB", "U0GUEST"] as const;
  const newTag = () => `Q${asked.length}.`;

  /** Sent under one id until some instance takes it. */
  async function sendFromPage(body: object, urls: readonly string[]): Promise<boolean> {
    for (let attempt = 0; attempt < pageRetries; attempt += 1) {
      const url = urls[(asked.length + attempt) % urls.length] ?? "";
      const answer = await fetch(`${url}/api/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(3_000),
      }).catch(() => undefined);
      if (answer?.status === 202) return true;
      await new Promise((resolve) => setTimeout(resolve, pageRetryMs));
    }
    return false;
  }

  return {
    asked,
    askedAgain,
    askOnSlack: () => {
      const tag = newTag();
      const thread = slackThreads.length > 0 && chance.happens(0.4) ? chance.pick(nonEmpty(slackThreads)) : undefined;
      const person = town.slack.person(chance.pick(people));
      const said = person.mention(general, `what about ${tag}`, thread === undefined ? {} : { thread });
      if (thread === undefined) slackThreads.push(said.ts);
      let isDelivered = false;
      const settled = said.delivered.then((deliveries) => {
        isDelivered = deliveries.some((delivery) => delivery.isAcknowledged);
      });
      asked.push({
        ...{ tag, platform: "slack", thread: thread ?? said.ts, settled, isDelivered: () => isDelivered },
        eventKey: `slack/T0ACME/${general}/${said.ts}`,
      });
    },
    askOnPage: (urls) => {
      const tag = newTag();
      const id = crypto.randomUUID();
      const thread = pageThreads.length > 0 && chance.happens(0.4) ? chance.pick(nonEmpty(pageThreads)) : undefined;
      let isDelivered = false;
      const body = { id, tab: "tab-1", channel: "general", text: `what about ${tag}` };
      // As the page does: what is said next in a thread is sent when what was said before it was taken.
      const before = thread === undefined ? undefined : lastOnPage.get(thread);
      const sent = Promise.resolve(before).then(() =>
        sendFromPage(thread === undefined ? body : { ...body, thread }, urls),
      );
      lastOnPage.set(thread ?? id, sent);
      const settled = sent.then((isTaken) => {
        isDelivered = isTaken;
        // Followed up only once it is there, since the order of the page is the order of its answers.
        if (isTaken && thread === undefined) pageThreads.push(id);
      });
      asked.push({
        ...{ tag, platform: "console", thread: thread ?? id, settled, isDelivered: () => isDelivered },
        eventKey: `console/local/${id}`,
      });
    },
    press: (label) => {
      const buttons = [...town.slack.world.messages.values()].filter(
        (message) => message.bot_id !== undefined && JSON.stringify(message.blocks).includes(`"${label}"`),
      );
      const message = buttons[Math.floor(chance.next() * buttons.length)];
      if (message === undefined) return;
      counts.pressed += 1;
      // Which question it is does not stand there: none of that thread counts as asked in order any more.
      for (const { tag, thread } of asked) if (thread === (message.thread_ts ?? "")) askedAgain.add(tag);
      void town.slack.person("U0ALICE").click(message.ts, label);
    },
    repeat: () => {
      const events = town.slack.deliveries.all.filter(
        ({ type, payload }) => type === "events_api" && tagOf(JSON.stringify(payload)) !== "",
      );
      const event = events[Math.floor(chance.next() * events.length)];
      if (event === undefined) return;
      counts.repeated += 1;
      void town.slack.deliveries.deliver("events_api", event.payload);
    },
    counts: () => ({ ...counts }),
  };
}

function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error("There is nothing to choose from.");
  return [first, ...rest];
}
