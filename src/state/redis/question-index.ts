/** The index of questions on Redis: a set of questions per term, and what is common to two sets is found there. */
import {
  type IndexedQuestion,
  maxFoundQuestions,
  neededTerms,
  type QuestionForm,
  type QuestionIndex,
} from "../../core/ports/storage/question-index.ts";
import { questionInJson, questionRecord, readQuestion } from "../stored-question.ts";
import { keyPrefix, type RedisConnection, redisScript } from "./connection.ts";

/** Keys of the questions of each scope begin with it. */
export const questionsPrefix = `${keyPrefix}questions:`;

/**
 * KEYS: the questions of the scope, then the sets of the new terms. ARGV: id, the question ("" to remove it), prefix of
 * the sets. A member is the size and the id, so that sizes are compared without reading questions. Of a damaged question
 * nobody knows its sets: it stays in them, and is left out when it is found there.
 */
const putScript = redisScript(`
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old then
  pcall(function()
    local before = cjson.decode(old)
    for _, term in ipairs(before.terms) do
      redis.call('SREM', ARGV[3] .. before.anchors .. '\\n' .. term, before.size .. ' ' .. ARGV[1])
    end
  end)
end
if ARGV[2] == '' then return redis.call('HDEL', KEYS[1], ARGV[1]) end
local size = cjson.decode(ARGV[2]).size
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for index = 2, #KEYS do redis.call('SADD', KEYS[index], size .. ' ' .. ARGV[1]) end
`);

/**
 * KEYS: the questions of the scope, then the sets of terms. ARGV: the smallest and the largest size, the most to return,
 * the sets of a combination as numbers of KEYS ("2 3"), one for each. Returns the ids found, sorted, and their questions.
 */
const sharingScript = redisScript(`
local least, most, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known, ids = {}, {}
for index = 4, #ARGV do
  local sets = {}
  for number in string.gmatch(ARGV[index], '%d+') do sets[#sets + 1] = KEYS[tonumber(number)] end
  for _, member in ipairs(redis.call('SINTER', unpack(sets))) do
    if not known[member] then
      known[member] = true
      local size, id = string.match(member, '^(%d+) (.*)$')
      size = tonumber(size)
      if size and size >= least and size <= most then ids[#ids + 1] = id end
    end
  end
end
if #ids == 0 then return {{}, {}} end
table.sort(ids)
for index = #ids, limit + 1, -1 do ids[index] = nil end
return {ids, redis.call('HMGET', KEYS[1], unpack(ids))}
`);

export function createRedisQuestionIndex({ evaluate, damaged }: RedisConnection): QuestionIndex {
  const questionsOf = (scope: string) => questionsPrefix + scope;
  const prefixOf = (scope: string) => `${keyPrefix}question-terms:${scope}\n`;
  const setOf = (scope: string, anchors: string, term: string) => `${prefixOf(scope)}${anchors}\n${term}`;

  return {
    put: async (scope, question) => {
      const { id, anchors, terms, size } = question;
      const stored = JSON.stringify({ id, anchors, terms, size });
      const sets = terms.map((term) => setOf(scope, anchors, term));
      await evaluate(putScript, [questionsOf(scope), ...sets], [id, stored, prefixOf(scope)]);
      damaged.remove(questionRecord(scope, id));
    },
    delete: async (scope, id) => {
      await evaluate(putScript, [questionsOf(scope)], [id, "", prefixOf(scope)]);
      damaged.remove(questionRecord(scope, id));
    },
    sharing: async (scope, form, bounds) => {
      const combinations = neededTerms(form, bounds);
      if (combinations.length === 0) return [];
      const sets = form.terms.map((term) => setOf(scope, form.anchors, term));
      // Numbers of KEYS begin with 1, which is the key of the questions.
      const numbers = combinations.map((terms) => terms.map((term) => form.terms.indexOf(term) + 2).join(" "));
      const limits = [bounds.minSize, bounds.maxSize, maxFoundQuestions].map(String);
      const found = await evaluate(sharingScript, [questionsOf(scope), ...sets], [...limits, ...numbers]);
      const [ids, stored] = found as readonly [readonly string[], readonly (string | null)[]];
      return ids.flatMap((id, index): readonly IndexedQuestion[] => {
        const json = stored[index];
        if (typeof json !== "string") return [];
        const question = readQuestion(scope, questionInJson(String(id), json), damaged);
        return question !== undefined && isIn(question, form) ? [question] : [];
      });
    },
  };
}

/** Not so if a set knows it from before it was damaged and replaced. */
function isIn({ anchors, terms }: IndexedQuestion, form: QuestionForm): boolean {
  return anchors === form.anchors && terms.some((term) => form.terms.includes(term));
}
