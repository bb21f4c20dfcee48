/**
 * Writes what platforms need to know of Parley beforehand: `npm run manifest`. A test fails when a file is out of date.
 */
import { writeFileSync } from "node:fs";
import { commandDefinitions, groupSummaries } from "../src/commands/definitions.ts";
import { discordManifest } from "./discord.ts";
import { slackManifest } from "./slack.ts";

const generated: Readonly<Record<string, () => unknown>> = {
  "discord.json": () => discordManifest({ definitions: commandDefinitions, groups: groupSummaries }),
  "slack.json": () => slackManifest({ definitions: commandDefinitions, groups: groupSummaries }),
};

for (const [name, make] of Object.entries(generated)) {
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(make(), null, 2)}\n`);
  process.stdout.write(`manifest/${name}\n`);
}
