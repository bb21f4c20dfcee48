/** Private answers: shown for a while where people are alone, with decisions that are made once, and forms that are kept. */
import { describe, expect, it } from "vitest";
import type { Action, Document } from "../../../src/core/document.ts";
import { isChromiumMissing } from "../../doubles/processes/chromium.ts";
import * as documents from "../documents.ts";
import { none } from "../scripted-console.ts";
import { ask, form, useBrowser } from "./browser.ts";

const saying = (text: string, tone: Document["tone"] = "info", actions: readonly Action[] = []): Document => ({
  tone,
  blocks: [{ kind: "text", text: [{ text }] }],
  actions,
  summary: text,
});
const button = (id: Action["id"], label: string, value = "handbook"): Action => ({ id, label, value, style: "plain" });

describe.skipIf(isChromiumMissing)("a private answer", () => {
  const { start, open, placeOfQuestion } = useBrowser();

  it("of one sentence is shown for a while where nobody else is, and leaves nothing behind", async () => {
    const scripted = await start({
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "action") await inbound.reply.send(saying("Thanks, noted."), "private");
      },
    });
    const page = await open();
    await ask(page, "Which plan?");
    await scripted.show(await placeOfQuestion(), "t1", documents.answered);
    await page.getByRole("button", { name: "Get CSV" }).click();

    const said = page.getByRole("region", { name: "What Parley says" });
    await said.getByText("Thanks, noted.").waitFor();
    expect(await page.locator(".is-note").count()).toBe(0);
    await said.getByRole("button", { name: "Close" }).click();
    await said.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Single sign-on is part of").waitFor();
    expect(await page.getByText("Thanks, noted.").count()).toBe(0);
  });

  it("of several decisions keeps the others when one is made, and one that failed can be made again", async () => {
    let hasFailed = false;
    await start({
      script: async (inbound) => {
        await inbound.ack(none);
        if (inbound.kind === "command") {
          const decisions = [
            button("connect-base", "Connect handbook to guide"),
            button("confirm", "Save here", "kb-use"),
          ];
          await inbound.reply.send(saying("Created.", "done", decisions), "private");
        }
        if (inbound.kind !== "action" || inbound.action !== "confirm") return;
        hasFailed = !hasFailed;
        await inbound.reply.send(saying(hasFailed ? "Not now." : "Saved.", hasFailed ? "failed" : "done"), "private");
      },
    });
    const page = await open();
    await ask(page, "/kb list");
    const connect = page.getByRole("button", { name: "Connect handbook to guide" });
    const save = page.getByRole("button", { name: "Save here" });

    await connect.click();
    await page.locator(".decided", { hasText: "Connect handbook to guide" }).waitFor();
    expect([await connect.count(), await save.count()]).toEqual([0, 1]);
    await page.reload();
    await page.locator(".decided", { hasText: "Connect handbook to guide" }).waitFor();
    await save.click();
    await page.getByText("Not now.").waitFor();
    await save.click();
    await page.locator(".decided", { hasText: "Save here" }).waitFor();
  });

  it("that refuses a form opens it again with what was typed, but no secret", async () => {
    const filled: unknown[] = [];
    await start({
      script: async (inbound) => {
        if (inbound.kind === "command") return inbound.ack({ kind: "form", form });
        await inbound.ack(none);
        if (inbound.kind !== "form") return;
        filled.push(inbound.values["name"]);
        await inbound.reply.send(saying("That name is taken.", "failed"), "private");
      },
    });
    const page = await open();
    await ask(page, "/agent create");
    const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
    await name.fill("front_desk");
    await page.getByRole("dialog").getByLabel("API key").fill("secret");
    await page.getByRole("dialog").getByLabel("B", { exact: true }).check();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("That name is taken.").waitFor();

    await page.getByRole("button", { name: "Edit and retry" }).click();
    expect(await name.inputValue()).toBe("front_desk");
    expect(await page.getByRole("dialog").getByLabel("API key").inputValue()).toBe("");
    expect(await page.getByRole("dialog").getByLabel("B", { exact: true }).isChecked()).toBe(true);
    await name.fill("reception");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await expect.poll(() => filled).toEqual(["front_desk", "reception"]);
  });

  it("that refuses a form at /admin opens it again with what was typed", async () => {
    const { url } = await start();
    const page = await open();
    const refused = saying("That name is taken.", "failed");
    await page.route("**/api/admin/act", (route) => {
      const { kind } = route.request().postDataJSON();
      const answer =
        kind === "form" ? { kind: "shown", payloads: [{ version: 1, ...refused }] } : { kind: "form", form };
      return route.fulfill({ body: [answer, { kind: "done" }].map((line) => `${JSON.stringify(line)}\n`).join("") });
    });
    await page.goto(`${url}/admin/knowledge`);
    await page.getByRole("button", { name: "Add knowledge" }).click();
    const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
    await name.fill("front_desk");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("That name is taken.").waitFor();

    await page.getByRole("button", { name: "Edit and retry" }).click();
    await expect.poll(() => name.inputValue()).toBe("front_desk");
  });
});
