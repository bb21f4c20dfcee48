/** The buttons that copy an answer. */

import type { Block } from "../../../../../src/core/document.ts";
import { copyButton } from "../markdown.ts";
import { copiedText } from "./copied-text.ts";

/** Copies Markdown; once that is done, offers the same as plain text. `blocks()`: as they are when it is pressed. */
export function drawCopy(blocks: () => readonly Block[]): HTMLElement[] {
  const readPlain = async () => {
    const { plainText } = await import("./plain-text.ts");
    return plainText(blocks());
  };
  const plain = copyButton("action.is-plain", readPlain, { label: "Copy as plain text" });
  plain.hidden = true;
  const onCopied = () => {
    plain.hidden = false;
  };
  return [copyButton("action.is-plain", () => copiedText(blocks()), { onCopied }), plain];
}
