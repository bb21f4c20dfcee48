/**
 * What the contract suite of platforms needs from a platform's double: to connect to it, to act as people on it, to see
 * what they see, and to break it. The double must be at least as strict as the real platform.
 */
import { onTestFinished } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import { groupSummaries } from "../../src/commands/words.ts";
import type { Document } from "../../src/core/document.ts";
import { ParleyError } from "../../src/core/errors.ts";
import type { Place } from "../../src/core/model/place.ts";
import type { ChatPlatform, Inbound, MessageRef, PostedFile, PostMark } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import { composeParley, type SharedParts } from "../../src/parley.ts";
import { infoDocument } from "../../src/presentation/drawing.ts";
import { openState } from "../../src/state/open-state.ts";
import { readingFor, settingsWith } from "../doubles/composition.ts";
import { noKnowledge } from "../doubles/nulls/no-knowledge.ts";
import { noMetrics } from "../doubles/nulls/no-metrics.ts";
import { noOverview } from "../doubles/nulls/no-overview.ts";
import { noPictures } from "../doubles/nulls/no-pictures.ts";
import { createAgents } from "../doubles/service/agents.ts";
import { silentLog as log } from "../doubles/silent-log.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

/**
 * What a platform has. Where it says false, the suite checks the fallback in docs/adding-a-platform.md, or leaves out what
 * cannot be checked there.
 */
export type Abilities = {
  /** A message opens a thread, in which its answer and follow-ups stand. */
  readonly threads: boolean;
  /** Actions are pressed; else each is written out with what to type. */
  readonly buttons: boolean;
  /** Commands come as such; else people type them as messages, with a mark of the platform's own. */
  readonly slashCommands: boolean;
  /** Then `hasForm` and `submit` are there. */
  readonly forms: boolean;
  /** A form can ask for files; else such fields are left out of it. */
  readonly fileFields: boolean;
  /** A link can have a label; else people read exactly what was sent. */
  readonly linkLabels: boolean;
  /** One person can be told something that nobody else reads. */
  readonly privateReplies: boolean;
  /** The platform learns whether an event was taken, and sends it again if not. */
  readonly acknowledgements: boolean;
  /** The platform refuses writes that come too fast. Then `limit` is there. */
  readonly rateLimits: boolean;
  /** A connection that can break. Then `drop` is there. */
  readonly connection: boolean;
  /** Whether the platform says who administers the whole workspace; "everyone" where everyone who reaches it does. */
  readonly admins: "some" | "everyone" | "nobody";
  /** Parley can react to a message. */
  readonly reactions: boolean;
  /** A message has a link to it. */
  readonly messageLinks: boolean;
  /** A second post with the same mark returns the first message. */
  readonly idempotentPosts: boolean;
};

/** A message for Parley. */
export type Said = {
  readonly messageId: string;
  /** Where its answer stands. */
  readonly answeredIn: Place;
  /** Whether the platform was told in the end that it was taken; true where the platform cannot be told. */
  readonly delivered: Promise<boolean>;
};

/** A message of Parley's as everybody there sees it. */
export type Shown = {
  readonly messageId: string;
  readonly text: string;
  /** As it was sent, with its marks. */
  readonly markup: string;
  /** Labels of its buttons. */
  readonly actions: readonly string[];
  readonly files: readonly string[];
};

/** As people see it, and where it leads. */
export type Link = { readonly label: string; readonly url: string };

