/** Reads what the bot sends: JSON, or a form with files and their JSON beside them. */
import type { IncomingMessage } from "node:http";
import type { SentFile } from "../content/attachments.ts";
import type { Json } from "../world.ts";

export async function readBody(
  request: IncomingMessage,
): Promise<{ readonly body: Json; readonly files: readonly SentFile[] }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/"))
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Json), files: [] };
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const files: SentFile[] = [];
  for (const [field, value] of form.entries()) {
    if (typeof value === "string") continue;
    const index = /^files\[(\d+)\]$/.exec(field)?.[1];
    const data = Buffer.from(await value.arrayBuffer());
    files.push({ index: Number(index ?? files.length), name: value.name, type: value.type, data });
  }
  return { body: JSON.parse(String(form.get("payload_json") ?? "{}")) as Json, files };
}
