/**
 * Commands, forms, menus and completions: what people get, and what the bridge is handed.
 */
import { describe, expect, it } from "vitest";
import type { Form } from "../../../src/core/document.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { notice, only } from "../../doubles/room-parts.ts";
import { until } from "../../doubles/until.ts";
import { buttonsOf, ephemeralFlag, textOf } from "../../fakes/discord/world.ts";
import { form } from "../drawing/pictures.ts";
import { joinRoom, openRoom, type Script } from "../room.ts";

function first<K extends Inbound["kind"]>(seen: readonly Inbound[], kind: K): Extract<Inbound, { kind: K }> {
  const found = seen.find((inbound) => inbound.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${seen.map((inbound) => inbound.kind)}`);
  return found as Extract<Inbound, { kind: K }>;
}

const shown = (message: Parameters<typeof textOf>[0] | undefined) => (message === undefined ? "" : textOf(message));

describe("a command", () => {
  it("is delivered with its options, and answered to that person only", async () => {
    const { discord, seen } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("Done."), "private");
      },
    });

    const general = discord.world.channel("general");
    const result = discord.human("Bob").command(general, "agent use", { name: "sales", scope: "workspace" });
    await until("the reply to the command", () => shown(result.answer) === "Done.");

    expect(first(seen, "command")).toMatchObject({
      input: { kind: "structured", path: "agent use", options: { name: "sales", scope: "workspace" } },
      actor: { name: "Bob", isAdmin: false },
      place: { platform: "discord", channel: general.id },
    });
    expect(result.answer?.flags).toBe((result.answer?.flags ?? 0) | ephemeralFlag);
    expect(discord.violations).toEqual([]);
  });

  it("is answered directly when its interaction expired before it was acknowledged", async () => {
    const { discord } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("Better late."), "private");
      },
    });
    discord.interactions.setAckMs(-1);
    const bob = discord.human("Bob");

    bob.command(discord.world.channel("general"), "agent list");
    const direct = discord.world.direct(bob.person.id);
    await until("a direct message", () => discord.world.inChannel(direct.id).length > 0);

    expect(shown(only(discord.world.inChannel(direct.id)))).toBe("Better late.");
  });

  it("that was deleted is answered directly once, although every instance received it", async () => {
    const done: string[] = [];
    const script: Script = {
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("Better late."), "private");
        done.push(inbound.eventKey);
      },
    };
    const room = await openRoom(script);
    const { discord } = room;
    await joinRoom(room, script);
    discord.interactions.setAckMs(-1);
    const bob = discord.human("Bob");

    bob.command(discord.world.channel("general"), "agent list");
    await until("2 ends", () => done.length === 2);

    expect(shown(only(discord.world.inChannel(discord.world.direct(bob.person.id).id)))).toBe("Better late.");
  });

  it("that fails after a public acknowledgement is reported to that person only, once", async () => {
    const { discord } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer" });
        await inbound.reply.send(notice("No."), "private");
      },
    });

    const result = discord.human("Bob").command(discord.world.channel("general"), "agent list");
    await until("a follow-up", () => result.followUps.length > 0);

    expect(result.answer?.isDeleted).toBe(true);
    expect(only(result.followUps).seenBy).toBe(result.personId);
  });

  it("is one command, although the gateway repeats it", async () => {
    const { discord, seen } = await openRoom();

    discord.human("Bob").command(discord.world.channel("general"), "agent list");
    discord.gateway.repeatLast("INTERACTION_CREATE");
    discord.human("Bob").command(discord.world.channel("general"), "kb list");
    await until("2 events", () => seen.length > 1);

    expect(seen.map((inbound) => inbound.kind === "command" && inbound.input)).toMatchObject([
      { path: "agent list" },
      { path: "kb list" },
    ]);
  });

  it("replaces what it said first", async () => {
    const { discord } = await openRoom({
      on: async (inbound) => {
        await inbound.ack({ kind: "defer-private" });
        await inbound.reply.send(notice("Working …"), "private");
        await inbound.reply.send(notice("Worked."), "private");
      },
    });

    const result = discord.human("Bob").command(discord.world.channel("general"), "kb list");
    await until("the reply to the command", () => shown(result.answer) === "Worked.");

    expect(result.followUps).toEqual([]);
  });
});

describe("names that complete", () => {
  it("come from the bridge, at most 25 of them", async () => {
    const choices = Array.from({ length: 40 }, (_, index) => ({ value: `agent_${index}`, label: `Agent ${index}` }));
    const queries: string[] = [];
    const { discord } = await openRoom({
      complete: async ({ completes, typed }) => {
        queries.push(`${completes} ${typed}`);
        return choices;
      },
    });

    const result = discord.human("Bob").complete(discord.world.channel("general"), "agent show", "name", "ag");
    await until("the suggestions", () => result.choices !== undefined);

    expect(queries).toEqual(["agent ag"]);
    expect(result.choices?.length).toBe(25);
    expect(result.choices?.[0]).toEqual({ name: "Agent 0", value: "agent_0" });
  });
});

/** Opens that form at /agent create and takes what is submitted. */
async function openForm(opened: Form, errors?: Readonly<Record<string, string>>) {
  const submitted: Extract<Inbound, { kind: "form" }>[] = [];
  const room = await openRoom({
    on: async (inbound) => {
      if (inbound.kind === "command") return inbound.ack({ kind: "form", form: opened });
      if (inbound.kind !== "form") return inbound.ack({ kind: "none" });
      submitted.push(inbound);
      if (errors !== undefined && submitted.length === 1) return inbound.ack({ kind: "form-errors", errors });
      await inbound.ack({ kind: "defer-private" });
      await inbound.reply.send(notice("Made."), "private");
    },
  });
  const alice = room.discord.human("Alice");
  const first = alice.command(room.discord.world.channel("general"), "agent create");
  await until("the first modal", () => first.modal !== undefined);
  return { ...room, alice, first, submitted };
}

describe("a form with more than five fields", () => {
  it("continues with Continue until every field was offered, and is delivered whole", async () => {
    const { discord, alice, first, submitted, keyValue } = await openForm(form);

    const page = alice.submit(first, { name: "sales", key: "sk-secret" });
    await until("the reply to the page", () => page.answer !== undefined);
    const stored: string[] = [];
    for await (const [, value] of keyValue.entries("form/")) stored.push(value);
    const button = only(buttonsOf(page.answer?.components ?? []));
    if (page.answer === undefined) throw new Error("no answer");
    const second = alice.press(page.answer, "Continue");
    await until("the second modal", () => second.modal !== undefined);
    const last = alice.submit(second, { knowledge: ["pricing"], tables: "crm.orders, crm.people" });
    await until("the reply to the last command", () => shown(last.answer) === "Made.");

    expect(only(submitted)).toMatchObject({
      formId: "agent create",
      context: "channel",
      values: {
        name: "sales",
        provider: "",
        key: "sk-secret",
        knowledge: ["pricing", "crm.notes"],
        tables: ["crm.orders", "crm.people"],
        instructions: "Be brief.",
      },
    });
    expect(page.answer.seenBy).toBe(alice.person.id);
    expect(last.answer?.id).toBe(page.answer.id);
    expect(stored.join()).toContain("sales");
    expect(`${stored.join()} ${String(button["custom_id"])}`).not.toContain("sk-secret");
    expect(discord.violations).toEqual([]);
  });

  it("opens again at the field that is wrong, with what was filled in", async () => {
    const { alice, first, submitted } = await openForm(
      { ...form, fields: form.fields.slice(0, 4) },
      { name: "It is taken." },
    );

    const refused = alice.submit(first, { name: "sales", key: "sk-secret" });
    await until("the reply to the refused command", () => refused.answer !== undefined);
    if (refused.answer === undefined) throw new Error("no answer");
    const complaint = shown(refused.answer);
    const again = alice.press(refused.answer, "Edit and retry");
    await until("a modal", () => again.modal !== undefined);
    const last = alice.submit(again, { name: "sales2" });
    await until("the reply to the last command", () => shown(last.answer) === "Made.");

    expect(complaint).toContain("**Name**: It is taken.");
    expect(JSON.stringify(again.modal)).not.toContain("sk-secret");
    expect(submitted.at(-1)?.values).toMatchObject({ name: "sales2", key: "sk-secret" });
  });
});

describe("a form that is sent twice", () => {
  it("is handed over once, and says so", async () => {
    const { alice, first, submitted } = await openForm({ ...form, fields: form.fields.slice(0, 4) });

    const [once, twice] = [alice.submit(first, { name: "sales" }), alice.submit(first, { name: "sales" })];
    await until("the reply to the command", () => shown(once.answer) === "Made." && twice.answer !== undefined);
    const late = alice.submit(first, { name: "sales" });
    await until("the reply to the late command", () => late.answer !== undefined);

    expect(submitted.length).toBe(1);
    for (const again of [twice, late]) {
      expect(shown(again.answer)).toContain("This form was already sent");
      expect(again.answer?.seenBy).toBe(alice.person.id);
    }
  });
});

describe("a message's menu", () => {
  it("delivers the message's text and author", async () => {
    const { discord, seen } = await openRoom();
    const general = discord.world.channel("general");
    const said = discord.human("Bob").say(general, "The backup failed.");

    discord.human("Alice").menu(general, "Ask about this", said);
    await until("a shortcut", () => seen.some(({ kind }) => kind === "shortcut"));

    expect(first(seen, "shortcut")).toMatchObject({
      shortcut: "ask-about",
      about: { text: "The backup failed.", authorName: "Bob" },
      actor: { name: "Alice", isAdmin: true },
    });
  });
});

describe("an option of a menu", () => {
  it("is pressed like the button that it stands for", async () => {
    const { discord, platform, seen } = await openRoom();
    const general = discord.world.channel("general");
    const place = { platform: "discord", workspace: general.serverId ?? "", channel: general.id };
    const actions = (["Refresh", "Remove"] as const).map((label) => ({
      ...{ id: "remove-document" as const, label, accessibleLabel: `${label} 1: Refunds` },
      ...{ value: `docs ${label}`, style: "plain" as const },
    }));
    const [payload] = platform.render({
      ...notice("docs"),
      blocks: [
        { kind: "list", items: [{ text: [{ text: "1. Refunds" }] }] },
        { kind: "actions", layout: "menu", actions },
      ],
    });
    if (payload === undefined) throw new Error("nothing was drawn");
    await platform.post(place, payload, { replyId: "turn1", part: 0, generation: 0 }, { urgency: "final" });
    const message = only(discord.world.inChannel(general.id));

    discord.human("Bob").choose(message, "Remove 1: Refunds");
    await until("the press", () => seen.length > 0);

    expect(first(seen, "action")).toMatchObject({
      action: "remove-document",
      value: "docs Remove",
      messageId: message.id,
    });
    expect(discord.violations).toEqual([]);
  });
});
