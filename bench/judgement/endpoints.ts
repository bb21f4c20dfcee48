/**
 * A scripted OpenAI-compatible endpoint for tests: embeddings, rerank and chat completions, on 127.0.0.1.
 * Everything is deterministic, knows no question of the set and is imperfect, as real models are.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

import { groupsOf, otherWord, related } from "./lexicon.ts";
import { isStopWord, likeness, stem, tokens } from "./words.ts";

export type Route = "embeddings" | "rerank" | "chat";

export interface EndpointOptions {
  /** Milliseconds to wait before each answer (in a stream also before every fifth piece a fiftieth of it). */
  slowMs?: number;
  /** Share (0 to 1) of chat answers that assert something beside the point instead; chosen by the question's hash. */
  wrong?: number;
  /** Turns the order of rerank upside down. */
  wrongRerank?: boolean;
  /** Routes that are down. */
  down?: readonly Route[];
  /** How they are down: 503 with an error body (the default), the connection dropped, or no answer at all. */
  downHow?: "status" | "hangup" | "silence";
}

export interface Counts {
  embeddings: number;
  embeddedTexts: number;
  rerank: number;
  chat: number;
  streamed: number;
  refused: number;
  unknown: number;
}

export interface Endpoints {
  /** Base address with /v1; the routes also answer without it. */
  url: string;
  close: () => Promise<void>;
  counts: Counts;
  /** Changes the options of a running endpoint. */
  set: (options: EndpointOptions) => void;
}

interface Message {
  role: string;
  text: string;
}

interface Passage {
  label: string | undefined;
  text: string;
}

type Json = Record<string, unknown>;

const DIMENSIONS = 256;
const DONT_KNOW = "I don't know.";
const ENOUGH = 0.45;
/** Sentences that score this share of the best one are said too. */
const TOGETHER = 0.6;

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 12)) >>> 0;
}

function add(vector: number[], feature: string, weight: number): void {
  const code = hash(feature);
  const at = code % DIMENSIONS;
  vector[at] = (vector[at] ?? 0) + (code & 0x10000 ? weight : -weight);
}

