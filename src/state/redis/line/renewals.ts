/**
 * Renews leases on lines where nothing else is to be said. Thousands of lanes are held at once, each by a question that
 * waits for the service: renewals that are due at about the same time go in one script, a bounded batch at a time.
 */
import type { Clock } from "../../../ports/clock.ts";
import { type RedisScript, redisScript } from "../connection.ts";
import { type LineLimits, lineKeyNames, lineTtlMs } from "./script.ts";

/** Leases in one script: about 1 ms of Redis. */
const renewBatch = 50;
/** Of the time between two renewals, so much is waited for others. */
const gatherShare = 1 / 50;

/**
 * KEYS: lines. ARGV: lease and line live so many ms, then the id of the lease of each line. Answers 1 for each that is
 * there, if nobody but its owner is on that line: what others leave behind, the line's own script takes away.
 */
const renewScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answers = {}
for index, line in ipairs(KEYS) do
  local id = ARGV[index + 2]
  local stored = redis.call('HGET', line .. ':h', id)
  if stored then
    local lease = cjson.decode(stored)
    lease.untilMs = now + tonumber(ARGV[1])
    redis.call('HSET', line .. ':h', id, cjson.encode(lease))
    for name in string.gmatch('${lineKeyNames}', '%a') do redis.call('PEXPIRE', line .. ':' .. name, ARGV[2]) end
  end
  local others = redis.call('ZCARD', line .. ':o') + redis.call('ZCARD', line .. ':p')
  answers[index] = stored and others == 0 and 1 or 0
end
return answers
`);

type Renewal = { readonly line: string; readonly id: string; readonly told: PromiseWithResolvers<number | undefined> };

export type Renewals = {
  /** When it was sent; undefined when Redis knows nothing of that lease, or others wait there. */
  readonly renew: (line: string, id: string) => Promise<number | undefined>;
  /** Sends what is still gathered. */
  readonly flush: () => void;
};

export function createRedisRenewals(options: {
  readonly times: LineLimits & { readonly renewEveryMs: number };
  readonly clock: Clock;
  readonly evaluate: (script: RedisScript, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
}): Renewals {
  const { times, clock, evaluate } = options;
  let gathered: Renewal[] = [];
  let cancel: (() => void) | undefined;

  async function send(batch: readonly Renewal[]): Promise<void> {
    const sentAtMs = clock.now();
    const limits = [times.leaseMs, lineTtlMs(times)].map(String);
    try {
      const lines = batch.map(({ line }) => line);
      const answers = (await evaluate(renewScript, lines, [...limits, ...batch.map(({ id }) => id)])) as number[];
      for (const [index, { told }] of batch.entries()) told.resolve(answers[index] === 1 ? sentAtMs : undefined);
    } catch (thrown) {
      for (const { told } of batch) told.reject(thrown);
    }
  }

  function flush(): void {
    cancel?.();
    cancel = undefined;
    const all = gathered;
    gathered = [];
    for (let start = 0; start < all.length; start += renewBatch) void send(all.slice(start, start + renewBatch));
  }

  return {
    renew: (line, id) => {
      const told = Promise.withResolvers<number | undefined>();
      gathered.push({ line, id, told });
      cancel ??= clock.after(times.renewEveryMs * gatherShare, flush);
      return told.promise;
    },
    flush,
  };
}