export type PlatformUnderTest = {
  /** In how many events a message arrives that names Parley. */
  readonly twins: number;
  /**
   * The links that the platform's client makes of a message's markup, or the test that covers them where a client of
   * Parley's own draws Markdown. Absent without `linkLabels`.
   */
  readonly links?: ((markup: string) => readonly Link[]) | { readonly testedIn: string };
  /** Pauses may be shorter than in production. */
  readonly clock: Clock;
  /** What no health reason and no message may contain. */
  readonly secrets: readonly string[];
  /** Connects one more instance; events come only after `start`. */
  readonly connect: (parts: SharedParts) => Promise<ChatPlatform>;
  /** An empty place that Parley can write in: a thread, where there are threads. */
  readonly place: () => Place;
  /** A place that does not exist. */
  readonly nowhere: Place;

  // Alice does these. She is an admin where there are admins.
  /** Says something to Parley: mentions it, or writes where only Parley can be meant. `after`: in the same conversation. */
  readonly say: (text: string, after?: Said) => Promise<Said>;
  readonly edit: (said: Said, text: string) => Promise<void>;
  readonly retract: (said: Said) => Promise<void>;
  /** With the prefix, without the slash: "agent list", "p-agent list". */
  readonly command: (line: string) => Promise<void>;
  /** Without `slashCommands`: she types that with the platform's mark and without naming Parley, and edits it. */
  readonly typed?: {
    readonly say: (line: string) => Promise<Said>;
    readonly edit: (said: Said, line: string) => Promise<void>;
  };
  /** Presses the button with that label, or does what is written out instead. */
  readonly press: (ref: MessageRef, label: string) => Promise<void>;
  /** Whether a form is open in front of her. */
  readonly hasForm?: () => boolean;
  /** Fills in and submits that form. Resolves with the errors that she then sees, "" without any. */
  readonly submit?: (
    values: Readonly<Record<string, string>>,
    /** Names of files for the form's file field. With `fileFields`. */
    files?: Readonly<Record<string, readonly string[]>>,
  ) => Promise<string>;
  /** What she alone reads, also what she has to open first. With `privateReplies`. */
  readonly readsAlone?: () => Promise<string>;
  /** Bob, who is no admin, says something to Parley. Absent where everyone is one. */
  readonly memberSays?: (text: string) => Promise<void>;

  /** What stands there for everybody, oldest first. */
  readonly shown: (place: Place) => Promise<readonly Shown[]>;
  /** The platform delivers the same message again. */
  readonly deliverAgain: (said: Said) => Promise<void>;
  /** Somebody deletes a message of Parley's. */
  readonly deleteReply: (ref: MessageRef) => Promise<void>;
  /** The next post takes effect, but its answer is lost. */
  readonly loseAnswer: () => void;
  /** From now on no message can be posted. */
  readonly refusePosts: () => void;
  /** The next such write is refused with 429. */
  readonly limit?: (on: "post" | "edit", retryAfterS: number) => void;
  /** Breaks the connection once. */
  readonly drop?: () => void;
  /** What would have been wrong on the real platform: a ping, a payload over its limits, a token in a message. */
  readonly violations: () => readonly string[];
  readonly close: () => Promise<void>;
};

/** Lets what is on its way arrive, for tests of what must not happen. */
export const aMoment = () => new Promise<void>((resolve) => setTimeout(resolve, 150));

async function openParts(subject: PlatformUnderTest) {
  const { clock } = subject;
  const dataDir = await temporaryFolder("contract");
  const state = await openState({ dataDir, clock, log });
  const close = async () => {
    await state.close().catch(() => undefined);
    await subject.close();
  };
  return { state, close };
}

/** What the bridge does with an event; by default it acknowledges. */
export type Script = (inbound: Inbound, platform: ChatPlatform) => Promise<void>;

/** A hand that a platform needs for what it declares. */
export function needed<Hand>(hand: Hand | undefined, what: string): Hand {
  if (hand === undefined) throw new Error(`The platform under test lacks ${what}`);
  return hand;
}

