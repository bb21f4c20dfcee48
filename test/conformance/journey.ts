/**
 * Plays what a team does in its chat (`--journey`), against any running service and without a browser. It starts the
 * real Parley in front of that service and talks to it as its own page does. The web pages come from a local site.
 */
import { randomUUID } from "node:crypto";
import type { ConsoleMessage, ConsolePayload, PageEvent } from "../../adapters/console/writing/messages.ts";
import type { AgentService } from "../../src/ports/agent-service.ts";
import { startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";

export type JourneyStep = {
  readonly isOk: boolean;
  readonly says: string;
  readonly because?: string;
  readonly ms: number;
};

/** A first knowledge base or model can take long in a service that loads its parts when they are needed. */
const stepLimitMs = 60_000;
const pauseMs = 100;
const channel = "general";
const tab = "journey";

export type JourneyOptions = {
  readonly service: AgentService;
  readonly project: string;
  /** In the names of what is made, so that nobody else has them. */
  readonly mark: string;
  /** Where the service is and how to log in, as Parley's settings. */
  readonly settings: Readonly<Record<string, string>>;
};

/** Every step that was taken, in order; after one that is not ok only what was made is deleted. */
export async function* runJourney({ service, project, mark, settings }: JourneyOptions): AsyncGenerator<JourneyStep> {
  const agent = `check_${mark}_agent`;
  const base = `check_${mark}_base`;
  const site = await startLoopbackSite();
  const parley = await createParleyProcess({ ...settings, AGENT_PROJECT: project, INGEST_ALLOW_PRIVATE: "true" });
  const stop = new AbortController();
  const steps: readonly (readonly [string, (chat: Chat) => Promise<void>])[] = [
    [
      "creates a knowledge base through its form",
      async (chat) => {
        const thread = await chat.send("/kb create");
        await chat.submit(thread, "kb create", { name: base });
        await chat.until(thread, "the knowledge base is made", (shown) => isMade(shown, base));
      },
    ],
    [
      "creates an agent with that knowledge base through its form",
      async (chat) => {
        const thread = await chat.send("/agent create");
        await chat.submit(thread, "agent create", { name: agent, knowledgeBases: [base] });
        const made = await chat.until(thread, "the agent is made", (shown) => isMade(shown, agent));
        const use = made.actions.find(({ id }) => id === "use-agent");
        if (use === undefined) throw new Error(`no button to use it: ${textOf(made)}`);
        await chat.press(thread, use.id, use.value);
        // The press is acknowledged before it is done.
        await chat.until(thread, "the answer to the press", (shown) => {
          const text = textOf(shown);
          return shown.tone !== "running" && text.includes(agent) && !text.includes("Created");
        });
      },
    ],
    [
      "uses it in the channel",
      async (chat) => {
        const thread = await chat.send("/agent which");
        await chat.until(thread, "the channel's agent", (shown) => textOf(shown).includes(agent));
      },
    ],
    [
      "ingests two good addresses and a bad one: 2 done, 1 failed, nothing left running",
      async (chat) => {
        const thread = await chat.send(`/kb ingest ${[...site.good, site.bad].join(" ")} into ${base}`);
        const job = await chat.until(thread, "the job's end", ({ actions }) =>
          actions.some(({ id }) => id === "retry-job"),
        );
        const marks = job.blocks.flatMap((block) =>
          block.kind === "list" ? block.items.map((item) => item.mark) : [],
        );
        if (marks.join(" ") !== "done done failed") throw new Error(`it ended as ${marks.join(" ")}: ${textOf(job)}`);
      },
    ],
    [
      "answers a question with both good addresses as sources",
      async (chat) => {
        const thread = await chat.send(site.question);
        const answer = await chat.until(thread, "the answer", ({ tone }) =>
          ["done", "failed", "partial"].includes(tone),
        );
        if (answer.tone !== "done") throw new Error(textOf(answer));
        const sources = answer.blocks.flatMap((block) => (block.kind === "sources" ? block.sources : []));
        const missing = site.good.filter((address) => !sources.some(({ url }) => url === address));
        if (missing.length > 0) throw new Error(`its sources lack ${missing.join(", ")}: ${textOf(answer)}`);
      },
    ],
  ];
  try {
    await parley.start();
    const chat = await openChat(parley.url, stop.signal);
    for (const [says, take] of steps) {
      const step = await timed(says, () => take(chat));
      yield step;
      if (!step.isOk) break;
    }
  } finally {
    stop.abort();
    await parley.close();
    await site.close();
    yield await timed("deletes what it made", async () => {
      await service.deleteAgent(project, agent);
      await service.deleteKnowledgeBase(project, base);
      const left = [...(await service.listAgents(project)), ...(await service.listKnowledgeBases(project))];
      const own = left.filter(({ name }) => name === agent || name === base);
      if (own.length > 0) throw new Error(`still there: ${own.map(({ name }) => name).join(", ")}`);
    });
  }
}

async function timed(says: string, take: () => Promise<void>): Promise<JourneyStep> {
  const beganMs = performance.now();
  const because = await take().then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
  const ms = performance.now() - beganMs;
  return { isOk: because === undefined, says, ms, ...(because === undefined ? {} : { because }) };
}

type Chat = Awaited<ReturnType<typeof openChat>>;

/** Parley's page without a page: its requests, and all that its stream and its threads show. */
async function openChat(url: string, signal: AbortSignal) {
  const notes = new Map<string, ConsolePayload[]>();
  const stream = await fetch(`${url}/api/events?tab=${tab}`, { signal });
  void listen(stream, (event) => {
    if (event.type !== "note" || event.note.payload === undefined) return;
    notes.set(event.note.thread, [...(notes.get(event.note.thread) ?? []), event.note.payload]);
  }).catch(() => undefined);

  async function post(path: string, more: object): Promise<string> {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: randomUUID(), tab, channel, ...more }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`);
    return (JSON.parse(text) as { readonly thread: string }).thread;
  }

  async function shownIn(thread: string): Promise<readonly ConsolePayload[]> {
    const response = await fetch(`${url}/api/conversations/${channel}/${thread}`);
    const { messages } = (await response.json()) as { readonly messages: readonly ConsoleMessage[] };
    const stored = messages.flatMap((message) => (message.author === "parley" ? [message.payload] : []));
    return [...stored, ...(notes.get(thread) ?? [])];
  }

  return {
    /** A question or a command; resolves with the thread that it opens. */
    send: (text: string) => post("/api/messages", { text }),
    submit: (thread: string, formId: string, values: object) =>
      post("/api/forms", { thread, formId, values, context: "" }),
    press: (thread: string, action: string, value: string) => post("/api/actions", { thread, action, value }),
    /** The first thing shown in the thread that is it. */
    until: async (thread: string, what: string, isIt: (shown: ConsolePayload) => boolean): Promise<ConsolePayload> => {
      const untilMs = performance.now() + stepLimitMs;
      for (;;) {
        const shown = await shownIn(thread);
        const found = shown.find(isIt);
        if (found !== undefined) return found;
        if (performance.now() > untilMs) {
          throw new Error(`${what} did not come; shown was: ${shown.map(textOf).join(" | ") || "nothing"}`);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
  };
}

async function listen(stream: Response, take: (event: PageEvent) => void): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const part of stream.body ?? []) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith('data: {"type"')) take(JSON.parse(line.slice(6)) as PageEvent);
  }
}

function isMade(shown: ConsolePayload, name: string): boolean {
  return shown.tone !== "running" && textOf(shown).includes(name) && textOf(shown).includes("Created");
}

/** What a person reads of it, in one line. */
function textOf({ blocks }: ConsolePayload): string {
  const inline = (text: readonly { readonly text: string }[]) => text.map((span) => span.text).join("");
  const lines = blocks.flatMap((block) => {
    if (block.kind === "list") return block.items.map(({ text }) => inline(text));
    if (block.kind === "markdown") return [block.text];
    if (block.kind === "sources") return block.sources.map(({ title, url }) => `[${title}] ${url ?? ""}`);
    return "text" in block && typeof block.text !== "string" ? [inline(block.text)] : [];
  });
  return lines.join(" / ");
}
