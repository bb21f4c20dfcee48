/** Parley's own tab: what a person sees who opens it. */
import { afterEach, describe, expect, it } from "vitest";
import type { HomeTab } from "../../../src/ports/chat-platform.ts";
import type { Document } from "../../../src/ports/document.ts";
import { ParleyError } from "../../../src/ports/errors.ts";
import { admin, alice, general } from "../../doubles/people.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
let published: Document[];

afterEach(() => parley.stop());

async function openHome(options: { readonly actor?: typeof alice; readonly shared?: HomeTab["sharedChannels"] } = {}) {
  published = [];
  const home: HomeTab = {
    publish: async (_, document) => void published.push(document),
    sharedChannels: options.shared ?? (async () => [general, { ...general, channel: "random" }]),
  };
  const health = () => ({ isConnected: true, reason: "The app lacks a scope. Reinstall the app." });
  parley = await createHarness({ platform: { home, health } });
  await parley.bindings().setChannel(general, { agent: "sales" });
  const event = parley.send({
    ...{ kind: "home-opened", eventKey: "memory/T1/home/1", order: "1" },
    actor: options.actor ?? alice,
  });
  await parley.settle();
  await event.done;
  return { event, shown: JSON.stringify(published) };
}

describe("Parley's own tab", () => {
  it("shows the welcome card and who answers in the channels that the person shares with Parley", async () => {
    const { event, shown } = await openHome();

    expect(event.acks).toEqual([{ kind: "none" }]);
    expect(published).toHaveLength(1);
    expect(shown).toContain("Hi, I'm Parley");
    expect(shown).toContain('{"text":"general","channelId":"general"}');
    expect(shown).toContain("sales");
    expect(shown).toContain('{"text":"random","channelId":"random"}');
    expect(parley.agents.runs).toEqual([]);
  });

  it("tells people who manage what is wrong, and nobody else", async () => {
    expect((await openHome()).shown).not.toContain("Reinstall");
    await parley.stop();
    expect((await openHome({ actor: admin })).shown).toContain("Reinstall the app.");
  });

  it.each([
    ["is unknown", async () => undefined],
    [
      "can't be asked",
      async () => {
        throw new ParleyError("platform_unreachable");
      },
    ],
  ])("appears without the channels when the list %s", async (_, shared) => {
    const { shown } = await openHome({ shared });

    expect(shown).toContain("Hi, I'm Parley");
    expect(shown).not.toContain("Channels we share");
  });
});
