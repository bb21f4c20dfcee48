/**
 * The commands that Parley offers, told to Discord: how often it tries when Discord does not take them.
 */
import { describe, expect, it } from "vitest";
import type { Rest } from "../../../adapters/discord/connection/clients.ts";
import { commandSet } from "../../../adapters/discord/connection/command-set.ts";
import { createRegistration } from "../../../adapters/discord/connection/registration.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { groupSummaries } from "../../../src/commands/words.ts";
import { type ErrorCode, ParleyError } from "../../../src/core/errors.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

const hourMs = 3_600_000;

function open(answers: () => ErrorCode | undefined, guildId?: string) {
  const clock = createFakeClock();
  const triedMs: number[] = [];
  const told: unknown[] = [];
  const warnings: string[] = [];
  const stored = new Map<string, string>();
  const rest: Rest = {
    isRefused: () => false,
    call: async (_method, _route, call) => {
      triedMs.push(clock.now());
      const code = answers();
      if (code !== undefined) throw new ParleyError(code, { cause: new Error("x".repeat(20_000)) });
      told.push(call?.body);
    },
  };
  const registration = createRegistration({
    ...{ rest, clock, ...(guildId === undefined ? {} : { guildId }) },
    commands: commandSet({
      definitions: allCommands,
      groups: groupSummaries,
      isForOneServer: guildId !== undefined,
    }),
    keyValue: {
      get: async (key) => stored.get(key),
      set: async (key, value) => void stored.set(key, value),
      delete: async (key) => void stored.delete(key),
      entries: async function* () {},
    },
    log: {
      debug: () => undefined,
      info: () => undefined,
      error: () => undefined,
      warn: (fields, message) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
  });
  registration.ensure("1");
  return { clock, triedMs, told, warnings };
}

describe("commands that Discord refuses", () => {
  it.each(["payload_refused", "not_permitted", "place_gone"] as const)(
    "(%s) are reported once, and retried once an hour",
    async (code) => {
      const { clock, triedMs, warnings } = open(() => code);

      await clock.advance(10 * hourMs + 1_000);

      expect(triedMs.length).toBe(11);
      expect(warnings.length).toBe(1);
      expect(warnings[0]).toContain("once an hour");
      expect(warnings[0]?.length).toBeLessThan(1_000);
    },
  );

  it("are reported again once it is fixed", async () => {
    let code: ErrorCode | undefined = "not_permitted";
    const { clock, told } = open(() => code);
    await clock.advance(1_000);

    code = undefined;
    await clock.advance(hourMs);

    expect(told.length).toBe(1);
  });
});

describe("commands that Discord couldn't accept for the moment", () => {
  it("are retried with backoff, at least once a minute, and reported once", async () => {
    let code: ErrorCode | undefined = "platform_unreachable";
    const { clock, triedMs, warnings, told } = open(() => code);
    await clock.advance(10 * 60_000);
    const pauses = triedMs.slice(1).map((atMs, index) => atMs - (triedMs[index] ?? 0));

    code = undefined;
    await clock.advance(60_000);

    expect(pauses.slice(0, 6)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
    expect(Math.max(...pauses)).toBe(60_000);
    expect(warnings.length).toBe(1);
    expect(told.length).toBe(1);
  });
});

describe("where and for whom a command is", () => {
  const fieldsOf = (guildId?: string) => {
    const { clock, told } = open(() => undefined, guildId);
    return clock.advance(0).then(() => JSON.stringify(told));
  };

  it("is reported of commands for every server only", async () => {
    expect(await fieldsOf("1")).not.toMatch(/"(contexts|integration_types)"/);
    expect(await fieldsOf()).toMatch(/"contexts".*"integration_types"|"integration_types".*"contexts"/);
  });
});
