import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { publicUrl } from "../../src/config/formats.ts";

const root = new URL("../../", import.meta.url);

/** First folders of the paths that the page's routes name. */
async function ownFolders(): Promise<ReadonlySet<string>> {
  const folders = ["adapters/console/", "src/operations/", "adapters/slack/connection/"];
  const found = new Set<string>();
  for (const folder of folders) {
    for (const file of await readdir(new URL(folder, root), { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      const text = await readFile(new URL(folder + file, root), "utf8");
      for (const [, first = ""] of text.matchAll(
        /(?:path(?:: | === |=)|\.(?:get|post|put|delete|use)\()"\/([\w.-]+)/g,
      )) {
        found.add(first);
      }
    }
  }
  return found;
}

describe("the path of PUBLIC_URL", () => {
  it("is never one of Parley's own, since proxies may strip it", async () => {
    const folders = await ownFolders();

    expect([...folders]).toEqual(expect.arrayContaining(["api", "docs", "healthz", "sign-in", "slack"]));
    for (const folder of folders) {
      expect([folder, publicUrl.safeParse(`https://x.example/${folder}/parley`).success]).toEqual([folder, false]);
    }
    expect(publicUrl.parse("https://x.example/tools/parley/")).toBe("https://x.example/tools/parley");
  });
});
