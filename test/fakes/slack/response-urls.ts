/** Slack's response_url: five answers to a command or a press, seen by whoever acted, by all, or in the button's place. */
import type { ServerResponse } from "node:http";
import { watchForKeys } from "../../doubles/planted-keys.ts";
import type { MethodContext } from "./method.ts";
import { contentOf } from "./methods.ts";
import { SlackRefusal } from "./refusal.ts";
import { bot, type Json } from "./world.ts";

export function createResponseUrls(context: MethodContext, inspect: (method: string, body: Json) => void) {
  const { world } = context;
  const responses: { readonly url: string; readonly body: Json }[] = [];

  function respond(url: URL, raw: Buffer, response: ServerResponse): void {
    const body = JSON.parse(raw.toString()) as Json;
    const used = responses.filter((one) => one.url === url.href).length;
    watchForKeys("Slack's response_url", raw.toString());
    responses.push({ url: url.href, body });
    try {
      if (used >= 5) throw new SlackRefusal("used_url");
      if (body["delete_original"] === true) {
        world.messages.delete(url.searchParams.get("source") ?? "");
        response.end("ok");
        return;
      }
      const content = contentOf(body, context, 40_000);
      inspect("response_url", body);
      show(url.searchParams, body, content);
      response.end("ok");
    } catch (thrown) {
      response.writeHead(400);
      response.end((thrown as SlackRefusal).code);
    }
  }

  /** Only a button's own message can be replaced. */
  function show(about: URLSearchParams, body: Json, content: ReturnType<typeof contentOf>): void {
    const source = world.messages.get(about.get("source") ?? "");
    if (body["replace_original"] === true && source !== undefined) {
      Object.assign(source, content);
      source.versions.push({ text: source.text, blocks: source.blocks });
      return;
    }
    world.store({
      ...{ channel: about.get("channel") ?? "", user: bot.userId, bot_id: bot.botId },
      ...content,
      ...(body["thread_ts"] === undefined ? {} : { thread_ts: String(body["thread_ts"]) }),
      ...(body["response_type"] === "in_channel" ? {} : { visibleTo: about.get("user") ?? "" }),
    });
  }

  return { responses, respond };
}
