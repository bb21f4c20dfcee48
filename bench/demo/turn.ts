/** One question of the made-up month as the record of a Turn: its steps, its answer or its failure. Pure. */
import type { ErrorCode } from "../../src/core/errors.ts";
import type { Actor, Place, Visibility } from "../../src/core/model/place.ts";
import type { Source, Step, Table, Turn, TurnView } from "../../src/core/model/turn.ts";
import { refOf } from "../../src/core/tools/ids.ts";
import { errorTexts } from "../../src/presentation/sentences.ts";
import { project } from "./company.ts";
import type { Random } from "./random.ts";
import type { Topic } from "./topics.ts";

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
const site = "https://docs.larkmere.example";
const maxFound = 6;

export type End = "answered" | "failed" | "stopped" | "quiet";

export type Asked = {
  readonly topic: Topic;
  readonly agent: string;
  readonly place: Place;
  readonly visibility: Visibility;
  readonly actor: Actor;
  readonly atMs: number;
  readonly end: End;
  readonly durationMs: number;
  /** Of a failure. */
  readonly code?: ErrorCode;
  readonly scheduleId?: string;
};

/** Like newId, but it repeats for a seed. */
export function idAt(ms: number, random: Random): string {
  const rest = Array.from({ length: 7 }, () => alphabet[random.between(0, alphabet.length - 1)]);
  return ms.toString(alphabet.length).padStart(9, "0") + rest.join("");
}

/** As the platforms write them: a ts, a snowflake, a name of the page. */
function messageId(platform: string, atMs: number, random: Random): string {
  if (platform === "slack") return `${Math.floor(atMs / 1000)}.${String(random.between(0, 999_999)).padStart(6, "0")}`;
  if (platform === "discord")
    return String((BigInt(atMs - 1_420_070_400_000) << 22n) + BigInt(random.between(0, 4_000_000)));
  return `m${atMs.toString(36)}${random.between(100, 999)}`;
}

export function sourceOf({ from }: Topic, atMs: number): Source | undefined {
  if (from === undefined) return undefined;
  const { title, path, passage } = from;
  const [excerpt = ""] = passage.split("\n");
  return { title, url: `${site}/${path}`, relevance: 0.93, excerpt, updatedAtMs: atMs - 40 * 86_400_000 };
}

function passagesOf(topic: Topic, source: Source | undefined, found: number): readonly Source[] {
  if (source === undefined) return [];
  const more = ["Getting started", "Questions we hear often", "Glossary", "Rates", "Arrivals"].slice(0, found - 1);
  const base = topic.from?.base ?? "handbook";
  const others = more.map((title, at) => ({
    ...{ title, url: `${site}/${base}/${at}`, relevance: Math.round((0.7 - at * 0.08) * 100) / 100 },
    excerpt: `${title}: what new colleagues read first.`,
  }));
  return [source, ...others];
}

/** Quotes are doubled, as in SQL. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function stepsOf(asked: Asked, question: string, random: Random): readonly Step[] {
  const { topic, atMs, durationMs } = asked;
  const startedAtMs = atMs + 400;
  const endedAtMs = startedAtMs + Math.round(durationMs * 0.4);
  const times = { startedAtMs, endedAtMs };
  if (topic.table !== undefined && topic.from === undefined) {
    const { rows, columns } = topic.table;
    const input = `SELECT ${columns.join(", ")} FROM warehouse.bookings GROUP BY ${columns[0]}`;
    const observation = [columns, ...rows].map((row) => row.join(",")).join("\n");
    return [
      {
        ...times,
        tool: "list_tables",
        input: "",
        state: "done",
        outcome: { kind: "names", names: ["bookings", "trials"] },
      },
      {
        ...times,
        tool: "sql_db_query",
        input,
        state: "done",
        observation,
        outcome: { kind: "rows", count: rows.length },
      },
    ];
  }
  const found = topic.from === undefined ? random.between(0, 2) : random.between(2, maxFound);
  const base = topic.from?.base ?? (asked.agent === "product_guide" ? "release_notes" : "handbook");
  const input = `SELECT * FROM ${base} WHERE content = ${quoted(question)} LIMIT 10`;
  const passages = passagesOf(topic, sourceOf(topic, atMs), found);
  const observation = passages.map(({ title, excerpt }) => `${title}: ${excerpt}`).join("\n");
  const bestRelevance = topic.from === undefined ? 0.41 : 0.93;
  const outcome =
    found === 0 ? ({ kind: "nothing" } as const) : ({ kind: "passages", count: found, bestRelevance } as const);
  return [{ ...times, tool: "kb_query_tool", input, state: "done", observation, outcome, sources: passages }];
}

function viewOf(id: string, asked: Asked, question: string, random: Random): TurnView {
  const { topic, agent, end, atMs, durationMs, code } = asked;
  const steps = stepsOf(asked, question, random);
  const base = {
    turnId: id,
    ref: refOf(id),
    agent,
    question,
    steps,
    isResumed: false,
    startedAtMs: atMs + 300,
    endedAtMs: atMs + durationMs,
  };
  if (code !== undefined) {
    const error = { code, ...errorTexts[code] };
    return { ...base, state: "failed", tables: [], sources: [], isPartial: code === "stream_cut", error };
  }
  if (end === "stopped") return { ...base, state: "stopped", tables: [], sources: [], isPartial: false };
  const source = sourceOf(topic, atMs);
  const tables: readonly Table[] = topic.table === undefined ? [] : [topic.table];
  const answer = topic.answer;
  return {
    ...base,
    state: "answered",
    answer,
    tables,
    sources: source === undefined ? [] : [source],
    isPartial: false,
    grade: source === undefined && tables.length === 0 ? "nothing" : "sure",
  };
}

export function turnOf(asked: Asked, random: Random): Turn {
  const { topic, agent, place, visibility, actor, atMs, end, durationMs } = asked;
  const id = idAt(atMs, random);
  const question = random.pick(topic.asked);
  const askedMessageId = messageId(place.platform, atMs, random);
  const isDirect = visibility === "direct";
  const conversation = { ...place, thread: askedMessageId };
  const outcome = viewOf(id, asked, question, random);
  return {
    ...{
      version: 1,
      id,
      ref: refOf(id),
      eventKey: `${place.platform}/${place.workspace}/message/${place.channel}/${askedMessageId}`,
    },
    ...{ askedIn: place, askedMessageId, conversation, order: askedMessageId.padStart(20, "0"), actor, question },
    ...{ attachments: [], via: "message", visibility, agent: { project, name: agent }, attempt: 1 },
    state: end === "quiet" ? "answered" : end,
    ...(end === "quiet" ? { isQuiet: true, notAnswered: "nothing" } : {}),
    ...(isDirect ? { topic: conversation } : {}),
    ...(asked.scheduleId === undefined ? {} : { scheduleId: asked.scheduleId }),
    outcome,
    reply: {
      place: conversation,
      parts: [{ index: 0, messageId: messageId(place.platform, atMs + 900, random), state: "final" }],
    },
    ...{ createdAtMs: atMs, startedAtMs: atMs + 300, endedAtMs: atMs + durationMs, fence: 0 },
  };
}
