/** Writes a conversation as the messages of Chat Completions. */
import type { ServiceMessage } from "../../core/ports/agent-service.ts";

export type ChatMessage = { readonly role: "user" | "assistant"; readonly content: string };

/** Roles alternate, because the templates of many models refuse anything else: unanswered questions are joined. */
export function chatMessages(messages: readonly ServiceMessage[]): readonly ChatMessage[] {
  const written: ChatMessage[] = [];
  let unanswered: string[] = [];
  for (const { question, answer } of messages) {
    unanswered.push(question);
    if (answer.trim() === "") continue;
    written.push({ role: "user", content: unanswered.join("\n\n") }, { role: "assistant", content: answer });
    unanswered = [];
  }
  return unanswered.length === 0 ? written : [...written, { role: "user", content: unanswered.join("\n\n") }];
}
