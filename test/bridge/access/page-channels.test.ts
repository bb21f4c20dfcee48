/** Where people sign in to the page with a token, its channels are for everyone: their agent answers guests too. */
import { expect, it, onTestFinished } from "vitest";
import { createBindings } from "../../../src/access/bindings.ts";
import type { Visibility } from "../../../src/core/model/place.ts";
import { systemClock as clock } from "../../../src/core/tools/system-clock.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { alice, general, project } from "../../doubles/people.ts";
import { reachOver } from "../../doubles/reach.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

const guest = { ...alice, isGuest: true };

async function pageWith(visibility: Visibility) {
  const state = await openState({ dataDir: await temporaryFolder("page-channels"), clock, log });
  onTestFinished(() => state.close());
  const { keyValue } = state;
  const agentOf = (name: string) => ({ name, project, tables: [], knowledgeBases: [] });
  const service = {
    listAgents: async () => [agentOf("guide"), agentOf("front_desk")],
    listKnowledgeBases: async () => [],
  };
  const bindings = createBindings(appOf({ ...state, clock, service }));
  await bindings.setChannel(general, { agent: "front_desk" });
  const platform = { isDirect: () => true, visibility: async () => visibility };
  return reachOver({ bindings, service, keyValue, clock, platform }).reach;
}

it("a guest gets the agent of a channel that everyone reads, in the welcome and in the answer", async () => {
  const reach = await pageWith("public");

  const resolved = await reach.resolve(guest, general);
  const verdict = await reach.mayAgent(guest, "ask", general, { project, name: "front_desk" });

  expect(resolved).toMatchObject({ kind: "bound", binding: { agent: "front_desk" } });
  expect(verdict).toEqual({ allowed: true, isPrivate: false });
  expect(await reach.mayAgent(guest, "ask", general, { project, name: "guide" })).toMatchObject({ why: "guest" });
});

it("what was set in a direct message gives a guest nothing", async () => {
  const reach = await pageWith("direct");

  expect(await reach.resolve(guest, general)).toMatchObject({ kind: "choose" });
  expect(await reach.mayAgent(guest, "ask", general, { project, name: "front_desk" })).toMatchObject({ why: "guest" });
});
