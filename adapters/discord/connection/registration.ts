/**
 * Registers Parley's commands with Discord, in one request that replaces them all, and only if they have changed.
 * A registration uses quota and makes everyone's command list flicker. A server's commands are shown in addition to
 * the global ones, so a registration elsewhere is removed; otherwise people would see each command twice.
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
/** Discord would refuse again, and counts such requests; an admin may solve it meanwhile. */
const refusedPauseMs = 3_600_000;

export type Registration = {
  /** Returns at once. Retries with backoff while Discord is unreachable, and once an hour after a refusal. */
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

  const put = (applicationId: string, scope: string, body: RESTPutAPIApplicationCommandsJSONBody) =>
    rest.call("PUT", `/applications/${applicationId}${scope}/commands`, { body });

  const register = async (applicationId: string): Promise<void> => {
    const scope = guildId === undefined ? "" : `/guilds/${guildId}`;
    const key = `*/commands/${applicationId}`;
    const [oldHash, oldScope] = (await keyValue.get(key))?.split(" ") ?? [];
    if (oldHash === hash && oldScope === scope) return;
    await put(applicationId, scope, commands);
    if (oldScope !== undefined && oldScope !== scope) await remove(applicationId, oldScope);
    await keyValue.set(key, `${hash} ${scope}`);
    log.info({ commands: commands.length, guildId }, "Registered the commands with Discord");
  };

  const remove = async (applicationId: string, scope: string): Promise<void> => {
    try {
      await put(applicationId, scope, []);
    } catch (thrown) {
      // A server that Parley has left has no commands of it.
      const { code } = toPlatformError(thrown);
      if (code !== "not_permitted" && code !== "place_gone") throw thrown;
    }
  };

  return {
    ensure: (applicationId) => {
      if (isUnderWay) return;
      isUnderWay = true;
      let pauseMs = firstPauseMs;
      let logged: string | undefined;
      const attempt = async () => {
        try {
          await register(applicationId);
          isUnderWay = false;
        } catch (thrown) {
          const { code: kind, message } = toPlatformError(thrown);
          const code = discordCode(thrown);
          const isRefused = !passing.includes(kind);
          // Discord lists every refused field, which can be hundreds.
          const why = { code, kind, guildId, cause: causeOf(thrown) ?? message };
          if (logged !== `${kind} ${code}`) {
            const retry = isRefused ? "Parley retries once an hour" : "Parley retries soon";
            log.warn(why, `The commands could not be registered with Discord: ${retry}`);
          }
          logged = `${kind} ${code}`;
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
