/**
 * A Parley with its page that dies before a chosen write, as by kill -9: from then on it neither reaches storage nor hears
 * from it. The next one opens what is on disk. So a test can die between every two steps of what a person does on the page.
 */
import { isDeepStrictEqual } from "node:util";
import { conversationsIn } from "../../../adapters/console/conversations/listing.ts";
import { keepTidy } from "../../../adapters/console/files/tidying.ts";
import { createUploads, type Upload, type UsedBy } from "../../../adapters/console/files/uploads.ts";
import type { ConsoleMessage, ConversationSummary } from "../../../adapters/console/writing/messages.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { State } from "../../../src/core/ports/state.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { openWholePage } from "../../console/whole-page.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

/** A write by name, such as "set console-messages", and which one of that name. */
export type Step = { readonly name: string; readonly nth: number };

const writes = new Set(["set", "change", "put", "delete", "create", "transition", "add", "cancel"]);
/** What a dead process waits for. */
const never: Promise<never> & AsyncIterable<never> = Object.assign(new Promise<never>(() => {}), {
  [Symbol.asyncIterator]: () => ({ next: () => never }),
});

/** One process over that state. Its writes are counted once it is armed. */
function createLife() {
  const steps: Step[] = [];
  let death: Step | undefined;
  let isArmed = false;
  let isDead = false;
  const end = Promise.withResolvers<void>();

  function take(name: string): void {
    if (!isArmed || isDead) return;
    const step = { name, nth: steps.filter((one) => one.name === name).length + 1 };
    steps.push(step);
    if (!isDeepStrictEqual(step, death)) return;
    isDead = true;
    end.resolve();
  }

  async function alive<T>(work: PromiseLike<T>): Promise<T> {
    try {
      return await work;
    } finally {
      if (isDead) await never;
    }
  }

  /** What was on its way when the process died doesn't arrive. */
  function heard(found: unknown): unknown {
    if (found instanceof Promise) return alive(found);
    const isStream = typeof found === "object" && found !== null && Symbol.asyncIterator in found;
    return isStream ? heardOneByOne(found as AsyncIterable<unknown>) : found;
  }

  async function* heardOneByOne(found: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    const items = found[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await alive(items.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await items.return?.();
    }
  }

  /** `kind`: the part of the state, the namespace, or the collection. A write to works is named by its kind. */
  function mortal<T extends object>(part: T, kind: string): T {
    return new Proxy(part, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member === "object" && member !== null) return mortal(member, String(name));
        if (typeof member !== "function") return member;
        return (...given: readonly unknown[]) => {
          if (name === "keyValue" || name === "collection")
            return mortal(member.apply(target, given), String(given[0]));
          const counted = kind === "works" ? String(given[0]) : kind;
          if (writes.has(String(name)) && isCounted(counted)) take(nameOf(kind, String(name), given));
          return isDead ? never : heard(member.apply(target, given));
        };
      },
    });
  }

  return {
    steps: (): readonly Step[] => steps,
    arm: (at?: Step) => {
      death = at;
      isArmed = true;
    },
    disarm: () => {
      isArmed = false;
    },
    isDead: () => isDead,
    died: end.promise,
    wrap: (state: State) => mortal(state, "state"),
  };
}

/** Not what is derived in the background, such as counts and gaps. */
const isCounted = (kind: string) => /^(?:console-.+|page-.+|turns|conversations)$/.test(kind);

function nameOf(kind: string, write: string, given: readonly unknown[]): string {
  if (kind === "works") return `${write} ${given[0]}`;
  if (write === "transition") return `to ${given[2]}`;
  return `${write} ${kind}`;
}

export type MortalPage = Awaited<ReturnType<Awaited<ReturnType<typeof createMortalPages>>["start"]>>;

/** Processes over one folder, one after the other. */
export async function createMortalPages() {
  const dataDir = await temporaryFolder("mortal-page");
  let endBefore = async () => {};

  /** Ends the process before, if there is one. */
  async function start() {
    await endBefore();
    const state = await openState({ dataDir, clock: systemClock, log });
    const life = createLife();
    const page = await openWholePage({}, life.wrap(state));
    let answered = 0;
    endBefore = async () => {
      if (life.isDead()) page.abandon();
      else await page.close();
      await state.close();
      endBefore = async () => {};
    };

    /** What is to be done is stored in one of these before it leaves an earlier one. */
    async function isIdle(): Promise<boolean> {
      const works = await Promise.all(
        ["page-deletions", "page-channels"].map((kind) => Array.fromAsync(state.works.entries(kind))),
      );
      const channels = await entries<{ readonly leaving?: object }>(state, "console-channels");
      const turns = await Array.fromAsync(state.turns.unfinished());
      const { running, waiting } = page.parley.bridge.counts();
      const changed = (await entries(state, "console-changed")).length;
      const leaving = channels.filter(([, channel]) => channel.leaving !== undefined);
      return works.flat().length + leaving.length + turns.length + running + waiting + changed === 0;
    }

    return {
      page,
      state,
      /** From now on its writes are counted, and it dies before that one. */
      arm: life.arm,
      disarm: life.disarm,
      isDead: life.isDead,
      steps: life.steps,
      /** Whether it was done before the process died. */
      survives: (work: Promise<unknown>): Promise<boolean> =>
        Promise.race([work.then(() => true), life.died.then(() => false)]),
      /** Answers what is asked, and resolves when nothing is left to do, or the process is dead. */
      settle: () =>
        until("nothing is left to do", async () => {
          for (const run of page.agents.runs.slice(answered)) run.answer("In the kitchen.");
          answered = page.agents.runs.length;
          return life.isDead() || (await isIdle());
        }),
    };
  }

  return { start, close: () => endBefore() };
}

