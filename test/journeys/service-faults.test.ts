/**
 * Everything the agent service can do wrong, over the real process and seen on the real page: each fault is one clear
 * sentence, the question stays, and Try again asks it once more in the same message.
 */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isChromiumMissing, launchChromium } from "../doubles/processes/chromium.ts";
import { createParleyProcess, type ParleyProcess } from "../doubles/processes/parley-process.ts";
import { answers25 } from "../doubles/service/scripted-answers.ts";
import {
  answerJson,
  chunk,
  cut,
  flood,
  html,
  type Move,
  raw,
  refuse,
  silence,
} from "../doubles/service/scripted-moves.ts";
import { type Play, type ScriptedService, startScriptedService } from "../doubles/service/scripted-service.ts";

const question = "When does the backup run?";
const answer = "At two o'clock.";
const modelKey = "sk-live-0123456789abcdef";

const begin = chunk({ type: "start", prompt: question, trace_id: "" });
const look = { tool: "kb_list_tool", tool_input: "", log: "Thought: look" };
const step = chunk({ actions: [look], messages: [], trace_id: "" });
const output = chunk({ output: answer, messages: [], trace_id: "" });
const end = chunk({ type: "end" });

const failures: readonly { readonly name: string; readonly play: Play; readonly says: string }[] = [
  {
    name: "the agent is gone (404)",
    play: refuse(404, "Agent not found", "Agent with name support does not exist"),
    says: "There is no agent with that name.",
  },
  {
    name: "it knows something that was named no more (404, with the model's key in it)",
    play: refuse(404, "Resource not found", `The model {'api_key': '${modelKey}'} does not exist`),
    says: "The agent service doesn't recognise one of these names.",
  },
  {
    name: "it fails (500)",
    play: answerJson(500, { title: "KeyError", detail: `'x' ${modelKey}`, message: "'x'" }),
    says: "The agent service reported an error.",
  },
  { name: "a proxy answers for it (502, HTML)", play: html(502), says: "The agent service can't be reached." },
  { name: "a proxy knows that it is away (503)", play: html(503), says: "The agent service can't be reached." },
  {
    name: "something else answers in its place (HTML, 200)",
    play: html(200),
    says: "The agent service sent an unexpected reply.",
  },
  {
    name: "one chunk does not end",
    play: [begin, step, flood(17 * 1024 * 1024), silence()],
    says: "The agent service sent more than Parley accepts at once.",
  },
  {
    name: "the connection breaks in the middle",
    play: [begin, step, raw('data: {"output": "At tw'), cut()],
    says: "The connection to the agent service dropped before the answer was complete.",
  },
  {
    name: "the stream ends without an answer",
    play: [begin, end],
    says: "support finished without an answer.",
  },
  {
    name: "the stream says that it failed",
    play: [begin, step, chunk({ type: "error", content: `Agent streaming failed: ${modelKey}`, trace_id: "" }), end],
    says: "Something failed while support was working.",
  },
  {
    name: "it goes silent in the middle",
    play: [begin, step, silence()],
    says: "The agent service stopped responding.",
  },
  {
    name: "it never begins",
    play: [silence()],
    says: "The agent service is busy and hasn't started to answer.",
  },
  {
    name: "it never comes to an end",
    play: Array.from({ length: 40 }, (): Move[] => [step, { kind: "pause", ms: 100 }]).flat(),
    says: "support hit its time limit.",
  },
];

/** What is odd on the wire, and yet an answer. */
const oddities: readonly { readonly name: string; readonly play: readonly Move[] }[] = [
  { name: "a chunk is malformed", play: [begin, raw("data: {not json\n\n"), step, output, end] },
  { name: "two ends come", play: [begin, output, end, end] },
  { name: "bytes come after the end", play: [begin, output, end, raw(`data: {"output": "No."}\n\nrubbish`)] },
  { name: "the last line has no end", play: [begin, output, raw('data: {"type": "end"}')] },
];

