/** Embeddings of the scripted model server: the same text has the same vector, and shared words bring texts closer. */
import { createHash } from "node:crypto";
import type { Json } from "./emission.ts";
import { invalid } from "./refusals.ts";

const usualDimensions = 64;
/** OpenAI's limit of one request. */
const maxInputs = 2048;

export function embeddingsBody(body: Json): Json {
  const { input, model, encoding_format: format = "float", dimensions = usualDimensions } = body;
  const texts = typeof input === "string" ? [input] : input;
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== "string" || text === "")) {
    throw invalid("'$.input' is invalid. Please check the API reference.", "input");
  }
  if (texts.length > maxInputs) throw invalid(`'$.input' is too long: at most ${maxInputs} items.`, "input");
  if (format !== "float" && format !== "base64") throw invalid("Invalid 'encoding_format'.", "encoding_format");
  if (typeof dimensions !== "number" || dimensions < 1) throw invalid("Invalid 'dimensions'.", "dimensions");
  const data = texts.map((text: string, index) => {
    const vector = vectorOf(text, dimensions);
    const embedding = format === "float" ? [...vector] : Buffer.from(vector.buffer).toString("base64");
    return { object: "embedding", index, embedding };
  });
  return { object: "list", data, model, usage: { prompt_tokens: texts.length, total_tokens: texts.length } };
}

/** Each word adds to a few places that its hash names. */
function vectorOf(text: string, dimensions = usualDimensions): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    const hash = createHash("sha256").update(word).digest();
    for (let at = 0; at < 8; at += 2) {
      const place = hash.readUInt16LE(at) % dimensions;
      vector[place] = (vector[place] ?? 0) + ((hash[at + 8] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
