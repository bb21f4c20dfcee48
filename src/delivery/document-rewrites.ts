/**
 * Rewrites documents for the platform that shows them: commands with the installation's prefix, and links to Parley's own
 * pages. "/agent use" becomes "/acme-agent use". Platforms get documents in a few ways, and all of them lead through
 * here.
 */

import type { Document } from "../core/document.ts";
import type { ChatPlatform, HomeTab } from "../core/ports/chat-platform.ts";
import {
  type CommandNames,
  type OwnLinks,
  reworded,
  withOwnLinks,
  withOwnMarkdownLinks,
} from "../presentation/drawing.ts";

export type Rewrites = {
  readonly commands: CommandNames;
  /** Address of Parley's own server on this machine. Absent: no document links to it. */
  readonly baseUrl?: string;
  /** PUBLIC_URL. */
  readonly publicUrl?: string;
};

export function withRewrites(platform: ChatPlatform, { commands, baseUrl, publicUrl }: Rewrites): ChatPlatform {
  const hasPrefix = commands.prefix !== "";
  if (!hasPrefix && baseUrl === undefined) return platform;
  const linksTo = (shownAs: string | undefined): OwnLinks | undefined =>
    baseUrl === undefined ? undefined : { baseUrl, shownAs };
  const isOwnPage = platform.isOwnPage === true;
  const links = linksTo(isOwnPage ? "" : publicUrl);
  // A file leaves the page, so a relative link in it would lead nowhere.
  const fileLinks = linksTo(publicUrl ?? (isOwnPage ? baseUrl : undefined));
  const rewritten = (document: Document): Document => {
    const named = hasPrefix
      ? reworded(document, commands, { command: (name) => `/${name}`, keepsCode: true })
      : document;
    return links === undefined ? named : withOwnLinks(named, links);
  };
  const { home } = platform;
  return {
    ...platform,
    render: (document, atMost) => platform.render(rewritten(document), atMost),
    // The rest of a long answer is a file.
    uploadFile: (place, file, mark) => {
      const isMarkdown = fileLinks !== undefined && file.mediaType.startsWith("text/markdown");
      const content = isMarkdown ? withOwnMarkdownLinks(file.content, fileLinks) : file.content;
      return platform.uploadFile(place, { ...file, content }, mark);
    },
    home: home === undefined ? undefined : withHome(home, rewritten),
    start: (port) =>
      platform.start({
        ...port,
        handle: (inbound) => {
          const { send } = inbound.reply;
          return port.handle({
            ...inbound,
            reply: { ...inbound.reply, send: (document, seenBy) => send(rewritten(document), seenBy) },
          });
        },
      }),
  };
}

function withHome(home: HomeTab, rewritten: (document: Document) => Document): HomeTab {
  return { ...home, publish: (actor, document) => home.publish(actor, rewritten(document)) };
}
