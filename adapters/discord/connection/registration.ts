/**
 * Registers Parley's commands with Discord, in one request that replaces them all, and only if they have changed.
 * A registration uses quota and makes everyone's command list flicker. A server's commands are shown in addition to
 * the global ones, so a registration elsewhere is removed; otherwise people would see each command twice.
 */
import { createHash } from "node:crypto";
import type { RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import type { ErrorCode } from "../../../src/core/errors.ts";
import { retry } from "../../../src/core/tools/retry.ts";
import type { DiscordParts } from "../parts.ts";
import { discordCode, toPlatformError } from "../writing/api-errors.ts";

const firstPauseMs = 2_000;
const maxPauseMs = 60_000;
const passing: readonly ErrorCode[] = ["platform_unreachable", "platform_rate_limited", "state_unavailable"];
const maxCauseChars = 500;
/** Discord would refuse again, and counts such requests; an admin may solve it meanwhile. */
const refusedPauseMs = 3_600_000;

export function createRegistration(
  options: DiscordParts & {
    readonly commands: RESTPutAPIApplicationCommandsJSONBody;
    readonly guildId?: string;
  },
) {
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
    /** Returns at once. Retries with backoff while Discord is unreachable, and once an hour after a refusal. */
    ensure: (applicationId: string): void => {
      if (isUnderWay) return;
      isUnderWay = true;
      let logged: string | undefined;
      const pauseAfter = (thrown: unknown, pauseMs: number) => {
        const { code: kind, message } = toPlatformError(thrown);
        const code = discordCode(thrown);
        const isRefused = !passing.includes(kind);
        if (logged !== `${kind} ${code}`) {
          // Discord lists every refused field, which can be hundreds.
          const why = { code, kind, guildId, cause: causeOf(thrown) ?? message };
          const next = isRefused ? "Parley retries once an hour" : "Parley retries soon";
          log.warn(why, `The commands could not be registered with Discord: ${next}`);
        }
        logged = `${kind} ${code}`;
        return isRefused ? refusedPauseMs : pauseMs;
      };
      void retry(() => register(applicationId), { clock, firstPauseMs, maxPauseMs, pauseAfter }).then(() => {
        isUnderWay = false;
      });
    },
  };
}

function causeOf(thrown: unknown): string | undefined {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error ? cause.message.slice(0, maxCauseChars) : undefined;
}
