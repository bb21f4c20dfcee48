/** Reactions one after the other in each channel, as Discord takes them. */
import { describe, expect, it } from "vitest";
import { createReactionPace } from "../../../adapters/discord/writing/reaction-pace.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";

describe("the pace of reactions", () => {
  it("sends one in 300 ms to each channel, also after one that failed, and delays no other channel", async () => {
    const clock = createFakeClock();
    const pace = createReactionPace(clock);
    const sent: string[] = [];
    const react = (channel: string, name: string) =>
      pace(channel, async () => {
        sent.push(`${name} ${clock.now() - begun}`);
        if (name === "fails") throw new Error("refused");
      }).catch(() => undefined);
    const begun = clock.now();

    for (const name of ["first", "fails", "third"]) void react("general", name);
    void react("random", "elsewhere");
    for (let tick = 0; tick < 4; tick += 1) await clock.advance(150);
    await clock.advance(300);
    await react("general", "later");

    expect(sent).toEqual(["first 0", "elsewhere 0", "fails 300", "third 600", "later 900"]);
  });
});
