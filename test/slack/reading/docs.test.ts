/**
 * docs/what-parley-reads.md says of Slack what the code does.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { messageSubtypes } from "../../../adapters/slack/intake/inbound.ts";
import { blockReaders, namedBlocks, wordlessBlocks } from "../../../adapters/slack/reading/blocks.ts";
import { elementReaders } from "../../../adapters/slack/reading/elements.ts";
import { hiddenSubtype } from "../../../adapters/slack/reading/read-message.ts";
import { namedFiles } from "../../../adapters/slack/reading/shared-files.ts";

const page = readFileSync(new URL("../../../docs/what-parley-reads.md", import.meta.url), "utf8");
const slack = page.slice(page.indexOf("\n## Slack\n")).split(/\n## (?!Slack)/)[0] ?? "";

type Row = { readonly part: string; readonly read: string; readonly named: string; readonly ignored: string };

function rowsOf(section: string): readonly Row[] {
  const text = slack.split(`\n### ${section}\n`)[1]?.split("\n### ")[0] ?? "";
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\| (?:Part|-)/.test(line))
    .map((line) => {
      const [, part = "", read = "", named = "", ignored = ""] = line.split("|").map((cell) => cell.trim());
      return { part, read, named, ignored };
    });
}

const idsOf = (rows: readonly Row[]) =>
  rows.flatMap(({ part }) => [...part.matchAll(/`([a-z_]+)`/g)].map(([, id = ""]) => id));

describe("docs/what-parley-reads.md", () => {
  it("lists exactly the kinds of blocks that are read, named and ignored", () => {
    const rows = rowsOf("Blocks").filter(({ part }) => part.startsWith("`"));
    expect(idsOf(rows.filter(({ read }) => read !== "")).sort()).toEqual(Object.keys(blockReaders).sort());
    expect(idsOf(rows.filter(({ read, named }) => read === "" && named !== ""))).toEqual(Object.keys(namedBlocks));
    expect(idsOf(rows.filter(({ read, named }) => read === "" && named === ""))).toEqual([...wordlessBlocks]);
  });

  it("lists exactly the elements of blocks", () => {
    expect(idsOf(rowsOf("Elements of blocks")).sort()).toEqual(Object.keys(elementReaders).sort());
  });

  it("lists exactly the subtypes of messages that are read", () => {
    const read = idsOf(rowsOf("Messages").filter((row) => row.read !== "" && /^`[a-z_]+`$/.test(row.part)));
    expect(read.sort()).toEqual([...messageSubtypes].filter((subtype) => subtype !== undefined).sort());
    expect(idsOf(rowsOf("Messages").filter(({ read: words, named }) => words === "" && named !== ""))).toEqual([
      hiddenSubtype,
    ]);
  });

  it("lists every file that can only be named", () => {
    const named = rowsOf("Files").filter((row) => row.read === "" && row.part.startsWith("`"));
    expect(idsOf(named).sort()).toEqual(Object.keys(namedFiles).sort());
    for (const words of Object.values(namedFiles)) expect(named.map((row) => row.named).join()).toContain(words);
  });

  it("gives a reason for everything that is ignored", () => {
    for (const section of ["Messages", "Blocks", "Elements of blocks", "Attachments", "Files"]) {
      const silent = rowsOf(section).filter(({ read, named, ignored }) => read + named + ignored === "");
      expect(silent).toEqual([]);
      expect(rowsOf(section).length).toBeGreaterThan(3);
    }
  });
});
