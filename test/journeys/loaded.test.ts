/**
 * Whoever has Discord alone carries neither Slack's libraries nor the page nor the agent service that Parley brings.
 */
import { expect, it, onTestFinished, vi } from "vitest";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { startScriptedService } from "../doubles/service/scripted-service.ts";
import { startFakeDiscord, token } from "../fakes/discord/index.ts";

it("loads only what is switched on", async () => {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.stop());
  const service = await startScriptedService([]);
  onTestFinished(() => service.close());
  const parley = await createParleyProcess({
    DISCORD_TOKEN: token,
    DISCORD_API_URL: discord.apiUrl,
    AGENT_SERVICE_URL: service.url,
    NODE_OPTIONS: `--import=${new URL("../doubles/processes/loaded-files.ts", import.meta.url).href}`,
  });
  onTestFinished(() => parley.close());

  await parley.start();
  await parley.end();

  const loaded = await vi.waitFor(() => {
    const line = /^loaded (.*)$/m.exec(parley.output())?.[1];
    if (line === undefined) throw new Error("it has not said what it loaded");
    return line.split(" ");
  });
  expect(loaded).toEqual(expect.arrayContaining(["discord.js", "adapters/discord/index.ts", "src/bridge/bridge.ts"]));
  expect(loaded.filter((name) => name.startsWith("@slack/"))).toEqual([]);
  const off = ["adapters/slack/index.ts", "adapters/console/index.ts", "src/local-service/local-service.ts"];
  for (const name of off) expect(loaded).not.toContain(name);
});
