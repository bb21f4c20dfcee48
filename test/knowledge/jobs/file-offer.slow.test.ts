/** The offer to save a message's files: its button, pressed by whoever, how often, and whatever happened meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Document } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Attachment } from "../../../src/core/model/place.ts";
import { documentText } from "../../../src/presentation/markdown/plain-text.ts";
import { admin, alice, bob, general, project } from "../../doubles/people.ts";
import { directPlace, openRoom, type Room } from "../room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("handbook");
  await room.client.createAgent(project, { name: "guide", knowledgeBases: ["handbook"] });
  await room.parts().names.refresh();
  await room.parts().bindings.setChannel(general, { agent: "guide", project });
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
});

const content = "# Refunds\nRefunds take five days.";
const faq: Attachment = { id: "F1", name: "faq.md", mediaType: "text/markdown", sizeBytes: 33, reference: content };

async function offer(base?: string, files: readonly Attachment[] = [faq], changes = {}): Promise<Document> {
  return room.parts().saving.offerFiles(files, base, room.context({ actor: alice, ...changes }));
}

async function press(document: Document, changes = {}) {
  const [button] = document.actions;
  if (button === undefined) throw new Error("There is no button");
  return room.press(button.id, button.value, { actor: alice, ...changes });
}

const jobs = () => room.parts().knowledge.jobs.recent(general, 9);

/** A second base that the channel's agent reads, so that it isn't clear which one is meant. */
async function addSecondBase(): Promise<void> {
  await room.makeBase("pricing");
  await room.client.updateAgent(project, "guide", { name: "guide", knowledgeBases: ["handbook", "pricing"] });
  await room.parts().names.refresh();
}

describe("An offer to save a file", () => {
  it("names the only base and saves nothing before it is pressed", async () => {
    const document = await offer();

    expect(documentText(document)).toContain("Add faq.md to handbook?");
    expect(document.actions).toMatchObject([{ id: "save-file", label: "Add to handbook" }]);
    expect(room.parts().commands.planAction("save-file", document.actions[0]?.value ?? "").role).toBe("ingest");
    expect(await jobs()).toEqual([]);

    expect((await press(document)).text).toContain("Adding 1 item to handbook");
    expect((await room.over()).items).toMatchObject([{ kind: "file", state: "done" }]);
    expect((await room.passages("handbook", "refunds")).length).toBeGreaterThan(0);
  });

  it("adds the file once when it is pressed twice, by two people, and after a restart", async () => {
    const document = await offer();
    await Promise.all([press(document), press(document, { actor: bob })]);
    await room.over();
    await room.restart();

    expect((await press(document, { actor: bob })).text).toMatch(/(Alice|Bob) already added that to handbook\./);
    expect(await jobs()).toHaveLength(1);
  });

  it("still works after a restart", async () => {
    const document = await offer();
    await room.restart();

    await press(document);
    expect((await room.over()).state).toBe("done");
  });

  it("keeps what was pressed when its message is delivered again", async () => {
    const event = { eventKey: "memory/T1/general/7" };
    const document = await offer(undefined, [faq], event);
    await press(document);
    await room.over();
    await offer(undefined, [faq], event);

    expect((await press(document)).text).toContain("Alice already added that to handbook.");
  });

  it("says that the file was deleted meanwhile, and tries again when it is pressed again", async () => {
    const document = await offer();
    room.attach(() => {
      throw new ParleyError("platform_refused");
    });
    await press(document);
    expect((await room.over()).items).toMatchObject([{ state: "failed", reason: "the file can no longer be opened" }]);

    room.attach(async function* () {
      yield Buffer.from(content);
    });
    expect((await press(document)).text).toContain("Retrying the failed ones.");
    expect((await room.over()).state).toBe("done");
    expect(await jobs()).toHaveLength(1);
  });

  it("asks which base where several are possible", async () => {
    await addSecondBase();
    const document = await offer();
    expect(documentText(document)).toContain("Add faq.md to a knowledge base?");

    const asked = await press(document);
    expect(asked.text).toContain("Which knowledge base should I add faq.md to?");
    expect(asked.document.actions.map(({ label }) => label)).toEqual(["handbook", "pricing"]);
    expect(await jobs()).toEqual([]);

    const [, pricing] = asked.document.actions;
    await room.press(pricing?.id ?? "", pricing?.value ?? "", { actor: alice });
    expect((await room.over()).knowledgeBase).toBe("pricing");
  });

  it("takes the base that was named, however it was written, and says when there is none of that name", async () => {
    await addSecondBase();

    expect(documentText(await offer("pricing"))).toContain("Add faq.md to pricing?");
    expect(documentText(await offer("Pricing"))).toContain("Add faq.md to pricing?");
    const unknown = await offer("recipes");
    expect(documentText(unknown)).toContain("I don't know a knowledge base called recipes here.");
    expect((await press(unknown)).text).toContain("Which knowledge base");
  });

  it("takes the base that is set for the channel", async () => {
    await addSecondBase();
    await room.parts().bindings.setChannel(general, { knowledgeBase: "pricing" });

    expect(documentText(await offer())).toContain("Add faq.md to pricing?");
  });

  it("never names a base that others in the channel can't know of", async () => {
    await room.makeBase("secret");
    await room.parts().bindings.clearChannel(general);
    await room.client.deleteAgent(project, "guide");
    await room.client.deleteKnowledgeBase(project, "handbook");
    await room.parts().names.refresh();

    expect(documentText(await offer(undefined, [faq], { actor: admin }))).toContain("Add faq.md to a knowledge base?");
    const direct = await offer(undefined, [faq], { actor: admin, place: directPlace(admin) });
    expect(documentText(direct)).toContain("Add faq.md to secret?");
  });

  it("adds nothing for a person who doesn't reach the base", async () => {
    await room.makeBase("secret");
    await room.parts().names.refresh();
    const document = await offer("secret", [faq], { actor: admin });

    expect((await press(document, { actor: bob })).text).toContain("There is no knowledge base called secret");
    expect(await jobs()).toEqual([]);
  });

  it("offers managers to create a base where there is none, and tells others that there is none", async () => {
    await room.parts().bindings.clearChannel(general);
    await room.client.deleteAgent(project, "guide");
    await room.client.deleteKnowledgeBase(project, "handbook");
    await room.parts().names.refresh();
    const document = await offer();

    expect((await press(document, { actor: admin })).document.actions).toMatchObject([
      { id: "open-form", value: "kb create" },
    ]);
    expect((await press(document)).text).toContain("There is no knowledge base that you can reach here.");
    await room.makeBase("handbook");
    await room.parts().names.refresh();
    expect((await press(document, { actor: admin })).text).toContain("Adding 1 item to handbook");
  });

  it("says at once what can't be added, without a button", async () => {
    const film = { ...faq, id: "F2", name: "film.mp4" };
    const document = await offer(undefined, [film]);

    expect(documentText(document)).toContain("film.mp4: files of this type (.mp4) can't be added");
    expect(document.actions).toEqual([]);
    expect((await offer(undefined, [film, faq])).actions).toHaveLength(1);
  });

  it("says when it has expired", async () => {
    expect((await room.press("save-file", "unknown")).text).toBe("This offer has expired. Send the file again.");
  });
});
