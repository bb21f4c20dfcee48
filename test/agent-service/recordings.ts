/** Reads the recorded traffic of the agent service: refusals, answers and streams of each generation. */
import { readFileSync } from "node:fs";

const generations = ["25.9", "26.1"] as const;
const folder = new URL("../fixtures/agent-service/", import.meta.url);

type Request = { readonly method: string; readonly path: string };

type Response = {
  readonly status: number;
  readonly contentType?: string;
  readonly location?: string;
  readonly bodyText?: string;
};

/** `name` begins with the generation: "25.9/status". */
type Exchange = { readonly name: string; readonly request: Request; readonly response: Response };

type RecordedStream = { readonly generation: string; readonly name: string; readonly body: Buffer };

/** Stands in the place of every API key that was removed from a recording. */
export const plantedKey = "sk-live-0123456789abcdef";

export function recordedRefusals(): readonly Exchange[] {
  return generations.flatMap((generation) => exchanges(generation, "refusals"));
}

export function recordedStreams(): readonly RecordedStream[] {
  return generations.flatMap((generation) =>
    lines<{ name: string; body: string }>(generation, "streams").map(({ name, body }) => ({
      generation,
      name,
      body: Buffer.from(body),
    })),
  );
}

export function recordedResponse(name: string): Response {
  const [generation = ""] = name.split("/");
  const found = [...exchanges(generation, "answers"), ...exchanges(generation, "refusals")].find(
    (exchange) => exchange.name === name,
  );
  if (found === undefined) throw new Error(`there is no recorded exchange ${name}`);
  return found.response;
}

export function recordedStream(name: string): Buffer {
  const found = recordedStreams().find((stream) => `${stream.generation}/${stream.name}` === name);
  if (found === undefined) throw new Error(`there is no recorded stream ${name}`);
  return found.body;
}

/** Where the expected result of a recording is stored. */
export function goldenFile(path: string): string {
  return new URL(`golden/${path}`, folder).pathname;
}

function exchanges(generation: string, topic: "answers" | "refusals"): readonly Exchange[] {
  return lines<Exchange>(generation, topic).map(({ name, request, response }) => ({
    name: `${generation}/${name}`,
    request,
    response,
  }));
}

function lines<Line>(generation: string, topic: string): readonly Line[] {
  const text = readFileSync(new URL(`${generation}/${topic}.jsonl`, folder), "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line.replaceAll("<API_KEY>", plantedKey)) as Line);
}
