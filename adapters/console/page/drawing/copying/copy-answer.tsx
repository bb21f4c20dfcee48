/** The buttons that copy an answer: as Markdown and, once that is done, as plain text. */
import { useState } from "preact/hooks";
import type { Block } from "../../../../../src/core/document.ts";
import { Icon } from "../../parts/icon.tsx";
import { copiedText } from "./copied-text.ts";

const saysForMs = 2_000;

function CopyButton({
  label,
  isIcon = false,
  read,
  onCopied,
}: {
  readonly label: string;
  /** Its label is shown as an icon, and what came of a press in words. */
  readonly isIcon?: boolean;
  readonly read: () => string | Promise<string>;
  readonly onCopied?: () => void;
}) {
  const [says, setSays] = useState(label);
  const copy = async () => {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(await read());
      onCopied?.();
    } catch {
      done = "Select and press Ctrl+C";
    }
    setSays(done);
    const announcer = document.getElementById("announcer");
    if (announcer !== null) announcer.textContent = done;
    setTimeout(() => setSays(label), saysForMs);
  };
  const isDrawn = isIcon && says === label;
  return (
    <button
      type="button"
      class={`action is-plain${isDrawn ? " is-icon" : ""}`}
      data-action="copy"
      title={isDrawn ? label : undefined}
      onClick={copy}
    >
      {isDrawn ? <Icon name="copy" /> : undefined}
      <span class={isDrawn ? "hidden" : undefined}>{says}</span>
    </button>
  );
}

export function CopyAnswer({ blocks }: { readonly blocks: readonly Block[] }) {
  const [isCopied, setCopied] = useState(false);
  const readPlain = async () => {
    const { plainText } = await import("./plain-text.ts");
    return plainText(blocks);
  };
  return (
    <>
      <CopyButton label="Copy" isIcon read={() => copiedText(blocks)} onCopied={() => setCopied(true)} />
      {isCopied ? <CopyButton label="Copy as plain text" read={readPlain} /> : undefined}
    </>
  );
}
