/** Contract of the stores behind access: which places bind an agent, and what a person added to. */
import { describe, expect, it } from "vitest";
import { createBindings } from "../../../src/access/bindings.ts";
import { createContributions } from "../../../src/access/contributions.ts";
import type { KeyValue, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

const project = "mindsdb";
const general = { platform: "slack", workspace: "T1", channel: "C1" };

/** `open` gives a store that nothing is in. */
export function describeAccessStores(
  name: string,
  open: () => Promise<{ readonly keyValue: KeyValueFactory; readonly close: () => Promise<void> }>,
): void {
  async function withStore(work: (keyValue: KeyValueFactory) => Promise<void>): Promise<void> {
    const { keyValue, close } = await open();
    try {
      await work(keyValue);
    } finally {
      await close();
    }
  }
  const clock = createFakeClock();
  const service = { listAgents: async () => [] };
  const bindingsOver = (keyValue: KeyValueFactory) =>
    createBindings(appOf({ keyValue, coordinator: createMemoryCoordinator({ clock }), clock, service }));

  describe(`bindings on ${name}`, () => {
    it("notify every instance immediately which places name an agent, whatever changes them", () =>
      withStore(async (keyValue) => {
        const [one, other] = [bindingsOver(keyValue), bindingsOver(keyValue)];
        const places = async (agent: string) =>
          (await other.places())(project, agent)
            .map(({ platform, workspace, channel }) => `${platform}/${workspace}/${channel}`)
            .sort();
        expect(await places("sales")).toEqual([]);
        await one.setChannel(general, { project, agent: "sales" });
        await one.setChannel({ platform: "discord", workspace: "1", channel: "a/b:%" }, { agent: "sales" });
        await one.setWorkspace({ ...general, workspace: "T2" }, { project, agent: "sales" });
        await one.setChannel({ ...general, channel: "C2" }, { project: "other", agent: "sales" });
        expect(await places("sales")).toEqual(["discord/1/a/b:%", "slack/T1/C1", "slack/T2/"]);

        await one.replaceAgent(project, "sales", "deals");
        expect([await places("sales"), (await places("deals")).length]).toEqual([[], 3]);
        await one.setChannel(general, { knowledgeBase: "docs" });
        await one.clearChannel(general);
        expect(await places("deals")).toEqual(["discord/1/a/b:%", "slack/T2/"]);
        expect([await one.own(general), (await other.placesChoosing({ project, name: "docs" })).length]).toEqual([
          { knowledgeBase: "docs" },
          1,
        ]);
        expect([await one.clearKnowledgeBase(general), await one.clearKnowledgeBase(general)]).toEqual([true, false]);
        expect([await one.own(general), (await other.placesChoosing({ project, name: "docs" })).length]).toEqual([
          undefined,
          0,
        ]);
        await one.replaceAgent(project, "deals", undefined);
        expect(await places("deals")).toEqual([]);
      }));

    it("of a process that died before announcing them are known after a minute", () =>
      withStore(async (keyValue) => {
        const bindings = bindingsOver(keyValue);
        expect((await bindings.places())(project, "sales")).toEqual([]);
        await keyValue<{ agent: string }>("bindings").set("slack/T1/C1", { agent: "sales" });
        await clock.advance(60_001);
        expect((await bindings.places())(project, "sales")).toHaveLength(1);
      }));

    it("are read once for many questions, also when there are 2,000 of them", () =>
      withStore(async (keyValue) => {
        const store = keyValue<{ agent?: string }>("bindings");
        await Promise.all(
          Array.from({ length: 2_000 }, (_, index) =>
            store.set(`slack/T1/C${index}`, { agent: `agent_${index % 50}` }),
          ),
        );
        let reads = 0;
        const counted = {
          ...store,
          entries: (prefix: string) => {
            reads += 1;
            return store.entries(prefix);
          },
        };
        const bindings = createBindings(
          appOf({
            ...{ clock, service },
            keyValue: <T>(namespace: string) =>
              namespace === "bindings" ? (counted as unknown as KeyValue<T>) : keyValue<T>(namespace),
          }),
        );
        const asked = await Promise.all(
          Array.from({ length: 200 }, async () => (await bindings.places())(project, "agent_7").length),
        );
        expect(new Set(asked)).toEqual(new Set([40]));
        expect(reads).toBe(1);
      }));
  });

  describe(`what people added to on ${name}`, () => {
    const alice = { id: "U1" };
    const over = (keyValue: KeyValueFactory) => createContributions(appOf({ keyValue, clock }));

    it("is theirs only, in that workspace only", () =>
      withStore(async (keyValue) => {
        await over(keyValue).note(alice, general, { project, name: "docs" });
        await over(keyValue).note(alice, general, { project: "a/b", name: "c/%d" });

        expect(await over(keyValue).of(alice, general)).toEqual(
          expect.arrayContaining([
            { project, name: "docs" },
            { project: "a/b", name: "c/%d" },
          ]),
        );
        expect(await over(keyValue).of({ id: "U11" }, general)).toEqual([]);
        expect(await over(keyValue).of({ id: "U" }, general)).toEqual([]);
        expect(await over(keyValue).of(alice, { ...general, workspace: "T2" })).toEqual([]);
      }));

    it("is at most 100 knowledge bases; the one that was added to longest ago is forgotten", () =>
      withStore(async (keyValue) => {
        const contributions = over(keyValue);
        for (let index = 0; index < 100; index += 1) {
          await contributions.note(alice, general, { project, name: `base_${index}` });
          await clock.advance(1_000);
        }
        await contributions.note(alice, general, { project, name: "base_0" });
        await clock.advance(1_000);
        await contributions.note(alice, general, { project, name: "newest" });

        const names = (await contributions.of(alice, general)).map((base) => base.name);
        expect(names).toHaveLength(100);
        expect(names).toContain("base_0");
        expect(names).toContain("newest");
        expect(names).not.toContain("base_1");
      }));
  });
}
