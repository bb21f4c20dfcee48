/**
 * Plays what a new team does in its chat (`--journey`), against any running service and without a browser. It starts the
 * real Parley in front of that service and talks to it as its own page does. The web pages come from a local site.
 */
import type { ConsolePayload } from "../../adapters/console/writing/messages.ts";
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import { type LoopbackSite, startLoopbackSite } from "../doubles/network/loopback-site.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { answerSteps, type Step } from "./answer-steps.ts";
import { buttonOf, type Chat, openChat, sourcesOf, textOf } from "./page-chat.ts";

export type JourneyStep = {
  readonly isOk: boolean;
  readonly says: string;
  readonly because?: string;
  readonly ms: number;
};

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
  try {
    await parley.start();
    const chat = await openChat(parley.url, stop.signal);
    for (const [says, take] of stepsOf({ chat, site, agent, base })) {
      const step = await timed(says, take);
      yield step;
      if (!step.isOk) break;
    }
  } finally {
    stop.abort();
    await parley.close();
    await site.close();
    yield await timed("leaves nothing behind", async () => {
      await service.deleteAgent(project, agent);
      await service.deleteKnowledgeBase(project, base);
      const left = [...(await service.listAgents(project)), ...(await service.listKnowledgeBases(project))];
      const own = left.filter(({ name }) => name === agent || name === base);
      if (own.length > 0) throw new Error(`still there: ${own.map(({ name }) => name).join(", ")}`);
    });
  }
}

type Parts = {
  readonly chat: Chat;
  readonly site: LoopbackSite;
  readonly agent: string;
  readonly base: string;
};

function stepsOf(parts: Parts): readonly Step[] {
  return [
    ...startingSteps(parts),
    ...askingSteps(parts),
    ...keepingSteps(parts),
    ...answerSteps(parts),
    ...endingSteps(parts),
  ];
}

