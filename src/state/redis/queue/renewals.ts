/**
 * Renews leases of many queues in batches, where nothing else has changed. Thousands of lanes are held at once, each by
 * a question that waits for the service. Renewals due at about the same time go into one script call.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import { type RedisScript, redisScript } from "../connection.ts";
import { type QueueLimits, queueKeyNames, queueTtlMs } from "./script.ts";

/** Leases in one script: about 1 ms of Redis. */
const renewBatch = 50;
/** Share of the renewal interval that a renewal waits for others. */
const gatherShare = 1 / 50;

/**
 * KEYS: queues. ARGV: lifetimes of a lease and of a queue in ms, then the lease id of each queue. Returns 1 for each
 * lease that exists and has its queue to itself. Otherwise 0: the queue script must clean up after the others.
 */
const renewScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answers = {}
for index, queue in ipairs(KEYS) do
  local id = ARGV[index + 2]
  local stored = redis.call('HGET', queue .. ':h', id)
  if stored then
    local lease = cjson.decode(stored)
    lease.untilMs = now + tonumber(ARGV[1])
    redis.call('HSET', queue .. ':h', id, cjson.encode(lease))
    for name in string.gmatch('${queueKeyNames}', '%a') do redis.call('PEXPIRE', queue .. ':' .. name, ARGV[2]) end
  end
  local others = redis.call('ZCARD', queue .. ':o') + redis.call('ZCARD', queue .. ':p')
  answers[index] = stored and others == 0 and 1 or 0
end
return answers
`);

type Renewal = { readonly queue: string; readonly id: string; readonly sent: PromiseWithResolvers<number | undefined> };

export type Renewals = {
  /** Resolves with the time of sending; undefined if Redis doesn't know the lease, or others use the queue. */
  readonly renew: (queue: string, id: string) => Promise<number | undefined>;
  /** Sends the gathered renewals now. */
  readonly flush: () => void;
};

export function createRedisRenewals(options: {
  readonly times: QueueLimits & { readonly renewEveryMs: number };
  readonly clock: Clock;
  readonly evaluate: (script: RedisScript, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
}): Renewals {
  const { times, clock, evaluate } = options;
  let gathered: Renewal[] = [];
  let cancel: (() => void) | undefined;

  async function send(batch: readonly Renewal[]): Promise<void> {
    const sentAtMs = clock.now();
    const limits = [times.leaseMs, queueTtlMs(times)].map(String);
    try {
      const queues = batch.map(({ queue }) => queue);
      const answers = (await evaluate(renewScript, queues, [...limits, ...batch.map(({ id }) => id)])) as number[];
      for (const [index, { sent }] of batch.entries()) sent.resolve(answers[index] === 1 ? sentAtMs : undefined);
    } catch (thrown) {
      for (const { sent } of batch) sent.reject(thrown);
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
    renew: (queue, id) => {
      const sent = Promise.withResolvers<number | undefined>();
      gathered.push({ queue, id, sent });
      cancel ??= clock.after(times.renewEveryMs * gatherShare, flush);
      return sent.promise;
    },
    flush,
  };
}
