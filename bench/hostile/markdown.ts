/** Markdown that a model can be made to write, each text the worst of its kind to draw. */

/** Of every text, in bytes. */
const length = 1_000_000;

/** `at`: the number of the repetition. */
function repeated(part: (at: number) => string): string {
  const parts: string[] = [];
  for (let chars = 0, at = 0; chars < length; at += 1) {
    const next = part(at);
    parts.push(next);
    chars += next.length;
  }
  return parts.join("").slice(0, length);
}

export const hostileMarkdown: Readonly<Record<string, () => string>> = {
  "a fence behind 480 >": () => `${">".repeat(480)}\`\`\`\n${"\n".repeat(length - 484)}`,
  "small tables": () => repeated(() => "| a | b |\n|---|---|\n| 1 | 2 |\n\n"),
  "Unicode tables": () => repeated(() => "| 表 | é🎉 |\n|---|---|\n| 漢字 | ａｂｃ |\n\n"),
  "growing backticks": () => repeated((at) => `${"`".repeat(at + 1)} `),
  "\\[ again and again": () => repeated(() => "\\["),
  "[ again and again": () => repeated(() => "["),
  "reference definitions": () => repeated((at) => `[a${at}]: https://example.com/${at}\n[a${at}]\n`),
  "definitions in a list": () => repeated((at) => `- [https://bank.example/${at}]: http://evil.example\n`),
  "links with nested parentheses": () => repeated(() => "[bank.example](https://evil.example/(a(b)c)) "),
  "unclosed links": () => repeated(() => "[a](https://example.com/("),
  "open emphasis": () => repeated(() => "*a **b _c "),
  "nested quotes": () => repeated((at) => `${"> ".repeat(at % 200)}a\n`),
  "nested lists": () => repeated((at) => `${"  ".repeat(at % 200)}- a\n`),
  "ever new fences": () => repeated(() => "```\na\n```\n"),
  headings: () => repeated(() => "# a\n"),
  entities: () => repeated(() => "&lt;&amp;<>"),
  pings: () => repeated(() => "<!here> @everyone <@U1> "),
  "one word": () => "a".repeat(length),
  "one wide table": () =>
    `${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n${repeated(() => "|1|2|3|\n")}`.slice(0, length),
  "a wide header over empty rows": () =>
    `${"|a".repeat(240)}|\n${"|-".repeat(240)}|\n${repeated(() => "|\n")}`.slice(0, length),
  "words of a query": () => repeated(() => "select "),
};