describe.skipIf(isChromiumMissing)("a service that does wrong", () => {
  const password = "pass-0123456789";
  /** Changed while it runs, as a restart of the service does. */
  const options = { token: "first-token", routes: {} as Record<string, ReturnType<typeof refuse>> };
  let browser: Browser;
  let page: Page;
  let service: ScriptedService;
  let parley: ParleyProcess;

  beforeAll(async () => {
    browser = await launchChromium();
    acceptLogin();
    service = await startScriptedService([], options);
    parley = await createParleyProcess({
      AGENT_SERVICE_URL: service.url,
      AGENT_SERVICE_USER: "parley",
      AGENT_SERVICE_PASSWORD: password,
      AGENT_DEFAULT: "support",
      AGENT_FIRST_CHUNK_SECONDS: "1",
      AGENT_SILENCE_SECONDS: "1",
      AGENT_RUN_SECONDS: "2",
    });
    await service.refuseConnections();
    await parley.start("/healthz");
  });
  afterAll(async () => {
    await parley?.close();
    await service?.close();
    await browser?.close();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    await page.goto(parley.url);
  });
  afterEach(() => page.close());

  function acceptLogin(): void {
    options.routes["POST /api/login"] = answerJson(200, { token: options.token });
  }
  async function ask(text = question): Promise<void> {
    await page.getByRole("textbox").fill(text);
    await page.keyboard.press("Enter");
  }
  const words = (text: string): Locator => page.locator("main").getByText(text, { exact: true });
  const shows = (text: string): Promise<void> => words(text).first().waitFor({ timeout: 45_000 });

  async function tryAgain(): Promise<void> {
    service.play(answers25({ question, answer }));
    await page.getByRole("button", { name: "Try again" }).click();
    await shows(answer);
  }
  /** The question is there, the answer once, and nothing of the failure. */
  async function showsOnlyAnswer(says: string): Promise<void> {
    expect(await words(says).count()).toBe(0);
    expect(await words(answer).count()).toBe(1);
    expect(await page.locator("main").getByText(question).count()).toBeGreaterThan(0);
  }

  it("says so when it was never there, and answers once it is", async () => {
    const says = "The agent service can't be reached.";
    await ask();
    await shows(says);
    const ready = await fetch(`${parley.url}/readyz`);
    await service.acceptConnections();
    await tryAgain();

    expect(ready.status).toBe(503);
    await showsOnlyAnswer(says);
  });

  for (const { name, play, says } of failures) {
    it(`says one sentence when ${name}, and keeps the question`, async () => {
      service.play(play);
      await ask();
      await shows(says);
      const shown = await page.locator("main").innerText();
      await tryAgain();

      expect(shown).toMatch(/ref [a-z0-9]{4}/);
      expect(shown).not.toContain(modelKey);
      await showsOnlyAnswer(says);
    });
  }

  for (const { name, play } of oddities) {
    it(`shows the answer once when ${name}`, async () => {
      service.play(play);
      await ask();
      await page.getByRole("button", { name: "This helped" }).waitFor();

      expect(await words(answer).count()).toBe(1);
      expect(await page.getByRole("button", { name: "This helped" }).count()).toBe(1);
    });
  }

  it("keeps an answer whose end never came, and says that it may be incomplete", async () => {
    service.play([begin, output, cut()]);
    await ask();
    await shows("The connection dropped, so this may be incomplete.");

    expect(await words(answer).count()).toBe(1);
    await tryAgain();
  });

  it("keeps an answer that a failure followed, marked as what had arrived", async () => {
    service.play([begin, output, chunk({ error: "Error in completion event generator" }), end]);
    await ask();
    await shows("Something failed while support was working.");

    expect(await words("Received so far (may be incomplete):").count()).toBe(1);
    expect(await words(answer).count()).toBe(1);
  });

  it("logs in again when the service has forgotten its tokens", async () => {
    options.token = "second-token";
    acceptLogin();
    service.play(answers25({ question, answer }));
    await ask();

    await shows(answer);
  });

  it("says who can help when the login is refused", async () => {
    const says = "The agent service rejected Parley's login.";
    options.token = "third-token";
    options.routes["POST /api/login"] = refuse(401, "Forbidden", `wrong password ${password}`);
    await ask();
    await shows(says);
    const shown = await page.locator("main").innerText();
    acceptLogin();
    await tryAgain();

    expect(shown).not.toContain(password);
    await showsOnlyAnswer(says);
  });

  it("says that a name is taken (409), and keeps what was filled in", async () => {
    options.routes["POST /api/projects/mindsdb/agents"] = refuse(409, "Agent already exists", "Agent already exists");
    const dialog = page.getByRole("dialog");
    await ask("/agent create sales");
    await dialog.getByLabel("Instructions").fill("Answer in verse.");
    await dialog.getByRole("button", { name: "Create" }).click();
    await shows("That name is taken.");
    await page.getByRole("button", { name: "Edit and retry" }).click();

    await dialog.getByLabel("Name").waitFor();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("sales");
    expect(await dialog.getByLabel("Instructions").inputValue()).toBe("Answer in verse.");
  });

  it("says so when it went away later, and answers when it is back", async () => {
    const says = "The agent service can't be reached.";
    await service.refuseConnections();
    await ask();
    await shows(says);
    await service.acceptConnections();
    await tryAgain();

    await showsOnlyAnswer(says);
  });

  it("has counted what it skipped, and logged every failure by its reference, without a secret", async () => {
    const metrics = await (await fetch(`${parley.url}/metrics`)).text();
    const output = parley.output();

    expect(metrics).toMatch(/parley_malformed_chunks_total [1-9]/);
    for (const cause of ["HTTP 500 KeyError", "HTTP 404 Agent not found", "ECONNREFUSED", "Agent streaming failed"]) {
      expect(output.split("\n").filter((line) => line.includes(cause) && /"ref":"\w{4}"/.test(line))).not.toEqual([]);
    }
    expect(output).not.toContain(question);
    for (const secret of [modelKey, password, "first-token", "third-token"]) expect(output).not.toContain(secret);
    expect(output).not.toMatch(/MaxListeners|Unhandled|"level":"fatal"/);
  });
});
