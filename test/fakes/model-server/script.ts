/**
 * What the scripted model says to a question. Words in the last text of a user switch it:
 *
 * - before the stream: "rate limit" 429, to wait 7 s · "bad key" 401 · "too long" 400 · "fail" 500 · "drop" closes the
 *   connection without an answer
 * - inside: "fail mid" an error after three words · "cut mid" closed after three words · "hang" silent after three words,
 *   until the client leaves · "filter" ended by a content filter · "cut short" ended by the limit of length · "refuse" ·
 *   "empty"
 * - time: "slow" 60 words, `slowMs` each · "pause" `pauseMs` before the first byte · "600 tokens" that many words ·
 *   "at 60 a second" their pace
 * - content: "think" reasoning first · "cite" two citations · "long" 400 words · "markdown" · "unicode" · "history" tells
 *   the earlier messages
 * - tools: "use tool" calls the first tool given, else `search_docs` · "two tools" · "tool NAME {json}" · "say first"
 *   words before the call. After the tool's result it answers from that.
 * - the model's own tools, Responses only: "hosted" searches the web and files and asks an MCP server · "approve" asks
 *   for approval to delete a page, then says what was decided
 *
 * `ModelServerOptions.script` decides before the words do.
 */

export type ToolCall = { readonly name: string; readonly arguments: string };
export type Citation = { readonly title: string; readonly url: string; readonly start: number; readonly end: number };

export type Script = {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly refusal: string;
  readonly finish: "stop" | "length" | "content_filter" | "tool_calls";
  readonly citations: readonly Citation[];
  /** Between two pieces of text. */
  readonly gapMs: number;
  /** Before the first byte. */
  readonly pauseMs: number;
  /** After three words. */
  readonly fault: "fail mid" | "cut mid" | "hang" | "";
  /** Uses the model's own tools first. */
  readonly hosted: boolean;
  /** Asks for approval and says nothing else. */
  readonly asksApproval: boolean;
  /** Answers with this instead of a stream. */
  readonly refused: Refused | undefined;
};

/** "drop" closes the connection. */
export type Refused = "rate limit" | "bad key" | "too long" | "fail" | "drop";

/** One message of the history, of either API. */
export type Said = { readonly role: string; readonly text: string; readonly pictures?: readonly string[] };

export type Approval = { readonly requestId: string; readonly isApproved: boolean };

export type Asked = {
  readonly model: string;
  /** The last text of a user. */
  readonly question: string;
  /** Sent with it: data URLs, in their order. */
  readonly pictures: readonly string[];
  /** Everything said, the question included. */
  readonly messages: readonly Said[];
  /** Results of tools after the question. */
  readonly results: readonly string[];
  readonly tools: readonly string[];
  readonly instructions: string;
  readonly approval: Approval | undefined;
};

export type Pace = { readonly msPerToken: number; readonly slowMs: number; readonly pauseMs: number };

const nothing: Script = {
  ...{ reasoning: "", text: "", calls: [], refusal: "", finish: "stop", citations: [], gapMs: 0, pauseMs: 0 },
  ...{ fault: "", hosted: false, asksApproval: false, refused: undefined },
};

const usualAnswer = "The backup runs every night at two o'clock and keeps thirty copies.";

const citations: readonly Citation[] = [
  { start: 0, end: 10, title: "Backups", url: "https://docs.example.com/backup" },
  { start: 11, end: 20, title: "Copies", url: "https://docs.example.com/copies" },
];

const markdown =
  "## Backups\n\n- every night at **02:00**\n- `30` copies\n\n| when | what |\n|---|---|\n| 02:00 | all |\n";

export function scriptOf(asked: Asked, pace: Pace): Script {
  const { question, results, approval } = asked;
  const has = (words: string) => new RegExp(`\\b${words}\\b`, "i").test(question);
  const fault = (["fail mid", "cut mid", "hang"] as const).find(has) ?? "";
  const refused =
    (["rate limit", "bad key", "too long", "drop"] as const).find(has) ?? (has("fail") ? "fail" : undefined);
  if (refused !== undefined && !(refused === "fail" && fault !== "")) return { ...nothing, refused };

  const begin: Script = {
    ...nothing,
    fault,
    gapMs: gapOf(question, pace),
    pauseMs: has("pause") ? pace.pauseMs : 0,
    reasoning: has("think") ? "The person asks about backups. I will look at the handbook first." : "",
    hosted: has("hosted"),
  };
  if (approval !== undefined) {
    return { ...begin, text: approval.isApproved ? "The page is deleted." : "I left the page as it is." };
  }
  if (has("approve")) return { ...begin, asksApproval: true };
  const calls = results.length === 0 ? callsOf(asked, has) : [];
  if (calls.length > 0) {
    return { ...begin, calls, finish: "tool_calls", text: has("say first") ? "I will look that up." : "" };
  }
  if (has("refuse")) return { ...begin, refusal: "I cannot help with that." };
  if (has("filter")) return { ...begin, text: "The backup runs", finish: "content_filter" };
  if (has("cut short")) return { ...begin, text: "The backup runs every", finish: "length" };
  return { ...begin, text: textOf(asked, has), citations: has("cite") ? citations : [] };
}

function gapOf(question: string, pace: Pace): number {
  const perSecond = /\bat (\d+) a second\b/i.exec(question)?.[1];
  if (perSecond !== undefined) return 1000 / Number(perSecond);
  return /\bslow\b/i.test(question) ? pace.slowMs : pace.msPerToken;
}

function callsOf({ question, tools }: Asked, has: (words: string) => boolean): readonly ToolCall[] {
  const named = /\btool (\w+) (\{.*\})/s.exec(question);
  if (named !== null) return [{ name: named[1] ?? "", arguments: named[2] ?? "" }];
  const name = tools[0] ?? "search_docs";
  const first = { name, arguments: '{"query": "backup time"}' };
  if (has("two tools")) return [first, { name, arguments: '{"query": "backup copies"}' }];
  return has("use tool") ? [first] : [];
}

function textOf({ question, messages, results }: Asked, has: (words: string) => boolean): string {
  const tokens = /\b(\d+) tokens\b/i.exec(question)?.[1];
  if (tokens !== undefined) return words(Number(tokens));
  if (has("empty")) return "";
  if (has("slow")) return words(60);
  if (results.length > 0) return `The tool said: ${results.map((result) => result.trim().slice(0, 200)).join(" | ")}`;
  if (has("history")) {
    const last = messages.findLastIndex(({ role }) => role === "user");
    const earlier = messages.slice(0, last).filter(({ role }) => role === "user" || role === "assistant");
    return `Earlier: ${earlier.map(({ text }) => text.slice(0, 60)).join(" / ")}`;
  }
  if (has("markdown")) return markdown;
  if (has("unicode")) return "Das Backup läuft um zwei Uhr 🌙, 三十 Kopien. <!here> data: x";
  return has("long") ? words(400) : usualAnswer;
}

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
}

/** The pieces a model sends: words with the space after them. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
