/**
 * The people on the page. Their requests go to any instance, and a request that wasn't accepted is sent again with the
 * same id.
 */
import type { Askers, Book } from "./book.ts";
import type { Chance } from "./chance.ts";

const retryMs = 300;
const retries = 100;

export function createPageAskers(urls: readonly string[], book: Book, chance: Chance): Askers {
  const threads: string[] = [];
  const lastIn = new Map<string, Promise<unknown>>();
  const taken: object[] = [];
  let requests = 0;

  async function send(body: object): Promise<boolean> {
    requests += 1;
    const answer = await fetch(`${urls[requests % urls.length]}/api/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(3_000),
    }).catch(() => undefined);
    return answer?.status === 202;
  }

  async function sendUntilTaken(body: object): Promise<boolean> {
    for (let attempt = 0; attempt < retries; attempt += 1) {
      if (await send(body)) return true;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    return false;
  }

  return {
    ask: () => {
      const tag = book.nextTag();
      const id = crypto.randomUUID();
      const thread = chance.happens(0.4) ? chance.any(threads) : undefined;
      const question = { id, tab: "tab-1", channel: "general", text: `what about ${tag}` };
      const body = thread === undefined ? question : { ...question, thread };
      let isTaken = false;
      // As the page does: what is said next in a thread is sent when what was said before it was taken.
      const sent = Promise.resolve(thread === undefined ? undefined : lastIn.get(thread)).then(() =>
        sendUntilTaken(body),
      );
      lastIn.set(thread ?? id, sent);
      const settled = sent.then((wasTaken) => {
        isTaken = wasTaken;
        if (!isTaken) return;
        taken.push(body);
        // Followed up only once it is there, since the order of the page is the order of its answers.
        if (thread === undefined) threads.push(id);
      });
      book.add({
        ...{ tag, platform: "console", thread: thread ?? id, settled, isTaken: () => isTaken },
        eventKey: `console/local/general/${thread ?? id}/${id}`,
      });
    },
    press: () => {},
    repeat: () => {
      const body = chance.any(taken);
      if (body === undefined) return;
      book.repeat();
      void send(body);
    },
  };
}
