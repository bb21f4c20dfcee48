import { describe, expect, it } from "vitest";
import { refusalDocument } from "../../src/access/refusal.ts";
import { rolesOf } from "../../src/access/roles.ts";
import { createPeople } from "../../src/bridge/people.ts";
import type { RoleEntry, Verdict } from "../../src/core/access.ts";
import { inlineText } from "../../src/presentation/drawing.ts";
import { createFakeClock } from "../doubles/fake-clock.ts";
import { alice, bob, general } from "../doubles/people.ts";

const person = (id: string): RoleEntry => ({ platform: "memory", kind: "user", id });

/** What bob reads when he may not manage there. */
async function refused(managers: readonly RoleEntry[] | undefined, people = createPeople(), actor = bob) {
  const { because } = rolesOf(actor, general, { trustedPlatforms: [], managers }).manage;
  const verdict = { allowed: false, why: "role", role: "manage", because } as const satisfies Verdict;
  const document = await refusalDocument({ actor, place: general }, verdict, managers, people);
  const texts = document.blocks.flatMap((block) => ("text" in block ? [block.text] : []));
  const spans = texts.flatMap((text) => (typeof text === "string" ? [] : text));
  return { document, spans, text: inlineText(spans) };
}

describe("a refusal", () => {
  it("names the listed managers that Parley has seen, without a ping", async () => {
    const people = createPeople();
    people.saw(alice, general);
    people.saw({ ...alice, id: "U7", name: "Mira" }, general);

    const { text, spans } = await refused([person("U1"), person("U7")], people);

    expect(text).toContain("You can't manage agents and settings here");
    expect(text).toContain("Ask Alice or Mira.");
    expect(spans.filter(({ actorId }) => actorId !== undefined).map(({ actorId }) => actorId)).toEqual(["U1", "U7"]);
    expect(spans.some(({ notifies }) => notifies === true)).toBe(false);
  });

  it("mentions one listed manager whose name isn't known, and no more than three in all", async () => {
    const people = createPeople();
    people.saw(alice, general);

    expect((await refused([person("U1"), person("U8"), person("U9")], people)).text).toContain(
      "Ask Alice or another Parley manager.",
    );
    for (const id of ["U2", "U3", "U4"]) people.saw({ ...alice, id, name: id }, general);
    const many = await refused(["U1", "U2", "U3", "U4"].map(person), people);
    expect(many.text).toContain("Ask Alice, U2 or U3.");
  });

  it("names managers to people whose role comes from the page's sign-in, which has no workspace admins", async () => {
    const { text } = await refused(undefined, createPeople(), { ...bob, signedInAs: "ask" });

    expect(text).toContain("Ask a Parley manager.");
  });

  it("names workspace admins by default, and managers where only roles of this platform are listed", async () => {
    expect((await refused(undefined)).text).toContain("Ask a workspace admin.");
    expect((await refused([{ platform: "memory", kind: "role", id: "R1" }])).text).toContain("Ask a Parley manager.");
    expect((await refused([{ platform: "discord", kind: "user", id: "5" }])).text).toContain("Ask a Parley manager.");
  });

  it("names nobody to a person whom the platform did not identify", async () => {
    const verdict = { allowed: false, why: "role", role: "manage" } as const satisfies Verdict;
    const actor = { ...bob, isUnverified: true as const };

    const document = await refusalDocument({ actor, place: general }, verdict, [person("U1")], createPeople());

    expect(document.summary).toBe("The chat platform didn't say who you are.");
  });

  it("asks the platform for the names of managers whom it hasn't seen, and waits a second for them at most", async () => {
    const clock = createFakeClock();
    const looked: string[] = [];
    const people = createPeople(async (id) => {
      looked.push(id);
      if (id === "U8") await clock.sleep(60_000);
      return id === "U9" ? "Mira" : undefined;
    }, clock);
    people.saw(alice, general);

    const refusal = refused([person("U1"), person("U8"), person("U9")], people);
    await clock.advance(1_000);

    expect((await refusal).text).toContain("Ask Alice, Mira or another Parley manager.");
    expect(looked).toEqual(["U8", "U9"]);
  });
});
