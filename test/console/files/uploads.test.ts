import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { privateChannelOf } from "../../../adapters/console/channels/reading.ts";
import { keepTidy } from "../../../adapters/console/files/tidying.ts";
import { createUploads, type Guest, type Upload } from "../../../adapters/console/files/uploads.ts";
import {
  keptUploadBytes,
  maxAllUploadBytes,
  maxUploadBytes,
  maxUploadBytesOfPerson,
  uploadPieceBytes,
} from "../../../adapters/console/limits.ts";
import type { Attachment } from "../../../src/core/model/place.ts";
import { systemClock } from "../../../src/core/tools/system-clock.ts";
import { createKeyValue } from "../../../src/state/key-value.ts";
import { createMemoryCoordinator } from "../../../src/state/memory/coordinator.ts";
import { openState } from "../../../src/state/open-state.ts";
import { openSqlite } from "../../../src/state/sqlite/database.ts";
import { createSqliteKeyValueBackend } from "../../../src/state/sqlite/keyv-sqlite.ts";
import { stateError } from "../../../src/state/state-error.ts";
import { createFakeClock } from "../../doubles/fake-clock.ts";
import { silentLog } from "../../doubles/silent-log.ts";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { until } from "../../doubles/until.ts";
import { cookiesAfter } from "../people/sign-in-room.ts";
import { event, requestsTo } from "../requests.ts";
import { type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";

const hourMs = 3_600_000;
const small = { name: "notes.txt", mediaType: "text/plain", sizeBytes: 3 };

const general = { platform: "console", workspace: "local", channel: "general" };

describe("a file on the page", () => {
  let scripted: ScriptedConsole;
  afterEach(() => scripted.stop());
  const { read, send, list, announce, put, upload } = requestsTo(() => scripted);

  async function textOf(attachment: Attachment): Promise<string> {
    const parts: Uint8Array[] = [];
    for await (const part of await scripted.console.openAttachment(attachment, general)) parts.push(part);
    return Buffer.concat(parts).toString();
  }

  function attachmentsOf(index: number): readonly Attachment[] {
    const inbound = scripted.inbounds[index];
    return (inbound !== undefined && "attachments" in inbound ? inbound.attachments : undefined) ?? [];
  }

  it("comes with its question, can be read by the agent, and stays with the message", async () => {
    scripted = await startScriptedConsole();
    const content = "ü".repeat(uploadPieceBytes);
    const id = await upload("notes.txt", content);

    const request = event({ text: "What does it say?", files: [id] });
    expect(await send("POST", "/api/messages", request)).toMatchObject({ status: 202 });

    const sizeBytes = Buffer.byteLength(content);
    const [attachment] = attachmentsOf(0);
    expect(attachment).toMatchObject({ id, name: "notes.txt", mediaType: "text/plain", sizeBytes });
    expect(attachment && (await textOf(attachment))).toBe(content);
    expect(await read(request.id)).toMatchObject([{ files: [{ id, name: "notes.txt", sizeBytes }] }]);
    const place = { platform: "console", workspace: "local", channel: "general", thread: request.id };
    expect(await scripted.console.readThread(place, { limit: 10 })).toMatchObject([
      { attachments: [{ name: "notes.txt" }] },
    ]);
  });

  it("can be the whole question, and names the conversation then", async () => {
    scripted = await startScriptedConsole();
    const id = await upload("prices.csv", "a,b");

    expect(await send("POST", "/api/messages", event({ text: " ", files: [id] }))).toMatchObject({ status: 202 });

    expect(scripted.inbounds).toMatchObject([{ kind: "message", attachments: [{ name: "prices.csv" }] }]);
    expect(await list()).toMatchObject({ conversations: [{ title: "prices.csv" }] });
  });

  it("comes with a command and with a form as well", async () => {
    scripted = await startScriptedConsole();
    const id = await upload("prices.csv", "a,b");

    await send("POST", "/api/messages", event({ text: "/kb add into docs", files: [id] }));
    const form = { thread: "t", formId: "kb add", values: {}, context: "", files: [id] };
    await send("POST", "/api/forms", event(form));

    expect(scripted.inbounds).toMatchObject([
      { kind: "command", attachments: [{ name: "prices.csv" }] },
      { kind: "form", attachments: [{ name: "prices.csv" }] },
    ]);
  });

  it("still comes with its question after an edit, which may leave nothing but the file", async () => {
    scripted = await startScriptedConsole();
    const request = event({ text: "What does it say?", files: [await upload("notes.txt", "abc")] });
    await send("POST", "/api/messages", request);

    const edit = event({ thread: request.id, messageId: request.id, text: "" });
    expect(await send("PUT", "/api/messages", edit)).toMatchObject({ status: 202 });

    expect(scripted.inbounds[1]).toMatchObject({ kind: "message-edited", attachments: [{ name: "notes.txt" }] });
  });

  it("is removed with its question, and with a conversation that is forgotten", async () => {
    scripted = await startScriptedConsole();
    const requests = await Promise.all(
      ["one.txt", "two.txt"].map(async (name) => event({ text: "What?", files: [await upload(name, "abc")] })),
    );
    for (const request of requests) await send("POST", "/api/messages", request);
    const [first, second] = requests;

    await send("DELETE", "/api/messages", event({ thread: first?.id, messageId: first?.id }));
    const place = { platform: "console", workspace: "local", channel: "general", thread: second?.id ?? "" };
    await scripted.console.forget?.(place);

    for (const index of [0, 1]) {
      const [attachment] = attachmentsOf(index);
      if (attachment === undefined) throw new Error("no attachment");
      await expect(scripted.console.openAttachment(attachment, general)).rejects.toMatchObject({
        code: "platform_refused",
      });
    }
  });

  it("is only ever a download, whatever it claims to be", async () => {
    scripted = await startScriptedConsole();
    const content = "<script>alert(1)</script>";
    const { body } = await announce({ name: "a\u202Egpj.html", mediaType: "text/html", sizeBytes: content.length });
    await put(body.id, content);
    const request = event({ text: "What?", files: [body.id] });
    await send("POST", "/api/messages", request);

    const path = `/api/uploads/general/${request.id}/${request.id}/${body.id}`;
    const response = await fetch(scripted.url + path);

    expect(await response.text()).toBe(content);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename*=UTF-8''agpj.html",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect((await fetch(scripted.url + path.replace("general", "random"))).status).toBe(404);
  });

  it("is not found under an invented id, and not before all of it has arrived", async () => {
    scripted = await startScriptedConsole();
    const { body } = await announce({ name: "notes.txt", sizeBytes: 3 });

    for (const id of [body.id, `${"0".repeat(32)}.${randomUUID()}`]) {
      expect(await send("POST", "/api/messages", event({ text: "What?", files: [id] }))).toMatchObject({
        status: 422,
        body: { error: { what: "An attached file is no longer stored here." } },
      });
    }
    expect(scripted.inbounds).toEqual([]);
    const other = await fetch(`${scripted.url}/api/uploads/${"0".repeat(32)}.${randomUUID()}`, { method: "DELETE" });
    expect(other.status).toBe(204);
  });

  it("belongs to one message: another one can't name it", async () => {
    scripted = await startScriptedConsole();
    const id = await upload("notes.txt", "abc");
    const request = event({ text: "What?", files: [id] });

    expect(await send("POST", "/api/messages", request)).toMatchObject({ status: 202 });
    expect(await send("POST", "/api/messages", request)).toMatchObject({ status: 202 });
    expect(await send("POST", "/api/messages", event({ text: "Again?", files: [id] }))).toMatchObject({ status: 422 });
  });

  it.each([
    ["empty", { name: "notes.txt", sizeBytes: 0 }, 422, "“notes.txt” is empty."],
    ["too large", { name: "film.mov", sizeBytes: maxUploadBytes + 1 }, 422, "“film.mov” is larger than 25 MB."],
    ["described at length", { name: "x".repeat(20_000), sizeBytes: 1 }, 413, undefined],
    ["of a size that can't be", { name: "notes.txt", sizeBytes: -1 }, 400, undefined],
    ["of unknown size", { name: "notes.txt" }, 400, undefined],
  ])("is refused before it is uploaded if it is %s", async (_what, file, status, what) => {
    scripted = await startScriptedConsole();

    const answer = await announce(file);

    expect(answer.status).toBe(status);
    if (what !== undefined) expect(answer.body.error.what).toBe(what);
  });

  it("is removed when more or less arrives than was announced", async () => {
    scripted = await startScriptedConsole();
    for (const content of ["ab", "abcd"]) {
      const { body } = await announce({ name: "notes.txt", sizeBytes: 3 });

      const response = await put(body.id, content);

      expect(response.status).toBe(422);
      expect((await put(body.id, "abc")).status).toBe(404);
    }
  });

  it("is removed when its upload breaks off", async () => {
    scripted = await startScriptedConsole();
    const { body } = await announce({ name: "notes.txt", sizeBytes: 1000 });
    const stored = scripted.state.keyValue<{ readonly state: string }>("console-uploads");
    const socket = connect(scripted.port, "127.0.0.1");
    socket.write(
      `PUT /api/uploads/${body.id} HTTP/1.1\r\nHost: 127.0.0.1:${scripted.port}\r\n` +
        "Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nabc",
    );
    await until("it arrives", async () => (await stored.get(`local/${body.id}`))?.state === "arriving");

    socket.destroy();

    await until("it is removed", async () => (await stored.get(`local/${body.id}`)) === undefined);
  });

  it("that a proxy sends twice is stored once and stays", async () => {
    scripted = await startScriptedConsole();
    const { body } = await announce({ name: "notes.txt", sizeBytes: 6 });
    const stored = scripted.state.keyValue<{ readonly state: string }>("console-uploads");
    const state = async () => (await stored.get(`local/${body.id}`))?.state;
    const socket = connect(scripted.port, "127.0.0.1");
    socket.write(
      `PUT /api/uploads/${body.id} HTTP/1.1\r\nHost: 127.0.0.1:${scripted.port}\r\n` +
        "Content-Type: application/octet-stream\r\nContent-Length: 6\r\n\r\nabc",
    );
    await until("it arrives", async () => (await state()) === "arriving");

    expect((await put(body.id, "xyzxyz")).status).toBe(503);
    socket.write("def");
    await until("it is there", async () => (await state()) === "complete");
    socket.destroy();
    expect((await put(body.id, "xyzxyz")).status).toBe(200);

    await send("POST", "/api/messages", event({ text: "What?", files: [body.id] }));
    const [attachment] = attachmentsOf(0);
    expect(attachment && (await textOf(attachment))).toBe("abcdef");
  });

  it("can be removed before it is sent, but not by an upload request once it is in a message", async () => {
    scripted = await startScriptedConsole();
    const remove = (id: string) => fetch(`${scripted.url}/api/uploads/${id}`, { method: "DELETE" });
    const [unsent, sent] = [await upload("one.txt", "abc"), await upload("two.txt", "abc")];
    await send("POST", "/api/messages", event({ text: "What?", files: [sent] }));

    await remove(unsent);
    await remove(sent);

    expect(await send("POST", "/api/messages", event({ text: "What?", files: [unsent] }))).toMatchObject({
      status: 422,
    });
    const [attachment] = attachmentsOf(0);
    expect(attachment && (await textOf(attachment))).toBe("abc");
  });

  it("refuses an eleventh file", async () => {
    scripted = await startScriptedConsole();
    const files = Array.from({ length: 11 }, () => `${"0".repeat(32)}.${randomUUID()}`);

    expect(await send("POST", "/api/messages", event({ text: "What?", files }))).toMatchObject({ status: 400 });
  });
});

describe("a file of one of several people", () => {
  let scripted: ScriptedConsole;
  afterEach(() => scripted.stop());

  const begin = async () => {
    scripted = await startScriptedConsole({
      userHeader: { name: "x-user" },
      trustedProxy: ["127.0.0.1/32"],
    });
  };
  /** Requests of someone whom the proxy names. */
  const as = (name: string) => {
    const call = (method: string, path: string, type: string, body?: string) =>
      fetch(scripted.url + path, {
        method,
        headers: { "x-user": name, "content-type": type },
        ...(body === undefined ? {} : { body }),
      });
    const send = (method: string, path: string, body: object) =>
      call(method, path, "application/json", JSON.stringify(body));
    const upload = async (file: string): Promise<string> => {
      const announced = await send("POST", "/api/uploads", { name: file, mediaType: "text/plain", sizeBytes: 3 });
      const { id } = JSON.parse(await announced.text());
      await call("PUT", `/api/uploads/${id}`, "application/octet-stream", "abc");
      return id;
    };
    return { call, send, upload };
  };

  it("can't be sent, uploaded or removed by another one, even with its id", async () => {
    await begin();
    const [ana, ben] = [as("ana"), as("ben")];
    const id = await ana.upload("notes.txt");

    expect((await ben.call("DELETE", `/api/uploads/${id}`, "text/plain")).status).toBe(204);
    expect((await ben.call("PUT", `/api/uploads/${id}`, "application/octet-stream", "xyz")).status).toBe(404);
    expect((await ben.send("POST", "/api/messages", event({ text: "Mine?", files: [id] }))).status).toBe(422);

    const request = event({ text: "Mine?", files: [id] });
    expect((await ana.send("POST", "/api/messages", request)).status).toBe(202);
  });

  it("is only given to people who can read its conversation", async () => {
    await begin();
    const [ana, ben] = [as("ana"), as("ben")];
    const ask = async (channel: string) => {
      const id = await ana.upload("notes.txt");
      const request = event({ text: "What?", files: [id], channel });
      expect((await ana.send("POST", "/api/messages", request)).status).toBe(202);
      return `/api/uploads/${channel}/${request.id}/${request.id}/${id}`;
    };
    const shared = await ask("general");
    const own = await ask(privateChannelOf("ana"));
    const statuses = async (path: string) =>
      [await ana.call("GET", path, "text/plain"), await ben.call("GET", path, "text/plain")].map(
        ({ status }) => status,
      );

    expect(await statuses(shared)).toEqual([200, 200]);
    expect(await statuses(own)).toEqual([200, 404]);
    // Naming the shared channel doesn't lead to it either.
    expect(await statuses(own.replace(privateChannelOf("ana"), "general"))).toEqual([404, 404]);
  });
});

describe("a guest's file", () => {
  it("waits while three of that network are on their way, also from a new browser, and a manager's doesn't", async () => {
    const scripted = await startScriptedConsole({ token: "a-token-to-manage", guestToken: "a-token-to-ask" });
    onTestFinished(scripted.stop);
    const announceAs = async (token: string) => {
      const cookie = await cookieOf(scripted.url, token);
      const { send } = requestsTo(() => scripted);
      return send("POST", "/api/uploads", { ...small, sizeBytes: maxUploadBytes }, { cookie });
    };

    const guests = [];
    for (let browser = 0; browser < 5; browser += 1) guests.push(await announceAs("a-token-to-ask"));

    expect(guests.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429]);
    expect(guests[3]?.body.error.hint).toBe("Wait until one of them is uploaded.");
    expect((await announceAs("a-token-to-manage")).status).toBe(201);
  });
});

