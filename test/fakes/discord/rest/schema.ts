/**
 * Checks what the bot sends against Discord's own description of its API (OpenAPI, July 2026), of which
 * test/fixtures/discord-openapi.json has the bodies that Parley sends. Fields that it doesn't name are refused too:
 * Discord would ignore them.
 */
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isObject } from "../../../../src/core/tools/parse-json.ts";
import type { Json } from "../world.ts";

type Described = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const file = new URL("../../../fixtures/discord-openapi.json", import.meta.url);
const description = closed(JSON.parse(readFileSync(file, "utf8"))) as { readonly paths: Described };
const integer = (bits: number) => ({
  type: "number" as const,
  validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= 2 ** (bits - 1),
});
const ajv = new Ajv2020({
  strict: false,
  formats: {
    int32: integer(32),
    int64: integer(64),
    double: true,
    nonce: true,
    snowflake: /^\d{1,20}$/,
    uri: (text) => URL.canParse(text),
    "date-time": (text) => !Number.isNaN(Date.parse(text)),
  },
}).addSchema(description, "discord");
const validators = new Map<string, ValidateFunction>();

/** What is wrong with the body, if anything. `path`: with its ids. */
export function schemaProblem(method: string, path: string, body: Json): string | undefined {
  const described = Object.keys(description.paths).find((one) => patternOf(one).test(path));
  const verb = method.toLowerCase();
  if (described === undefined || description.paths[described]?.[verb] === undefined)
    return Object.keys(body).length === 0 ? undefined : `${method} ${path} has a body that nothing describes`;
  const key = `${verb} ${described}`;
  const validate = validators.get(key) ?? compile(described, verb);
  validators.set(key, validate);
  if (validate(body)) return undefined;
  // Each alternative has errors of its own; those that go deepest belong to the one that was meant.
  const errors = validate.errors ?? [];
  const depth = ({ instancePath }: { readonly instancePath: string }) => instancePath.split("/").length;
  const deepest = Math.max(...errors.map(depth));
  const told = errors.filter((error) => depth(error) === deepest).slice(0, 3);
  return `${key}: ${told.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`).join("; ")}`;
}

function compile(path: string, verb: string): ValidateFunction {
  const pointer = ["paths", path, verb, "requestBody", "content", "application/json", "schema"]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  return ajv.compile({ $ref: `discord#/${pointer}` });
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+").replace("@original", "(?:@|%40)original")}$`);
}

/** The same description, with objects that have only the properties that it names. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  const isClosed = value["type"] === "object" && isObject(value["properties"]) && !("additionalProperties" in value);
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
