/**
 * Renders a Reply's progress, and its end as messages and a file for what exceeds them. A short end is rendered at once;
 * a long one step by step, so that everything else can run in between.
 */

import type { Document } from "../core/document.ts";
import type { ChatPlatform } from "../core/ports/chat-platform.ts";
import type { Clock } from "../core/ports/clock.ts";
import { createPause } from "../core/tools/pause.ts";
import { defaultRoom, type Fitted, fitNow, fitSlowly, isSmall, withNote } from "../presentation/drawing.ts";
import type { Rest } from "../presentation/markdown.ts";
import { restFile, restFileNow } from "../presentation/markdown.ts";
import { countText, restSentences } from "../presentation/sentences.ts";
import { type Rendered, rendered } from "./messages.ts";
import type { Growing } from "./types.ts";

const says = {
  notPermitted: (chars: number, right: string | undefined): string => {
    const lacking = right === undefined ? "" : ` (${right})`;
    return `The rest (${countText(chars, "character")}) couldn't be attached: I'm not allowed to upload files here. Press Get the rest to read more, or ask your Parley admin for the permission${lacking} and press it then.`;
  },
};

export type Drawn = { readonly fitted: Fitted; readonly rendered: Rendered };

export type Drawing = {
  /** `over`: content that was cut off earlier and comes after it. */
  readonly draw: (document: Document, over?: Rest) => Drawn | Promise<Drawn>;
  /** The same without the file, which could not be attached. */
  readonly withoutFile: (drawn: Drawn, isForbidden: boolean) => Drawn;
  /** Text that grows is rendered as far as one message shows it. */
  readonly progress: (document: Document | Growing) => Rendered;
  /** When text that grows may be rendered again. All such Replies together take at most a fifth of the time. */
  readonly growsAgainAtMs: () => number;
};

/** Of a message's room, for the first try: lines and marks need some of it. */
const textShare = 0.8;
/** A message has room for this much in any case. */
const leastChars = 200;
/** How much longer than a rendering the pause after it is. */
const pauseFactor = 4;

export function createDrawing(platform: Pick<ChatPlatform, "limits" | "render">, clock: Pick<Clock, "now">): Drawing {
  const room = platform.limits.answers ?? defaultRoom;
  const draw = (document: Document, atMost: number) => platform.render(document, atMost);

  const noted = (fitted: Fitted) =>
    fitted.rest === undefined
      ? fitted.pages
      : withNote(fitted, `The rest (${countText(fitted.rest.chars, "character")}) is in the attached file.`);
  const all = (pages: readonly Document[]) => pages.flatMap((page) => platform.render(page));

  const slowly = async (document: Document, over: Rest | undefined): Promise<Drawn> => {
    const pause = createPause(clock);
    const fitted = withRest(await fitSlowly(document, room, draw, pause), over);
    const payloads: unknown[] = [];
    for (const page of noted(fitted)) {
      await pause();
      payloads.push(...platform.render(page));
    }
    return { fitted, rendered: rendered(payloads, fitted.rest && (await restFile(fitted.rest, pause))) };
  };

  let againAtMs = Number.NEGATIVE_INFINITY;
  const grown = (document: Growing): Rendered => {
    const beganAtMs = clock.now();
    let chars = Math.floor(room.charsPerMessage * textShare);
    let payloads = platform.render(document(chars), 1);
    while (payloads.length > 1 && chars > leastChars) {
      chars = Math.floor(chars / 2);
      payloads = platform.render(document(chars), 1);
    }
    const nowMs = clock.now();
    againAtMs = nowMs + pauseFactor * (nowMs - beganAtMs);
    return rendered(payloads);
  };

  return {
    progress: (document) => (typeof document === "function" ? grown(document) : rendered(platform.render(document))),
    growsAgainAtMs: () => againAtMs,
    draw: (document, over) => {
      if (!isSmall(document, room) || over !== undefined) return slowly(document, over);
      const whole = new Map<Document, readonly unknown[]>();
      const fitted = fitNow(document, room, (tried, atMost) => {
        const payloads = platform.render(tried, atMost);
        if (payloads.length <= atMost) whole.set(tried, payloads);
        return payloads;
      });
      const file = fitted.rest === undefined ? undefined : restFileNow(fitted.rest);
      // What fits was drawn to find that out.
      const payloads = noted(fitted).flatMap((page) => whole.get(page) ?? platform.render(page));
      return { fitted, rendered: rendered(payloads, file) };
    },
    withoutFile: ({ fitted, rendered: { payloads: before } }, isForbidden) => {
      const lastCount = all(noted(fitted).slice(-1)).length;
      const { chars } = fitted.rest ?? { chars: 0 };
      const right = platform.limits.answers?.fileRight;
      const words = isForbidden
        ? says.notPermitted(chars, right)
        : `The rest (${countText(chars, "character")}) couldn't be attached: the upload failed. Press Get the rest to try again.`;
      const offered = fitted.pages.at(-1)?.whenCut;
      const note = offered === undefined ? restSentences.hidden(chars) : words;
      const last = withNote(fitted, note, offered).at(-1);
      const standing = before.slice(0, before.length - lastCount);
      return { fitted, rendered: rendered([...standing, ...(last === undefined ? [] : platform.render(last))]) };
    },
  };
}

function withRest(fitted: Fitted, over: Rest | undefined): Fitted {
  if (over === undefined) return fitted;
  const { blocks, chars } = fitted.rest ?? { blocks: [], chars: 0 };
  return { ...fitted, rest: { blocks: [...blocks, ...over.blocks], chars: chars + over.chars } };
}
