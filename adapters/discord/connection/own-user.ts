/**
 * Parley's own user in Discord, by which it knows its messages and threads again. A session of the gateway tells it.
 * Discord is asked where there is none: what a dead process left is continued also while the gateway is away, and an
 * instance beside others may hold no shard at all.
 */
import { ParleyError } from "../../../src/core/errors.ts";
import type { Self } from "../ids.ts";
import { readId } from "../intake/events.ts";
import type { DiscordParts } from "../parts.ts";

/** Resolves with its id. Rejects with ParleyError while Discord can't be asked. */
export type OwnUser = () => Promise<string>;

export function createOwnUser({ rest }: Pick<DiscordParts, "rest">, self: () => Self | undefined): OwnUser {
  let asked: Promise<string> | undefined;

  async function ask(): Promise<string> {
    const id = readId(await rest.call("GET", "/users/@me"));
    if (id === undefined) throw new ParleyError("platform_unreachable");
    return id;
  }

  return async () => {
    const known = self()?.userId;
    if (known !== undefined) return known;
    asked ??= ask().catch((thrown: unknown) => {
      asked = undefined;
      throw thrown;
    });
    return asked;
  };
}
