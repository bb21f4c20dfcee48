/** Sends requests to a console as the page does. */
import { randomUUID } from "node:crypto";

/** The body of an event, with an id of its own. */
export const event = (more: object) => ({ id: randomUUID(), tab: "tab-1", channel: "general", ...more });

export function requestsTo(scripted: () => { readonly url: string }) {
  const get = async (path: string) => JSON.parse(await (await fetch(scripted().url + path)).text());

  const sendTo = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(scripted().url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };

  const putTo = (id: string, body: string) =>
    fetch(`${scripted().url}/api/uploads/${id}`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      body,
    });

  return {
    get,
    /** Messages of a thread in general. */
    read: async (thread: string) => (await get(`/api/conversations/general/${thread}`)).messages ?? [],
    list: () => get("/api/conversations"),

    /** The answer's body, parsed when it is JSON. */
    send: sendTo,

    announce: (file: object) => sendTo("POST", "/api/uploads", { mediaType: "text/plain", ...file }),

    /** The content of an announced file. */
    put: (id: string, content: string) => putTo(id, content),

    /** Uploads a file; returns its id. */
    upload: async (name: string, content: string): Promise<string> => {
      const sizeBytes = Buffer.byteLength(content);
      const { body } = await sendTo("POST", "/api/uploads", { name, mediaType: "text/plain", sizeBytes });
      if ((await putTo(body.id, content)).status !== 200) throw new Error(`${name} was not taken`);
      return body.id;
    },

    /** What a tab's stream says until `isEnough`; `act` runs once it is connected. */
    events: async (
      tab: string,
      isEnough: (received: string) => boolean,
      act: () => Promise<unknown> = async () => {},
    ): Promise<string> => {
      const stop = new AbortController();
      const response = await fetch(`${scripted().url}/api/events?tab=${tab}`, { signal: stop.signal });
      let received = "";
      let hasActed = false;
      for await (const chunk of response.body ?? []) {
        received += Buffer.from(chunk).toString();
        if (!hasActed && received.includes("event: hello")) {
          hasActed = true;
          await act();
        }
        if (isEnough(received)) break;
      }
      stop.abort();
      return received;
    },
  };
}