async function entries<T>(state: State, namespace: string): Promise<readonly (readonly [string, T])[]> {
  return Array.fromAsync(state.keyValue<T>(namespace).entries("local/"));
}

/** Tidies up once, as if a day had passed. */
async function tidied(state: State): Promise<void> {
  const clock = { ...systemClock, now: () => Date.now() + 25 * 3_600_000 };
  const uploads = createUploads({ ...state, clock });
  const isShown = async ({ channel, thread, message: by }: UsedBy, file: string) => {
    const message = await state.keyValue<ConsoleMessage>("console-messages").get(`local/${channel}/${thread}/${by}`);
    return message?.author === "you" && message.files?.some(({ id }) => id === file) === true;
  };
  await new Promise<void>((resolve) => {
    let isBegun = false;
    // It looks at once, and then waits to look again.
    const after: Clock["after"] = (_ms, look) => {
      if (isBegun) resolve();
      else look();
      isBegun = true;
      return () => {};
    };
    keepTidy({ uploads, isShown, clock: { ...clock, after }, log });
  });
}

/** What is wrong with what the page stores: everything has to belong to a conversation that is listed. */
export async function faultsOf(mortal: MortalPage): Promise<readonly string[]> {
  const { page, state } = mortal;
  const faults: string[] = [];
  const messages = await entries<ConsoleMessage>(state, "console-messages");
  const stored = await Array.fromAsync(conversationsIn(state).entries());
  const summaries = new Map(stored.map(({ id, record }) => [id, record]));
  const threadOf = (key: string) => key.split("/").slice(0, 3).join("/");
  const spoken = new Set(messages.map(([key]) => threadOf(key)));
  const { conversations, pinned } = (await page.request("/api/conversations")).body;
  const listed = new Set(conversations.map((one: ConversationSummary) => `local/${one.channel}/${one.thread}`));

  for (const key of spoken) if (!listed.has(key)) faults.push(`${key} has messages and is not listed`);
  for (const [key] of summaries) if (!spoken.has(key)) faults.push(`${key} has a record and no messages`);
  for (const key of listed) if (!spoken.has(String(key))) faults.push(`${key} is listed and has no messages`);
  for (const { channel, thread } of pinned)
    if (!spoken.has(`local/${channel}/${thread}`)) faults.push(`${thread} is pinned`);
  const texts = await entries<{ readonly parts: readonly { readonly text: string }[] }>(state, "console-texts");
  for (const [key] of texts) if (!spoken.has(key)) faults.push(`${key} is found and has no messages`);
  for (const [key, { title }] of summaries) {
    const found = texts.find(([one]) => one === key)?.[1].parts[0]?.text;
    if (found !== title.toLowerCase()) faults.push(`${key} is called ${title} and found as ${found}`);
  }
  const questions = messages.flatMap(([, message]) => (message.author === "you" ? [message] : []));
  for (const { id, channel, thread, text } of questions) {
    const turn = await state.turns.getByEventKey(`console/local/${channel}/${thread}/${id}`);
    // One that was never acknowledged has none: the browser sends it again.
    if (turn !== undefined && turn.question !== text)
      faults.push(`${channel}/${thread}: asked ${turn.question}, shown ${text}`);
    if (turn?.isForgotten === true) faults.push(`${channel}/${thread} shows ${text}, which was deleted`);
  }

  await tidied(state);
  const uploads = await entries<Upload>(state, "console-uploads");
  const ids = new Set(uploads.map(([, { id }]) => id));
  const shown = new Set(questions.flatMap(({ files = [] }) => files.map(({ id }) => id)));
  for (const id of shown) if (!ids.has(id)) faults.push("a message shows a file that is gone");
  for (const id of ids) if (!shown.has(id)) faults.push("a file is stored that no message shows");
  for (const [key] of await entries(state, "console-upload-pieces")) {
    if (!ids.has(decodeURIComponent(key.split("/")[1] ?? ""))) faults.push("a piece of a file is left");
  }
  return faults;
}
