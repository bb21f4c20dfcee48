/**
 * The index of audit entries on Redis: a sorted set by time, whose members are lines of what people filter by. A script
 * walks it some thousand lines at a time.
 */
import {
  type AuditFilter,
  type AuditIndex,
  type AuditPosition,
  type IndexedEntry,
  maxAuditChoices,
} from "../../../core/ports/storage/audit-index.ts";
import { keyPrefix, type RedisConnection, redisScript } from "../connection.ts";

const prefix = `${keyPrefix}audit-index:`;
const linesKey = `${prefix}lines`;
const namesKey = `${prefix}names`;
const kinds = ["person", "action", "workspace"] as const;
const choiceKey = (kind: (typeof kinds)[number]) => `${prefix}${kind}`;

/** Lines looked at by one call: about 3 ms of Redis. */
const windowSize = 4_000;

/**
 * KEYS: lines. ARGV: the time and key that the walk comes after, the lowest time, how many to look at, the most to find,
 * then what a line contains. Returns whether it came to the end, the time and key of the last line, and those found.
 * Without a key the walk comes after all lines of that time.
 */
const walkScript = redisScript(`
local function keyOf(line) return string.sub(line, 1, string.find(line, '\\n', 1, true) - 1) end
local function timeOf(line) return redis.call('ZSCORE', KEYS[1], line) end
local later = redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[1], '+inf')
local left = redis.call('ZCOUNT', KEYS[1], ARGV[3], ARGV[1])
local size, most = math.min(left, tonumber(ARGV[4])), tonumber(ARGV[5])
local lines = size > 0 and redis.call('ZRANGE', KEYS[1], later, later + size - 1, 'REV') or {}
local first = 1
if ARGV[2] == '' then first = redis.call('ZCOUNT', KEYS[1], ARGV[1], ARGV[1]) + 1 end
for at = first, #lines do
  if ARGV[2] == '' or timeOf(lines[at]) ~= ARGV[1] then break end
  if keyOf(lines[at]) == ARGV[2] then
    first = at + 1
    break
  end
end
local found, parts, find = {}, #ARGV, string.find
for at = first, #lines do
  local line, matches = lines[at], true
  for part = 6, parts do
    if not find(line, ARGV[part], 1, true) then
      matches = false
      break
    end
  end
  if matches then
    found[#found + 1] = timeOf(line)
    found[#found + 1] = keyOf(line)
    if #found == 2 * most then return { 1, found[#found - 1], found[#found], found } end
  end
end
if first > #lines then return { 1, ARGV[1], ARGV[2], found } end
return { left > size and 0 or 1, timeOf(lines[#lines]), keyOf(lines[#lines]), found }
`);

type Walked = readonly [isEnd: number, time: string, key: string, found: readonly string[]];

const part = (name: string, value: string) => `\n${name}=${encodeURIComponent(value)}\n`;

/** The filters' values between line ends, so that one is never found in another. */
function lineOf({ key, platform, workspace, person, action, outcome }: IndexedEntry): string {
  const parts = [part("p", platform), part("w", workspace), part("u", person), part("a", action), part("o", outcome)];
  return `${key}${parts.join("")}`;
}

function partsOf({ person, action, outcome, platform, workspace }: AuditFilter): readonly string[] {
  const wanted = { u: person, a: action, o: outcome, p: platform, w: workspace };
  return Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [part(name, value)]));
}

export function createRedisAuditIndex({ run, evaluate }: RedisConnection): AuditIndex {
  async function find(filter: AuditFilter, after: AuditPosition | undefined, limit: number): Promise<AuditPosition[]> {
    const { fromMs = 0, untilMs = Number.MAX_SAFE_INTEGER } = filter;
    const parts = partsOf(filter);
    const found: AuditPosition[] = [];
    let from = after !== undefined && after.atMs < untilMs ? after : { atMs: untilMs, key: "" };
    for (;;) {
      const asked = [from.atMs, from.key, fromMs, windowSize, limit - found.length].map(String);
      const reply = await evaluate(walkScript, [linesKey], [...asked, ...parts]);
      const [isEnd, time, key, pairs] = reply as Walked;
      for (let at = 0; at < pairs.length; at += 2) {
        found.push({ atMs: Number(pairs[at]), key: String(pairs[at + 1]) });
      }
      if (isEnd === 1 || found.length >= limit) return found;
      // A thousand changes in one millisecond don't happen: the walk always gets further.
      if (Number(time) === from.atMs && key === from.key) return found;
      from = { atMs: Number(time), key };
    }
  }

  return {
    put: async (entries) => {
      if (entries.length === 0) return;
      const newest = [...entries].sort((a, b) => a.atMs - b.atMs);
      await run(async (client) => {
        const calls: Promise<unknown>[] = [
          client.zAdd(
            linesKey,
            entries.map((entry) => ({ value: lineOf(entry), score: entry.atMs })),
          ),
          client.hSet(namesKey, Object.fromEntries(newest.map(({ person, personName }) => [person, personName]))),
        ];
        for (const kind of kinds) {
          const members = newest.map((entry) => ({ value: entry[kind], score: entry.atMs }));
          calls.push(client.zAdd(choiceKey(kind), members, { comparison: "GT" }));
        }
        await Promise.all(calls);
      });
    },
    delete: async (entries) => {
      if (entries.length === 0) return;
      await run((client) => client.zRem(linesKey, entries.map(lineOf)));
    },
    find,
    choices: async () => {
      const [people = [], actions = [], workspaces = []] = await run((client) =>
        Promise.all(kinds.map((kind) => client.zRange(choiceKey(kind), 0, maxAuditChoices - 1, { REV: true }))),
      );
      const names = people.length === 0 ? [] : await run((client) => client.hmGet(namesKey, people));
      return { people: people.map((key, index) => ({ key, name: names[index] ?? "" })), actions, workspaces };
    },
    forget: (person) =>
      run(async (client) => {
        await Promise.all([client.zRem(choiceKey("person"), person), client.hDel(namesKey, person)]);
      }),
    prune: async (beforeMs) => {
      const before = `(${beforeMs}`;
      const gone = await run((client) => client.zRange(choiceKey("person"), "-inf", before, { BY: "SCORE" }));
      if (gone.length > 0) await run((client) => client.hDel(namesKey, gone));
      for (const kind of kinds) await run((client) => client.zRemRangeByScore(choiceKey(kind), "-inf", before));
      return run((client) => client.zRemRangeByScore(linesKey, "-inf", before));
    },
  };
}
