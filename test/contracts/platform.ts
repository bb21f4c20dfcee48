/**
 * What every chat platform must do, whatever it has: `describePlatform` runs the whole contract over a strict double.
 * docs/adding-a-platform.md says in words what is checked here.
 */
import { describe } from "vitest";
import { describeDrawing } from "./platform-drawing.ts";
import { describeIntake } from "./platform-intake.ts";
import type { PlatformUnderTest } from "./platform-under-test.ts";
import { describeWhole } from "./platform-whole.ts";
import { describeWrites } from "./platform-writes.ts";

/** `create` starts a fresh double for each test. */
export function describePlatform(name: string, create: () => Promise<PlatformUnderTest>): void {
  describe(`the contract of platforms on ${name}`, () => {
    describeWrites(create);
    describeDrawing(create);
    describeIntake(create);
    describeWhole(create);
  });
}
