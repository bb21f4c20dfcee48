/** Renders docs/listening.md, which messages Parley answers, from the table its test goes through: `npm run listening`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ListeningCase, listeningTable } from "../../test/bridge/intake/listening-table.ts";

const introduction = `# When Parley answers, and when it is quiet

People hate nothing more than a bot that butts into their conversations. These are the rules, and every line below is a test. \`npm run listening\` writes this page.

- **Mentioned, or in a direct message**, it answers.
- In mode \`thread\` (the default) it also answers in threads where it has answered before, without a mention: anyone who has asked there, and a question from anyone within 30 minutes and 20 messages of its last answer. It never answers what is addressed to someone else.
- In mode \`channel\` it also takes questions that nobody in particular was asked. Nothing is shown while it works. The answer appears only if it rests on a source or on rows; otherwise nothing is said at all.
- In mode \`every\` it answers every message. In mode \`mention\` only mentions.
- **A question** has a question mark of any script at the end of a sentence, not in an address, in code or in a quoted line.
- **Thanks** get a 🙌, and an "ok" gets nothing: at most five words in English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Japanese or Chinese that say nothing else, or emoji alone. If the last answer ended with a question to the person, they are the reply to it: in a thread within 30 minutes and 20 messages, by mention or in a direct message at any time.
- **A reply below an answer that was not good enough** is not answered. In Slack, its author alone may read once "Use it as the answer from now on?": if they may add knowledge, have not asked that question, and the reply says something of its own within a day.
- **Reactions**: 📌 saves a message, and 💡 below an answer uses it as a better one. Both are for people who may add knowledge; from others, and on other messages, 💡 means nothing to it.

\`/parley mode\` shows the mode of a channel, and sets it for people who manage Parley.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
/** As code, so that it is shown as it was said. */
const said = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

function row({ says, about, does }: ListeningCase): string {
  return `| ${cell(said(says))} | ${cell(about)} | ${does} |`;
}

export function renderListening(): string {
  const sections = listeningTable.map(({ title, cases }) =>
    [`## ${title}`, "", "| message | where and from whom | Parley |", "|---|---|---|", ...cases.map(row)].join("\n"),
  );
  return `${[introduction.trimEnd(), ...sections].join("\n\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(fileURLToPath(new URL("../listening.md", import.meta.url)), renderListening());
}
