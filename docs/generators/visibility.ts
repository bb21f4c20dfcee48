/** Renders docs/visibility.md, who reads which question, from the table its test goes through: `npm run visibility`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Sight, viewers, visibilityTable } from "../../test/insight/visibility-table.ts";

const introduction = `# Who may read a question that was not answered well

Parley collects such questions as gaps, and shows them to people who can add the answer. A question is as private as the place where it was asked. One function (\`src/insight/gaps/visibility.ts\`) decides this for every list, button, form, digest and proof, and every cell below is a test. \`npm run visibility\` writes this page.

- **A public channel**: everyone who may add content reads it.
- **A private channel**: only its members who may add content, and only in that channel. The stricter of then and now counts. One that isn't known counts as private, and nobody reads a question if neither is. A channel shared with another organisation is private.
- **A direct message**, or a private thread in Discord: only the person who asked. If they share it in the form below 👎, its wording is read like a public question's, without their name and without a link.
- **On Parley's page**, the shared channels are public, and the channel **Private** of someone whom a provider or a proxy names is a direct message. New conversations of these people begin there unless they choose a channel ([sign-in.md](sign-in.md)).
- What is shown to everyone in a channel contains public questions and that channel's own.
- A gap is shown in the newest wording that the reader may read. If there is none, it is only counted: "+2 in private channels you're not in."
- **A message that is used as an answer** ("Use as answer", 💡) was perhaps written in private. Before it goes into a knowledge base that people elsewhere can read, Parley asks, and so it does before the answer to a private channel's question goes there with the question. It doesn't ask only if the channel is public, or if the agents of that channel alone look in the knowledge base and no other channel has chosen it.
- Gaps of an agent out of reach, or of another workspace, are not even counted.
`;

const cells: Readonly<Record<Sight, string>> = {
  listed: "reads it",
  wording: "its wording",
  counted: "counted",
  nothing: "-",
};

const row = (entries: readonly string[]): string => `| ${entries.join(" | ")} |`;

export function renderVisibility(): string {
  const table = viewers.map(({ title }, index) =>
    row([title, ...visibilityTable.map(({ sees }) => cells[sees[index] ?? "nothing"])]),
  );
  const head = row(["who reads, and where", ...visibilityTable.map(({ title }) => `asked in: ${title}`)]);
  const line = `|${"---|".repeat(visibilityTable.length + 1)}`;
  return `${[introduction.trimEnd(), [head, line, ...table].join("\n")].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(fileURLToPath(new URL("../visibility.md", import.meta.url)), renderVisibility());
}
