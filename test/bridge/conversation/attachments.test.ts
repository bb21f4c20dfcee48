/**
 * Files attached to a question are read before it is asked. They may be slow, endless, or not what was announced, and
 * the asker may stop the question meanwhile.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { Attachment } from "../../../src/core/model/place.ts";
import { createHarness, type Harness } from "../harness.ts";

let parley: Harness;
afterEach(async () => {
  expect(parley.platform.violations).toEqual([]);
  await parley.stop();
});

const file = (name: string, sizeBytes = 10): Attachment => ({
  ...{ id: name, name, mediaType: "text/plain", reference: name, sizeBytes },
});

async function* endless(onChunk: () => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    onChunk();
    yield new Uint8Array(10_000);
  }
}

/** Hands over one byte and then nothing more, whatever is asked of it: not even the signal is heard. */
async function* standing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
  await new Promise(() => {});
}

async function* holding(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* handing(...bytes: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}

/** A byte order mark and the text. */
function inUtf16(text: string, order: "LE" | "BE"): Uint8Array {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return order === "LE" ? bytes : bytes.swap16();
}

async function openWith(open: (attachment: Attachment) => AsyncIterable<Uint8Array>): Promise<void> {
  parley = await createHarness({ platform: { openAttachment: async (attachment) => open(attachment) } });
}

describe("a file that stalls while it is read", () => {
  it("is given up after twenty seconds, and the agent learns that it wasn't read", async () => {
    await openWith(({ name }) => (name === "slow.txt" ? standing() : holding("These are the numbers.")));
    await parley.say("What is in it?", { attachments: [file("slow.txt"), file("quick.txt")] }).done;
    await parley.settle(19_000);
    expect(parley.agents.runs).toHaveLength(0);

    await parley.settle(2_000);
    const { question } = await parley.agents.run(0);

    expect(question).toContain('"slow.txt" (text/plain), not read: it took too long to arrive.');
    expect(question).toContain("These are the numbers.");
  });

  it("does not keep Stop waiting", async () => {
    await openWith(standing);
    await parley.say("What is in it?", { attachments: [file("slow.txt")] }).done;
    await parley.settle(1_000);
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");

    await parley.press("stop", turn?.id ?? "").done;
    await parley.settle(100);

    expect(parley.texts()[0]).toContain("Stopped");
    expect(parley.agents.runs).toHaveLength(0);
  });

  it("holds no permit of the service once it was stopped", async () => {
    await openWith(({ name }) => (name === "slow.txt" ? standing() : holding("")));
    parley.agents.set({ profile: { maxRuns: 1 } });
    await parley.say("What is in it?", { attachments: [file("slow.txt")] }).done;
    await parley.settle(1_000);
    const turn = await parley.state().turns.getByEventKey("memory/T1/general/101");
    await parley.press("stop", turn?.id ?? "").done;
    await parley.settle(100);

    await parley.say("And now?").done;
    await parley.settle(100);

    expect((await parley.agents.run(0)).question).toBe("And now?");
  });
});

describe("files that are larger than they claim", () => {
  it("are read no further than their limit, whatever size was announced", async () => {
    let chunks = 0;
    await openWith(() =>
      endless(() => {
        chunks += 1;
      }),
    );
    await parley.say("What is in it?", { attachments: [file("endless.txt", 3)] }).done;
    await parley.settle();
    const { question } = await parley.agents.run(0);

    expect(question).toContain('"endless.txt" (text/plain), not read: it is larger than 97 kB.');
    expect(chunks).toBeLessThan(15);
  });

  it("are read up to what all files of a question may have together, and up to ten of them", async () => {
    await openWith(() => holding("x".repeat(90_000)));
    const attachments = Array.from({ length: 12 }, (_, index) => file(`${index}.txt`));
    await parley.say("What is in them?", { attachments }).done;
    await parley.settle();
    const { question } = await parley.agents.run(0);

    expect(question.length).toBeLessThan(420_000);
    expect(question).toContain("the files of a question may have 400 kB together");
    expect(question).toContain('"11.txt" (text/plain), not read: only 10 files are read with a question.');
  });
});

describe("the encoding of a file", () => {
  const text = "Größe: 5 €\nZürich";

  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16 of Windows", inUtf16(text, "LE")],
    ["UTF-16, big end first", inUtf16(text, "BE")],
    ["Windows-1252", Buffer.from(text.replace("€", "\x80"), "latin1")],
  ])("is read when it is %s", async (_encoding, bytes) => {
    // Also where the bytes of a character arrive one by one.
    await openWith(() => handing(bytes.subarray(0, 3), bytes.subarray(3)));
    await parley.say("What is in it?", { attachments: [file("sizes.csv")] }).done;
    await parley.settle();
    const { question } = await parley.agents.run(0);

    expect(question).toContain(`"sizes.csv" (text/plain):\n${text}`);
  });

  it("that isn't UTF-8 is named to the agent, and so are damaged bytes", async () => {
    const table = Buffer.from("Name;Stra\xdfe\nM\xfcller;Gr\xfcnweg\n", "latin1");
    const damaged = Buffer.concat([Buffer.from("Größe über Öl\n"), Buffer.from([0xfc]), Buffer.from("\nEnde\n")]);
    await openWith(({ name }) => handing(name === "old.csv" ? table : damaged));
    await parley.say("What is in them?", { attachments: [file("old.csv"), file("damaged.txt")] }).done;
    await parley.settle();
    const { question } = await parley.agents.run(0);

    expect(question).toContain("Müller;Grünweg\n\n(Of this file: read as Windows-1252.)");
    expect(question).toContain("Größe über Öl\n\uFFFD\nEnde\n\n(Of this file: 1 damaged character shown as \uFFFD.)");
  });

  it.each([
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["a workbook", Buffer.from("504b0304140006000800000021", "hex")],
    ["something compressed", Buffer.from([0x1f, 0x8b, ...Array.from({ length: 200 }, (_, at) => (at * 7) % 255 || 1)])],
    ["half of UTF-16", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41])],
  ])("is none when it is %s that is called a text", async (_what, bytes) => {
    await openWith(() => handing(bytes));
    await parley.say("What is in it?", { attachments: [file("notes.txt")] }).done;
    await parley.settle();
    const { question } = await parley.agents.run(0);

    expect(question).toContain('Attached file "notes.txt" (text/plain), not read: it is not a text file.');
  });

  it("may have the colours of a terminal", async () => {
    await openWith(() => holding("\x1B[31merror\x1B[0m\f\n"));
    await parley.say("What is in it?", { attachments: [file("build.log")] }).done;
    await parley.settle();
    const { question } = await parley.agents.run(0);

    expect(question).toContain("error");
  });
});
