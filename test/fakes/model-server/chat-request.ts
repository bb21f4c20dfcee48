/** Reads a request of Chat Completions, and refuses what the real one refuses. */
import type { Json } from "./emission.ts";
import { invalid } from "./refusals.ts";
import type { Asked, Said } from "./script.ts";

const roles = ["system", "developer", "user", "assistant", "tool"];

type Message = Readonly<Record<string, unknown>>;

export function readChat(body: Json): Asked {
  const { messages, model, tools } = body;
  if (!Array.isArray(messages)) throw invalid("Missing required parameter: 'messages'.", "messages");
  if (messages.length === 0) throw invalid("Invalid 'messages': empty array.", "messages", "empty_array");
  const said = messages.map(readMessage);
  refuseStrayResults(messages);
  const last = said.findLastIndex(({ role, text }) => role === "user" && text.trim() !== "");
  const instructions = said.filter(({ role }) => role === "system" || role === "developer").map(({ text }) => text);
  return {
    model: String(model),
    question: said[last]?.text ?? "",
    pictures: said[last]?.pictures ?? [],
    messages: said,
    results: said.slice(last + 1).flatMap(({ role, text }) => (role === "tool" ? [text] : [])),
    tools: namesOfTools(tools),
    instructions: instructions.join("\n"),
    approval: undefined,
  };
}

/** Names of function tools; the shapes of both APIs. */
export function namesOfTools(tools: unknown): readonly string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw invalid("Invalid type for 'tools': expected an array.", "tools");
  return tools.flatMap((tool: Message) => {
    const inner = (tool["function"] ?? tool) as Message;
    return tool["type"] === "function" && typeof inner["name"] === "string" ? [inner["name"]] : [];
  });
}

function readMessage(message: Message, index: number): Said {
  const { role, content } = message;
  const at = `messages[${index}]`;
  if (typeof role !== "string" || !roles.includes(role)) throw invalid(`Invalid value: '${role}'.`, `${at}.role`);
  if (typeof content === "string") return { role, text: content };
  if (Array.isArray(content)) {
    const shown = content.filter((part: Message) => part["type"] === "image_url");
    const texts = content.flatMap((part: Message) => {
      if (shown.includes(part)) return [];
      if (part["type"] !== "text" || typeof part["text"] !== "string") throw invalid("Invalid part.", `${at}.content`);
      return [part["text"]];
    });
    if (role !== "user" && shown.length > 0) throw invalid("Invalid part.", `${at}.content`);
    const pictures = shown.map((part: Message) => readPicture((part["image_url"] as Message)?.["url"]));
    return { role, text: texts.join("\n"), pictures };
  }
  const calls = role === "assistant" && message["tool_calls"] !== undefined;
  if (!calls) throw invalid(`Invalid value for 'content': expected a string, got ${content}.`, `${at}.content`);
  return { role, text: "" };
}

/** As data: nothing here is fetched. */
export function readPicture(url: unknown): string {
  const isPicture =
    typeof url === "string" && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(url);
  if (isPicture) return url;
  throw invalid("You uploaded an unsupported image. Please make sure your image is valid.", "url", "invalid_image_url");
}

/** Each call of a tool needs its result at once, and each result a call before it. */
function refuseStrayResults(messages: readonly Message[]): void {
  let open = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    if (message["role"] === "tool") {
      if (open.delete(message["tool_call_id"])) continue;
      throw invalid(
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        `messages.[${index}].role`,
      );
    }
    refuseOpenCalls(open);
    open = new Set(((message["tool_calls"] ?? []) as readonly Message[]).map(({ id }) => id));
  }
  refuseOpenCalls(open);
}

function refuseOpenCalls(open: ReadonlySet<unknown>): void {
  if (open.size === 0) return;
  throw invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join(", ")}`,
    "messages",
  );
}
