/** Contract of attached files on a backend: whole on every instance, within their limits, and nothing left behind. */
import { describe, expect, it } from "vitest";
import { keepTidy } from "../../../adapters/console/files/tidying.ts";
import { createUploads } from "../../../adapters/console/files/uploads.ts";
import { maxOpenUploads, maxUploadBytes, uploadPieceBytes } from "../../../adapters/console/limits.ts";
import type { Coordinator, KeyValueFactory } from "../../../src/core/ports/state.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { until, untilAdvanced } from "../../doubles/until.ts";

type Opened = {
  readonly keyValue: KeyValueFactory;
  /** One of each instance. */
  readonly coordinators: readonly [Coordinator, Coordinator];
  readonly close: () => Promise<void>;
};

const file = (sizeBytes: number) => ({ name: "rows.csv", mediaType: "text/csv", sizeBytes });

export function describeUploads(name: string, open: () => Promise<Opened>): void {
  async function withRoom(work: (room: ReturnType<typeof roomOver>) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await work(roomOver(opened));
    } finally {
      await opened.close();
    }
  }

  describe(`attached files on ${name}`, () => {
    it("are stored by one instance, and read whole and removed by another", () =>
      withRoom(async ({ first, second, pieces }) => {
        const content = Buffer.alloc(uploadPieceBytes * 3 + 7, "é");
        const announced = await first.announce("ana", file(content.byteLength));
        await first.receive(announced, ReadableStream.from([content.subarray(0, 1_000), content.subarray(1_000)]));

        const found = await second.findOwn("ana", announced.id);
        if (found === undefined) throw new Error("it is not there");
        expect(Buffer.concat(await Array.fromAsync(second.read(found))).equals(content)).toBe(true);
        expect(await pieces()).toHaveLength(4);
        await second.removeAll([found]);

        expect(await first.findOwn("ana", announced.id)).toBeUndefined();
        expect(await pieces()).toEqual([]);
      }));

    it("of one person keep their limit over instances that are asked at once", () =>
      withRoom(async ({ first, second }) => {
        const asked = Array.from({ length: maxOpenUploads + 2 }, (_, index) =>
          (index % 2 === 0 ? first : second).announce("ana", file(maxUploadBytes)),
        );

        const announced = await Promise.allSettled(asked);

        expect(announced.filter(({ status }) => status === "fulfilled")).toHaveLength(maxOpenUploads);
      }));

    it("that a stopped process was receiving are tidied up by another one, whatever still arrives", () =>
      withRoom(async ({ first, second, pieces, clock }) => {
        let goOn = () => {};
        const stalled = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        async function* content() {
          yield Buffer.alloc(uploadPieceBytes);
          await stalled;
          yield Buffer.alloc(10);
        }
        const announced = await first.announce("ana", file(uploadPieceBytes + 10));
        const receiving = first.receive(announced, content()).catch((thrown: unknown) => thrown);
        await until("a piece is stored", async () => (await pieces()).length === 1);
        const stop = keepTidy({ uploads: second, isShown: async () => true, clock, log: silentLog });

        // In steps, since storage answers in real time.
        await untilAdvanced(clock, "it is tidied up", async () => (await pieces()).length === 0, 15_000);
        goOn();

        expect(await receiving).toMatchObject({ code: "platform_refused" });
        expect(await pieces()).toEqual([]);
        expect(await second.findOwn("ana", announced.id)).toBeUndefined();
        stop();
      }));

    it("sent twice at once are stored once, and a request that comes later changes nothing", () =>
      withRoom(async ({ first, second, pieces }) => {
        const rest = Promise.withResolvers<void>();
        async function* content() {
          yield Buffer.alloc(uploadPieceBytes, "a");
          await rest.promise;
          yield Buffer.alloc(10, "a");
        }
        const other = () => ReadableStream.from([Buffer.alloc(uploadPieceBytes + 10, "b")]);
        const announced = await first.announce("ana", file(uploadPieceBytes + 10));
        const receiving = first.receive(announced, content());
        await until("a piece is stored", async () => (await pieces()).length === 1);

        await expect(second.receive(announced, other())).rejects.toMatchObject({ code: "state_unavailable" });
        rest.resolve();
        const complete = await receiving;
        expect(await second.receive(announced, other())).toEqual(complete);

        const stored = Buffer.concat(await Array.fromAsync(second.read(complete)));
        expect(stored.equals(Buffer.alloc(uploadPieceBytes + 10, "a"))).toBe(true);
      }));

    it("that two messages name at once belong to one of them", () =>
      withRoom(async ({ first, second }) => {
        const announced = await first.announce("ana", file(3));
        await first.receive(announced, ReadableStream.from([Buffer.from("abc")]));
        const by = (message: string) => ({ channel: "general", thread: "t", message });

        const used = await Promise.all([first.use(announced.id, by("m1")), second.use(announced.id, by("m2"))]);

        const [only, ...others] = used.filter((upload) => upload !== undefined);
        expect(others).toEqual([]);
        expect(await second.find(announced.id)).toEqual(only);
      }));

    it("that are sent while someone removes them are either kept or refused", () =>
      withRoom(async ({ first, second, pieces }) => {
        const announced = await first.announce("ana", file(3));
        await first.receive(announced, ReadableStream.from([Buffer.from("abc")]));
        const isUnused = async ({ usedBy }: { readonly usedBy?: object }) => usedBy === undefined;
        const deciding = Promise.withResolvers<void>();
        const decided = Promise.withResolvers<void>();

        const removing = second.removeIf(announced.id, async (upload) => {
          deciding.resolve();
          await decided.promise;
          return isUnused(upload);
        });
        await deciding.promise;
        const using = first.use(announced.id, { channel: "general", thread: "t", message: "m" });
        decided.resolve();

        expect(await removing).toBe(true);
        expect(await using).toBeUndefined();
        expect(await pieces()).toEqual([]);
        expect(await first.find(announced.id)).toBeUndefined();
      }));
  });
}

function roomOver({ keyValue, coordinators }: Opened) {
  const clock = createFakeClock();
  const [first, second] = coordinators.map((coordinator) => createUploads({ keyValue, coordinator, clock }));
  if (first === undefined || second === undefined) throw new Error("Two were asked for.");
  const stored = keyValue<string>("console-upload-pieces");
  const pieces = async () => (await Array.fromAsync(stored.entries("local/"))).map(([key]) => key);
  return { first, second, pieces, clock };
}