/** Of someone who signs in in a new browser. */
async function cookieOf(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ token, name: "x" }),
    redirect: "manual",
  });
  return cookiesAfter(response);
}

describe("a file while the disk is full", () => {
  /** A database that can't grow by more than so many pages of 4 kB. */
  async function openFull(pages: number) {
    const clock = createFakeClock();
    const database = await openSqlite({ dataDir: await temporaryFolder("full"), clock, log: silentLog });
    const backend = createSqliteKeyValueBackend({ database, clock, log: silentLog });
    const keyValue = createKeyValue(backend, silentLog);
    const coordinator = createMemoryCoordinator({ clock });
    const limit = (more: number) => {
      const { page_count: count } = database.handle.prepare("PRAGMA page_count").get() ?? {};
      database.handle.exec(`PRAGMA max_page_count = ${Number(count) + more}`);
    };
    limit(pages);
    onTestFinished(async () => {
      backend.stop();
      await coordinator.close();
      await database.close();
    });
    return { uploads: createUploads({ keyValue, coordinator, clock }), keyValue, grow: () => limit(100_000) };
  }

  it("is refused, leaves nothing, and is taken once there is room", async () => {
    const { uploads, keyValue, grow } = await openFull(100);
    const sizeBytes = 4 * uploadPieceBytes;
    const file = { name: "rows.csv", mediaType: "text/csv", sizeBytes };
    const content = () => ReadableStream.from([Buffer.alloc(sizeBytes)]);
    const left = async () => [
      ...(await Array.fromAsync(keyValue("console-upload-pieces").entries(""))),
      ...(await Array.fromAsync(keyValue("console-uploads").entries(""))),
    ];

    const refused = uploads.receive(await uploads.announce("you", file), content());
    await expect(refused).rejects.toMatchObject({ code: "state_unavailable" });
    await until("nothing is left", async () => (await left()).length === 0);
    grow();

    const complete = await uploads.receive(await uploads.announce("you", file), content());
    expect(Buffer.concat(await Array.fromAsync(uploads.read(complete)))).toHaveLength(sizeBytes);
  });

  it("says so in a sentence, and the question can be sent without it", async () => {
    let isFull = true;
    const { keyValue, ...state } = await openState({
      dataDir: await temporaryFolder("full"),
      clock: systemClock,
      log: silentLog,
    });
    const filling: typeof keyValue = <T>(namespace: string) => {
      const store = keyValue<T>(namespace);
      const set: typeof store.set = async (...given) => {
        if (isFull && namespace === "console-upload-pieces") throw stateError(new Error("database or disk is full"));
        return store.set(...given);
      };
      return { ...store, set };
    };
    const scripted = await startScriptedConsole({ ...state, keyValue: filling });
    onTestFinished(async () => {
      await scripted.stop();
      await state.close();
    });
    const { announce, put, send, upload } = requestsTo(() => scripted);
    const { body } = await announce({ name: "notes.txt", sizeBytes: 3 });

    const response = await put(body.id, "abc");

    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { what: "Parley can't reach its storage." } });
    expect(await send("POST", "/api/messages", event({ text: "What?" }))).toMatchObject({ status: 202 });
    isFull = false;
    const files = [await upload("notes.txt", "abc")];
    expect(await send("POST", "/api/messages", event({ text: "What?", files }))).toMatchObject({ status: 202 });
  });
});

