/** Contract of counted tokens on a backend: nothing is lost however many instances count, and the limit holds for all. */
import { describe, expect, it } from "vitest";
import type { CollectionFactory } from "../../../../src/core/ports/collection.ts";
import { addTokens, tokenDaysIn, tokenRefusal } from "../../../../src/insight/counts/token-days.ts";
import { appOf } from "../../../doubles/app.ts";
import { admin, alice, general } from "../../../doubles/people.ts";

type Opened = {
  /** One of each instance. */
  readonly collections: readonly [CollectionFactory, CollectionFactory];
  readonly close: () => Promise<void>;
};

const support = { project: "mindsdb", name: "support" };
const noon = Date.parse("2026-11-28T12:00:00Z");
const hourMs = 3_600_000;

export function describeTokenDays(name: string, open: () => Promise<Opened>): void {
  async function opened() {
    const { collections, close } = await open();
    const clock = { now: () => now };
    let now = noon;
    const settings = { agentDailyTokens: 1_000, timeZone: "Europe/Berlin" };
    const reach = { may: (actor: { isAdmin: boolean }) => ({ allowed: actor.isAdmin }) };
    const apps = collections.map((collection) => appOf({ collection, clock, settings, reach } as never));
    const [one, other] = apps as [(typeof apps)[0], (typeof apps)[0]];
    const asker = { actor: alice, askedIn: general };
    return {
      ...{ one, other, close },
      wait: (hours: number) => {
        now += hours * hourMs;
      },
      kept: async () => {
        const all = [];
        for await (const { record } of tokenDaysIn(other.state).all({ order: "sinceMs" })) all.push(record);
        return all.map(({ day, agent, tokens }) => [
          day,
          `${agent.project}.${agent.name}`,
          tokens.input,
          tokens.output,
        ]);
      },
      refused: (app: typeof one, agent = support, who = asker) => tokenRefusal(agent, who, app),
    };
  }

  describe(`counted tokens on ${name}`, () => {
    it("are the sum of what several instances count at once", async () => {
      const { one, other, kept, close } = await opened();
      const counting = Array.from({ length: 40 }, (_, at) =>
        addTokens(support, { input: 10, output: at }, at % 2 === 0 ? one : other),
      );
      await Promise.all(counting);

      expect(await kept()).toEqual([["2026-11-28", "mindsdb.support", 400, 780]]);
      await close();
    });

    it("are counted apart for each agent, and each day of the time zone", async () => {
      const { one, kept, wait, close } = await opened();
      const odd = { project: "shop", name: "a/b %2F" };
      await addTokens(support, { input: 1, output: 2 }, one);
      await addTokens(odd, { input: 3, output: 4 }, one);
      wait(11);
      await addTokens(support, { input: 5, output: 6 }, one);

      const days = await kept();
      expect(days).toHaveLength(3);
      expect(days).toContainEqual(["2026-11-28", "mindsdb.support", 1, 2]);
      expect(days).toContainEqual(["2026-11-28", "shop.a/b %2F", 3, 4]);
      // 23:00 UTC is midnight in Berlin.
      expect(days).toContainEqual(["2026-11-29", "mindsdb.support", 5, 6]);
      await close();
    });

    it("that reach the limit refuse the agent on every instance, until the next day", async () => {
      const { one, other, refused, wait, close } = await opened();
      await addTokens(support, { input: 900, output: 99 }, one);
      const before = await refused(other);
      await addTokens(support, { input: 1, output: 0 }, one);

      expect(before).toBeUndefined();
      expect(await refused(other)).toMatchObject({ code: "tokens_used_up" });
      expect(await refused(other, { project: "mindsdb", name: "sales" })).toBeUndefined();
      wait(11);
      expect(await refused(other)).toBeUndefined();
      await close();
    });

    it("tell people who manage which setting to raise, and others whom to ask", async () => {
      const { one, refused, close } = await opened();
      await addTokens(support, { input: 1_000, output: 0 }, one);
      const toAlice = await refused(one);
      const toAdmin = await refused(one, support, { actor: admin, askedIn: general });

      expect(toAlice?.what).toBe("support has used its 1,000 tokens for today.");
      expect(toAlice?.hint).toBe("Ask it again after midnight (Europe/Berlin), or tell your Parley admin.");
      expect(toAdmin?.hint).toContain("AGENT_DAILY_TOKENS");
      await close();
    });
  });
}
