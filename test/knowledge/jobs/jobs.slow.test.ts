/** Jobs that meet what happens: restarts, cancelling, a busy service, a silent one, many of them. */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { JobItem } from "../../../src/core/model/job.ts";
import { createFakeClock, type FakeClock } from "../../doubles/fake-clock.ts";
import { startSite } from "../../doubles/network/site.ts";
import { admin, general, project } from "../../doubles/people.ts";
import { untilAdvanced } from "../../doubles/until.ts";
import { createGate, directPlace, openRoom, type Room } from "../room.ts";

const urls = (count: number) => Array.from({ length: count }, (_, index) => `http://127.0.0.1:9/page${index}`);
const items = (addresses: readonly string[]) =>
  addresses.map((url) => ({
    item: { label: url, kind: "url", state: "waiting", url } satisfies JobItem,
    payload: { kind: "url" } as const,
  }));

let clock: FakeClock;
let room: Room;

async function open(options: Parameters<typeof openRoom>[0] = {}): Promise<void> {
  clock = createFakeClock();
  room = await openRoom({ clock, ...options });
}

beforeEach(() => open());

afterEach(async () => {
  await room.close();
});

async function begin(addresses: readonly string[], way: "service" | "parley" = "service", changes = {}) {
  // Jobs of one millisecond have no order.
  await clock.advance(1);
  const context = room.context(changes);
  return room.parts().knowledge.jobs.begin({
    ...{ context, project, knowledgeBase: "docs", way, action: "kb ingest" },
    items: items(addresses),
    limits: { limit: 1, depth: 0, domains: [] },
  });
}

const job = () => room.newest();
const states = async () => (await job()).items.map(({ state }) => state);

