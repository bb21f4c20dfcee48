/**
 * The contract of platforms on Parley's own page, over its real routes.
 */
import { randomUUID } from "node:crypto";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { type Console, createConsole } from "../../adapters/console/index.ts";
import { describeCommands } from "../../adapters/console/intake/command-list.ts";
import { placeOf } from "../../adapters/console/intake/inbound.ts";
import type { ConsoleMessage, PageEvent } from "../../adapters/console/writing/messages.ts";
import type { Form } from "../../src/core/document.ts";
import { ParleyError } from "../../src/core/errors.ts";
import type { ChatPlatform } from "../../src/core/ports/chat-platform.ts";
import type { KeyValue, KeyValueFactory } from "../../src/core/ports/state.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { infoDocument } from "../../src/presentation/drawing.ts";
import { documentText } from "../../src/presentation/markdown.ts";
import { describePlatform } from "../contracts/platform.ts";
import type { Abilities, PlatformUnderTest, Said, Shown } from "../contracts/platform-under-test.ts";
import { noKnowledge } from "../doubles/nulls/no-knowledge.ts";
import { noOverview } from "../doubles/nulls/no-overview.ts";
import { noPictures } from "../doubles/nulls/no-pictures.ts";
import { event, requestsTo } from "./requests.ts";

const tab = "tab-1";
const channel = "general";

const has: Abilities = {
  threads: true,
  buttons: true,
  slashCommands: true,
  forms: true,
  fileFields: true,
  linkLabels: true,
  privateReplies: true,
  acknowledgements: true,
  rateLimits: false,
  connection: true,
  idempotentPosts: true,
  admins: "everyone",
  reactions: false,
  messageLinks: true,
};

