/** The buttons that copy an answer. */

import { copyButton } from "../markdown.js";
import { copiedText } from "./copied-text.js";

/** Copies Markdown; once that is done, offers the same as plain text. */
export function drawCopy(article) {
  const readPlain = async () => {
    const { plainText } = await import("./plain-text.js");
    return plainText(article.payload.blocks);
  };
  const plain = copyButton("action.is-plain", readPlain, { label: "Copy as plain text" });
  plain.hidden = true;
  const onCopied = () => {
    plain.hidden = false;
  };
  return [copyButton("action.is-plain", () => copiedText(article.payload.blocks), { onCopied }), plain];
}