describe("a job", () => {
  it("is counted while it waits and runs, and by how it ended", async () => {
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    for (const address of urls(3)) await begin([address]);
    await untilAdvanced(clock, "the metric", async () =>
      (await room.metrics()).includes('parley_jobs{state="running"} 2'),
    );
    expect(await room.metrics()).toContain('parley_jobs{state="waiting"} 1');

    gate.open();
    await untilAdvanced(clock, "the metric", async () =>
      (await room.metrics()).includes('parley_jobs_total{outcome="done"} 3'),
    );

    await untilAdvanced(clock, "the metric", async () =>
      (await room.metrics()).includes('parley_jobs{state="running"} 0'),
    );
    expect(await room.metrics()).toContain('parley_jobs{state="waiting"} 0');
  });

  it("continues after a restart with what wasn't done, in the same message", async () => {
    const gate = createGate();
    const asked: string[] = [];
    room.faults.insert = async (_project, _base, { urls: [url = ""] = [] }) => {
      asked.push(url);
      if (asked.length === 2) await gate.wait();
    };
    await begin(urls(3));
    await untilAdvanced(clock, "2 requests", () => asked.length === 2);
    await clock.advance(5_000);

    await room.restart();
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
    gate.open();

    expect(asked).toEqual([urls(3)[0], urls(3)[1], urls(3)[1], urls(3)[2]]);
    expect(await states()).toEqual(["done", "done", "done"]);
    expect(room.shown()).toHaveLength(1);
    expect(room.shown()[0]).toContain("3 of 3 done");
  });

  it("has stored what took long before the next one begins", async () => {
    const gate = createGate();
    const stored: JobItem["state"][] = [];
    let inserts = 0;
    room.faults.insert = async () => {
      inserts += 1;
      if (inserts === 1) await gate.wait();
      else stored.push(...(await states()));
    };
    await begin(urls(2));
    await untilAdvanced(clock, "an insert", () => inserts === 1);
    await clock.advance(60_000);
    gate.open();
    await untilAdvanced(clock, "a stored record", () => stored.length > 0);

    expect(stored[0]).toBe("done");
  });

  it("shows that it still runs while the service is silent for minutes, and ends as done", async () => {
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    await begin(urls(1));
    await untilAdvanced(clock, "a message from Parley", () => room.shown().length === 1);
    await gate.arrived;

    for (let minute = 0; minute < 12; minute += 1) await clock.advance(60_000);
    const waiting = room.shown()[0];
    gate.open();
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");

    expect(waiting).toMatch(/1[12] min/);
    expect(room.shown()[0]).toContain("1 of 1 done");
  });

  it("shows no progress while another instance may have shown more, and shows its end", async () => {
    const { coordinator } = room.parts().state;
    const { lease } = coordinator;
    let isCurrent = true;
    vi.spyOn(coordinator, "lease").mockImplementation(async (...about) => ({
      ...(await lease(...about)),
      isCurrent: () => isCurrent,
    }));
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    await begin(urls(1));
    await gate.arrived;
    await untilAdvanced(clock, "a message from Parley", () => room.shown().length === 1);
    const writes = () => room.platform.writes.length;

    isCurrent = false;
    const before = writes();
    await clock.advance(60_000);
    expect(writes()).toBe(before);
    isCurrent = true;
    await clock.advance(15_000);
    expect(writes()).toBeGreaterThan(before);
    isCurrent = false;
    gate.open();
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");

    expect(room.shown()[0]).toContain("1 of 1 done");
  });

  it("edits its message at most every three seconds, however much happens", async () => {
    room.faults.insert = async () => {
      await clock.sleep(100);
    };
    await begin(urls(300));
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done", 100);

    const progress = room.platform.writes
      .filter(({ urgency }) => urgency === "progress")
      .map((write) => write.startedAtMs);
    const gaps = progress.slice(1).map((atMs, index) => atMs - (progress[index] ?? 0));
    expect(progress.length).toBeGreaterThan(5);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_000);
    expect(room.shown()[0]).toContain("300 of 300 done");
  });

  it("waits 1, 2 and 4 s while the knowledge base is busy", async () => {
    const atMs: number[] = [];
    room.faults.insert = async () => {
      atMs.push(clock.now());
      if (atMs.length < 4) throw new ParleyError("knowledge_base_busy");
    };
    await begin(urls(1));
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done", 100);

    expect(atMs.slice(1).map((ms, index) => Math.round((ms - (atMs[index] ?? 0)) / 1_000))).toEqual([1, 2, 4]);
  });

  it("fails when the knowledge base stays busy", async () => {
    room.faults.insert = async () => {
      throw new ParleyError("knowledge_base_busy");
    };
    await begin(urls(1));
    await untilAdvanced(clock, "the failure of the job", async () => (await job()).state === "failed", 500);

    expect(room.shown()[0]).toContain("The knowledge base is busy.");
  });

  it("lets nothing read as running or waiting once it is cancelled", async () => {
    const gate = createGate();
    room.faults.insert = async (_project, _base, _what, signal) => {
      gate.wait();
      await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    };
    await begin(urls(3));
    await gate.arrived;

    const said = await room.press("cancel-job", (await job()).id);
    await untilAdvanced(clock, "the cancelled job", async () => (await job()).state === "cancelled");

    expect(said.text).toContain("Cancelling job");
    expect(await states()).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(room.platform.thread(general)[0]?.payload.tone).toBe("stopped");
    expect(await room.audit("kb cancel")).toHaveLength(1);
    expect((await room.press("cancel-job", (await job()).id)).text).toContain("has already finished");
  });

  it("can be cancelled before it began, and tried again", async () => {
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    await begin(urls(1));
    await gate.arrived;
    await begin(urls(2).slice(1));
    await untilAdvanced(clock, "the start of the job", async () => (await job()).state === "running");
    await begin(["http://127.0.0.1:9/third"]);
    const third = await job();
    await untilAdvanced(clock, "3 messages from Parley", () => room.shown().length === 3);

    await room.press("cancel-job", third.id);
    await untilAdvanced(clock, "the cancelled job", async () => (await job()).state === "cancelled");
    gate.open();
    await room.press("retry-job", third.id);
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");

    expect(third.state).toBe("queued");
    expect(room.shown()[2]).toContain("1 of 1 done");
  });

  it("waits for its turn when its owner has two running, and others' jobs do not", async () => {
    const started: string[] = [];
    const gate = createGate();
    room.faults.insert = async (_project, base, { urls: [url = ""] = [] }) => {
      started.push(`${base} ${url.at(-1)}`);
      await gate.wait();
    };
    const own = async (knowledgeBase: string, url: string, actor = admin) =>
      room.parts().knowledge.jobs.begin({
        ...{ context: room.context({ actor }), project, knowledgeBase, way: "service", action: "kb ingest" },
        items: items([url]),
      });
    await own("one", "http://127.0.0.1:9/1");
    await own("two", "http://127.0.0.1:9/2");
    await untilAdvanced(clock, "2 pages", () => started.length === 2);
    await own("three", "http://127.0.0.1:9/3");
    await own("four", "http://127.0.0.1:9/4", { ...admin, id: "U2" });
    await untilAdvanced(clock, "3 pages", () => started.length === 3);
    await clock.advance(10_000);

    expect([...started].sort()).toEqual(["four 4", "one 1", "two 2"]);
    gate.open();
    await untilAdvanced(clock, "4 pages", () => started.length === 4);
  });

  it("puts one thing at a time into a knowledge base", async () => {
    let now = 0;
    let most = 0;
    room.faults.insert = async () => {
      now += 1;
      most = Math.max(most, now);
      await clock.sleep(50);
      now -= 1;
    };
    await begin(urls(3));
    await begin(urls(6).slice(3), "service", { actor: { ...admin, id: "U2" } });
    await untilAdvanced(
      clock,
      "the end of all jobs",
      async () => (await room.parts().knowledge.jobs.recent(general, 2)).every(({ state }) => state === "done"),
      50,
    );

    expect(most).toBe(1);
  });

  it("leaves its work to the next process when this one is ended", async () => {
    const gate = createGate();
    room.faults.insert = async (_project, _base, _what, signal) => {
      gate.wait();
      await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    };
    await begin(urls(2));
    await gate.arrived;

    const drained = room.parts().knowledge.jobs.drain(25_000);
    await clock.advance(25_000);
    await drained;

    expect((await job()).state).toBe("running");
    expect(await states()).toEqual(["waiting", "waiting"]);
  });

  it("retries once what ran when Parley died, then gives it up, and continues with the rest", async () => {
    const poison = urls(3)[1] ?? "";
    const asked: string[] = [];
    let gate = createGate();
    room.faults.insert = async (_project, _base, { urls: [url = ""] = [] }) => {
      asked.push(url);
      if (url === poison) await gate.wait();
    };
    await begin(urls(3));
    for (const lives of [1, 2]) {
      await untilAdvanced(clock, "the next attempt", () => asked.filter((url) => url === poison).length === lives);
      // At once: what has happened since the attempt began is not stored.
      gate = createGate();
      await room.restart();
    }
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");

    expect(asked.filter((url) => url === poison)).toHaveLength(2);
    expect((await job()).items).toMatchObject([
      { state: "done" },
      { state: "failed", reason: "skipped, because Parley stopped unexpectedly twice while adding it" },
      { state: "done" },
    ]);
  });

  it("can be given up by Parley and retried by a person", async () => {
    let gate = createGate();
    let asked = 0;
    room.faults.insert = async () => {
      asked += 1;
      await gate.wait();
    };
    await begin(urls(1));
    for (const lives of [1, 2]) {
      await untilAdvanced(clock, "the next attempt", () => asked === lives);
      gate = createGate();
      await room.restart();
    }
    await untilAdvanced(clock, "the failure of the job", async () => (await job()).state === "failed");

    gate.open();
    await room.press("retry-job", (await job()).id);
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
    expect(asked).toBe(3);
  });

  it("is tried again as often as Parley ends in order", async () => {
    let gate = createGate();
    let asked = 0;
    room.faults.insert = async () => {
      asked += 1;
      await gate.wait();
    };
    await begin(urls(1));
    for (const lives of [1, 2, 3]) {
      await untilAdvanced(clock, "the next attempt", () => asked === lives);
      const drained = room.parts().knowledge.jobs.drain(0);
      await clock.advance(1);
      await drained;
      gate = createGate();
      await room.restart();
    }
    await untilAdvanced(clock, "4 requests", () => asked === 4);
    gate.open();

    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
  });

  it("runs what may have ended Parley alone the second time", async () => {
    const held: ServerResponse[] = [];
    const site = await startSite();
    const pages = [1, 2, 3, 4].map((page) => {
      site.set(`/${page}`, (_request, response) => void held.push(response));
      return `${site.url}/${page}`;
    });
    await begin(pages, "parley");
    await untilAdvanced(clock, "4 pages", () => held.length === 4);
    await room.restart();
    await untilAdvanced(clock, "5 pages", () => held.length === 5);
    // Whatever else would be asked for would be asked for by now.
    await new Promise((resolve) => setTimeout(resolve, 200));

    expect(held).toHaveLength(5);
    await site.close();
  });

  it("whose stored work is damaged fails with what to do, and delays nothing", async () => {
    room.faults.insert = async () => {};
    await begin(urls(1));
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
    const { items: _items, ...old } = await job();
    const rows = [{ label: "Pasted text", kind: "rows", state: "waiting" }] as const;
    const options = { ...old.options, payloads: ['{"kind":"ro'] };
    await room
      .parts()
      .state.jobs.create({ ...old, id: `${old.id}x`, eventKey: "cut", state: "queued", items: rows, options });

    await room.parts().knowledge.jobs.recover(true);
    await untilAdvanced(
      clock,
      "the failure of the other job",
      async () => (await room.parts().state.jobs.get(`${old.id}x`))?.state === "failed",
    );
    expect((await job()).items).toMatchObject([{ reason: expect.stringContaining("Run the command again") }]);
    await begin(urls(1));
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
  });

  it("doesn't rerun a query automatically", async () => {
    const gate = createGate();
    let runs = 0;
    room.faults.insert = async () => {
      runs += 1;
      await gate.wait();
    };
    const sql = "SELECT 1 AS content";
    await room.parts().knowledge.jobs.begin({
      ...{ context: room.context(), project, knowledgeBase: "docs", way: "parley", action: "kb query" },
      items: [{ item: { label: sql, kind: "query", state: "waiting" }, payload: { kind: "query", sql } }],
    });
    await gate.arrived;
    // At once: not even a moment passes in which what runs could be stored by the way.
    await room.restart();
    await untilAdvanced(clock, "the failure of the job", async () => (await job()).state === "failed");

    expect(runs).toBe(1);
    expect(room.shown()[0]).toContain("Parley restarted while the query ran");
  });

  it("is not seen from another workspace", async () => {
    room.faults.insert = async () => {};
    await begin(urls(1));
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
    const { id } = await job();
    const elsewhere = { ...general, workspace: "T2" };

    expect(await room.parts().knowledge.jobs.recent(elsewhere, 10)).toEqual([]);
    await expect(room.press("retry-job", id, { place: elsewhere })).rejects.toThrow(/no longer available/);
    await expect(room.press("cancel-job", id, { place: elsewhere })).rejects.toThrow(/no longer available/);
  });

  it("learns of a cancel elsewhere with its next write, when the notification was lost", async () => {
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    await begin(urls(2));
    await gate.arrived;
    const { id, state, options, fence } = await job();

    const { jobs } = room.parts().state;
    await jobs.transition(id, [state], state, { options: { ...options, cancelledBy: "U2" } }, fence);
    await untilAdvanced(clock, "the cancelled job", async () => (await job()).state === "cancelled", 1_000);
    gate.open();

    expect(room.shown()[0]).toContain("Cancelled adding to docs");
  });

  it.each(["place_gone", "not_permitted"] as const)(
    "whose message can't be posted (%s) is sent to its owner privately, with its full text",
    async (error) => {
      room.faults.insert = async (_project, _base, { urls: [url = ""] = [] }) => {
        if (url.endsWith("1")) throw new ParleyError("insert_failed");
      };
      const isPublic = ({ place }: { readonly place: { readonly channel: string } }) =>
        place.channel === general.channel;
      room.platform.fail({ on: "post", error, times: 100, when: isPublic });
      await begin(urls(2));
      await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done", 1_000);

      const [told] = room.platform.thread(directPlace(admin));
      expect(room.shown()).toEqual([]);
      expect(told?.payload.text).toContain("This couldn't be shown where you asked for it.");
      expect(told?.payload.text).toContain("1 of 2 done, 1 failed");
      expect(told?.payload.text).not.toContain("[Try again");
    },
  );

  it("is started once by an event that comes twice", async () => {
    room.faults.insert = async () => {};
    const eventKey = "memory/T1/twice";
    const first = await begin(urls(1), "service", { eventKey });
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");
    const second = await begin(urls(1), "service", { eventKey });

    expect(second.job?.id).toBe(first.job?.id);
    expect(await room.parts().knowledge.jobs.recent(general, 10)).toHaveLength(1);
  });
});

