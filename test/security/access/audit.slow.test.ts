/** What is written down of who changed what, and of who tried without the role for it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAudit } from "../../../src/access/audit.ts";
import { type AuditEntry, auditEntriesIn } from "../../../src/core/audit.ts";
import type { Actor } from "../../../src/core/model/place.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { createRetention } from "../../../src/state/retention.ts";
import { createHarness, type Harness } from "../../bridge/harness.ts";
import { general, openRoom, type Room } from "../../commands/room.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { admin } from "../../doubles/people.ts";
import { hasRedisServer, type RedisServer, startRedisServer } from "../../doubles/processes/redis-server.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";

const member: Actor = { ...admin, id: "U2", name: "Bob", isAdmin: false };
const guest: Actor = { ...member, id: "U3", name: "Gus", isGuest: true };

describe("the audit", () => {
  let room: Room;
  let parley: Harness;
  beforeEach(async () => {
    room = await openRoom();
    parley = await createHarness({ commands: room.commands });
  });
  afterEach(async () => {
    await parley.stop();
    await room.close();
  });

  const typed = (text: string) => ({ kind: "command", input: { kind: "typed", text }, attachments: [] });
  const attempts: readonly (readonly [string, Actor, Record<string, unknown>, Partial<AuditEntry>])[] = [
    [
      "a command",
      member,
      typed("agent use guide scope workspace"),
      { role: "manage", action: "agent use", about: { name: "guide", scope: "workspace" } },
    ],
    ["a command that opens a form", member, typed("agent create"), { role: "manage", action: "agent create" }],
    [
      "an option that needs more than its command",
      member,
      typed("parley mode channel"),
      { role: "manage", action: "parley mode", about: { mode: "channel" } },
    ],
    [
      "a form",
      member,
      { kind: "form", formId: "agent create", values: { name: "sales", key: "sk-planted-in-a-form" }, context: "" },
      { role: "manage", action: "agent create", about: {} },
    ],
    [
      "a button",
      member,
      { kind: "action", action: "confirm", value: "agent-delete =guide" },
      { role: "manage", action: "confirm agent-delete", about: {} },
    ],
    [
      "a button that opens a form",
      member,
      { kind: "action", action: "open-form", value: "agent edit =guide" },
      { role: "manage", action: "agent edit" },
    ],
    [
      "saving",
      guest,
      { kind: "shortcut", shortcut: "save", messageId: "1", about: { text: "x", authorName: "y", attachments: [] } },
      { role: "ingest", action: "kb save", about: {} },
    ],
  ];

  it.each(attempts)("has %s that was refused for want of the role, once", async (_what, actor, inbound, expected) => {
    const event = parley.send({
      ...{ eventKey: "slack/T1/1", order: "1", conversation: general, place: general, actor },
      ...inbound,
    });
    await event.done;

    expect(event.sent[0]?.document.tone).toBe("failed");
    expect(await room.audit()).toEqual([
      expect.objectContaining({
        ...expected,
        actor: { id: actor.id, name: actor.name },
        place: general,
        outcome: "refused",
        code: "not_allowed",
      }),
    ]);
    expect(room.logged.filter((line) => line.includes("Audited a refusal"))).toHaveLength(1);
  });

  it("counts one person's refused attempts, in one entry an hour for each command", async () => {
    const attempt = async (index: number, text: string, actor = member) => {
      const event = parley.send({
        ...{ eventKey: `slack/T1/${index}`, order: String(index).padStart(6, "0"), conversation: general },
        ...{ place: general, actor },
        ...typed(text),
      });
      await event.done;
    };

    await Promise.all(Array.from({ length: 25 }, (_, index) => attempt(index, "agent delete guide")));
    await attempt(100, "agent use guide");
    await attempt(101, "agent delete guide", guest);

    const entries = (await room.audit()).toSorted((a, b) => (b.count ?? 1) - (a.count ?? 1));
    expect(entries.map(({ actor, action, count }) => [actor.id, action, count])).toEqual([
      ["U2", "agent delete", 25],
      ["U2", "agent use", 1],
      ["U3", "agent delete", 1],
    ]);
    expect(entries[0]).toMatchObject({ outcome: "refused", about: { name: "guide" }, place: general });
    // At the first, the tenth, the hundredth.
    expect(room.logged.filter((line) => line.includes("Audited a refusal"))).toHaveLength(4);

    await room.clock.advance(3_600_000);
    await attempt(200, "agent delete guide");
    expect((await room.audit()).filter(({ action }) => action === "agent delete")).toHaveLength(3);
  });

  it("contains no refused questions", async () => {
    const stranger = { ...guest, isExternal: true };
    const event = parley.send({
      ...{ eventKey: "slack/T1/1", order: "1", conversation: general, place: general, actor: stranger },
      ...typed("ask when?"),
    });
    await event.done;

    expect(event.sent[0]?.document.tone).toBe("failed");
    expect(await room.audit()).toEqual([]);
  });

  it("has an entry for its retention time, and no longer than an hour after it", async () => {
    const kept = { retentionMs: 1, auditMs: 2 * 86_400_000, clock: room.clock, log: silentLog };
    await createRetention({ ...room.state, ...kept })();
    await room.state.works.start();
    await room.say("parley mode mention");
    await room.clock.advance(2 * 86_400_000 - 1_000);
    expect(await room.audit()).toHaveLength(1);

    await room.clock.advance(3_600_000);

    await until("the entry is gone", async () => (await room.audit()).length === 0);
    await room.state.works.drain();
  });
});

describe.each(["SQLite", "Redis"])("on %s the audit", (backend) => {
  const isRedis = backend === "Redis";
  it.skipIf(isRedis && !hasRedisServer())("forgets what is too old, and never holds a key", async () => {
    const server: RedisServer | undefined = isRedis ? await startRedisServer() : undefined;
    const folder = await temporaryFolder("audit");
    const state = await openState({
      ...{ dataDir: folder, clock: systemClock, log: silentLog },
      ...(server === undefined ? {} : { redisUrl: server.url }),
    });
    const clock = createFakeClock();
    const record = async (addresses: string) =>
      createAudit(appOf({ ...state, settings: { secrets: ["hunter2-of-the-settings"] }, clock })).record(
        { actor: admin, place: general },
        { role: "ingest", action: "kb ingest", about: { addresses }, outcome: "failed" },
      );
    const all = async () => {
      const found: AuditEntry[] = [];
      const oldestFirst = { order: "atMs", isAscending: true } as const;
      for await (const { record: entry } of auditEntriesIn(state).all(oldestFirst)) found.push(entry);
      return found;
    };

    const kept = { retentionMs: 1, auditMs: 86_400_000, clock, log: silentLog };
    createRetention({ ...state, ...kept });
    await state.works.start();
    await record("https://bob:hunter2@example.com/ sk-planted-0123456789 hunter2-of-the-settings");
    await clock.advance(80_000_000);
    await record("https://example.com/kept");
    const before = await all();
    await clock.advance(10_000_000);
    await state.works.add("retention", "all", null);
    await until("the end of the first entry", async () => (await all()).length < 2);

    expect(before[0]?.about["addresses"]).toBe("https://bob:[redacted]@example.com/ [redacted] [redacted]");
    expect((await all()).map((entry) => entry.about)).toEqual([{ addresses: "https://example.com/kept" }]);
    await state.works.drain();
    await state.close();
    await server?.stop();
  });
});
