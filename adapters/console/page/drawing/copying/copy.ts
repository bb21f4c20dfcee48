/** Copies what `read` returns at that moment, and tells screen readers. Returns what the button then says. */
export async function copy(read: () => string | Promise<string>): Promise<{ isCopied: boolean; says: string }> {
  let isCopied = true;
  try {
    // Without HTTPS browsers have no clipboard for pages.
    await navigator.clipboard.writeText(await read());
  } catch {
    isCopied = false;
  }
  const says = isCopied ? "Copied" : "Select and press Ctrl+C";
  const announcer = document.getElementById("announcer");
  if (announcer !== null) announcer.textContent = says;
  return { isCopied, says };
}

/** Ms for which the button says so. */
export const saysForMs = 2_000;
