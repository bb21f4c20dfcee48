/** What a platform's writes must do: post once, be found again, be edited and removed, and say why they were refused. */
import { describe, expect, it } from "vitest";
import { filePart } from "../../src/core/model/reply.ts";
import {
  type Abilities,
  type Alone,
  codeOf,
  final,
  markdown,
  needed,
  newMark,
  openAlone,
  type PlatformUnderTest,
  payloadOf,
  progress,
  restFile,
} from "./platform-under-test.ts";

export function describeWrites(has: Abilities, create: () => Promise<PlatformUnderTest>): void {
  async function open() {
    const alone = await openAlone(await create());
    await alone.start();
    const place = alone.subject.place();
    const texts = async () => (await alone.subject.shown(place)).map(({ text }) => text);
    return { ...alone, place, texts };
  }
  const answer = ({ platform }: Pick<Alone, "platform">, text: string) => payloadOf(platform, markdown(text));

  describe("a post", () => {
    it("stands where it was posted, and is edited in place", async () => {
      const { subject, platform, place, texts } = await open();

      const messageId = await platform.post(place, answer({ platform }, "one moment"), newMark(), progress);
      await platform.edit({ place, messageId }, answer({ platform }, "forty-two"), final);

      expect(await texts()).toEqual([expect.stringContaining("forty-two")]);
      expect(subject.violations()).toEqual([]);
    });

    it("whose response was lost is found by its mark, and is there once", async () => {
      const { subject, platform, place, texts } = await open();
      const mark = newMark();
      subject.loseAnswer();

      const code = await codeOf(platform.post(place, answer({ platform }, "forty-two"), mark, final));

      // A library may ask again where the platform itself makes no second message of it.
      expect(["done", "platform_unreachable"]).toContain(code);
      expect(await platform.findOwn(place, mark.replyId, 0)).toEqual([
        { part: 0, generation: 0, messageId: expect.any(String) },
      ]);
      expect(await texts()).toHaveLength(1);
    });

    const again = has.idempotentPosts ? "returns that message" : "is what is found by it";
    it(`with a mark that was posted ${again}`, async () => {
      const { platform, place, texts } = await open();
      const mark = newMark();

      const first = await platform.post(place, answer({ platform }, "forty-two"), mark, final);

      expect((await platform.findOwn(place, mark.replyId, 0)).map(({ messageId }) => messageId)).toEqual([first]);
      if (has.idempotentPosts) {
        expect(await platform.post(place, answer({ platform }, "forty-two"), mark, final)).toBe(first);
      }
      expect(await texts()).toHaveLength(1);
    });

    it("in the next generation is a new message, after the one before was deleted", async () => {
      const { subject, platform, place, texts } = await open();
      const mark = newMark();
      const gone = await platform.post(place, answer({ platform }, "one moment"), mark, progress);
      await subject.deleteReply({ place, messageId: gone });

      const messageId = await platform.post(
        place,
        answer({ platform }, "forty-two"),
        { ...mark, generation: 1 },
        final,
      );

      expect(messageId).not.toBe(gone);
      expect(await texts()).toEqual([expect.stringContaining("forty-two")]);
      expect(await platform.findOwn(place, mark.replyId, 1)).toEqual([{ part: 0, generation: 1, messageId }]);
    });

    it("is found by its Reply, oldest first, among posts of others", async () => {
      const { platform, place } = await open();
      const mark = newMark();
      const other = newMark();
      const first = await platform.post(place, answer({ platform }, "one"), mark, final);
      const foreign = await platform.post(place, answer({ platform }, "between"), other, final);
      const second = await platform.post(place, answer({ platform }, "two"), { ...mark, part: 1 }, final);

      expect(await platform.findOwn(place, mark.replyId, 0)).toEqual([
        { part: 0, generation: 0, messageId: first },
        { part: 1, generation: 0, messageId: second },
      ]);
      expect((await platform.findOwn(place, other.replyId, 0)).map(({ messageId }) => messageId)).toEqual([foreign]);
      expect(await platform.findOwn(place, newMark().replyId, 0)).toEqual([]);
    });

    it("where nothing can be posted says that the place was deleted, or that Parley has no permission there", async () => {
      const { subject, platform } = await open();

      const code = await codeOf(platform.post(subject.nowhere, answer({ platform }, "42"), newMark(), final));

      expect(["place_gone", "not_permitted"]).toContain(code);
    });

    it("that was aborted before it began is not there, or stands and is reported", async () => {
      const { platform, place, texts } = await open();
      const signal = AbortSignal.abort(new Error("given up"));

      const code = await codeOf(
        platform.post(place, answer({ platform }, "42"), newMark(), { urgency: "final", signal }),
      );

      expect(await texts()).toHaveLength(code === "done" ? 1 : 0);
    });
  });

  describe("a message that someone deleted", () => {
    it("is gone to an edit", async () => {
      const { subject, platform, place } = await open();
      const messageId = await platform.post(place, answer({ platform }, "one moment"), newMark(), progress);
      await subject.deleteReply({ place, messageId });

      const code = await codeOf(platform.edit({ place, messageId }, answer({ platform }, "forty-two"), final));

      expect(code).toBe("message_gone");
    });

    it("can be removed once more", async () => {
      const { platform, place, texts } = await open();
      const messageId = await platform.post(place, answer({ platform }, "42"), newMark(), final);

      await platform.remove({ place, messageId });
      const again = await codeOf(platform.remove({ place, messageId }));

      expect(["done", "message_gone"]).toContain(again);
      expect(await texts()).toEqual([]);
    });
  });

  describe("a write that comes too fast", () => {
    const limited = has.rateLimits ? (["post", "edit"] as const) : [];
    for (const on of limited) {
      it(`says how long a ${on} has to wait, and accepts it after that`, async () => {
        const { subject, platform, place, texts } = await open();
        const mark = newMark();
        const messageId = await platform.post(place, answer({ platform }, "0"), mark, final);
        const write = (text: string, urgency: typeof progress | typeof final) =>
          on === "edit"
            ? platform.edit({ place, messageId }, answer({ platform }, text), urgency)
            : platform.post(place, answer({ platform }, text), { ...mark, part: Number(text) }, urgency);
        needed(subject.limit, "limit")(on, 1);

        const refused = await write("1", progress).catch((thrown: unknown) => thrown);

        expect(refused).toMatchObject({ code: "platform_rate_limited" });
        const { retryAfterMs } = refused as { readonly retryAfterMs: number };
        expect(retryAfterMs).toBeGreaterThan(0);
        expect(retryAfterMs).toBeLessThanOrEqual(2_000);
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
        await write("2", final);
        expect((await texts()).join(" ")).toContain("2");
      });
    }

    it("declares budgets for it where it is refused, and leaves some of them to finals", async () => {
      const { platform } = await open();
      const { perWorkspace, perChannel, keptForFinals } = platform.limits.writes;

      const declared = [perWorkspace?.capacity, perChannel?.limit].filter((size) => size !== undefined);

      expect(declared.length > 0).toBe(has.rateLimits);
      for (const size of declared) expect(keptForFinals).toBeLessThan(size);
    });
  });

  describe("a file", () => {
    it("with a mark is a part of its Reply: posted, found and removed as a message is", async () => {
      const { subject, platform, place } = await open();
      const mark = { ...newMark(), part: filePart };

      const messageId = await platform.uploadFile(place, restFile, mark);

      const files = async () => (await subject.shown(place)).flatMap((message) => message.files);
      expect(await files()).toEqual([restFile.content]);
      expect(await platform.findOwn(place, mark.replyId, 0)).toEqual([{ part: filePart, generation: 0, messageId }]);
      await platform.remove({ place, messageId });
      expect(await files()).toEqual([]);
      expect(await platform.findOwn(place, mark.replyId, 0)).toEqual([]);
    });

    it("without a mark belongs to no Reply", async () => {
      const { platform, place } = await open();
      const { replyId } = newMark();

      await platform.uploadFile(place, restFile);

      expect(await platform.findOwn(place, replyId, 0)).toEqual([]);
    });
  });

  describe("a message of Parley's", () => {
    it(`has ${has.messageLinks ? "a link" : "no link"} to it`, async () => {
      const { platform, place } = await open();
      const messageId = await platform.post(place, answer({ platform }, "42"), newMark(), final);

      const link = await platform.permalink({ place, messageId });

      if (has.messageLinks) expect(link).toMatch(/^https?:\/\//);
      else expect(link).toBeUndefined();
    });

    if (has.reactions)
      it("bears Parley's own reaction once, and without it after that", async () => {
        const { subject, platform, place } = await open();
        const ref = { place, messageId: await platform.post(place, answer({ platform }, "42"), newMark(), final) };
        const { add, remove } = needed(platform.reactions, "reactions");

        await add(ref, "✅");
        await add(ref, "✅");
        await remove(ref, "✅");
        await remove(ref, "✅");

        expect(subject.violations()).toEqual([]);
      });

    if (!has.threads)
      it("is not read as context for an agent, since a whole channel has no bounds", async () => {
        const { platform, place } = await open();
        await platform.post(place, answer({ platform }, "42"), newMark(), final);

        expect(await platform.readThread(place, { limit: 10 })).toEqual([]);
      });

    if (has.threads)
      it("is known as Parley's own when its thread is read, oldest first, the newest ones", async () => {
        const { platform, place } = await open();
        const mark = newMark();
        const ids: string[] = [];
        for (const part of [0, 1, 2])
          ids.push(await platform.post(place, answer({ platform }, `part ${part}`), { ...mark, part }, final));

        const all = await platform.readThread(place, { limit: 10 });
        const own = all.filter(({ isOwn }) => isOwn);
        const newest = await platform.readThread(place, { limit: 1 });
        const later = await platform.readThread(place, { limit: 10, after: own[0]?.order ?? "" });

        expect(own.map(({ messageId }) => messageId)).toEqual(ids);
        expect(all.map(({ order }) => order)).toEqual(all.map(({ order }) => order).toSorted());
        expect(newest.map(({ messageId }) => messageId)).toEqual(ids.slice(2));
        expect(later.map(({ messageId }) => messageId)).toEqual(ids.slice(1));
      });
  });
}
