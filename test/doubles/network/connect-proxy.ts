/**
 * A proxy for CONNECT on 127.0.0.1, and sites with TLS behind it. Nothing else can resolve their names, so a request that
 * reaches one came through the proxy. Each site passes on to a plain server of the test, and replaces that server's URL in
 * its answers.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request as send } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";

// A constant, so that it isn't taken for a program from npm.
const program = "openssl";

export type ConnectProxy = {
  readonly url: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string;
  /** "login.acme.example:443", for each connection. */
  readonly connections: readonly string[];
  /** Requests that weren't CONNECT: "GET http://…". */
  readonly plain: readonly string[];
  readonly stop: () => Promise<void>;
};

/** `sites`: by host name, the URL of a plain server. */
export async function startConnectProxy(sites: Readonly<Record<string, () => string>>): Promise<ConnectProxy> {
  const folder = mkdtempSync(join(tmpdir(), "parley-proxy-"));
  const certificateFile = join(folder, "certificate.pem");
  const keyFile = join(folder, "key.pem");
  const names = Object.keys(sites).map((name) => `DNS:${name}`);
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const about = ["-subj", "/CN=a test of Parley", "-addext", `subjectAltName=${names.join(",")}`];
  execFileSync(program, ["req", "-x509", ...curve, ...about, "-keyout", keyFile, "-out", certificateFile], {
    stdio: "ignore",
  });
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };

  const connections: string[] = [];
  const plain: string[] = [];
  const sockets = new Set<Duplex>();
  const kept = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    return socket;
  };

  const siteOf = (request: IncomingMessage) => {
    const name = (request.headers.host ?? "").split(":")[0] ?? "";
    return { name, url: new URL(sites[name]?.() ?? "http://127.0.0.1:9") };
  };
  const passedOn = (request: IncomingMessage, { url }: { readonly url: URL }) => ({
    host: url.hostname,
    port: url.port,
    method: request.method,
    path: request.url,
    headers: { ...request.headers, "x-forwarded-proto": "https", "accept-encoding": "identity" },
  });
  const renamed = (text: string, { name, url }: { readonly name: string; readonly url: URL }) =>
    text.replaceAll(`http://${url.host}`, `https://${name}`).replaceAll(`ws://${url.host}`, `wss://${name}`);

  const site = createTlsServer(tls, (request, response) => {
    const at = siteOf(request);
    const passed = send(passedOn(request, at), (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const { "content-length": _length, "transfer-encoding": _encoding, ...headers } = answer.headers;
        if (headers.location !== undefined) headers.location = renamed(headers.location, at);
        response.writeHead(answer.statusCode ?? 500, headers);
        response.end(renamed(Buffer.concat(parts).toString("latin1"), at), "latin1");
      });
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  site.on("connection", kept);
  site.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const passed = send(passedOn(request, siteOf(request)));
    passed.on("upgrade", (answer: IncomingMessage, target: Socket, first: Buffer) => {
      const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      stream.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join("")}\r\n`);
      stream.write(first);
      kept(target).write(head);
      stream.pipe(target).pipe(stream);
    });
    passed.on("error", () => stream.destroy()).end();
  });
  await listening(site);

  const proxy = createServer((request, response) => {
    plain.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on("connection", kept);
  proxy.on("connect", (request: IncomingMessage, stream: Duplex) => {
    connections.push(request.url ?? "");
    const [name = ""] = (request.url ?? "").split(":");
    if (sites[name] === undefined) {
      stream.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    const target = kept(connect(portOf(site), "127.0.0.1", () => stream.write("HTTP/1.1 200 OK\r\n\r\n")));
    stream.pipe(target).pipe(stream);
  });
  await listening(proxy);

  return {
    url: `http://127.0.0.1:${portOf(proxy)}`,
    certificateFile,
    connections,
    plain,
    stop: async () => {
      const closed = [site, proxy].map((server) => new Promise((resolve) => server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listening = (server: Server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const portOf = (server: Server) => (server.address() as AddressInfo).port;
