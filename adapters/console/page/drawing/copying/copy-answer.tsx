/** The buttons that copy an answer: as Markdown and, once that is done, as plain text. */
import { useState } from "preact/hooks";
import type { Block } from "../../../../../src/core/document.ts";
import { CopyButton } from "../../parts/button.tsx";
import { copiedText } from "./copied-text.ts";

export function CopyAnswer({ blocks }: { readonly blocks: readonly Block[] }) {
  const [isCopied, setCopied] = useState(false);
  const readPlain = async () => {
    const { plainText } = await import("./plain-text.ts");
    return plainText(blocks);
  };
  return (
    <>
      <CopyButton label="Copy" look="icon" read={() => copiedText(blocks)} onCopied={() => setCopied(true)} />
      {isCopied ? <CopyButton label="Copy as plain text" look="plain" read={readPlain} /> : undefined}
    </>
  );
}