function normal(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Character 3- to 5-grams of each word, hashed, and the everyday groups the word belongs to. */
export function embed(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  const counted = new Map<string, number>();
  for (const token of tokens(text)) {
    counted.set(token, (counted.get(token) ?? 0) + 1);
  }
  for (const [token, times] of counted) {
    const weight = (isStopWord(token) ? 0.12 : 1) * (1 + Math.log(times));
    const bounded = `<${token}>`;
    const grams: string[] = [];
    for (let size = 3; size <= 5; size += 1) {
      for (let at = 0; at + size <= bounded.length; at += 1) {
        grams.push(bounded.slice(at, at + size));
      }
    }
    const groups = isStopWord(token) ? [] : groupsOf(stem(token));
    const share = groups.length === 0 ? 1 : 0.6;
    for (const gram of grams) {
      add(vector, gram, (weight * share) / Math.sqrt(grams.length));
    }
    for (const group of groups) {
      for (let turn = 0; turn < 4; turn += 1) {
        add(vector, `group ${group} ${turn}`, (weight * 0.45) / Math.sqrt(groups.length));
      }
    }
  }
  add(vector, "every text has something in common", 0.05);
  return normal(vector);
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

function telling(text: string): string[] {
  return [
    ...new Set(
      tokens(text)
        .filter((token) => !isStopWord(token))
        .map(stem),
    ),
  ];
}

/** How well one word of a question is met by the words of a text. */
function met(word: string, words: readonly string[]): number {
  let best = 0;
  for (const other of words) {
    const value = Math.max(likeness(word, other), related(word, other) ? 0.75 : 0);
    if (value === 1) {
      return 1;
    }
    best = Math.max(best, value);
  }
  return best;
}

/** The share of a question's telling words that a text meets, 0 to 1, by their weights. */
function coverage(question: readonly string[], text: readonly string[], weigh = (_word: string): number => 1): number {
  const whole = question.reduce((sum, word) => sum + weigh(word), 0);
  return whole === 0 ? 0 : question.reduce((sum, word) => sum + weigh(word) * met(word, text), 0) / whole;
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n(?=\s*(?:[-*|#>]|\d+\.)\s)|\n\s*\n|(?<=[\p{L})%"”][.!?])\s+(?=[\p{Lu}\d"„*`])/gu)
    .map((sentence) => sentence.replace(/\s+/gu, " ").trim())
    .filter((sentence) => sentence !== "");
}

/** Relevance between 0 and 1: likeness of the whole texts, the best sentence, and a little steady error. */
export function relevance(query: string, document: string): number {
  const words = telling(query);
  const whole = coverage(words, telling(document));
  const best = Math.max(0, ...sentencesOf(document).map((sentence) => coverage(words, telling(sentence))));
  const close = Math.max(0, dot(embed(query), embed(document)));
  const error = ((hash(`${query}\n${document}`) % 1000) / 1000 - 0.5) * 0.1;
  const mixed = 0.35 * whole + 0.3 * best + 0.6 * close + error;
  return 1 / (1 + Math.exp(-9 * (mixed - 0.5)));
}

const LABEL = new RegExp(
  [
    "^\\s*(?:\\[(\\d+)\\]",
    '<(?:passage|source|document|doc|section)\\b[^>]*?"?(\\d+)"?[^>]*>',
    "(?:passage|source|document|section|quelle|abschnitt)\\s+(\\d+)\\s*[:.)-]",
    "#+\\s*\\[?(\\d+)[\\].:)]",
    "\\((\\d+)\\)\\s",
    "(\\d+)[.)]\\s)",
  ].join("|"),
  "iu",
);
const FRAME = /^\s*<\/?(?:question|query|frage|passages|sources|documents)>/iu;
const ASKS =
  /^\W*(?:the |user'?s? |original |current |follow-?up |new |last |latest )*(?:question|query|frage)\W*:\W*(.*)$/iu;

/** Finds the question in a message: after "Question:", in a tag, or the last line that ends with a question mark. */
function questionIn(text: string): string {
  const tagged = /<(question|query|frage)>\s*([\s\S]*?)\s*<\/\1>/iu.exec(text)?.[2];
  if (tagged) {
    return tagged;
  }
  const lines = text.split("\n");
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const asked = ASKS.exec(lines[at] ?? "");
    if (asked) {
      const rest = asked[1] || lines.slice(at + 1).find((line) => line.trim() !== "");
      if (rest) {
        return rest.replace(/^["“„]|["”]$/gu, "").trim();
      }
    }
  }
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  return filled.findLast((line) => line.endsWith("?") && !LABEL.test(line)) ?? filled.at(-1) ?? "";
}

/** A passage as a line of JSON with a number, a title and a text, whatever these are called. */
function jsonPassage(line: string): Passage[] {
  if (!/^\s*(?:\[\d+\]\s*)?\{.*\}\s*$/u.test(line)) {
    return [];
  }
  try {
    const [, label, json = ""] = /^\s*(?:\[(\d+)\]\s*)?(\{.*\})/u.exec(line) ?? [];
    const value: unknown = JSON.parse(json);
    const fields = isJson(value) ? value : {};
    const number = Object.values(fields).find((field) => typeof field === "number");
    const texts = ["title", "heading", "text", "content"].map((name) => fields[name]);
    const said = texts.filter((field): field is string => typeof field === "string");
    return said.length === 0 ? [] : [{ label: label ?? String(number ?? ""), text: said.join("\n\n") }];
  } catch {
    return [];
  }
}

/** Numbered passages of a message, or its paragraphs without the question when nothing is numbered. */
function passagesIn(text: string, question: string): Passage[] {
  const fromJson = text.split("\n").flatMap(jsonPassage);
  if (fromJson.length > 0) {
    return fromJson.map((passage) => ({ ...passage, label: passage.label || undefined }));
  }
  const passages: Passage[] = [];
  let open: Passage | undefined;
  for (const line of text.split("\n")) {
    const found = LABEL.exec(line);
    const label = found?.slice(1).find((group) => group !== undefined);
    // A list inside a passage starts again at a lower number: it belongs to the passage.
    if (found && label !== undefined && Number(label) === (open ? Number(open.label) + 1 : Number(label))) {
      open = { label, text: line.slice(found[0].length) };
      passages.push(open);
    } else if (open && (ASKS.test(line) || FRAME.test(line))) {
      open = undefined;
      if (passages.length > 0 && ASKS.test(line)) {
        break;
      }
    } else if (open && line.trim() !== question) {
      open.text += `\n${line}`;
    }
  }
  if (passages.length > 0) {
    return passages.map(({ label, text: body }) => ({ label, text: body.replace(/<\/[a-z]+>/giu, "").trim() }));
  }
  return text
    .split(/\n\s*\n/u)
    .map((paragraph) => ({ label: undefined, text: paragraph.replace(question, "").trim() }))
    .filter((paragraph) => paragraph.text !== "" && !ASKS.test(paragraph.text));
}

const NUMBER_WORDS =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|never|zwei|drei|vier|fünf|sechs)\b/iu;
const WANTS_NUMBER =
  /\b(?:how (?:many|much|long|old|heavy|far)|when|wann|wie ?(?:viele?|lange?|hoch|schwer|spät|alt))\b/iu;
const WANTS_PERSON = /^\W*(?:who|whom|wer|wen|wem)\b/iu;

/** Lowers the score of a sentence that cannot hold what the question word asks for. */
function fitsKind(question: string, sentence: string): number {
  if (WANTS_NUMBER.test(question) && !NUMBER_WORDS.test(sentence)) {
    return 0.6;
  }
  return WANTS_PERSON.test(question) && !/\p{Ll}\W+\p{Lu}\p{Ll}+/u.test(sentence) ? 0.6 : 1;
}

interface Found {
  sentence: string;
  label: string | undefined;
  score: number;
}

/** Names and numbers in a question: what has no such name or number in it is about something else. */
function namesIn(question: string): string[] {
  const isGerman = /\b(?:der|die|das|ich|ist|wie|wer|was|wann|und|im|ein|eine)\b/iu.test(question);
  const pattern = isGerman ? /\d[\d.,:-]*\d|\d/gu : /(?<=[\p{L},] )\p{Lu}\p{Ll}+|\d[\d.,:-]*\d|\d/gu;
  return tokens((question.match(pattern) ?? []).join(" "))
    .filter((token) => !isStopWord(token))
    .map(stem);
}

/** All sentences of all passages with their scores, best first. */
function rank(question: string, passages: readonly Passage[]): Found[] {
  const words = telling(question);
  const names = namesIn(question);
  const found: Found[] = [];
  const wholes = passages.map((passage) => telling(passage.text));
  // What stands in every passage says little; what stands nowhere is likely the very thing that was asked for.
  const weights = new Map(
    words.map((word) => [word, 1 / (1 + 0.25 * wholes.filter((whole) => met(word, whole) > 0.7).length)]),
  );
  const weigh = (word: string): number => weights.get(word) ?? 1;
  passages.forEach(({ label, text }, index) => {
    const sentences = sentencesOf(text);
    const heading = telling(text.trim().split("\n", 1)[0] ?? "");
    const whole = wholes[index] ?? [];
    const named = names.every((name) => whole.includes(name)) ? 1 : 0.6;
    sentences.forEach((sentence, at) => {
      const here = telling(sentence);
      const own = coverage(words, here, weigh);
      const around = coverage(words, [...here, ...heading], weigh);
      const kind = fitsKind(question, sentence) * named;
      const score = (0.5 * own + 0.3 * around + 0.2 * coverage(words, whole, weigh)) * kind;
      // A heading or a line of table marks is no answer by itself.
      if (here.length > 1 && !/^[#|\s-]+$/u.test(sentence) && !(at === 0 && !/[.!?:|,;]/u.test(sentence))) {
        found.push({ sentence: sentence.replace(/^#+\s*/u, ""), label, score });
      }
    });
  });
  return found.sort((one, other) => other.score - one.score);
}

function cite(found: Found): string {
  return found.label === undefined ? found.sentence : `${found.sentence} [${found.label}]`;
}

function answer(question: string, passages: readonly Passage[], wrong: boolean): string {
  const ranked = rank(question, passages);
  if (wrong) {
    const beside = ranked.at(Math.floor(ranked.length / 2));
    return beside ? cite(beside) : "Yes, that is so.";
  }
  const [best] = ranked;
  if (!best || best.score < ENOUGH) {
    return DONT_KNOW;
  }
  // As models do, it says what belongs to it too.
  const said = ranked.filter(({ label, score }) => label === best.label && score > best.score * TOGETHER);
  return said.slice(0, 3).map(cite).join(" ");
}

/** Other wordings of a question: words replaced through the lexicon, and one translated word by word. */
function wordings(question: string): string[] {
  const made = [0, 1, 2].map((turn) =>
    question.replace(/[\p{L}-]+/gu, (word) => {
      const known = !isStopWord(tokens(word)[0] ?? "");
      return (known && otherWord(word, turn, turn === 2)) || word;
    }),
  );
  const words = tokens(question).filter((token) => !isStopWord(token));
  return [...new Set([...made, words.join(" ")])].filter((text) => text !== "" && text !== question).slice(0, 3);
}

const ASKS_WORDINGS =
  /other words|wordings|reword|rephras|paraphras|(?:alternative|search) (?:quer|phras|question)|umformul/iu;
const ASKS_STANDALONE = /stand-?\s?alone|self-?contained|follow-?up|eigenständig/iu;
const ASKS_VERDICT = /\b(?:yes or no|yes\/no|"?yes"? if|ja oder nein)\b/iu;

/** Puts texts into the JSON shape that the messages ask for, or one a line when they ask for none. */
function shaped(texts: readonly string[], instructions: string, format: unknown): string {
  if (format === undefined && !/\bjson\b/iu.test(instructions)) {
    return texts.join("\n");
  }
  const key = /"([a-z_]+)"\s*:\s*\[/iu.exec(instructions)?.[1];
  if (key === undefined && (format === undefined || /json array/iu.test(instructions))) {
    return JSON.stringify(texts);
  }
  return JSON.stringify({ [key ?? "queries"]: texts });
}

/** What the scripted model says to a conversation. */
export function say(messages: readonly Message[], wrongShare = 0, format?: unknown): string {
  const last = messages.findLast((message) => message.role === "user")?.text ?? "";
  const system = messages.filter((message) => /^(?:system|developer)$/u.test(message.role));
  const instructions = system.map((message) => message.text).join("\n");
  const question = questionIn(last);
  const numbered = passagesIn(last, question).filter((passage) => passage.label !== undefined);
  const isTask = (pattern: RegExp): boolean => pattern.test(instructions) || pattern.test(last.replace(question, ""));
  if (numbered.length === 0 && isTask(ASKS_STANDALONE)) {
    const earlier = messages.flatMap((message) => message.text.match(/[^\n.!?]+\?/gu) ?? []);
    const before = earlier.map((text) => text.trim()).findLast((text) => !text.includes(question) && text !== question);
    return shaped([before ? `${before.replace(/^\w+:\s*/u, "")} ${question}` : question], "", undefined);
  }
  if (numbered.length === 0 && isTask(ASKS_WORDINGS)) {
    return shaped(wordings(question), `${instructions}\n${last}`, format);
  }
  const elsewhere = passagesIn(instructions, question).filter((passage) => passage.label !== undefined);
  const passages = numbered.length > 0 ? numbered : elsewhere.length > 0 ? elsewhere : passagesIn(last, question);
  if (isTask(ASKS_VERDICT)) {
    return (rank(question, passages)[0]?.score ?? 0) >= ENOUGH ? "yes" : "no";
  }
  return answer(question, passages, (hash(question) % 1000) / 1000 < wrongShare);
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(content: unknown): string {
  if (typeof content === "string") {
    return content;
  }
  return Array.isArray(content)
    ? content.map((part) => (isJson(part) && typeof part.text === "string" ? part.text : "")).join("\n")
    : "";
}

function messagesOf(value: unknown): Message[] {
  return Array.isArray(value)
    ? value.filter(isJson).map(({ role, content }) => ({ role: String(role), text: textOf(content) }))
    : [];
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) {
    pieces.push(piece as Uint8Array);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString("utf8"));
    return isJson(value) ? value : {};
  } catch {
    return {};
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, {
    error: { message, type: status < 500 ? "invalid_request_error" : "server_error", code: null },
  });
}

function sizeOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function sendEmbeddings(response: ServerResponse, body: Json, counts: Counts): void {
  const input: unknown[] = Array.isArray(body.input) ? body.input : [body.input];
  if (input.length === 0 || !input.every((text) => typeof text === "string" && text !== "")) {
    refuse(response, 400, "input must be a string or an array of strings, none of them empty");
    return;
  }
  const texts = input.map(String);
  counts.embeddedTexts += texts.length;
  const size = typeof body.dimensions === "number" ? Math.min(body.dimensions, DIMENSIONS) : DIMENSIONS;
  const data = texts.map((text, index) => {
    const vector = normal(embed(text).slice(0, size));
    const packed = Buffer.from(new Float32Array(vector).buffer).toString("base64");
    return { object: "embedding", index, embedding: body.encoding_format === "base64" ? packed : vector };
  });
  const used = texts.reduce((sum, text) => sum + sizeOf(text), 0);
  const usage = { prompt_tokens: used, total_tokens: used };
  send(response, 200, { object: "list", data, model: body.model ?? "scripted", usage });
}

function sendRerank(response: ServerResponse, body: Json, upsideDown: boolean): void {
  const { query } = body;
  if (typeof query !== "string" || !Array.isArray(body.documents)) {
    refuse(response, 400, "query and documents are required");
    return;
  }
  const documents = body.documents.map((document: unknown) =>
    isJson(document) ? textOf(document.text) : textOf(document),
  );
  const scored = documents.map((text, index) => {
    const score = relevance(query, text);
    const result = { index, relevance_score: upsideDown ? 1 - score : score };
    return body.return_documents === true ? { ...result, document: { text } } : result;
  });
  scored.sort((one, other) => other.relevance_score - one.relevance_score);
  const results = scored.slice(0, typeof body.top_n === "number" ? body.top_n : scored.length);
  send(response, 200, { id: "scripted-rerank", results, meta: { billed_units: { search_units: 1 } } });
}

async function sendChat(response: ServerResponse, body: Json, options: EndpointOptions, counts: Counts): Promise<void> {
  const messages = messagesOf(body.messages);
  if (messages.length === 0) {
    refuse(response, 400, "messages are required");
    return;
  }
  const content = say(messages, options.wrong ?? 0, body.response_format);
  const common = { id: `chatcmpl-${counts.chat}`, created: 1_760_000_000, model: body.model ?? "scripted" };
  const asked = messages.reduce((sum, message) => sum + sizeOf(message.text), 0);
  const written = sizeOf(content);
  const usage = { prompt_tokens: asked, completion_tokens: written, total_tokens: asked + written };
  if (body.stream !== true) {
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
    send(response, 200, { ...common, object: "chat.completion", choices: [choice], usage });
    return;
  }
  counts.streamed += 1;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const event = (choices: unknown[], more: Json = {}): void => {
    const chunk = { ...common, object: "chat.completion.chunk", choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  event([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  const pieces = content.match(/\s*\S+/gu) ?? [];
  for (const [at, piece] of pieces.entries()) {
    if (options.slowMs && at % 5 === 4) {
      await pause(options.slowMs / 50);
    }
    event([{ index: 0, delta: { content: piece }, finish_reason: null }]);
  }
  event([{ index: 0, delta: {}, finish_reason: "stop" }]);
  if (isJson(body.stream_options) && body.stream_options.include_usage === true) {
    event([], { usage });
  }
  response.end("data: [DONE]\n\n");
}

function routeOf(request: IncomingMessage): Route | "models" | undefined {
  const path = (request.url ?? "")
    .replace(/\?.*$/u, "")
    .replace(/^(?:\/v\d+)+/u, "")
    .replace(/\/+$/u, "");
  if (request.method === "GET") {
    return path === "/models" ? "models" : undefined;
  }
  switch (request.method === "POST" ? path : "") {
    case "/embeddings":
      return "embeddings";
    case "/rerank":
      return "rerank";
    case "/chat/completions":
      return "chat";
    default:
      return undefined;
  }
}

/** Starts the endpoint on a free port of 127.0.0.1. */
export async function startEndpoints(given: EndpointOptions = {}): Promise<Endpoints> {
  let options = given;
  const counts: Counts = {
    embeddings: 0,
    embeddedTexts: 0,
    rerank: 0,
    chat: 0,
    streamed: 0,
    refused: 0,
    unknown: 0,
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routeOf(request);
    const body = await bodyOf(request);
    if (route === undefined) {
      counts.unknown += 1;
      refuse(response, 404, `there is nothing at ${request.method} ${request.url}`);
      return;
    }
    if (route === "models") {
      send(response, 200, { object: "list", data: [{ id: "scripted", object: "model", owned_by: "tests" }] });
      return;
    }
    counts[route] += 1;
    if (options.down?.includes(route)) {
      counts.refused += 1;
      if (options.downHow === "hangup") {
        request.socket.destroy();
      } else if (options.downHow !== "silence") {
        refuse(response, 503, "The server is overloaded.");
      }
      return;
    }
    if (options.slowMs) {
      await pause(options.slowMs);
    }
    if (route === "embeddings") {
      sendEmbeddings(response, body, counts);
    } else if (route === "rerank") {
      sendRerank(response, body, options.wrongRerank === true);
    } else {
      await sendChat(response, body, options, counts);
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) {
        response.destroy();
      } else {
        refuse(response, 500, String(error));
      }
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    counts,
    set: (changed) => {
      options = changed;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
