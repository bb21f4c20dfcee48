/** Reads the recorded traffic of servers that speak the Responses shape or Chat Completions. */
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../fixtures/responses/", import.meta.url);

export type ShapedExchange = {
  /** "litellm/error_401". */
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly bodyText?: string;
  };
};

export type ShapedServer = "litellm" | "cowork";

/** Every exchange of a server that has a response. */
export function shapedExchanges(server: ShapedServer): readonly ShapedExchange[] {
  const files = readdirSync(new URL(`${server}/`, folder)).filter((file) => file.endsWith(".json"));
  return files.sort().flatMap((file) => {
    const recorded = JSON.parse(readFileSync(new URL(`${server}/${file}`, folder), "utf8"));
    if (recorded.response === undefined) return [];
    return [{ ...recorded, name: `${server}/${file.slice(0, -".json".length)}` } as ShapedExchange];
  });
}

/** The bytes of a streamed body, for example of "litellm/answer". */
export function shapedStream(name: string): Buffer {
  return readFileSync(new URL(`${name}.sse`, folder));
}

/** Names of the streams of a server that begin with `prefix`. */
export function shapedStreams(server: ShapedServer, prefix = ""): readonly string[] {
  const files = readdirSync(new URL(`${server}/`, folder));
  const names = files.filter((file) => file.endsWith(".sse") && file.startsWith(prefix));
  return names.sort().map((file) => `${server}/${file.slice(0, -".sse".length)}`);
}

/** Body of a refusal as it was on the wire. */
export function bodyTextOf({ response: { body, bodyText } }: ShapedExchange): string {
  return body === undefined ? (bodyText ?? "") : JSON.stringify(body);
}

/** Where the expected events of a recording are stored. */
export function shapedGolden(name: string): string {
  return new URL(`golden/${name}`, folder).pathname;
}
