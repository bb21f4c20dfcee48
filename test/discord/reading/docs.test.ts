/** docs/what-parley-reads.md against the readers of Discord's messages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ComponentType, EmbedType, MessageType } from "@discordjs/core";
import { describe, expect, it } from "vitest";
import { componentReaders, wordless } from "../../../adapters/discord/reading/components.ts";
import { embedTypes } from "../../../adapters/discord/reading/embeds.ts";
import { writtenTypes } from "../../../adapters/discord/reading/read-message.ts";
import { maxDepth, maxParts, maxReadChars } from "../../../adapters/discord/reading/work.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/what-parley-reads.md"), "utf8");
const discord = page.split("\n## Discord\n")[1]?.split("\n## ")[0] ?? "";

type Row = { readonly names: readonly string[]; readonly read: string; readonly ignored: string };

/** The rows of one table whose first cell names kinds as the code does. */
function rowsOf(heading: string): readonly Row[] {
  const table = discord.split(`### ${heading}\n`)[1]?.split("\n### ")[0] ?? "";
  return table
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Part ") && !line.startsWith("| ---"))
    .map((line) => {
      const [part = "", read = "", , ignored = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      const isList = /^`\w+`(?:, `\w+`)*$/.test(part);
      return { names: isList ? [...part.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name) : [], read, ignored };
    });
}

const namesIn = (heading: string, isWanted: (row: Row) => boolean): readonly string[] =>
  rowsOf(heading)
    .filter(isWanted)
    .flatMap(({ names }) => names)
    .toSorted();

const isRead = ({ read }: Row) => read !== "";
const isIgnored = ({ read, ignored }: Row) => read === "" && ignored !== "";
const namesOf = (all: Readonly<Record<string, unknown>>) =>
  Object.keys(all).filter((name) => Number.isNaN(Number(name)));

describe("what docs/what-parley-reads.md says of Discord", () => {
  it("names every type of message once, and those that are read", () => {
    const read = [...writtenTypes, MessageType.ThreadStarterMessage].map((type) => MessageType[type]);

    expect(namesIn("Messages", isRead)).toEqual(read.toSorted());
    expect(namesIn("Messages", isIgnored)).toEqual(
      namesOf(MessageType)
        .filter((name) => !read.includes(name))
        .toSorted(),
    );
  });

  it("names every type of embed once, and those that are read", () => {
    expect(namesIn("Embeds", isRead)).toEqual([...embedTypes.read].toSorted());
    expect(namesIn("Embeds", isIgnored)).toEqual([...embedTypes.previews, ...embedTypes.ignored].toSorted());
    expect(namesIn("Embeds", () => true)).toEqual(Object.values(EmbedType).toSorted());
  });

  it("names every type of component once, and those that are read", () => {
    const read = Object.keys(componentReaders).map((type) => ComponentType[Number(type)] ?? "");
    const menu = "StringSelect";

    expect(namesIn("Components", isRead)).toEqual(read.map((name) => (name === "SelectMenu" ? menu : name)).toSorted());
    expect(namesIn("Components", isIgnored)).toEqual([...wordless].map((type) => ComponentType[type]).toSorted());
  });

  it("names the limits that hold", () => {
    expect(discord).toContain(`${maxReadChars.toLocaleString("en")} characters and ${maxParts} parts`);
    expect(discord).toContain(`${maxDepth} levels deep`);
  });
});
