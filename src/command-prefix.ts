/**
 * Gives commands the installation's prefix in Parley's own sentences: "/agent use" becomes "/acme-agent use". Platforms
 * get documents in two ways, to draw and as private answers, so both are rewritten here.
 */
import type { ChatPlatform } from "./ports/chat-platform.ts";
import type { Document } from "./ports/document.ts";
import { type CommandNames, reworded } from "./presentation/drawing.ts";

export function withCommandPrefix(platform: ChatPlatform, names: CommandNames): ChatPlatform {
  if (names.prefix === "") return platform;
  const named = (document: Document) => reworded(document, names, { command: (name) => `/${name}`, keepsCode: true });
  return {
    ...platform,
    render: (document, atMost) => platform.render(named(document), atMost),
    start: (port) =>
      platform.start({
        ...port,
        handle: (inbound) => {
          const { send } = inbound.reply;
          return port.handle({ ...inbound, reply: { send: (document, seenBy) => send(named(document), seenBy) } });
        },
      }),
  };
}
