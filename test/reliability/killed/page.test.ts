/** kill -9 before every write of what a person does on the page. The next start leaves nothing half done. */
import { afterEach, describe, expect, it } from "vitest";
import type { ConversationSummary } from "../../../adapters/console/writing/messages.ts";
import { upload, type WholePage } from "../../console/whole-page.ts";
import { createMortalPages, faultsOf, type MortalPage, type Step } from "../towns/mortal-page.ts";

type Story = {
  /** Before the death. */
  readonly begins: (page: WholePage) => Promise<string>;
  /** What the person does; after the next start once more if the browser got no answer. */
  readonly happens: (page: WholePage, thread: string) => Promise<unknown>;
  readonly ends: (mortal: MortalPage, thread: string) => Promise<void>;
};

let pages: Awaited<ReturnType<typeof createMortalPages>>;
afterEach(() => pages.close());

/** Tells the story once without a death, and once for every write in it. Returns what was written. */
async function dieEverywhere(story: Story): Promise<ReadonlySet<string>> {
  const steps = await told(story);
  for (const step of steps) await told(story, step);
  return new Set(steps.map(({ name }) => name));
}

async function told({ begins, happens, ends }: Story, death?: Step): Promise<readonly Step[]> {
  pages = await createMortalPages();
  const first = await pages.start();
  const thread = await begins(first.page);
  await first.settle();
  first.arm(death);
  const isAnswered = await first.survives(happens(first.page, thread));
  await first.settle();
  first.disarm();
  const moment = death === undefined ? "without a death" : `after a death before "${death.name}" ${death.nth}`;
  const last = first.isDead() ? await pages.start() : first;
  await last.settle();
  expect(await faultsOf(last), moment).toEqual([]);
  if (!isAnswered) {
    await happens(last.page, thread);
    await last.settle();
  }
  await ends(last, thread);
  expect(await faultsOf(last), `${moment}, at the end`).toEqual([]);
  await pages.close();
  return first.steps();
}

function expectAmong(steps: ReadonlySet<string>, names: readonly string[]): void {
  expect([...steps]).toEqual(expect.arrayContaining([...names]));
}

const asked = (page: WholePage) => page.ask("Where is the oven?");

const address = (thread: string) => `/api/conversations/general/${thread}`;
const titles = async ({ page }: MortalPage): Promise<readonly string[]> =>
  (await page.request("/api/conversations")).body.conversations.map(({ title }: ConversationSummary) => title);
const done = ({ status }: { readonly status: number }) => {
  if (status >= 400) throw new Error(`Refused with ${status}`);
};
const inGeneral = (more: object) => ({ tab: "tab-1", channel: "general", ...more });

describe("killed between two writes of the page", () => {
  it("a conversation that is renamed has one of the names, and is found by it", async () => {
    const steps = await dieEverywhere({
      begins: asked,
      happens: async (page, thread) =>
        done(await page.request(`${address(thread)}/title`, { method: "PUT", body: { title: "Heating" } })),
      ends: async (mortal) => expect(await titles(mortal)).toEqual(["Heating"]),
    });

    expectAmong(steps, ["put console-conversations", "set console-texts"]);
  });

  it("an edited question is shown as it was asked", async () => {
    const steps = await dieEverywhere({
      begins: asked,
      happens: async (page, thread) => {
        const body = inGeneral({ id: "edit-1", thread, messageId: thread, text: "Where is the boiler?" });
        done(await page.request("/api/messages", { method: "PUT", body }));
      },
      ends: async (mortal, thread) => {
        expect(await titles(mortal)).toEqual(["Where is the boiler?"]);
        const turn = await mortal.state.turns.getByEventKey(`console/local/general/${thread}/${thread}`);
        expect(turn).toMatchObject({ question: "Where is the boiler?", state: "answered" });
      },
    });

    expectAmong(steps, ["add page-deletions", "set console-messages", "to queued", "to answered"]);
  });

  it("a deleted question is gone with its answer and its conversation", async () => {
    const steps = await dieEverywhere({
      begins: asked,
      happens: async (page, thread) =>
        done(
          await page.request("/api/messages", {
            method: "DELETE",
            body: inGeneral({ id: "delete-1", thread, messageId: thread }),
          }),
        ),
      ends: async (mortal) => expect(await titles(mortal)).toEqual([]),
    });

    expectAmong(steps, ["add page-deletions", "to answered", "set conversations", "delete console-messages"]);
  });

  it("a deleted conversation is gone with everything in it", async () => {
    const steps = await dieEverywhere({
      begins: async (page) => {
        const thread = await asked(page);
        await page.request(`${address(thread)}/pin`, { method: "PUT", body: { isPinned: true } });
        return thread;
      },
      happens: async (page, thread) =>
        done(await page.request(address(thread), { method: "DELETE", body: { id: "delete-1" } })),
      ends: async (mortal) => expect(await titles(mortal)).toEqual([]),
    });

    expectAmong(steps, ["set console-going", "delete console-messages", "delete console-texts", "add page-deletions"]);
  });

  it("a removed channel is gone with everything in it", async () => {
    const steps = await dieEverywhere({
      begins: asked,
      happens: async (page) => {
        const { status } = await page.request("/api/channels/general", { method: "DELETE", body: { id: "remove-1" } });
        if (status !== 404) done({ status });
      },
      ends: async (mortal) => {
        expect(await titles(mortal)).toEqual([]);
        expect((await mortal.page.request("/api/conversations")).body.channels).toMatchObject([{ id: "random" }]);
      },
    });

    expectAmong(steps, ["set console-channels", "delete console-messages", "delete console-going"]);
  });

  it("a file is whole in its question, or gone", async () => {
    const steps = await dieEverywhere({
      begins: async () => "with-file",
      happens: async (page, id) => {
        const file = await upload(page, "notes.txt", "text/plain", Buffer.from("abc"));
        const question = inGeneral({ id, text: "What does it say?", files: [file] });
        done(await page.request("/api/messages", { method: "POST", body: question }));
      },
      ends: async (mortal, id) => {
        expect(await titles(mortal)).toEqual(["What does it say?"]);
        const turn = await mortal.state.turns.getByEventKey(`console/local/general/${id}/${id}`);
        expect(turn).toMatchObject({ question: "What does it say?", state: "answered" });
      },
    });

    expectAmong(steps, ["set console-uploads", "set console-upload-pieces", "set console-messages", "create turns"]);
  });
});
