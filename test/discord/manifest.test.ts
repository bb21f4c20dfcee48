/**
 * What is told to Discord beforehand says what the adapter does, and keeps within what Discord takes.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { discordManifest } from "../../manifest/discord.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import { groupSummaries } from "../../src/commands/words.ts";
import type { CommandDefinition } from "../../src/core/commands.ts";
import { commandProblems, listOf } from "../fakes/discord/checks.ts";
import type { Json } from "../fakes/discord/world.ts";

const manifest = discordManifest({ definitions: allCommands, groups: groupSummaries });
const commands = manifest.commands as unknown as readonly Json[];

describe("manifest/discord.json", () => {
  it("is up to date (else: npm run manifest)", () => {
    const file = readFileSync(new URL("../../manifest/discord.json", import.meta.url), "utf8");

    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(manifest)));
  });

  it("has every definition, with every option, and the context menus of messages", () => {
    const paths = commands.flatMap((command) => {
      const parts = listOf(command["options"]).filter(({ type }) => type === 1);
      const name = String(command["name"]);
      return parts.length === 0 ? [name] : parts.map((part) => `${name} ${String(part["name"])}`);
    });

    expect(paths.sort()).toEqual(
      [...allCommands.map(({ path }) => path), "Ask about this", "Save to knowledge base", "Use as answer"].sort(),
    );
  });

  it("stays within Discord's limits", () => {
    expect(commandProblems(commands)).toEqual([]);
    expect(commands.filter(({ type }) => type === 1).length).toBeLessThanOrEqual(100);
  });

  it("asks for reactions and files among the rights, and for nothing that administers", () => {
    const integer = BigInt(manifest.permissions.integer);

    expect(integer & (1n << 6n)).not.toBe(0n);
    expect(integer & (1n << 15n)).not.toBe(0n);
    expect(integer & (1n << 3n)).toBe(0n);
    expect(manifest.invite).toContain(`permissions=${manifest.permissions.integer}`);
  });

  it("asks for the words of all messages only where that is switched on", () => {
    expect(manifest.intents).not.toContain("MessageContent");
    expect(manifest.intentsWithMessageContent).toContain("MessageContent");
  });

  it("types the options, and completes the names that complete", () => {
    const definition: CommandDefinition = {
      path: "kb try",
      summary: "All kinds",
      role: "ask",
      examples: [],
      options: [
        { name: "limit", summary: "How many", type: "integer", isRequired: false, minimum: 1, maximum: 9 },
        { name: "file", summary: "A file", type: "file", isRequired: false },
        { name: "into", summary: "Where", type: "text", isRequired: true, completes: "knowledge-base" },
        { name: "by", summary: "How", type: "choice", isRequired: false, choices: ["service", "parley"] },
      ],
    };

    const [command] = discordManifest({ definitions: [definition], groups: {}, prefix: "x-" }).commands;

    expect(command).toMatchObject({
      name: "x-kb",
      options: [
        {
          name: "try",
          options: [
            { name: "into", type: 3, required: true, autocomplete: true },
            { name: "limit", type: 4, min_value: 1, max_value: 9 },
            { name: "file", type: 11 },
            { name: "by", type: 3, choices: [{ value: "service" }, { value: "parley" }] },
          ],
        },
      ],
    });
  });
});
