/**
 * Writes the platforms' manifests: `npm run manifest`. A test fails when a file is out of date.
 */
import { writeFileSync } from "node:fs";
import { allCommands } from "../src/commands/all-commands.ts";
import { groupSummaries } from "../src/commands/words.ts";
import { discordManifest } from "./discord.ts";
import { slackManifest } from "./slack.ts";

const maxLineChars = 120;

const generated: Readonly<Record<string, () => unknown>> = {
  "discord.json": () => discordManifest({ definitions: allCommands, groups: groupSummaries }),
  "slack.json": () => slackManifest({ definitions: allCommands, groups: groupSummaries }),
  "slack-many-workspaces.json": () =>
    slackManifest({ definitions: allCommands, groups: groupSummaries, publicUrl: "https://parley.example.com" }),
};

for (const [name, make] of Object.entries(generated)) {
  writeFileSync(new URL(name, import.meta.url), `${formatted(make())}\n`);
  process.stdout.write(`manifest/${name}\n`);
}

/** Formats JSON as Biome does: a list of plain values is written on one line if it fits. */
function formatted(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /^(.*)\[\n([^[\]{}]*)\n\s*\]/gm,
    (whole, before: string, inside: string) => {
      const line = `${before}[${inside.trim().replace(/,\n\s*/g, ", ")}]`;
      return line.length < maxLineChars ? line : whole;
    },
  );
}