async function createConsoleUnderTest(): Promise<PlatformUnderTest> {
  const servers: ServerType[] = [];
  const requests = new Map<string, object>();
  const notes = new Map<string, string>();
  let url = "";
  let page: Console | undefined;
  let listening = new AbortController();
  let form: { readonly form: Form; readonly thread: string } | undefined;
  let losesAnswer = false;
  let refusesPosts = false;
  const { send, read, upload } = requestsTo(() => ({ url }));

  /** Reads what the page is told, as its own script does. */
  const listen = async (signal: AbortSignal) => {
    const response = await fetch(`${url}/api/events?tab=${tab}`, { signal });
    let unread = "";
    for await (const chunk of response.body ?? []) {
      const parts = (unread + Buffer.from(chunk).toString()).split("\n\n");
      unread = parts.pop() ?? "";
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        const told = data === undefined || data === "{}" ? undefined : (JSON.parse(data) as PageEvent);
        if (told?.type !== "note") continue;
        if (told.note.payload === undefined) notes.delete(told.note.id);
        else notes.set(told.note.id, documentText(told.note.payload));
      }
    }
  };
  const openPage = () => {
    listening = new AbortController();
    listen(listening.signal).catch(() => undefined);
  };

  /** A message of Parley's is stored, and its writer does not hear of that. */
  const losing =
    (keyValue: KeyValueFactory): KeyValueFactory =>
    <T>(name: string): KeyValue<T> => {
      const store = keyValue<T>(name);
      const set: KeyValue<T>["set"] = async (key, value, ...rest) => {
        const isOwn = typeof value === "object" && value !== null && "author" in value && value.author === "parley";
        if (isOwn && refusesPosts) throw new ParleyError("state_unavailable");
        await store.set(key, value, ...rest);
        if (!isOwn || !losesAnswer) return;
        losesAnswer = false;
        throw new ParleyError("state_unavailable");
      };
      return { ...store, set };
    };

  const connect: PlatformUnderTest["connect"] = async ({
    keyValue,
    coordinator,
    commands,
    retentionMs,
    clock,
    log,
    collection,
    works,
    forget,
    checkAskedAlone,
    unbind,
  }) => {
    const app = new Hono();
    const server = await new Promise<ServerType>((resolve) => {
      const started = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(started));
    });
    servers.push(server);
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    url = `http://127.0.0.1:${address.port}`;
    page = createConsole({
      audit: { record: async () => {} },
      version: "test",
      keyValue: losing(keyValue),
      collection,
      works,
      coordinator,
      forget,
      checkAskedAlone,
      unbind,
      clock,
      log,
      host: "127.0.0.1",
      baseUrl: url,
      projectFolder: new URL("../..", import.meta.url).pathname.replace(/\/$/, ""),
      commands: () => describeCommands(commands.definitions, commands.groups, commands.prefix),
      firstView: async () => infoDocument("Ask."),
      ownVote: async () => undefined,
      turnOf: async () => undefined,
      readKnowledge: noKnowledge,
      pictures: noPictures,
      overview: noOverview,
      notifyAfterMs: 0,
      retentionMs,
    });
    await page.mount(app);
    openPage();
    return page as ChatPlatform;
  };

  const post = (path: string, body: object) => send("POST", path, body);
  const saying = (id: string, body: object): Promise<boolean> => {
    requests.set(id, body);
    return post("/api/messages", body).then(({ status }) => status === 202);
  };
  const shownOf = async (message: ConsoleMessage): Promise<Shown> => {
    const base = { messageId: message.id, text: "", markup: "", actions: [], files: [] };
    if (message.author === "parley") {
      const { payload } = message;
      return {
        ...base,
        text: documentText(payload),
        markup: JSON.stringify(payload),
        actions: payload.actions.map(({ label }) => label),
      };
    }
    if (message.author === "you") return { ...base, text: message.text };
    const file = await fetch(`${url}/files/${message.file.id}`);
    return { ...base, text: message.file.name, files: [await file.text()] };
  };
  const messagesOf = async (thread: string | undefined): Promise<readonly ConsoleMessage[]> =>
    thread === undefined ? [] : ((await read(thread)) as readonly ConsoleMessage[]);

  return {
    twins: 1,
    links: { testedIn: "test/console/page/page.slow.test.ts" },
    clock: systemClock,
    secrets: [],
    connect,
    place: () => placeOf(channel, randomUUID()),
    nowhere: placeOf("nowhere", "thread"),

    say: async (text, after) => {
      const { thread } = after?.answeredIn ?? {};
      const body = event({ text, tab, ...(thread === undefined ? {} : { thread }) });
      const said: Said = {
        messageId: body.id,
        answeredIn: placeOf(channel, thread ?? body.id),
        delivered: saying(body.id, body),
      };
      return said;
    },
    edit: async ({ messageId, answeredIn: { thread } }, text) =>
      void (await send("PUT", "/api/messages", event({ tab, thread, messageId, text }))),
    retract: async ({ messageId, answeredIn: { thread } }) =>
      void (await send("DELETE", "/api/messages", event({ tab, thread, messageId }))),
    command: async (line) => {
      const { body } = await post("/api/messages", event({ tab, text: `/${line}` }));
      form = body.form === undefined ? undefined : body;
    },
    press: async ({ place: { thread }, messageId }, label) => {
      const message = (await messagesOf(thread)).find(({ id }) => id === messageId);
      const actions = message?.author === "parley" ? message.payload.actions : [];
      const action = actions.find((one) => one.label === label);
      if (action === undefined) throw new Error(`there is no button ${label}`);
      await post("/api/actions", event({ tab, thread, messageId, action: action.id, value: action.value }));
    },
    hasForm: () => form !== undefined,
    submit: async (values, given = {}) => {
      if (form === undefined) throw new Error("no form is open");
      const { thread, form: shown } = form;
      const { id: formId, context } = shown;
      const names = Object.values(given).flat();
      const files = await Promise.all(names.map((name) => upload(name, `content of ${name}`)));
      const { status, body } = await post("/api/forms", event({ tab, thread, formId, context, values, files }));
      return status === 422 ? JSON.stringify(body.errors) : "";
    },
    readsAlone: async () => [...notes.values()].join("\n"),

    shown: async ({ thread }) =>
      Promise.all((await messagesOf(thread)).filter(({ author }) => author !== "you").map(shownOf)),
    deliverAgain: async ({ messageId }) => void (await saying(messageId, requests.get(messageId) ?? {})),
    // On the page only Parley can do that.
    deleteReply: async (ref) => page?.remove(ref),
    loseAnswer: () => {
      losesAnswer = true;
    },
    refusePosts: () => {
      refusesPosts = true;
    },
    drop: () => {
      listening.abort();
      openPage();
    },
    violations: () => [],
    close: async () => {
      listening.abort();
      for (const server of servers) {
        await new Promise<void>((resolve) => {
          server.close(() => resolve());
          if ("closeAllConnections" in server) server.closeAllConnections();
        });
      }
    },
  };
}

describePlatform("the page", has, createConsoleUnderTest);
