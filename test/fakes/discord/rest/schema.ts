/**
 * Checks what the bot sends against Discord's own description of its API (OpenAPI, July 2026), of which
 * test/fixtures/discord-openapi.json has the bodies that Parley sends. Fields that it doesn't name are refused too:
 * Discord would ignore them. The validator compiles nothing, so that the first check takes no time from an
 * acknowledgement.
 */
import { readFileSync } from "node:fs";
import { dereference, type Schema, validate } from "@cfworker/json-schema";
import { isObject } from "../../../../src/core/tools/parse-json.ts";
import type { Json } from "../world.ts";

type Operation = {
  readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
};

const file = new URL("../../../fixtures/discord-openapi.json", import.meta.url);
const description = closed(JSON.parse(readFileSync(file, "utf8"))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const schemas = dereference(description as unknown as Schema);
const patterns = Object.keys(description.paths).map((path) => {
  const ids = path.replace(/\{\w+\}/g, "[^/]+").replace("@original", "(?:@|%40)original");
  return { path, pattern: new RegExp(`^${ids}$`) };
});

/** What is wrong with the body, if anything. `path`: with its ids. */
export function schemaProblem(method: string, path: string, body: Json): string | undefined {
  const described = patterns.find(({ pattern }) => pattern.test(path))?.path ?? "";
  const operation = description.paths[described]?.[method.toLowerCase()];
  if (operation === undefined)
    return Object.keys(body).length === 0 ? undefined : `${method} ${path} has a body that nothing describes`;
  const { valid, errors } = validate(
    body,
    operation.requestBody.content["application/json"].schema,
    "2020-12",
    schemas,
  );
  if (valid) return undefined;
  // Each alternative has errors of its own; those that go deepest belong to the one that was meant.
  const depth = ({ instanceLocation }: { readonly instanceLocation: string }) => instanceLocation.split("/").length;
  const deepest = Math.max(...errors.map(depth));
  const told = errors.filter((one) => depth(one) === deepest).slice(0, 3);
  return `${method} ${described}: ${told.map((one) => `${one.instanceLocation} ${one.error}`).join("; ")}`;
}

/** The same description, with objects that have only the properties that it names. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  const isClosed = value["type"] === "object" && isObject(value["properties"]) && !("additionalProperties" in value);
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