/** From nothing to an agent that answers in the channel and has nothing to look up yet. */
function startingSteps({ chat, agent, base }: Parts): readonly Step[] {
  return [
    [
      "shows what it can do when greeted",
      async () => {
        const thread = await chat.send("hello");
        await chat.until(thread, "the card", (shown) => textOf(shown).includes("/parley help"));
      },
    ],
    [
      "creates a knowledge base through its form",
      async () => {
        const thread = await chat.send("/kb create");
        await chat.submit(thread, "kb create", { name: base });
        await chat.until(thread, "the knowledge base is made", (shown) => isMade(shown, base));
      },
    ],
    [
      "creates an agent through its form",
      async () => {
        const thread = await chat.send("/agent create");
        await chat.submit(thread, "agent create", { name: agent, knowledgeBases: [] });
        const made = await chat.until(thread, "the agent is made", (shown) => isMade(shown, agent));
        const use = buttonOf(made, "use-agent");
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
      async () => {
        const thread = await chat.send("/agent which");
        await chat.until(thread, "the channel's agent", (shown) => textOf(shown).includes(agent));
      },
    ],
  ];
}

/** Feed, let look, ask. */
function askingSteps({ chat, site, agent, base }: Parts): readonly Step[] {
  return [
    [
      "adds three good pages and a bad one, and lets the agent look in them with one press",
      async () => {
        const thread = await chat.send(`/kb ingest ${[...site.good, site.other, site.bad].join(" ")} into ${base}`);
        const job = await chat.until(thread, "the job's end", ({ actions }) =>
          actions.some(({ id }) => id === "retry-job"),
        );
        const marks = marksOf(job);
        if (marks !== "done done done failed") throw new Error(`it ended as ${marks}: ${textOf(job)}`);
        const offered = await chat.until(thread, "the offer to let it look", ({ actions }) =>
          actions.some(({ id }) => id === "connect-base"),
        );
        const look = buttonOf(offered, "connect-base");
        await chat.press(thread, look.id, look.value);
        await chat.until(
          thread,
          "the agent looks in it",
          (shown) => shown.tone === "done" && textOf(shown).includes(`${agent} now uses ${base}`),
        );
      },
    ],
    [
      "answers a question with sources whose links work",
      async () => {
        const thread = await chat.send(site.question);
        const answer = await chat.until(thread, "the answer", ({ tone }) =>
          ["done", "failed", "partial"].includes(tone),
        );
        if (answer.tone !== "done") throw new Error(textOf(answer));
        const sources = sourcesOf(answer);
        const missing = site.good.filter((address) => !sources.some(({ url }) => url === address));
        if (missing.length > 0) throw new Error(`its sources lack ${missing.join(", ")}: ${textOf(answer)}`);
        for (const { title, url = "" } of sources) {
          const { status } = await fetch(url);
          if (status !== 200) throw new Error(`the link of ${title} was answered with ${status}: ${url}`);
        }
      },
    ],
  ];
}

/** What is in the knowledge base: shown, read again, removed. */
function keepingSteps({ chat, site, agent, base }: Parts): readonly Step[] {
  const show = async (what: string, isIt: (text: string) => boolean): Promise<ConsolePayload> => {
    const thread = await chat.send(`/kb show ${base}`);
    return chat.until(thread, what, (shown) => textOf(shown).includes(base) && isIt(textOf(shown)));
  };
  return [
    [
      "shows the three pages and who reads them",
      async () => {
        const shown = await show("the list", (text) => text.includes("3 documents"));
        const text = textOf(shown);
        const missing = [agent, ...site.titles].filter((expected) => !text.includes(expected));
        if (missing.length > 0) throw new Error(`it lacks ${missing.join(", ")}: ${text}`);
      },
    ],
    [
      "refreshes them: one updated, two unchanged, and a search no longer shows the old text",
      async () => {
        // What the service read itself has no hash yet, so the first time all of it counts as updated.
        const first = await chat.send(`/kb refresh ${base}`);
        await chat.until(first, "the end of the refresh", (shown) => /3 (?:updated|unchanged)/.test(textOf(shown)));
        site.change();
        const thread = await chat.send(`/kb refresh ${base}`);
        await chat.until(thread, "the end of the second refresh", (shown) =>
          textOf(shown).includes("1 updated, 2 unchanged"),
        );
        const searched = await chat.send(`/kb search ${site.changedWords} in:${base}`);
        const found = await chat.until(searched, "the passages", (shown) => textOf(shown).includes(site.changedWords));
        const old = textOf(found).includes(site.oldWords);
        if (old) throw new Error(`the old text is still there: ${textOf(found)}`);
      },
    ],
    [
      "removes one of them",
      async () => {
        const listed = await show("the list", (text) => text.includes("3 documents"));
        const [, number = ""] = new RegExp(`(\\d+)\\. ${site.titles[2]}`).exec(textOf(listed)) ?? [];
        const button = buttonOf(listed, "remove-document", ` ${number}`);
        const thread = await chat.send(`/kb show ${base}`);
        await chat.press(thread, button.id, button.value);
        const question = await chat.until(thread, "the question", ({ tone }) => tone === "waiting");
        const confirm = buttonOf(question, "confirm");
        await chat.press(thread, confirm.id, confirm.value);
        await chat.until(thread, "it is removed", (shown) => textOf(shown).startsWith("Removed"));
        await show("the shorter list", (text) => text.includes("2 documents") && !text.includes(site.titles[2]));
        const searched = await chat.send(`/kb search ${site.titles[2]} in:${base}`);
        const found = await chat.until(searched, "the search", ({ tone }) => tone !== "running");
        // A service may know the page without the slash at its end.
        if (textOf(found).includes(site.other.replace(/\/$/, "")))
          throw new Error(`it is still found: ${textOf(found)}`);
      },
    ],
  ];
}

function endingSteps({ chat, agent, base }: Parts): readonly Step[] {
  const remove = async (command: string, name: string) => {
    const thread = await chat.send(`${command} ${name}`);
    const question = await chat.until(thread, "the question", ({ tone }) => tone === "waiting");
    const confirm = buttonOf(question, "confirm");
    await chat.press(thread, confirm.id, confirm.value);
    await chat.until(thread, "it is deleted", (shown) => textOf(shown).startsWith("Deleted"));
  };
  return [
    [
      "deletes the agent and the knowledge base after a question each",
      async () => {
        await remove("/agent delete", agent);
        await remove("/kb delete", base);
      },
    ],
  ];
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

function isMade(shown: ConsolePayload, name: string): boolean {
  return shown.tone !== "running" && textOf(shown).includes(name) && textOf(shown).includes("Created");
}

/** The items of a job, one word each. */
function marksOf({ blocks }: ConsolePayload): string {
  return blocks.flatMap((block) => (block.kind === "list" ? block.items.map(({ mark }) => mark) : [])).join(" ");
}
