/**
 * Tells Discord the commands, by one request that replaces them all, and only when they are others than the ones told
 * before: a registration costs quota, and everybody's command list flickers.
 */
import { createHash } from "node:crypto";
import type { RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { KeyValue } from "../../src/bridge/ports/state.ts";
import type { Log } from "../../src/operations/log.ts";
import { discordCode } from "./api-errors.ts";
import type { Rest } from "./clients.ts";

const firstPauseMs = 2_000;
const maxPauseMs = 15_000;

export type Registration = {
  /** Returns at once; tried again until Discord took them, or refused them. */
  readonly ensure: (applicationId: string) => void;
};

export function createRegistration(options: {
  readonly commands: RESTPutAPIApplicationCommandsJSONBody;
  readonly guildId?: string;
  readonly rest: Rest;
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
  readonly log: Log;
}): Registration {
  const { commands, guildId, rest, keyValue, clock, log } = options;
  const hash = createHash("sha256").update(JSON.stringify(commands)).digest("base64url");
  let isUnderWay = false;

  const register = async (applicationId: string): Promise<void> => {
    const scope = guildId === undefined ? "" : `/guilds/${guildId}`;
    const key = `${guildId ?? "all"}/commands/${applicationId}`;
    if ((await keyValue.get(key)) === hash) return;
    await rest.call("PUT", `/applications/${applicationId}${scope}/commands`, { body: commands });
    await keyValue.set(key, hash);
    log.info({ commands: commands.length, guildId }, "Discord knows the commands");
  };

  return {
    ensure: (applicationId) => {
      if (isUnderWay) return;
      isUnderWay = true;
      let pauseMs = firstPauseMs;
      const attempt = async () => {
        try {
          await register(applicationId);
          isUnderWay = false;
        } catch (thrown) {
          const code = discordCode(thrown);
          log.warn({ err: thrown, code, guildId }, "The commands could not be registered with Discord");
          clock.after(pauseMs, () => void attempt());
          pauseMs = Math.min(pauseMs * 2, maxPauseMs);
        }
      };
      void attempt();
    },
  };
}
