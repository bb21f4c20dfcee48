import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { ServiceMessage } from "../../../src/core/ports/agent-service.ts";
import { pngBytes } from "../../doubles/picture-bytes.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { startServer } from "../real-server.ts";
import { backupAnswer, openClient, openStandard, read } from "./open-responses.ts";

const question = (text: string): readonly ServiceMessage[] => [{ question: text, answer: "" }];
const servers = [
  ["openai", "fake-chat"],
  ["litellm", "support"],
  ["litellm", "native"],
] as const;

describe.each(servers)("a server like %s, model %s", (as, model) => {
  it("streams an answer, and names the run", async () => {
    const { service } = await openStandard({ as });
    const seen = await read(service.ask("p", model, question("When?")));

    expect(seen.error).toBeUndefined();
    expect(seen.answer()).toBe(backupAnswer);
    expect(seen.events.filter(({ type }) => type === "answer-delta").length).toBeGreaterThan(5);
    expect(seen.events.filter(({ type }) => type === "answer")).toEqual([]);
    expect(seen.last("run")?.run["response"]).toMatch(/^resp_/);
    expect(seen.events.at(-1)?.type).toBe("ended");
  });

  it("gets the history with every question", async () => {
    const { server, service } = await openStandard({ as });
    const messages = [{ question: "My name is Ada.", answer: "Hello Ada." }, ...question("history please")];
    const seen = await read(service.ask("p", model, messages));

    expect(seen.answer()).toContain("My name is Ada.");
    expect(server.calls.at(-1)?.body).toEqual({
      model,
      stream: true,
      input: [
        { role: "user", content: "My name is Ada." },
        { role: "assistant", content: "Hello Ada." },
        { role: "user", content: "history please" },
      ],
    });
  });

  it.each([
    ["fail mid", "model_unavailable"],
    ["use tool", "run_failed"],
  ])("reports what fails inside the stream: %s", async (words, code) => {
    const { service } = await openStandard({ as });
    const seen = await read(service.ask("p", model, question(words)));

    expect(seen.error).toBeUndefined();
    expect(["run_failed", code]).toContain(seen.last("failed")?.error.code);
    expect(seen.events.at(-1)?.type).toBe("ended");
  });

  it.each([
    ["cut short", "length"],
    ["filter", "filter"],
  ])("marks an answer that was cut: %s", async (words, cut) => {
    const { service } = await openStandard({ as });
    const seen = await read(service.ask("p", model, question(words)));

    expect(seen.last("answer")).toMatchObject({ cut });
    expect(seen.answer()).toMatch(/^The backup/);
  });

  it("gets the pictures of a question as data, and is asked without them where it refuses them", async () => {
    const { server, service } = await openStandard({ as });
    const pictures = [{ mediaType: "image/png" as const, bytes: pngBytes(10, 10) }];
    const seen = await read(service.ask("p", model, question("When?"), { pictures }));
    const blind = await openStandard({ as, blind: [model] });
    const refused = await read(blind.service.ask("p", model, question("When?"), { pictures }));

    expect(server.calls.at(-1)?.asked?.pictures).toEqual([
      `data:image/png;base64,${pngBytes(10, 10).toString("base64")}`,
    ]);
    expect([seen.answer(), refused.answer()]).toEqual([backupAnswer, backupAnswer]);
    expect(seen.last("pictures-refused")).toBeUndefined();
    expect(refused.last("pictures-refused")).toBeDefined();
    expect(blind.server.calls.at(-1)?.asked?.pictures).toEqual([]);
  });

  it("tells the tokens that it took", async () => {
    const { service } = await openStandard({ as });
    const seen = await read(service.ask("p", model, question("When?")));

    expect(seen.last("usage")).toEqual({ type: "usage", tokens: { input: 20, output: 12 } });
  });

  it("gives citations as sources of the answer", async () => {
    const { service } = await openStandard({ as });
    const seen = await read(service.ask("p", model, question("cite")));

    expect(seen.last("answer")?.sources?.map(({ url }) => url)).toEqual([
      "https://docs.example.com/backup",
      "https://docs.example.com/copies",
    ]);
  });

  it("says what refuses a question, without the key it quotes", async () => {
    const { service, clock } = await openStandard({ as });
    const codes: unknown[] = [];
    for (const words of ["rate limit", "too long", "fail"]) {
      const refused = read(service.ask("p", model, question(words)));
      let isOver = false;
      void refused.then(() => {
        isOver = true;
      });
      await untilAdvanced(clock, "the refusal", () => isOver, 1_000);
      const { error } = await refused;
      codes.push(error?.code);
      expect(inspect(error, { depth: null })).not.toMatch(/model-key|sk-fake/);
    }
    const unknown = await read(service.ask("p", "no-such-model", question("When?")));

    expect(codes.slice(0, 2)).toEqual(["service_busy", "question_too_long"]);
    expect(unknown.error?.code).toBe("agent_not_found");
  });

  it("answers without a stream", async () => {
    const { service } = await openStandard({ as });

    expect(await service.askPlain("p", model, question("When?"))).toBe(backupAnswer);
  });
});

