/** What the scripted service can do: moves within a stream, and responses in the place of one. */
export type Move =
  | { readonly kind: "write"; readonly bytes: string | Uint8Array }
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "gate"; readonly name: string }
  | { readonly kind: "flood"; readonly bytes: number }
  | { readonly kind: "cut" }
  | { readonly kind: "silence" };

export type Refusal = { readonly status: number; readonly contentType: string; readonly body: string };

/** One event as the services write it: `data: <JSON>` and an empty line. */
export function chunk(json: unknown): Move {
  return raw(`data: ${JSON.stringify(json)}\n\n`);
}

/** Bytes as they are: malformed JSON, half a chunk, recorded traffic. */
export function raw(bytes: string | Uint8Array): Move {
  return { kind: "write", bytes };
}

export function pause(ms: number): Move {
  return { kind: "pause", ms };
}

/** Waits until the test calls `release(name)`. */
export function gate(name = ""): Move {
  return { kind: "gate", name };
}

/** One chunk that does not end: `bytes` of it, then the script goes on in the middle of it. */
export function flood(bytes: number): Move {
  return { kind: "flood", bytes };
}

/** The connection breaks. */
export function cut(): Move {
  return { kind: "cut" };
}

/** Nothing more, and the connection stays open until the client leaves. */
export function silence(): Move {
  return { kind: "silence" };
}

/** An error in the services' own shape, e.g. refuse(409, "Agent already exists", "…"). */
export function refuse(status: number, title: string, detail: string): Refusal {
  const body = JSON.stringify({ title, detail, timestamp: "2026-01-01 00:00:00.000000" });
  return { status, contentType: "application/problem+json", body };
}

export function answerJson(status: number, body: unknown): Refusal {
  return { status, contentType: "application/json", body: JSON.stringify(body) };
}

/** What a proxy says in the place of the service. */
export function html(status: number): Refusal {
  return { status, contentType: "text/html; charset=utf-8", body: "<!doctype html><title>Bad gateway</title>" };
}

/** What 25.x answers at `/completions`. */
export function plain(content: string): Refusal {
  return answerJson(200, { message: { content, role: "assistant", trace_id: "" } });
}
