/** Renders the settings as `.env.example` and as docs/settings.md. A test compares the files. */
import { examplePath, fileSetting } from "./secret-files.ts";
import { exampleOf, type Setting, type SettingGroup } from "./setting.ts";

/** The whole file. Every line is a comment, so that a copy changes nothing until a line is filled in. */
export function renderEnvExample(groups: readonly SettingGroup[]): string {
  const head = [
    "# Copy this file to .env and fill in what you need. Nothing is required.",
    "# To set a value, remove the # before its name. The values shown are defaults or examples.",
    `# A secret can be in a file instead: ${fileSetting("NAME")} has its path, for example ${fileSetting("AGENT_SERVICE_TOKEN")}=${examplePath("AGENT_SERVICE_TOKEN")}.`,
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
        `| \`${name}\` | ${defaultCell(setting)} | \`${exampleOf(setting)}\`${setting.isSecret ? secretNote(name) : ""} | ${setting.about} |`,
    );
    return [`## ${title}`, "", "| Setting | Default | Example | What it does |", "|---|---|---|---|", ...rows].join(
      "\n",
    );
  });
  return `${[
    "# Settings",
    "Settings are environment variables. Parley also reads the file `.env` in the folder where it is started; the environment takes precedence. An empty setting counts as not set.\n\nIf a setting is invalid, Parley exits with code 2 and one line that names the setting, says why and gives an example. `npm run doctor` checks the settings without starting Parley.",
    `A secret can be in a file instead, as container platforms provide them: \`${fileSetting("NAME")}\` has the path of the file that holds \`NAME\`. Spaces and line ends around it are dropped. Parley reads the file when it starts; if it can't, it exits as for an invalid setting. Set either \`NAME\` or \`${fileSetting("NAME")}\`.`,
    ...sections,
  ].join("\n\n")}\n`;
}

function secretNote(name: string): string {
  return ` (secret; \`${fileSetting(name)}\` for a file)`;
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
