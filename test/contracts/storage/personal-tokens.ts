/** Contract of personal tokens on a backend: what one instance makes, any other one knows and ends. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createPersonalTokens, type PersonalTokens } from "../../../adapters/console/people/personal-tokens.ts";
import type { Visitor } from "../../../adapters/console/people/visitor.ts";
import type { State } from "../../../src/core/ports/state.ts";

type Opened = { readonly states: readonly [State, State]; readonly close: () => Promise<void> };

const visitor = (id: string): Visitor => ({ id, name: id, isVerified: true, role: "ask", how: "header" });
const [ana, ben] = [visitor("ana"), visitor("ben")];
const dayMs = 86_400_000;

export function describePersonalTokens(name: string, open: () => Promise<Opened>): void {
  describe(`personal tokens of two instances on ${name}`, () => {
    async function openBoth() {
      const { states, close } = await open();
      onTestFinished(close);
      const time = { nowMs: 1_800_000_000_000, seenAtMs: 1_800_000_000_000, way: "header" };
      const over = ({ collection }: State): PersonalTokens =>
        createPersonalTokens({
          collection,
          known: async (id) => ({ version: 1, visitor: visitor(id), seenAtMs: time.seenAtMs }),
          wayOf: () => time.way,
          clock: { now: () => time.nowMs },
        });
      return { one: over(states[0]), other: over(states[1]), time };
    }
    async function made(tokens: PersonalTokens, who = ana): Promise<string> {
      const created = await tokens.make(who, " My \n laptop ");
      if (typeof created === "string") throw new Error(created);
      return created.token;
    }

    it("stand for their person on either, list when they were used, and end for both", async () => {
      const { one, other, time } = await openBoth();
      const token = await made(one);
      const before = await other.list(ana);

      const holder = await other.find(token);
      const [listed] = await one.list(ana);
      const byAnother = await one.revoke(ben, listed?.id ?? "");
      const byOwner = await one.revoke(ana, listed?.id ?? "");

      expect(before).toMatchObject([{ name: "My laptop", createdAtMs: time.nowMs, usedAtMs: undefined }]);
      expect(holder?.visitor).toEqual(ana);
      expect(listed?.usedAtMs).toBe(time.nowMs);
      expect([byAnother, byOwner]).toEqual([undefined, "My laptop"]);
      expect(await other.find(token)).toBeUndefined();
      expect(await other.list(ana)).toEqual([]);
    });

    it("end when nobody uses them, when their person stays away, and when the way to sign in changes", async () => {
      const { one, time } = await openBoth();
      const token = await made(one);
      const standsWith = async (changes: Partial<typeof time>) => {
        const before = { ...time };
        Object.assign(time, changes);
        const holds = await one.stillHolds(token);
        Object.assign(time, before);
        return holds;
      };
      const laterMs = time.nowMs + 89 * dayMs;

      expect(await standsWith({})).toBe(true);
      expect(await standsWith({ nowMs: laterMs, seenAtMs: laterMs })).toBe(true);
      expect(await standsWith({ nowMs: laterMs + dayMs, seenAtMs: laterMs })).toBe(false);
      expect(await standsWith({ nowMs: time.nowMs + 30 * dayMs })).toBe(false);
      expect(await standsWith({ way: "another" })).toBe(false);
    });

    it("are twenty at most, and have names", async () => {
      const { one, other } = await openBoth();
      for (let count = 0; count < 20; count += 1) await made(count % 2 === 0 ? one : other);

      expect(await other.make(ana, "One more")).toBe("too-many");
      expect(await other.make(ben, "   ")).toBe("empty");
      expect(await made(other, ben)).toMatch(/^parley_/);
    });
  });
}
