/** The short form of `npm run chaos`: a minute where everything is tested, some seconds elsewhere. */
import { describe, expect, it } from "vitest";
import { hasRedisServer } from "../doubles/processes/redis-server.ts";
import { runChaos } from "./chaos.ts";

const isEverything = process.env["CI"] !== undefined || process.env["REQUIRE_ALL"] === "1";
const seconds = isEverything ? 60 : 12;
const seed = Math.floor(Math.random() * 2 ** 31);

/** Nothing is reported as skipped. */
const stores = hasRedisServer() ? (["redis", "sqlite"] as const) : (["sqlite"] as const);

describe.each(stores)("chaos on %s", (store) => {
  it(`leaves every question with exactly one ending (seed ${seed})`, { timeout: 240_000 }, async () => {
    const { wrong, figures } = await runChaos({ seed, seconds, store });

    expect(wrong).toEqual([]);
    expect((figures["onSlack"] ?? 0) + (figures["onDiscord"] ?? 0)).toBeGreaterThan(seconds / 3);
  });
});
