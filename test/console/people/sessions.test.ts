import { describe, expect, it } from "vitest";
import { maxSessionsOfPerson } from "../../../adapters/console/limits.ts";
import { createSessions, type StoredSession } from "../../../adapters/console/people/sessions.ts";
import type { Visitor } from "../../../adapters/console/people/visitor.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { memoryStores } from "./sign-in-room.ts";

const ana: Visitor = { id: "oidc-1", name: "Ana", isVerified: true, role: "manage", how: "oidc" };
const asker: Visitor = { ...ana, role: "ask" };

function open() {
  const clock = createFakeClock();
  const store = memoryStores()<StoredSession>("console-sessions");
  const ended: string[] = [];
  const sessions = createSessions({ store, wayOf: () => "the provider", onEnd: (key) => void ended.push(key), clock });
  const roleIn = async (cookie: string) => (await sessions.find(cookie))?.visitor.role;
  return { clock, store, ended, sessions, roleIn };
}

describe("the sessions of one person", () => {
  it("lose a role in every browser once a sign-in shows that it was taken away", async () => {
    const { sessions, roleIn, ended } = open();
    const office = await sessions.begin(ana);
    const other = await sessions.begin({ ...ana, id: "oidc-2" });

    const phone = await sessions.begin(asker);

    expect([await roleIn(office), await roleIn(phone), await roleIn(other)]).toEqual([undefined, "ask", "manage"]);
    expect(ended).toHaveLength(1);
  });

  it("are no more than a person needs: the oldest end", async () => {
    const { clock, store, ended, sessions, roleIn } = open();
    const oldest = await sessions.begin(ana);
    let newest = oldest;
    for (let count = 0; count < maxSessionsOfPerson + 9; count += 1) {
      await clock.advance(1);
      newest = await sessions.begin(ana);
    }

    const keys: string[] = [];
    for await (const [key] of store.entries("")) keys.push(key);
    expect(keys).toHaveLength(maxSessionsOfPerson);
    expect(ended).toHaveLength(10);
    expect([await roleIn(oldest), await roleIn(newest)]).toEqual([undefined, "manage"]);
  });
});
