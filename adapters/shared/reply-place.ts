/**
 * Posts the message that shows a question which no message shows yet: one asked by a command, by a form or by a
 * schedule. The answer goes into the thread below it.
 */
import type { ReplyPlaces } from "../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { KeyValue } from "../../src/core/ports/state.ts";
import { cleanText } from "../../src/presentation/drawing.ts";
import { turnSentences } from "../../src/presentation/sentences.ts";

export type AskedTurn = Parameters<ReplyPlaces["prepare"]>[0];

/** Long enough for a Turn to be resumed after any restart. */
const rememberedMs = 24 * 3_600_000;

/** As much of the question as a message has room for; the agent gets all of it. */
export function shownQuestion(question: string, maxChars: number): string {
  const whole = cleanText(question).trim();
  if (whole.length <= maxChars) return whole;
  return whole.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "") + turnSentences.questionCut(whole.length);
}

/**
 * Posts that message once, whatever process does it, and resolves with its id. `find`: looks for a post whose response
 * was lost; absent where the platform itself deduplicates posts.
 */
export async function postQuestion({
  turn,
  keyValue,
  clock,
  post,
  find,
}: {
  readonly turn: AskedTurn;
  readonly keyValue: KeyValue<string>;
  readonly clock: Clock;
  readonly post: () => Promise<string | undefined>;
  readonly find?: (sinceMs: number) => Promise<string | undefined>;
}): Promise<string | undefined> {
  const key = `${turn.conversation.workspace}/asked/${turn.id}`;
  const [state, value = ""] = (await keyValue.get(key))?.split(":") ?? [];
  if (state === "id") return value;
  let messageId = state === "since" ? await find?.(Number(value)) : undefined;
  if (messageId === undefined) {
    if (find !== undefined) await keyValue.set(key, `since:${clock.now()}`, rememberedMs);
    messageId = await post();
  }
  if (messageId !== undefined) await keyValue.set(key, `id:${messageId}`, rememberedMs);
  return messageId;
}
