import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { streamSSE } from "hono/streaming";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../src/core/tools/config-error.ts";
import { systemClock } from "../../src/core/tools/system-clock.ts";
import { addressToOpen, checkAddress, createHttpServer, type HttpServer } from "../../src/operations/http-server.ts";
import { createCollectedLog } from "../doubles/collected-log.ts";

const opened: HttpServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close(0);
});

function open(port = 0, host = "127.0.0.1", basePath = "") {
  const collected = createCollectedLog();
  const server = createHttpServer({
    host,
    port,
    publicUrl: `https://parley.example${basePath}`,
    clock: systemClock,
    log: collected.log,
  });
  opened.push(server);
  return { server, ...collected };
}

describe("the URL to open", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:3000"],
    ["parley.example.com", "http://parley.example.com:3000"],
    ["2001:db8::7", "http://[2001:db8::7]:3000"],
    ["0.0.0.0", "http://127.0.0.1:3000"],
    ["::", "http://[::1]:3000"],
  ])("of %s is %s", (host, address) => {
    expect(addressToOpen(host, 3000)).toBe(address);
  });
});

describe("the HTTP server", () => {
  it("serves everything below the path of PUBLIC_URL too, whether a proxy strips it or passes it on", async () => {
    const { server } = open(0, "127.0.0.1", "/tools/parley");
    server.app.get("/", (context) => context.text("page"));
    server.app.get("/docs/:name", ({ req, text }) => text(`${req.param("name")} ${req.query("raw")}`));
    server.handleNode("/slack/events", (_request, response) => response.end("event"));
    const { url } = await server.listen();
    const read = async (path: string) => (await fetch(url + path)).text();

    for (const base of ["", "/tools/parley"]) {
      expect(await read(`${base}/`)).toBe("page");
      expect(await read(`${base}/docs/x.md?raw=1`)).toBe("x.md 1");
      expect(await read(`${base}/slack/events`)).toBe("event");
    }
    expect(await read("/tools/parleys/")).toBe("Not found.\n");
    expect(await read("/tools/")).toBe("Not found.\n");
  });

  it("leads from the path without its slash to the one with it, where relative URLs work", async () => {
    const { server } = open(0, "127.0.0.1", "/parley");
    const { url } = await server.listen();

    const response = await fetch(`${url}/parley?channel=general`, { redirect: "manual" });

    expect([response.status, response.headers.get("location")]).toEqual([308, "/parley/?channel=general"]);
  });

  it("serves what was mounted, and says where nothing is", async () => {
    const { server } = open();
    server.app.get("/hello", (context) => context.text("hi"));
    const { url } = await server.listen();

    expect(await (await fetch(`${url}/hello`)).text()).toBe("hi");
    expect((await fetch(`${url}/else`)).status).toBe(404);
  });

  it("passes a path to a Node listener, whatever its query", async () => {
    const { server } = open();
    server.handleNode("/slack/events", (request, response) => response.end(`node ${request.method}`));
    const { url } = await server.listen();

    expect(await (await fetch(`${url}/slack/events?a=1`, { method: "POST" })).text()).toBe("node POST");
    expect((await fetch(`${url}/slack/events/more`)).status).toBe(404);
  });

  it("answers 500 without the cause when a route throws, and logs the cause", async () => {
    const { server, lines } = open();
    server.app.get("/boom", () => {
      throw new Error("inner detail");
    });
    const { url } = await server.listen();

    const response = await fetch(`${url}/boom`);

    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("inner detail");
    expect(lines()[0]).toMatchObject({ level: "error", path: "/boom", err: { message: "inner detail" } });
  });

  it("answers 500 and lives on when a listener of Node's own kind throws, and logs the cause", async () => {
    const { server, lines } = open();
    server.handleNode("/boom", () => {
      throw new Error("inner detail");
    });
    const { url } = await server.listen();

    const response = await fetch(`${url}/boom`);

    expect(response.status).toBe(500);
    expect(await response.text()).toBe("");
    expect(lines()[0]).toMatchObject({ level: "error", path: "/boom", err: { message: "inner detail" } });
    expect((await fetch(`${url}/else`)).status).toBe(404);
  });

  it("names PORT in one line when it is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;

    const refusal = await open(port)
      .server.listen()
      .catch((thrown: unknown) => thrown);
    const checked = await checkAddress("127.0.0.1", port).catch((thrown: unknown) => thrown);
    other.close();

    expect(refusal).toBeInstanceOf(ConfigError);
    expect(String(refusal)).toBe(
      `ConfigError: PORT: ${port} is in use by another program; choose another port. For example PORT=${port + 1}`,
    );
    expect(String(checked)).toBe(String(refusal));
  });

  it("names HOST when it isn't an address of this machine", async () => {
    await expect(open(0, "192.0.2.1").server.listen()).rejects.toThrow(/^HOST: 192\.0\.2\.1 isn't an address/);
  });

  it("finds a free port free", async () => {
    await expect(checkAddress("127.0.0.1", 0)).resolves.toBeUndefined();
  });

  it("lets open streams end when it closes", async () => {
    const { server } = open();
    const ending = Promise.withResolvers<void>();
    server.app.get("/events", (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ data: "first" });
        await ending.promise;
        await stream.writeSSE({ data: "last" });
      }),
    );
    const { url } = await server.listen();
    const response = await fetch(`${url}/events`);

    const closed = server.close(60_000);
    ending.resolve();

    await Promise.all([closed, expect(response.text()).resolves.toBe("data: first\n\ndata: last\n\n")]);
  });

  it("cuts what does not end when its time is over", async () => {
    const { server } = open();
    server.app.get(
      "/stuck",
      () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) })),
    );
    const { url } = await server.listen();
    const response = await fetch(`${url}/stuck`);

    await server.close(0);

    await expect(response.text()).rejects.toThrow();
  });

  type Refuse = (server: ReturnType<typeof open>["server"], refused: () => void) => void;
  const refuseAfter =
    (read: (request: Request) => Promise<void>): Refuse =>
    ({ app }, refused) =>
      app.post("/upload", async ({ req, text }) => {
        await read(req.raw);
        refused();
        return text("Too large.\n", 413);
      });
  it.each<[string, Refuse]>([
    ["hasn't begun to read", refuseAfter(async () => undefined)],
    ["has read the beginning of", refuseAfter(async ({ body }: Request) => void (await body?.getReader().read()))],
    [
      "gave to a library which read its beginning",
      ({ handleNode }, refused) =>
        handleNode("/upload", (request, response) => {
          request.once("data", () => {
            request.pause();
            response.writeHead(413);
            response.end("Too large.\n");
            refused();
          });
        }),
    ],
  ])("answers a request that it %s only after its last byte, which a proxy still sends", async (_, refuse) => {
    const { server } = open();
    const refused = Promise.withResolvers<void>();
    refuse(server, refused.resolve);
    server.app.get("/else", (context) => context.text("else"));
    const { url, port } = await server.listen();
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (part) => {
      answer += part.toString();
    });
    const ended = once(socket, "end");

    // As nginx writes it, which answers 502 if the connection is closed before it has sent everything.
    socket.write("POST /upload HTTP/1.0\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n");
    socket.write("x".repeat(1_000_000));
    await refused.promise;
    await fetch(`${url}/else`);
    const beforeTheRest = answer;
    socket.write("x".repeat(2_000_000));
    await ended;

    expect(beforeTheRest).toBe("");
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/Too large\.\n$/);
  });

  it("answers a request of more than 64 MB before its end", async () => {
    const { server } = open();
    server.app.post("/upload", (context) => context.text("Too large.\n", 413));
    const { port } = await server.listen();
    const socket = connect(port, "127.0.0.1");
    const answered = once(socket, "data");
    const part = Buffer.alloc(1_000_000, "x");
    let sent = 0;
    const send = () => {
      if (socket.destroyed || sent === 100) return;
      sent += 1;
      socket.write(`${part.length.toString(16)}\r\n`);
      socket.write(part);
      socket.write("\r\n", send);
    };
    socket.on("error", () => socket.destroy());

    socket.write("POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", send);
    const [first] = await answered;
    const sentBefore = sent;
    socket.destroy();

    expect(String(first)).toMatch(/^HTTP\/1\.1 413 /);
    expect(sentBefore).toBeGreaterThan(64);
  });

  it("can be closed before it listened, and twice", async () => {
    const { server } = open();

    await server.close(0);
    await expect(server.close(0)).resolves.toBeUndefined();
  });
});
