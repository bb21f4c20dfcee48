import { afterEach, describe, expect, it } from "vitest";
import type { Form } from "../../src/core/document.ts";
import type { Place } from "../../src/core/model/place.ts";
import { answered } from "./documents.ts";
import { event, requestsTo } from "./requests.ts";
import { type ScriptedConsole, startScriptedConsole } from "./scripted-console.ts";

let scripted: ScriptedConsole;
afterEach(() => scripted.stop());
const { get, send } = requestsTo(() => scripted);

const form: Form = { id: "feedback", title: "What was wrong?", submitLabel: "Send", fields: [], context: "t1" };

describe("a vote on the page", () => {
  it("belongs to the browser, also when it is explained", async () => {
    scripted = await startScriptedConsole({ script: (inbound) => inbound.ack({ kind: "form", form }) });
    const about = { thread: "a", messageId: "m.0", voter: "browser-1" };

    const pressed = await send("POST", "/api/actions", event({ ...about, action: "thumb-down", value: "t1" }));
    await send("POST", "/api/forms", event({ ...about, formId: "feedback", context: "t1", values: {} }));

    expect(pressed.body.form).toMatchObject({ id: "feedback", title: "What was wrong?" });
    expect(scripted.inbounds).toMatchObject([
      { kind: "action", voter: "browser-1" },
      { kind: "form", voter: "browser-1", context: "t1" },
    ]);
  });

  it("comes with the answer after a reload, for that browser only", async () => {
    const asked: string[] = [];
    scripted = await startScriptedConsole({
      ownVote: async (turnId, place: Place, voter) => {
        asked.push(`${turnId} ${place.channel} ${voter}`);
        return voter === "browser-1" ? "down" : undefined;
      },
    });
    const place = { platform: "console", workspace: "local", channel: "general", thread: "a" };
    await scripted.show(place, "r1", answered);

    const of = async (query: string) => (await get(`/api/conversations/general/a${query}`)).messages[0].vote;
    expect(await of("?voter=browser-1")).toBe("down");
    expect(await of("?voter=browser-2")).toBeNull();
    expect(await of("")).toBeUndefined();
    expect(asked).toEqual(["t1 general browser-1", "t1 general browser-2"]);
  });

  it("is left out while storage is unreachable, and the conversation is shown", async () => {
    scripted = await startScriptedConsole({ ownVote: () => Promise.reject(new Error("away")) });
    const place = { platform: "console", workspace: "local", channel: "general", thread: "a" };
    await scripted.show(place, "r1", answered);

    expect((await get("/api/conversations/general/a?voter=browser-1")).messages).toMatchObject([{ vote: null }]);
  });

  it("has one note for both thumbs and their form", async () => {
    scripted = await startScriptedConsole({
      script: async (inbound) => {
        await inbound.ack({ kind: "none" });
        await inbound.reply.send(answered, "private");
      },
    });
    const about = { thread: "a", messageId: "m.0", value: "t1" };
    const { events } = requestsTo(() => scripted);

    const received = await events(
      "tab-1",
      (text) => (text.match(/event: note/g) ?? []).length === 3,
      async () => {
        await send("POST", "/api/actions", event({ ...about, action: "thumb-up" }));
        await send("POST", "/api/actions", event({ ...about, action: "thumb-down" }));
        await send("POST", "/api/forms", event({ ...about, formId: "feedback", context: "t1", values: {} }));
      },
    );

    expect(new Set(received.match(/"id":"m\.0\.[a-z]+"/g))).toEqual(new Set(['"id":"m.0.feedback"']));
  });
});
