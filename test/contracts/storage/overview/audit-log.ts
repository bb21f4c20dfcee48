/** Contract of the audit log, over every storage. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAudit } from "../../../../src/access/audit.ts";
import { type AuditEntry, auditEntriesIn } from "../../../../src/core/audit.ts";
import { type Place, personKey, workspaceKey } from "../../../../src/core/model/place.ts";
import type { State } from "../../../../src/core/ports/state.ts";
import { eraseRecords } from "../../../../src/insight/privacy/records.ts";
import { auditChoices, listAudit } from "../../../../src/overview/pages/audit.ts";
import { appOf } from "../../../doubles/app.ts";
import { createFakeClock } from "../../../doubles/fake-clock.ts";
import { overviewAppOf } from "../../../doubles/overview-app.ts";
import { alice, bob, general } from "../../../doubles/people.ts";
import { silentLog as log } from "../../../doubles/silent-log.ts";

const person = { platform: general.platform, workspace: general.workspace, id: alice.id };
const elsewhere: Place = { platform: "discord", workspace: "G9", channel: "help" };

type AuditQuery = Parameters<typeof listAudit>[1];

export function describeAuditLog(open: () => Promise<State>): void {
  let state: State;
  let clock: ReturnType<typeof createFakeClock>;
  beforeEach(async () => {
    state = await open();
    clock = createFakeClock();
  });
  afterEach(() => state.close());

  function room() {
    const stored = auditEntriesIn(state);
    const app = appOf({ ...state, clock, log });
    const pages = overviewAppOf(app);
    const audit = createAudit(app);
    const list = (asked: AuditQuery = {}) => listAudit(pages, asked);
    return {
      ...{ stored, list, choices: () => auditChoices(pages, { ...alice, signedInAs: "manage" }) },
      record: async (
        action: string,
        { actor = alice, place = general, outcome = "done" as AuditEntry["outcome"], laterMs = 1_000 } = {},
      ) => {
        await clock.advance(laterMs);
        await audit.record({ actor, place }, { role: "manage", action, about: { agent: "sales" }, outcome });
      },
      actions: async (asked: AuditQuery = {}) => (await list(asked)).rows.map(({ action }) => action),
    };
  }

  describe("the audit log", () => {
    it("lists what happened in all workspaces, newest first and page by page", async () => {
      const { record, list } = room();
      const count = 120;
      // Some of them in the same millisecond, also where a page ends.
      for (let number = 0; number < count; number += 1) {
        await record(`action ${number}`, { place: number % 2 === 0 ? general : elsewhere, laterMs: number % 3 });
      }

      const seen: string[] = [];
      const sizes: number[] = [];
      for (let cursor: string | undefined; ; ) {
        const { rows, next } = await list({ cursor });
        seen.push(...rows.map(({ action }) => action));
        sizes.push(rows.length);
        cursor = next;
        if (next === undefined) break;
      }

      expect(sizes).toEqual([50, 50, 20]);
      expect(new Set(seen).size).toBe(count);
      expect(seen[0]).toBe("action 119");
      expect(seen[1]).toBe("action 118");
      expect(seen.slice(2, 4).sort()).toEqual(["action 116", "action 117"]);
      expect(seen[4]).toBe("action 115");
    });

    it("is filtered by time, person, action, outcome, platform and workspace, and by several of them", async () => {
      const { record, actions } = room();
      const startMs = clock.now();
      await record("agent use");
      await record("agent use", { actor: bob, outcome: "failed" });
      await record("kb ingest", { place: elsewhere });
      await record("agent delete", { outcome: "refused" });

      expect(await actions()).toEqual(["agent delete", "kb ingest", "agent use", "agent use"]);
      expect(await actions({ from: startMs + 2_000, until: startMs + 4_000 })).toEqual(["kb ingest", "agent use"]);
      expect(await actions({ person: personKey(general, bob) })).toEqual(["agent use"]);
      expect(await actions({ person: personKey(elsewhere, alice) })).toEqual(["kb ingest"]);
      expect(await actions({ action: "agent use" })).toHaveLength(2);
      expect(await actions({ outcome: "refused" })).toEqual(["agent delete"]);
      expect(await actions({ platform: "discord" })).toEqual(["kb ingest"]);
      expect(await actions({ workspace: workspaceKey(general), action: "agent use", outcome: "done" })).toHaveLength(1);
      expect(await actions({ action: "agent" })).toEqual([]);
      expect(await actions({ person: personKey(general, bob), outcome: "done" })).toEqual([]);
    });

    it("shows a refusal that is repeated once, with how often", async () => {
      const { record, list } = room();
      for (let times = 0; times < 3; times += 1) await record("agent delete", { outcome: "refused" });

      expect((await list()).rows).toMatchObject([{ action: "agent delete", count: 3 }]);
    });

    it("offers as filters what was used, the last one first, with people's newest names", async () => {
      const { record, choices } = room();
      await record("agent use");
      await record("kb ingest", { actor: bob, place: elsewhere });
      await record("agent use", { actor: { ...alice, name: "Alice B." } });

      expect(await choices()).toEqual({
        people: [
          { key: personKey(general, alice), name: "Alice B." },
          { key: personKey(elsewhere, bob), name: bob.name },
        ],
        actions: ["agent use", "kb ingest"],
        workspaces: [workspaceKey(general), workspaceKey(elsewhere)],
      });
    });

    it("still lists what an erased person changed, and what others changed about them", async () => {
      const { choices, record, actions, stored } = room();
      await record("agent use");
      await record("agent use", { outcome: "refused" });
      await record("erase", { actor: bob });
      for await (const { id, record: entry } of stored.entries()) {
        const about = { person: "Alice" };
        if (entry.actor.id === bob.id) await stored.put(id, { ...entry, about: { ...about, voter: alice.id } });
      }
      await eraseRecords(person, new Set(["Alice"]), state);

      expect((await actions()).sort()).toEqual(["agent use", "agent use", "erase"]);
      expect(await actions({ person: personKey(general, alice) })).toEqual([]);
      expect(await actions({ person: personKey(general, bob) })).toEqual(["erase"]);
      expect((await choices()).people.map(({ name }) => name).sort()).toEqual(["A former member", bob.name]);
    });

    it("forgets entries with their time, and offers nothing that only they had", async () => {
      const { record, list, choices, stored } = room();
      for (let number = 0; number < 6; number += 1) await record(`action ${number}`);

      expect(await stored.deleteWhere({ order: "atMs", until: clock.now() })).toBe(5);
      expect((await list()).rows.map(({ action }) => action)).toEqual(["action 5"]);
      expect((await choices()).actions).toEqual(["action 5"]);
    });

    it("begins at the newest for a cursor that makes no sense", async () => {
      const { record, list } = room();
      await record("agent use");

      for (const cursor of ["", "x", "12", "12.", "99999999999999999.x", "1e3.k"]) {
        expect([cursor, (await list({ cursor })).rows.length]).toEqual([cursor, 1]);
      }
    });
  });
}
