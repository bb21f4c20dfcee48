/** What docs/privacy.md says of what is stored about people knows every namespace and collection that the code opens. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { renderPrivacy } from "../../../docs/generators/privacy.ts";
import { keptKinds } from "../../../src/insight/privacy/kinds.ts";
import { collections } from "../../../src/kept-collections.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What the first group of the pattern is anywhere in the code. */
function namesInCode(pattern: RegExp): readonly string[] {
  const files = ["src", "adapters"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(root, folder, file)),
  );
  const found = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(pattern)])
    .map(([, namespace]) => namespace ?? "");
  return [...new Set(found)].sort();
}

const namespacesInCode = () => namesInCode(/(?:keyValue|works\.define)(?:<[^()]*>)?\(\s*"([a-z-]+)"/g);

it("knows every collection that is opened anywhere", () => {
  expect(namesInCode(/\bcollection\(\s*"([a-z-]+)"/g)).toEqual(Object.keys(collections).sort());
});

it("knows every namespace that is opened anywhere, each once", () => {
  const known = keptKinds.map(({ namespace }) => namespace);

  expect(new Set(known).size).toBe(known.length);
  expect(namespacesInCode().length).toBeGreaterThan(40);
  expect(namespacesInCode().filter((namespace) => !known.includes(namespace))).toEqual([]);
  expect(known.filter((namespace) => !namespacesInCode().includes(namespace))).toEqual([]);
});

it("is what docs/privacy.md says", () => {
  expect(readFileSync(join(root, "docs", "privacy.md"), "utf8")).toBe(renderPrivacy());
});
