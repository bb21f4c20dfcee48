/**
 * Tells Discord the commands, by one request that replaces them all, and only when they are others than the ones told
 * before: a registration costs quota, and everybody's command list flickers. Those of one server stand beside those of
 * everywhere, so where they are told now they are taken back elsewhere: each would be offered twice.
 */
import { createHash } from "node:crypto";
import type { RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import type { Clock } from "../../src/bridge/ports/clock.ts";
import type { KeyValue } from "../../src/bridge/ports/state.ts";
import type { Log } from "../../src/operations/log.ts";
import { discordCode, toPlatformError } from "./api-errors.ts";
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

  const tell = (applicationId: string, scope: string, told: RESTPutAPIApplicationCommandsJSONBody) =>
    rest.call("PUT", `/applications/${applicationId}${scope}/commands`, { body: told });

  const register = async (applicationId: string): Promise<void> => {
    const scope = guildId === undefined ? "" : `/guilds/${guildId}`;
    const key = `*/commands/${applicationId}`;
    const [toldHash, toldScope] = (await keyValue.get(key))?.split(" ") ?? [];
    if (toldHash === hash && toldScope === scope) return;
    await tell(applicationId, scope, commands);
    if (toldScope !== undefined && toldScope !== scope) await takeBack(applicationId, toldScope);
    await keyValue.set(key, `${hash} ${scope}`);
    log.info({ commands: commands.length, guildId }, "Discord knows the commands");
  };

  const takeBack = async (applicationId: string, scope: string): Promise<void> => {
    try {
      await tell(applicationId, scope, []);
    } catch (thrown) {
      // A server that Parley has left offers nothing of it.
      const { code } = toPlatformError(thrown);
      if (code !== "not_permitted" && code !== "place_gone") throw thrown;
    }
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
