/** Contract of the MCP server on a backend: calls that reach different instances end as on one. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { State } from "../../../src/core/ports/state.ts";
import {
  connect,
  headersWith,
  open,
  personOf,
  ping,
  question,
  raw,
  textOf,
  tokenOf,
} from "../../console/mcp/client.ts";
import type { WholePage } from "../../console/whole-page.ts";
import { until } from "../../doubles/until.ts";

type Opened = { readonly states: readonly [State, State]; readonly close: () => Promise<void> };

const headersOf = (token: string) => ({ ...headersWith(token), "mcp-session-id": "s1" });
const post = (page: WholePage, token: string, message: object) =>
  raw(page, { headers: headersOf(token), body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
const ask = (page: WholePage, token: string) =>
  post(page, token, { id: 5, method: "tools/call", params: { name: "ask", arguments: { question: "Where?" } } });
const cancel = (page: WholePage, token: string) =>
  post(page, token, { method: "notifications/cancelled", params: { requestId: 5 } });

export function describeMcp(name: string, openStates: () => Promise<Opened>): void {
  describe(`the MCP server of two instances on ${name}`, () => {
    async function openBoth(askers?: readonly string[]) {
      const { states, close } = await openStates();
      onTestFinished(close);
      const one = await open(undefined, states[0]);
      const other = await open(undefined, states[1], askers);
      return { one, other };
    }

    it("stops a call that the other one has, and nobody else's", async () => {
      const { one, other } = await openBoth();
      const [ana, ben] = [await tokenOf(one, "ana"), await tokenOf(other, "ben")];
      const [ofAna, ofBen] = [ask(one, ana), ask(one, ben)];
      const runs = [await one.agents.run(0), await one.agents.run(1)];
      // An instance that is still connecting may miss the first one.
      await until("one run is stopped", async () => {
        expect((await cancel(other, ana)).status).toBe(202);
        return runs.some((run) => run.isAborted());
      });
      const stopped = await (await ofAna).text();
      for (const run of runs) if (!run.isAborted()) run.answer("In the attic.");

      expect(stopped).toContain("Stopped.");
      expect(await (await ofBen).text()).toContain("In the attic.");
    });

    it("gives the answer to a question that the other one asks, to its person alone", async () => {
      const { one, other } = await openBoth();
      const ana = await connect(one, await tokenOf(one, "ana"));
      const leaving = new AbortController();
      const asked = ana.callTool(question("Where?"), { signal: leaving.signal });
      const run = await one.agents.run(0);
      for (const platform of one.parley.platforms) await platform.stopIntake();
      const id = /id (\S+) to/.exec(textOf(await asked))?.[1] ?? "";
      const anaThere = await connect(other, await tokenOf(other, "ana"));
      const ben = await connect(other, await tokenOf(other, "ben"));

      const waiting = anaThere.callTool({ name: "get_answer", arguments: { id } });
      const ofBen = await ben.callTool({ name: "get_answer", arguments: { id } });
      run.answer("In the attic.");

      expect(textOf(ofBen)).toBe("You have no question with this id.");
      expect(textOf(await waiting)).toContain("In the attic.");
    });

    it("stops what is at work when the other one revokes its token", async () => {
      const { one, other } = await openBoth();
      const token = await tokenOf(one, "ana");
      const asked = ask(one, token);
      const run = await one.agents.run(0);
      const { body } = await other.request("/api/tokens", { headers: personOf("ana") });

      const gone = { id: body.tokens[0].id };
      await other.request("/api/tokens/revoke", { method: "POST", body: gone, headers: personOf("ana") });

      expect(await (await asked).text()).toContain("was revoked");
      await until("the run is stopped", () => run.isAborted());
      expect((await raw(one, { headers: headersWith(token), body: ping })).status).toBe(401);
    });

    it("answers nothing to people who lost their access between question and answer", async () => {
      const { one, other } = await openBoth(["ana"]);
      const token = await tokenOf(one, "ben");
      const ben = await connect(one, token);
      const asked = ben.callTool(question("Where?"));
      (await one.agents.run(0)).answer("In the attic.");
      expect(textOf(await asked)).toContain("In the attic.");

      const id = /conversation (\S+)\./.exec(textOf(await asked))?.[1] ?? "";
      const params = { name: "get_answer", arguments: { id } };
      const there = await post(other, token, { id: 6, method: "tools/call", params });

      expect(there.status).toBe(403);
      expect(await there.text()).not.toContain("attic");
    });
  });
}
