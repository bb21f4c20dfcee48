/** What people added is theirs in every place where they are known. */
import { describe, expect, it } from "vitest";
import { isOwn } from "../../src/commands/ledger/ownership.ts";
import { personKey } from "../../src/core/model/place.ts";
import { alice, bob, general } from "../doubles/people.ts";

const document = { by: { key: personKey(general, alice), name: alice.name } };
const direct = { ...general, workspace: "dm", channel: "direct-alice" };

describe("what a person added", () => {
  it("is theirs in its workspace, and no one else's", () => {
    expect(isOwn(document, { place: general, actor: alice })).toBe(true);
    expect(isOwn(document, { place: general, actor: bob })).toBe(false);
    expect(isOwn(document, { place: { ...general, workspace: "T2" }, actor: alice })).toBe(false);
  });

  it("is theirs in direct messages outside any workspace, while they are in that workspace", () => {
    const memberOf = ["T9", general.workspace];
    expect(isOwn(document, { place: direct, actor: { ...alice, memberOf } })).toBe(true);
    expect(isOwn(document, { place: direct, actor: { ...bob, memberOf } })).toBe(false);
    expect(isOwn(document, { place: direct, actor: { ...alice, memberOf: ["T9"] } })).toBe(false);
    expect(isOwn(document, { place: direct, actor: alice })).toBe(false);
  });
});
