/** Claims on Redis: SET with NX and an expiry. */
import type { Claims } from "../../core/ports/state.ts";
import { keyPrefix, type RedisConnection } from "./connection.ts";

export function createRedisClaims(connection: RedisConnection): Claims {
  return {
    claim: async (key, ttlMs) => {
      const name = `${keyPrefix}claims:${key}`;
      const said = await connection.run((client) => client.sendCommand(["SET", name, "1", "NX", "PX", String(ttlMs)]));
      return String(said) === "OK";
    },
  };
}
