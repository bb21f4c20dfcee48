/**
 * What every chat platform must do, whatever it has: `describePlatform` runs the whole contract over a strict double.
 * docs/adding-a-platform.md says in words what is checked here.
 */
import { describe } from "vitest";
import { describeDrawing } from "./platform-drawing.ts";
import { describeIntake } from "./platform-intake.ts";
import type { Abilities, PlatformUnderTest } from "./platform-under-test.ts";
import { describeWhole } from "./platform-whole.ts";
import { describeWrites } from "./platform-writes.ts";

/** `create` starts a fresh double for each test. */
export function describePlatform(name: string, has: Abilities, create: () => Promise<PlatformUnderTest>): void {
  describe(`the contract of platforms on ${name}`, () => {
    describeWrites(has, create);
    describeDrawing(has, create);
    describeIntake(has, create);
    describeWhole(has, create);
  });
}
