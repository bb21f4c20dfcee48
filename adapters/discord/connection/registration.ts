/**
 * Tells Discord the commands, by one request that replaces them all, and only when they are others than the ones told
 * before: a registration costs quota, and everybody's command list flickers. Those of one server stand beside those of
 * everywhere, so where they are told now they are taken back elsewhere: each would be offered twice.
 */
import { createHash } from "node:crypto";
import type { RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import type { Clock } from "../../../src/ports/clock.ts";
import type { ErrorCode } from "../../../src/ports/errors.ts";
import type { Log } from "../../../src/ports/log.ts";
import type { KeyValue } from "../../../src/ports/state.ts";
import { discordCode, toPlatformError } from "../writing/api-errors.ts";
import type { Rest } from "./clients.ts";

const firstPauseMs = 2_000;
const maxPauseMs = 60_000;
const passing: readonly ErrorCode[] = ["platform_unreachable", "platform_rate_limited", "state_unavailable"];
const maxCauseChars = 500;
/** Whoever refused it would refuse it again, and Discord counts such requests; somebody may mend it meanwhile. */
const refusedPauseMs = 3_600_000;

export type Registration = {
  /** Returns at once. Retries with backoff while Discord is away, and once an hour what it refused. */
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
      let said: string | undefined;
      const attempt = async () => {
        try {
          await register(applicationId);
          isUnderWay = false;
        } catch (thrown) {
          const { code: kind, message } = toPlatformError(thrown);
          const code = discordCode(thrown);
          const isRefused = !passing.includes(kind);
          // Discord names each field that it did not like, which may be hundreds.
          const why = { code, kind, guildId, cause: causeOf(thrown) ?? message };
          if (said !== `${kind} ${code}`) {
            const retry = isRefused ? "it retries once an hour" : "it retries soon";
            log.warn(why, `Discord did not take the commands: ${retry}`);
          }
          said = `${kind} ${code}`;
          clock.after(isRefused ? refusedPauseMs : pauseMs, () => void attempt());
          pauseMs = Math.min(pauseMs * 2, maxPauseMs);
        }
      };
      void attempt();
    },
  };
}

function causeOf(thrown: unknown): string | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error ? cause.message.slice(0, maxCauseChars) : undefined;
}
