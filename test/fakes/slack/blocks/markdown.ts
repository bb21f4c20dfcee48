/** What Slack makes of Markdown: which tables stand in it, and whether rich text does. */
/** What Slack makes tables of: a row, a row of dashes, rows. */
export function markdownTables(markdown: string): readonly { readonly rows: number; readonly columns: number }[] {
  // A fence with words behind it closes nothing.
  const withoutCode = markdown.replace(
    /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(\n {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm,
    "",
  );
  const found = withoutCode.matchAll(
    /^[^\n]*\|[^\n]*\n[ \t]*(\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?)[ \t]*(?:\n[^\n]*\|[^\n]*)*/gm,
  );
  return [...found].flatMap(([table, dashes = ""]) => {
    const [header = "", , ...rows] = table.split("\n");
    const columns = cellsOf(dashes).length;
    // As in GitHub's Markdown: else it is no table.
    return dashes.includes("|") && cellsOf(header).length === columns ? [{ rows: rows.length + 1, columns }] : [];
  });
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/);
}

/**
 * Whether there is rich text among what Slack makes of the blocks: of a markdown block headers, dividers and tables, and
 * rich text of everything else (seen on a real workspace: a heading alone is refused in the place of a paragraph).
 */
export function hasRichText(blocks: readonly { readonly type?: unknown; readonly text?: unknown }[]): boolean {
  return blocks.some(({ type, text }) => {
    if (type !== "markdown") return type === "rich_text";
    const withoutHeadings = String(text)
      .replace(/^ {0,3}#{1,6}( .*)?$/gm, "\n")
      .replace(/^.*\n {0,3}(=+|-+)[ \t]*$/gm, "\n");
    return withoutHeadings
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .some((part) => part !== "" && !/^([-*_] *){3,}$/.test(part) && !/^.*\|.*\n[ |:-]+(\n|$)/.test(part));
  });
}
