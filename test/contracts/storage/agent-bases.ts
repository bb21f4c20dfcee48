/** Contract of the knowledge bases of agents on a backend, for services that can't store which ones an agent looks in. */
import { describe, expect, it } from "vitest";
import { createAgentBases } from "../../../src/agent-service/with-knowledge/agent-bases.ts";
import type { KeyValueFactory } from "../../../src/core/ports/state.ts";

type Opened = { readonly keyValue: KeyValueFactory; readonly close: () => Promise<void> };

/** `open` gives a store that nothing is in. */
export function describeAgentBases(name: string, open: () => Promise<Opened>): void {
  describe(`knowledge bases of agents on ${name}`, () => {
    it("are the same for every instance, whatever an agent's name consists of", async () => {
      const { keyValue, close } = await open();
      const [first, second] = [createAgentBases(keyValue("agent-bases")), createAgentBases(keyValue("agent-bases"))];
      const agents = ["gpt-4.1", "openai/gpt-4o:free", "a b_%*?[x]", "模型"];
      try {
        for (const agent of agents) await first.set({ project: "shop", name: agent }, [`shop.${agent.length}`, "docs"]);
        await first.set({ project: "shop2", name: "gpt-4.1" }, ["other", "other"]);

        expect([...(await second.all("shop")).keys()].toSorted()).toEqual(agents.toSorted());
        expect(await second.of("shop", "openai/gpt-4o:free")).toEqual(["shop.18", "docs"]);
        expect(await second.of("shop2", "gpt-4.1")).toEqual(["other"]);
        expect(await second.of("shop", "gpt-4")).toEqual([]);
        await second.set({ project: "shop", name: "gpt-4.1" }, []);
        expect(await first.of("shop", "gpt-4.1")).toEqual([]);
        expect((await first.all("shop")).size).toBe(3);
      } finally {
        await close();
      }
    });
  });
}