it("an approval is asked for, and the run continues with the decision", async () => {
  const { server, service } = await openStandard({ as: "openai" });
  const first = await read(service.ask("p", "fake-native", question("approve")));
  const request = first.last("approval-requested")?.request;
  const approvals = [{ requestId: request?.id ?? "", isApproved: true }];
  const resume = first.last("run")?.run ?? {};
  const second = await read(service.ask("p", "fake-native", question("approve"), { resume, approvals }));

  expect(request).toMatchObject({ tool: "delete_page", server: "wiki" });
  expect(first.answer()).toBe("");
  expect(second.error).toBeUndefined();
  expect(second.answer()).not.toBe("");
  expect(server.calls.at(-1)?.body).toMatchObject({ previous_response_id: resume["response"] });
});

it("a decision about a run that the server has forgotten fails with words, and never as an answer", async () => {
  const { service } = await openStandard({ as: "openai" });
  const approvals = [{ requestId: "mcpr_1", isApproved: true }];
  const resume = { response: "resp_none" };
  const seen = await read(service.ask("p", "fake-native", question("approve"), { resume, approvals }));

  expect(seen.error?.message).toContain("no longer knows the run");
});

it("models are agents, and what else the service has no call for is refused", async () => {
  const { service } = await openStandard({ as: "litellm" });

  expect(await service.listAgents("p")).toMatchObject([{ name: "support" }, { name: "native" }]);
  await expect(service.createAgent("p", { name: "x" })).rejects.toMatchObject({ code: "service_request_refused" });
  expect(await service.status()).toMatchObject({
    ...{ dialect: "responses", generation: "litellm", maxRuns: 20, closeStopsRun: true },
    ...{ cancels: false, resumes: false, offers: [] },
  });
});

const dataOf = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const created = { type: "response.created", response: { id: "resp_1" } };
const delta = { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "At two" };

type Ends = { readonly code?: string; readonly failed?: string; readonly types?: readonly string[] };

it.each<[string, object[], boolean, Ends]>([
  ["cut", [created, delta], false, { code: "stream_cut", types: ["started", "traced", "run", "answer-delta"] }],
  ["cut by the network", [created, delta], true, { code: "stream_cut" }],
  [
    "ended by an error",
    [created, { type: "error", message: "Rate limit reached" }],
    false,
    { failed: "model_unavailable" },
  ],
  [
    "broken after an error",
    [created, { type: "error", message: "Rate limit reached" }],
    true,
    { failed: "model_unavailable" },
  ],
])("a stream without a terminal event is %s", async (_what, events, isBroken, expected) => {
  const server = await startServer((_asked, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(dataOf(...events), () => (isBroken ? response.destroy() : response.end()));
  });
  const { service } = openClient({ baseUrl: server.url });
  const seen = await read(service.ask("p", "m", question("When?")));
  await server.close();

  expect(seen.error?.code).toBe(expected.code);
  expect(seen.last("failed")?.error.code).toBe(expected.failed);
  if (expected.types !== undefined) expect(seen.events.map(({ type }) => type)).toEqual(expected.types);
  if (expected.failed !== undefined) expect(seen.events.at(-1)?.type).toBe("ended");
});

it("an answer without an end fails soon after [DONE], though the connection stays open", async () => {
  const delta = { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "At two." };
  const server = await startServer((_asked, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(delta)}\n\ndata: [DONE] \n\n`);
  });
  const { service, clock } = openClient({ baseUrl: server.url });
  const events = service.ask("p", "m", question("When?"))[Symbol.asyncIterator]();
  while ((await events.next()).value?.type !== "answer-delta");
  const answeredMs = clock.now();
  const failed = events.next().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  let isOver = false;
  failed.finally(() => {
    isOver = true;
  });
  await untilAdvanced(clock, "the end of the run", () => isOver, 1_000);
  await server.close();

  expect(await failed).toMatchObject({ code: "stream_cut" });
  expect(clock.now() - answeredMs).toBeLessThan(60_000);
});

it("a redirect is not followed", async () => {
  const server = await startServer((_asked, response) => {
    response.writeHead(307, { location: `${server.url}/elsewhere` });
    response.end();
  });
  const { service } = openClient({ baseUrl: server.url, token: "key-0123456789" });
  const seen = await read(service.ask("p", "m", question("When?")));
  await server.close();

  expect(seen.error?.code).toBe("service_not_understood");
  expect(server.asked.map(({ path }) => path)).toEqual(["/responses"]);
});

it("an empty question is never sent", async () => {
  const { server, service } = await openStandard();
  const seen = await read(service.ask("p", "fake-chat", question("  ")));

  expect(seen.error?.code).toBe("question_empty");
  expect(server.calls).toEqual([]);
});
