/**
 * Which conversation of cowork-server a question continues. The server keeps the history; Parley keeps the ids of the
 * Turns in it. Where both don't agree (an edited question, a forgotten or a failed one), a new conversation begins with
 * the history as text.
 */

import type { ServiceThread } from "../../../core/model/agent-event.ts";
import type { ServiceMessage } from "../../../core/ports/agent-service.ts";

export type Plan = {
  readonly conversation: string;
  readonly isNew: boolean;
  /** The question, after what the conversation lacks. */
  readonly input: string;
  /** The thread once the server has the question. */
  readonly thread: ServiceThread;
  /** A conversation that holds something else than the history. */
  readonly outdated?: string;
};

/** Turns without an id match nothing, so what holds them isn't continued. */
const unknownTurn = "?";

export function planConversation(
  messages: readonly ServiceMessage[],
  thread: ServiceThread | undefined,
  newId: () => string,
): Plan {
  const history = messages.slice(0, -1);
  const known = thread?.["conversation"];
  if (known !== undefined && known !== "") {
    const inside = (thread?.["turns"] ?? "").split(" ");
    const missing = missingFrom(inside, history);
    if (missing !== undefined) return planFor(known, false, missing, messages, inside);
  }
  const plan = newConversation(messages, newId);
  return known === undefined || known === "" ? plan : { ...plan, outdated: known };
}

export function newConversation(messages: readonly ServiceMessage[], newId: () => string): Plan {
  return planFor(newId(), true, messages.slice(0, -1), messages, []);
}

/** The end of the history that the conversation doesn't hold yet; undefined if it holds something else. */
function missingFrom(
  inside: readonly string[],
  history: readonly ServiceMessage[],
): readonly ServiceMessage[] | undefined {
  if (inside.length > history.length) return undefined;
  return inside.every((id, at) => id === history[at]?.turnId) ? history.slice(inside.length) : undefined;
}

function planFor(
  conversation: string,
  isNew: boolean,
  missing: readonly ServiceMessage[],
  messages: readonly ServiceMessage[],
  inside: readonly string[],
): Plan {
  const question = messages.at(-1)?.question ?? "";
  const turns = [...inside, ...[...missing, ...messages.slice(-1)].map(({ turnId }) => turnId ?? unknownTurn)];
  return {
    conversation,
    isNew,
    input: missing.length === 0 ? question : `${earlier(missing)}\n\nThe question now:\n${question}`,
    thread: { conversation, turns: turns.join(" ") },
  };
}

function earlier(messages: readonly ServiceMessage[]): string {
  const exchanges = messages.map(({ question, answer }) =>
    answer.trim() === "" ? `Question: ${question}` : `Question: ${question}\nAnswer: ${answer}`,
  );
  return `Earlier in this conversation:\n\n${exchanges.join("\n\n")}`;
}
