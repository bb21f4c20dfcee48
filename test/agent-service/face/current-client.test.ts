import { describe, expect, it } from "vitest";
import { createCurrentClient } from "../../../src/agent-service/current-client.ts";
import type { Found } from "../../../src/agent-service/probe/probe.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { AgentEvent } from "../../../src/core/model/agent-event.ts";
import type { Dialect, ServiceProfile } from "../../../src/core/ports/agent-service.ts";
import { createCollectedLog } from "../../doubles/collected-log.ts";
import { type Agents, createAgents } from "../../doubles/service/agents.ts";
import { until } from "../../doubles/until.ts";
import { failure, question } from "../open-service.ts";

type Generation = ServiceProfile["generation"];

function found(dialect: Dialect, generation: Generation = "unknown"): Found {
  return { dialect, baseUrl: "http://service", server: { generation, version: "" }, foundBy: "/there" };
}

function open(first: Found | ParleyError) {
  let answers: Found | ParleyError = first;
  const looks: (Found | undefined)[] = [];
  const opened: { readonly found: Found; readonly agents: Agents; isClosed: boolean }[] = [];
  const collected = createCollectedLog();
  const current = createCurrentClient({
    probe: {
      find: async (before) => {
        looks.push(before);
        if (answers instanceof ParleyError) throw answers;
        return answers;
      },
      close: async () => {},
    },
    open: (now) => {
      const one = { found: now, agents: createAgents(), isClosed: false };
      opened.push(one);
      const close = async () => {
        one.isClosed = true;
      };
      return { ...one.agents, close };
    },
    log: collected.log,
  });
  const ask = async () => {
    const events: AgentEvent[] = [];
    for await (const event of current.stream(({ service }) => service.ask("p", "guide", question))) events.push(event);
    return events;
  };
  const dialect = () => current.use(async (client) => client.found.dialect);
  const fail = (code: ParleyError["code"]) =>
    failure(current.use(() => Promise.reject(new ParleyError(code)))).then((error) => expect(error.code).toBe(code));
  const answer = (now: Found | ParleyError) => {
    answers = now;
  };
  return { current, opened, looks, ask, dialect, fail, answer, ...collected };
}

const down = new ParleyError("service_unreachable");

describe("the service", () => {
  it("is looked for at the first use, once for all who wait", async () => {
    const { looks, dialect, opened } = open(found("responses"));
    expect(looks).toEqual([]);

    expect(await Promise.all([dialect(), dialect(), dialect()])).toEqual(["responses", "responses", "responses"]);

    expect(looks).toHaveLength(1);
    expect(opened).toHaveLength(1);
  });

  it("that is down at the start is found as soon as it answers", async () => {
    const { dialect, answer } = open(down);
    expect((await failure(dialect())).code).toBe("service_unreachable");

    answer(found("chat"));

    expect(await dialect()).toBe("chat");
  });

  it.each(["service_unreachable", "service_failed", "service_not_understood", "stream_cut"] as const)(
    "is looked for again after %s, as what it was before",
    async (code) => {
      const { looks, dialect, fail } = open(found("responses"));
      await fail(code);

      await dialect();
      await dialect();

      expect(looks).toEqual([undefined, found("responses")]);
    },
  );

  it("isn't looked for again after failures that say nothing of it", async () => {
    const { looks, fail } = open(found("responses"));

    for (const code of ["agent_not_found", "service_busy", "stopped", "not_authorised"] as const) await fail(code);

    expect(looks).toHaveLength(1);
  });

  it("stays what it was while it is down", async () => {
    const { dialect, fail, answer, opened } = open(found("responses"));
    await fail("service_unreachable");
    answer(down);

    expect(await dialect()).toBe("responses");
    answer(found("responses"));
    expect(await dialect()).toBe("responses");
    expect(opened).toHaveLength(1);
  });
});

describe("another kind of service behind the URL", () => {
  it("is used after a failure, and what runs keeps its connection until it ends", async () => {
    const { dialect, fail, answer, opened, ask, lines } = open(found("mindsdb"));
    const running = ask();
    await until("the run", () => opened[0]?.agents.runs.length === 1);
    await fail("service_not_understood");
    answer(found("responses", "litellm"));

    expect(await dialect()).toBe("responses");
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    opened[0]?.agents.runs[0]?.answer("Still here");

    expect(await running).toContainEqual({ type: "answer", text: "Still here" });
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        msg: "Another kind of agent service answers now",
        dialect: "responses",
        server: "litellm",
      }),
    );
  });

  it("is noticed by a probe whose answer is of another generation", async () => {
    const { current, answer, opened } = open(found("mindsdb"));
    await current.status();
    opened[0]?.agents.set({ profile: { generation: "unknown" } });
    answer(found("chat"));

    await current.status();

    expect(opened.map(({ found: { dialect } }) => dialect)).toEqual(["mindsdb", "chat"]);
  });

  it("is noticed by the next probe after one that fails", async () => {
    const { current, answer, opened } = open(found("mindsdb"));
    await current.status();
    opened[0]?.agents.set({ profile: { generation: "unknown" } });
    answer(down);
    expect((await failure(current.status())).code).toBe("service_unreachable");
    answer(found("chat"));

    await current.status();

    expect(opened.at(-1)?.found.dialect).toBe("chat");
  });

  it("gets a client of its own for each generation, and none twice", async () => {
    const { dialect, fail, answer, opened } = open(found("responses", "litellm"));
    await fail("service_failed");
    answer(found("responses", "cowork"));
    await dialect();
    await fail("service_failed");
    await dialect();

    expect(opened.map(({ found: { server } }) => server.generation)).toEqual(["litellm", "cowork"]);
  });
});

it("says in the profile how the service was found", async () => {
  const { current } = open(found("chat"));

  expect(await current.status()).toMatchObject({ foundBy: "/there" });
});

it("closes every client at the end", async () => {
  const { current, dialect, fail, answer, opened } = open(found("mindsdb"));
  const held = current.use(() => new Promise<void>(() => {}));
  await fail("service_failed");
  answer(found("chat"));
  await dialect();

  await current.close();

  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  void held;
});
