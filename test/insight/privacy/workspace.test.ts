/** What is stored of a workspace is deleted while the app is installed there again. */
import { expect, it } from "vitest";
import { createInstallations } from "../../../adapters/slack/installations/stored.ts";
import { createForgetWorkspace } from "../../../src/insight/privacy/workspace.ts";
import { openState } from "../../../src/state/open-state.ts";
import { appOf } from "../../doubles/app.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog as log } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";

it("a new install stays while what was stored before it is deleted", async () => {
  const clock = createFakeClock();
  const state = await openState({ dataDir: await temporaryFolder("forget"), clock, log });
  const installations = createInstallations({ ...state, stateSecret: "secret", log });
  const notices = state.keyValue<string>("notices");
  await notices.set("slack/T1/C1/1", "said");
  const forgetWorkspace = createForgetWorkspace(appOf({ ...state, clock }), {
    forgetTurns: async () => {},
    cancelJob: async () => {},
    notes: { noteForgotten: async () => {}, withdrawSignal: async () => async () => {} },
    schedules: { delete: async () => "done" },
  } as unknown as Parameters<typeof createForgetWorkspace>[1]);
  await installations.put({
    ...{ platform: "slack", workspace: "T1", name: "Acme", teams: [], actorId: "U1", installedAtMs: 1 },
    credentials: { token: "xoxb-new", botId: "B1", botUserId: "U0", scopes: [] },
  });

  await forgetWorkspace({ platform: "slack", workspace: "T1" });

  expect((await installations.get("T1"))?.credentials.token).toBe("xoxb-new");
  expect(await notices.get("slack/T1/C1/1")).toBeUndefined();
  await state.close();
});
