/**
 * Whoever has Discord alone carries neither Slack's libraries nor the page nor the agent service that Parley brings.
 */
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { main } from "../doubles/processes/built.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { startScriptedService } from "../doubles/service/scripted-service.ts";
import { startFakeDiscord, token } from "../fakes/discord/index.ts";

async function loadedBy(program: string): Promise<readonly string[]> {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.stop());
  const service = await startScriptedService([]);
  onTestFinished(() => service.close());
  const settings = {
    DISCORD_TOKEN: token,
    DISCORD_API_URL: discord.apiUrl,
    AGENT_SERVICE_URL: service.url,
    NODE_OPTIONS: `--import=${new URL("../doubles/processes/loaded-files.ts", import.meta.url).href}`,
  };
  const parley = await createParleyProcess(settings, program);
  onTestFinished(() => parley.close());

  await parley.start();
  await parley.end();

  return vi.waitFor(() => {
    const line = /^loaded (.*)$/m.exec(parley.output())?.[1];
    if (line === undefined) throw new Error("it has not said what it loaded");
    return line.split(" ");
  });
}

describe("Parley with Discord alone", () => {
  it("loads only what is switched on", async () => {
    const loaded = await loadedBy(join(packageFolder, "src/main.ts"));

    const on = ["@discordjs/core", "adapters/discord/index.ts", "src/bridge/bridge.ts"];
    expect(loaded).toEqual(expect.arrayContaining(on));
    expect(loaded.filter((name) => name.startsWith("@slack/") || name === "discord.js")).toEqual([]);
    const off = ["adapters/slack/index.ts", "adapters/console/index.ts", "src/agent-service/built-in/local-service.ts"];
    for (const name of off) expect(loaded).not.toContain(name);
  });

  it("loads only that from what is built too", async () => {
    const loaded = await loadedBy(main);
    const names = loaded.map((name) => name.replace(/^dist\/|-.{8}\.js$/g, ""));

    expect(names).toEqual(expect.arrayContaining(["main.js", "program", "discord"]));
    for (const name of ["slack", "console", "local-service"]) expect(names).not.toContain(name);
    expect(names.filter((name) => name.startsWith("@slack/"))).toEqual([]);
  });
});
