/** Renders the settings as `.env.example` and as docs/settings.md. A test compares the files. */
import { exampleOf, type Setting, type SettingGroup } from "./setting.ts";

/** The whole file. Every line is a comment, so that a copy changes nothing until a line is filled in. */
export function renderEnvExample(groups: readonly SettingGroup[]): string {
  const head = [
    "# Copy this file to .env and fill in what you need. Nothing is required.",
    "# To set a value, remove the # before its name. The values shown are defaults or examples.",
  ];
  const sections = groups.map(([title, group]) =>
    [
      `# --- ${title} ---`,
      ...group.flatMap(([name, setting]) => [
        `# ${plain(setting.about)}${defaultSentence(setting)}`,
        `#${name}=${setting.default ?? exampleOf(setting)}`,
      ]),
    ].join("\n"),
  );
  return `${[head.join("\n"), ...sections].join("\n\n")}\n`;
}

/** docs/settings.md: one section per group, with an example for each setting. */
export function renderSettingsPage(groups: readonly SettingGroup[]): string {
  const sections = groups.map(([title, group]) => {
    const rows = group.map(
      ([name, setting]) =>
        `| \`${name}\` | ${defaultCell(setting)} | \`${exampleOf(setting)}\`${setting.isSecret ? " (secret)" : ""} | ${setting.about} |`,
    );
    return [`## ${title}`, "", "| Setting | Default | Example | What it does |", "|---|---|---|---|", ...rows].join(
      "\n",
    );
  });
  return `${[
    "# Settings",
    "Settings are environment variables. Parley also reads the file `.env` in the folder where it is started; the environment takes precedence. An empty setting counts as not set.\n\nIf a setting is invalid, Parley exits with code 2 and one line that names the setting, says why and gives an example. `npm run doctor` checks the settings without starting Parley.",
    ...sections,
  ].join("\n\n")}\n`;
}

function defaultCell(setting: Setting): string {
  if (setting.default !== undefined) return `\`${setting.default}\``;
  return setting.defaultWords ?? "";
}

function defaultSentence(setting: Setting): string {
  return setting.defaultWords === undefined ? "" : ` Default: ${setting.defaultWords}.`;
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