describe("stored uploads", () => {
  async function open() {
    const clock = createFakeClock();
    const dataDir = await temporaryFolder("uploads");
    const state = await openState({ dataDir, clock, log: silentLog });
    const uploads = createUploads({ ...state, clock });
    const add = async (name: string, personId = "you") => {
      const announced = await uploads.announce(personId, { name, mediaType: "text/plain", sizeBytes: 3 });
      return uploads.receive(announced, ReadableStream.from([Buffer.from("abc")]));
    };
    /** Announces a file and has it stored, without the time that its content takes. */
    const store = async (personId: string, file: Parameters<typeof uploads.announce>[1], guest?: Guest) => {
      const upload = await uploads.announce(personId, file, guest);
      await state.keyValue<Upload>("console-uploads").set(`local/${upload.id}`, { ...upload, state: "complete" });
    };
    const names = async () => (await Array.fromAsync(uploads.all())).map(({ name }) => name).sort();
    return { clock, uploads, add, store, names, close: state.close };
  }

  it("that no message shows are removed within a day, and so are those of messages that are gone", async () => {
    const { clock, uploads, add, names, close } = await open();
    const by = { channel: "general", thread: "t" };
    await uploads.announce("you", { name: "announced.txt", mediaType: "text/plain", sizeBytes: 3 });
    await add("unsent.txt");
    await uploads.use((await add("shown.txt")).id, { ...by, message: "shown" });
    await uploads.use((await add("gone.txt")).id, { ...by, message: "gone" });
    const isShown = async ({ message }: { readonly message: string }) => message === "shown";
    const stop = keepTidy({ uploads, isShown, clock, log: silentLog });

    await clock.advance(3 * hourMs);
    await until("they are tidied up", async () => (await names()).length === 2);
    expect(await names()).toEqual(["shown.txt", "unsent.txt"]);
    for (let hour = 3; hour < 24; hour += 1) await clock.advance(hourMs);

    await until("the unsent one is removed", async () => (await names()).length === 1);
    expect(await names()).toEqual(["shown.txt"]);
    stop();
    await close();
  });

  it("of one person have a limit, which holds for announcements that come at once", async () => {
    const { uploads, store, close } = await open();
    const file = { name: "rows.csv", mediaType: "text/csv", sizeBytes: maxUploadBytes };
    const fitting = maxUploadBytesOfPerson / maxUploadBytes;
    for (let count = 1; count < fitting; count += 1) await store("ana", file);

    const announced = await Promise.allSettled(Array.from({ length: 3 }, () => uploads.announce("ana", file)));

    expect(announced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(announced.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "file_refused", what: "Your files here may take up 100 MB together." },
    });
    await uploads.announce("ben", file);
    await close();
  });

  it("have a limit over all people", async () => {
    const { store, close } = await open();
    const file = { name: "rows.csv", mediaType: "text/csv", sizeBytes: maxUploadBytes };
    const storeFor = async (person: number) => {
      for (let count = 0; count < 4; count += 1) await store(`person-${person}`, file);
    };
    for (let person = 0; person < 10; person += 1) await storeFor(person);

    await expect(storeFor(10)).rejects.toMatchObject({
      what: "There is no room for more files: all of them together may take up 1,024 MB.",
    });
    await close();
  });

  it("leave a part of the room to people who manage or have a name, however many guests there are", async () => {
    const { store, close } = await open();
    const file = { name: "rows.csv", mediaType: "text/csv", sizeBytes: maxUploadBytes };
    const guest = { network: "203.0.113.9" };
    const fitting = Math.floor((maxAllUploadBytes - keptUploadBytes) / maxUploadBytes);
    for (let count = 0; count < fitting; count += 1) await store(`browser-${count}`, file, guest);

    await expect(store("browser-x", file, guest)).rejects.toMatchObject({
      code: "file_refused",
      what: "There is no room for more files from guests: with theirs, all files may take up 768 MB.",
    });
    await store("ana", file);
    await close();
  });

  it("that a person has announced are three at once, until one of them arrives or is removed", async () => {
    const { uploads, close } = await open();
    const announce = () => uploads.announce("ana", small);
    const [first, second] = [await announce(), await announce(), await announce()];

    await expect(announce()).rejects.toMatchObject({
      code: "platform_rate_limited",
      what: "3 files are already being uploaded from here.",
    });
    await uploads.receive(first, ReadableStream.from([Buffer.from("abc")]));
    await announce();
    await uploads.removeAll([second]);
    await announce();
    await expect(announce()).rejects.toMatchObject({ code: "platform_rate_limited" });
    await uploads.announce("ben", small);
    await close();
  });

  it("of guests are three at once for each network, since a new browser costs nothing", async () => {
    const { uploads, close } = await open();
    const [here, elsewhere] = [{ network: "203.0.113.9" }, { network: "2001:db8:0:1" }];
    const announced = await Promise.allSettled(
      Array.from({ length: 10 }, (_, browser) => uploads.announce(`browser-${browser}`, small, here)),
    );
    const first = announced.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));

    expect(first).toHaveLength(3);
    await uploads.announce("browser-11", small, elsewhere);
    // People with a name share the network of their office.
    await uploads.announce("ana", small);
    await uploads.receive(first[0] ?? expect.fail(), ReadableStream.from([Buffer.from("abc")]));
    await uploads.announce("browser-12", small, here);
    await expect(uploads.announce("browser-13", small, here)).rejects.toMatchObject({ code: "platform_rate_limited" });
    await close();
  });

  it("that were announced and didn't come within ten minutes are given up, and so is their room", async () => {
    const { clock, uploads, names, store, close } = await open();
    const guest = { network: "203.0.113.9" };
    const late = await uploads.announce("browser-1", small, guest);
    for (let count = 0; count < 2; count += 1) await uploads.announce("browser-2", small, guest);
    const stop = keepTidy({ uploads, isShown: async () => true, clock, log: silentLog });
    await clock.advance(9 * 60_000);
    await expect(uploads.announce("browser-3", small, guest)).rejects.toMatchObject({ code: "platform_rate_limited" });

    await clock.advance(60_000);

    await expect(uploads.receive(late, ReadableStream.from([Buffer.from("abc")]))).rejects.toMatchObject({
      code: "resource_not_found",
    });
    for (let count = 0; count < 4; count += 1) await store("browser-3", small, guest);
    await clock.advance(hourMs);
    await until("they are tidied up", async () => (await names()).length === 4);
    stop();
    await close();
  });

  it("belong to the person who uploaded them", async () => {
    const { uploads, add, close } = await open();
    const { id } = await add("notes.txt", "ana");

    expect(await uploads.findOwn("ana", id)).toBeDefined();
    expect(await uploads.findOwn("ben", id)).toBeUndefined();
    await close();
  });
});
