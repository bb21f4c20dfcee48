/** Upgrades the data of 0.1.0: writes the schema number once no lease of an old instance is alive. */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { keyPrefix, type RedisConnection, redisScript, scanKeys, schemaKey, upgradingKey } from "./connection.ts";
import { redisSchema } from "./schema.ts";

/** The channel of 0.1.0: every subscriber is an instance of 0.1.0. */
const oldChannel = `${keyPrefix}messages`;
const oldLines = `${keyPrefix}line:*`;
const lookEveryMs = 1_000;
/** Longer than the time to the next check, here or in a probe of the state. */
const holdMs = 15_000;
const saidEveryMs = 60_000;

export const oldInstanceSentence =
  "An instance of Parley 0.1.0 uses the same Redis. Stop it: this instance asks nothing until then.";

/** KEYS: lines of 0.1.0. Returns in how many ms their last lease expires, 0 if all have. */
const livingScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = now
for _, key in ipairs(KEYS) do
  local stored = redis.call('GET', key)
  local isJson, line = pcall(cjson.decode, stored or '')
  for _, held in ipairs(isJson and type(line) == 'table' and line.held or {}) do
    if tonumber(held.untilMs or 0) > last then last = held.untilMs end
  end
end
return last - now
`);

/** KEYS: schema, upgrading. ARGV: the number. */
const doneScript = redisScript(`
redis.call('SET', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
`);

/**
 * Whether an instance of 0.1.0 is connected; false if Redis doesn't permit the question. While one is connected, nothing
 * is granted: it doesn't know these lines and might grant the same things.
 */
export async function holdForOldInstances(connection: RedisConnection): Promise<boolean> {
  const reply = await connection
    .run((client) => client.sendCommand(["PUBSUB", "NUMSUB", oldChannel]))
    .catch(() => undefined);
  if (!Array.isArray(reply) || Number(reply[1] ?? 0) === 0) return false;
  await connection.run((client) => client.set(upgradingKey, "1", { PX: holdMs }));
  return true;
}

async function oldLeaseMs(connection: RedisConnection): Promise<number> {
  let longest = 0;
  for await (const keys of scanKeys(connection, oldLines)) {
    longest = Math.max(longest, Number(await connection.evaluate(livingScript, keys, [])));
  }
  return longest;
}

/**
 * Waits until all instances of 0.1.0 have ended and their leases have expired, so that nothing is asked twice. Then writes
 * the schema number. Their lines expire automatically; all other keys stay as they are.
 */
export async function upgradeRedis(options: {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onOldInstance: (isThere: boolean) => void;
}): Promise<void> {
  const { connection, clock, log, signal, onOldInstance } = options;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      await connection.run((client) => client.set(upgradingKey, "1", { PX: holdMs }));
      const isRunning = await holdForOldInstances(connection);
      onOldInstance(isRunning);
      if (!isRunning && (await oldLeaseMs(connection)) <= 0) {
        await connection.evaluate(doneScript, [schemaKey, upgradingKey], [String(redisSchema)]);
        log.info({ schema: redisSchema }, "Upgraded the data in Redis from 0.1.0");
        return;
      }
      if (isRunning && clock.now() - saidAtMs >= saidEveryMs) {
        saidAtMs = clock.now();
        log.warn({}, oldInstanceSentence);
      }
    } catch (err) {
      log.debug({ err }, "Can't upgrade the data in Redis yet");
    }
    await clock.sleep(lookEveryMs, signal).catch(() => {});
  }
}
