/** Runs around every test: none of them may let a planted key out, whatever it was about. */
import { afterEach, expect } from "vitest";
import { takeLeaks } from "./doubles/planted-keys.ts";

afterEach(() => {
  expect(takeLeaks()).toEqual([]);
});
