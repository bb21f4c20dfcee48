import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { AgentService } from "../../../src/core/ports/agent-service.ts";
import { until } from "../../doubles/until.ts";
import { openWholePage, upload } from "../whole-page.ts";

it("adds a file that was chosen in a form of the admin pages to a knowledge base, and none of another person", async () => {
  const page = await openWholePage();
  page.agents.set({ agents: ["support"], knowledgeBases: ["handbook"] });
  const added: string[] = [];
  const insert: AgentService["insert"] = async (_project, base, content) => {
    added.push(`${base}: ${JSON.stringify(content)}`);
  };
  Object.assign(page.agents, { insert, deleteRows: async () => undefined });
  const act = (request: object) =>
    page.request("/api/admin/act", { method: "POST", body: { id: randomUUID(), ...request } });
  const form = (files: readonly string[]) => ({
    ...{ kind: "form", formId: "kb add", values: { text: "", into: "handbook" }, context: "", files },
  });

  const opened = await act({ kind: "command", path: "kb add", options: {} });
  expect(opened.body.split("\n")[0]).toContain('"type":"file"');
  const { body, status } = await act(form([await upload(page, "faq.md", "text/markdown", Buffer.from("# Refunds"))]));

  expect([status, body]).toEqual([200, expect.stringContaining("Adding 1 item to handbook")]);
  await until("the file is added", () => added.some((one) => one.startsWith("handbook: ") && one.includes("Refunds")));
  const foreign = await act(form([`${"0".repeat(32)}.${randomUUID()}`]));
  expect(foreign).toMatchObject({
    status: 422,
    body: { error: { what: "An attached file is no longer stored here." } },
  });
});
