import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { OutboxEntry } from "../../../adapters/console/page/connection/outbox.ts";
import type { Upload } from "../../../adapters/console/page/connection/upload.ts";
import { until } from "../../doubles/until.ts";

/** As browsers do, with keys that can be listed. */
function storage(): Record<string, string> {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Record<string, string>;
}

let tried = 0;
let status = 503;
beforeEach(() => {
  tried = 0;
  status = 503;
  vi.resetModules();
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("fetch", async () => {
    tried += 1;
    return Response.json({}, { status });
  });
});

afterEach(() => void vi.unstubAllGlobals());

async function outboxOf(person: string) {
  const { createOutbox } = await import("../../../adapters/console/page/connection/outbox.ts");
  const pending = new Map<string, OutboxEntry>();
  const nothing = () => {};
  const outbox = createOutbox({
    ...{ person, pending, changed: nothing, onRefused: nothing, onForm: nothing, onSent: nothing },
  });
  return { outbox, texts: () => [...pending.values()].map(({ text }) => text) };
}

type Opened = Awaited<ReturnType<typeof outboxOf>>;

/** So that nothing is retried after the test. */
async function sendAll(...opened: readonly Opened[]): Promise<void> {
  status = 202;
  for (const { outbox } of opened) outbox.wake();
  await until("all is sent", () => Object.keys(localStorage).every((key) => !key.includes("outbox")));
}

it("a question with files waits for who typed it, though someone else signs in at that browser before it is sent", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const upload: Upload = {
    ...{ key: "k1", id: "f1", name: "offer.md", sizeBytes: 3, state: "uploading", share: 0, ended },
    changed: () => {},
    remove: () => {},
  };
  const ana = await outboxOf("ana");
  ana.outbox.send({ channel: "general", text: "What do they offer me?", uploads: [upload] });
  upload.state = "done";
  end();
  await until("it was tried", () => tried === 1);

  const ben = await outboxOf("ben");
  ben.outbox.restore();
  const again = await outboxOf("ana");
  again.outbox.restore();

  expect([ben.texts(), again.texts()]).toEqual([[], ["What do they offer me?"]]);
  await sendAll(ana, again);
});

it("a question isn't sent to another Parley, which is below another path of the same site", async () => {
  const address = "../../../adapters/console/page/connection/address.ts";
  const loadedFrom = (path: string) => {
    vi.resetModules();
    vi.doMock(address, async (original) => {
      const { named, ...others } = await original<{ named: (what: string, path: string) => string }>();
      return { ...others, named: (what: string) => named(what, path) };
    });
    return outboxOf("ana");
  };
  onTestFinished(() => void vi.doUnmock(address));
  const opened: Opened[] = [];
  for (const path of ["/", "/hr/"]) {
    const one = await loadedFrom(path);
    one.outbox.send({ channel: "general", text: `Typed below ${path}` });
    opened.push(one);
  }
  await until("both were tried", () => tried === 2);

  const found: (readonly string[])[] = [];
  for (const path of ["/", "/hr/", "/sales/"]) {
    const one = await loadedFrom(path);
    one.outbox.restore();
    found.push(one.texts());
    opened.push(one);
  }

  expect(found).toEqual([["Typed below /"], ["Typed below /hr/"], []]);
  await sendAll(...opened);
});