/** The platform alone, with a scripted bridge that notes what it is handed. */
export async function openAlone(
  subject: PlatformUnderTest,
  script: Script = (inbound) => inbound.ack({ kind: "none" }),
  { prefix = "", clock = subject.clock }: { readonly prefix?: string; readonly clock?: Clock } = {},
) {
  const { state, close } = await openParts(subject);
  const { keyValue, collection, works, claims, coordinator } = state;
  const platform = await subject.connect({
    keyValue,
    collection,
    works,
    claims,
    coordinator,
    forget: async () => 0,
    forgetWorkspace: async () => {},
    checkAskedAlone: async () => {},
    unbind: async () => {},
    commands: { definitions: allCommands, shown: () => allCommands, groups: groupSummaries, prefix },
    firstView: async () => infoDocument("Ask."),
    ownVote: async () => undefined,
    turnOf: async () => undefined,
    readKnowledge: noKnowledge,
    pictures: noPictures,
    overview: noOverview,
    audit: { record: async () => {} },
    version: "test",
    notifyAfterMs: 0,
    boundChannels: async () => [],
    retentionMs: 86_400_000,
    clock,
    log,
  });
  onTestFinished(async () => {
    await platform.close();
    await close();
  });
  const seen: Inbound[] = [];
  const start = async () => {
    await platform.start({
      handle: async (inbound) => {
        seen.push(inbound);
        await script(inbound, platform);
      },
      complete: async () => [],
    });
    await until("the platform is connected", () => platform.health().isConnected);
  };
  return {
    subject,
    platform,
    seen,
    start,
    /** The first event of that kind, as soon as it is there. */
    first: async <K extends Inbound["kind"]>(kind: K): Promise<Extract<Inbound, { kind: K }>> => {
      const find = () => seen.find((inbound) => inbound.kind === kind);
      await until(`an event of the kind ${kind}`, () => find() !== undefined);
      return find() as Extract<Inbound, { kind: K }>;
    },
  };
}

/** A whole Parley on that platform; only the agents are in the test's hands. */
export async function openWhole(subject: PlatformUnderTest, commandPrefix = "") {
  const { clock } = subject;
  const { state, close } = await openParts(subject);
  const agents = createAgents();
  const parley = await composeParley({
    settings: { ...settingsWith(), commandPrefix },
    state,
    service: agents,
    platforms: [{ name: subject.place().platform, connect: subject.connect }],
    reading: readingFor(clock),
    metrics: noMetrics,
    clock,
    log,
  });
  onTestFinished(async () => {
    await parley.close();
    await parley.drain(0);
    await close();
  });
  await parley.start();
  const [platform] = parley.platforms;
  if (platform === undefined) throw new Error("no platform was connected");
  await until("the platform is connected", () => platform.health().isConnected);
  return {
    subject,
    agents,
    parley,
    platform,
    turns: state.turns,
    /** Resolves when nothing is being answered. */
    idle: () =>
      until("nothing is being answered", () => {
        const { running, waiting } = parley.bridge.counts();
        return running + waiting === 0;
      }),
  };
}

export type Alone = Awaited<ReturnType<typeof openAlone>>;

export const progress = { urgency: "progress" } as const;
export const final = { urgency: "final" } as const;

/** Of another Reply than every other mark. */
let marks = 0;
export function newMark(): PostMark {
  marks += 1;
  return { replyId: `contract${String(marks).padStart(8, "0")}`, part: 0, generation: 0 };
}

export function markdown(text: string, actions: Document["actions"] = []): Document {
  return { tone: "done", blocks: [{ kind: "markdown", text }], actions, summary: "Answer ready." };
}

export function payloadOf(platform: ChatPlatform, document: Document): unknown {
  const [first] = platform.render(document);
  if (first === undefined) throw new Error("render is never empty");
  return first;
}

/** The error code that it throws, or "done". */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (thrown: unknown) => (thrown instanceof ParleyError ? thrown.code : String(thrown)),
  );
}

/** Links in Markdown; a label may hold one pair of brackets. */
export function markdownLinks(text: string): readonly Link[] {
  const found = text.matchAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*<?(https?:[^\s>)]+)>?/g);
  return [...found].map(([, label = "", url = ""]) => ({ label, url }));
}

export const restFile: PostedFile = { name: "answer.md", content: "the rest\n", mediaType: "text/markdown" };
