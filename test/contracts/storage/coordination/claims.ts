/** Contract of every Claims backend. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Claims } from "../../../../src/core/ports/state.ts";

export type ClaimsUnderTest = {
  readonly claims: Claims;
  /** Lets that much time pass for the backend. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function describeClaims(name: string, create: () => Promise<ClaimsUnderTest>): void {
  describe(`Claims on ${name}`, () => {
    let subject: ClaimsUnderTest;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject?.close());

    it("gives a key to one of many who ask at once", async () => {
      const asked = await Promise.all(Array.from({ length: 20 }, () => subject.claims.claim("slack/T1/1", 60_000)));

      expect(asked.filter((isMine) => isMine)).toHaveLength(1);
    });

    it("distinguishes keys, strange ones too", async () => {
      expect(await subject.claims.claim("slack/T1/2", 60_000)).toBe(true);
      expect(await subject.claims.claim("__proto__", 60_000)).toBe(true);
      expect(await subject.claims.claim("__proto__", 60_000)).toBe(false);
    });

    it("gives a key again when its time is over", async () => {
      await subject.claims.claim("slack/T1/3", 50);
      await subject.pass(80);

      expect(await subject.claims.claim("slack/T1/3", 50)).toBe(true);
    });
  });
}
