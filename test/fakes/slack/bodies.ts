/** Reads what the app sends: bytes, forms with JSON inside, uploaded files. */
import type { IncomingMessage } from "node:http";
import type { Json } from "./world.ts";

/** Undefined when the client went away before it had sent everything. */
export async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray());
  } catch {
    return undefined;
  }
}

/** The bytes themselves, or the one file of a form. */
export async function uploadedFile(request: IncomingMessage, raw: Buffer): Promise<Buffer> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return raw;
  const form = await new Response(new Uint8Array(raw), { headers: { "content-type": type } }).formData();
  const file = [...form.values()].find((value) => value instanceof File);
  return file === undefined ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer());
}

/** Form-encoded, with lists and objects as JSON inside. What should be JSON and is not stays a string. */
export function readBody(request: IncomingMessage, raw: Buffer): Json {
  if (request.headers["content-type"]?.includes("json") === true) return JSON.parse(raw.toString()) as Json;
  const body: Json = {};
  for (const [key, value] of new URLSearchParams(raw.toString()))
    body[key] = structured.has(key) ? parsed(value) : value;
  return body;
}

const structured = new Set(["attachments", "blocks", "files", "loading_messages", "message", "metadata", "view"]);

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
