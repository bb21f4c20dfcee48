/**
 * Slack's agent view: the status line under a thread, the state of a session and its title. Only known threads have
 * one, and only known states.
 */
import { channelFor } from "../history.ts";
import type { Method, MethodContext } from "../method.ts";
import { SlackRefusal } from "../refusal.ts";
import type { Json } from "../world.ts";

const maxStatusChars = 500;
const maxLoadingMessages = 10;
const maxLoadingChars = 100;
const maxTitleChars = 200;
const statuses = ["active", "processing", "suspended", "closed"];

export const agentMethods: Readonly<Record<string, Method>> = {
  "assistant.threads.setStatus": (body, context) => {
    const { status, loading_messages: loading = [] } = body;
    if (typeof status !== "string") throw missing("status");
    const { channel, thread } = placeOf(body, context);
    checkLength(status, maxStatusChars, "status");
    if (!Array.isArray(loading) || loading.length > maxLoadingMessages) {
      throw invalid(`no more than ${maxLoadingMessages} items allowed [json-pointer:/loading_messages]`);
    }
    loading.forEach((words, index) => {
      if (typeof words !== "string" || words === "") {
        throw invalid(`must be more than 0 characters [json-pointer:/loading_messages/${index}]`);
      }
      checkLength(words, maxLoadingChars, `loading_messages/${index}`);
    });
    context.world.statusLine.show(channel, thread, status, loading);
    return {};
  },

  "agents.sessions.setStatus": (body, context) => {
    const { status, title } = body;
    if (typeof status !== "string") throw missing("status");
    if (!statuses.includes(status)) throw new SlackRefusal("invalid_status");
    if (!context.world.hasAgentView) throw new SlackRefusal("not_allowed");
    if (title !== undefined) checkLength(String(title), maxTitleChars, "title");
    const { channel, thread } = placeOf(body, context);
    const session = `${channel}/${thread}`;
    // A title counts only when it comes with the first status.
    if (title !== undefined && !context.world.sessions.has(session)) {
      context.world.sessionTitles.set(session, String(title));
    }
    context.world.sessions.set(session, status);
    return { status, agent_status: status, title: context.world.sessionTitles.get(session) ?? "" };
  },

  "agents.sessions.rename": (body, context) => {
    const title = String(body["title"] ?? "");
    if (title === "") throw missing("title");
    if (!context.world.hasAgentView) throw new SlackRefusal("feature_disabled");
    checkLength(title, maxTitleChars, "title");
    const { channel, thread } = placeOf(body, context);
    const session = `${channel}/${thread}`;
    if (!context.world.sessions.has(session)) throw new SlackRefusal("session_not_found");
    context.world.sessionTitles.set(session, title);
    return { title };
  },
};

/** The thread by its parent, whichever of its messages was named. */
function placeOf(body: Json, context: MethodContext): { readonly channel: string; readonly thread: string } {
  for (const name of ["channel_id", "thread_ts"]) if (body[name] === undefined) throw missing(name);
  const channel = channelFor(body["channel_id"], context, true);
  const ts = String(body["thread_ts"]);
  const message = context.world.messages.get(ts);
  const hasReplies = context.world.thread(channel.id, ts).length > 0;
  if (!hasReplies || (message !== undefined && message.visibleTo !== undefined)) {
    throw new SlackRefusal("thread_not_found");
  }
  const parent = message?.thread_ts ?? ts;
  if (parent !== ts) context.violate(`thread_ts ${ts} is a reply; its parent is ${parent}`);
  return { channel: channel.id, thread: parent };
}

const missing = (field: string) => invalid(`missing required field: ${field}`);
const invalid = (says: string) => new SlackRefusal("invalid_arguments", [`[ERROR] ${says}`]);

function checkLength(words: string, max: number, field: string): void {
  if (words.length > max) throw invalid(`must be less than ${max + 1} characters [json-pointer:/${field}]`);
}