describe("a job of a thousand URLs", () => {
  it("writes its message no more often for that", async () => {
    room.faults.insert = async () => {};
    const count = 1_000;
    await begin(urls(count));
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done", 10);

    expect((await states()).filter((state) => state === "done")).toHaveLength(count);
    expect(room.platform.writes.length).toBeLessThan(20);
  });

  it("stores what takes no time together", async () => {
    room.faults.insert = async () => {};
    const writes = vi.spyOn(room.parts().state.jobs, "transition");
    await begin(urls(1_000), "service");
    await untilAdvanced(clock, "the end of the job", async () => (await job()).state === "done");

    expect(writes.mock.calls.length).toBeLessThan(20);
  });

  it("looks at twenty of them at once before the service reads them, not at all", async () => {
    const held: ServerResponse[] = [];
    const site = await startSite();
    const addresses = Array.from({ length: 50 }, (_, index) => `${site.url}/page${index}`);
    for (const address of addresses) {
      site.set(new URL(address).pathname, (_request, response) => held.push(response.writeHead(200)));
    }
    room.faults.insert = async () => {};
    await begin(addresses);
    await untilAdvanced(clock, "20 pages", () => held.length === 20);
    for (let turn = 0; turn < 50; turn += 1) await clock.advance(0);
    const before = held.length;

    await untilAdvanced(clock, "the end of the job", async () => {
      for (const response of held) response.end("words");
      return (await job()).state === "done";
    });
    await site.close();

    expect(before).toBe(20);
    expect(site.asked).toHaveLength(50);
  });
});

describe("jobs", () => {
  it("are listed, and cancelled by their reference", async () => {
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    await room.makeBase("docs");
    await begin(urls(2));
    await gate.arrived;
    const { ref } = await job();

    const listed = await room.say("/kb jobs");
    const [choice] = await room
      .parts()
      .commands.complete({ completes: "job", typed: ref, place: general, actor: admin });
    const wrong = await room.say("/kb cancel nope");
    const cancelled = await room.say(`/kb cancel ${ref}`);
    gate.open();
    await untilAdvanced(clock, "the cancelled job", async () => (await job()).state === "cancelled");

    expect(listed.text).toContain(
      `${ref} · http://127.0.0.1:9/page0 and 1 more into docs · running, 0 of 2 done · by Alice`,
    );
    expect(choice?.value).toBe(ref);
    expect(wrong.text).toContain("There is no running job nope.");
    expect(cancelled.text).toContain(`Cancelling job ${ref}.`);
    expect((await room.say("/kb cancel")).text).toBe("Nothing is running here.");
  });
});
