/**
 * The server side of a WebSocket (RFC 6455), as much as Socket Mode needs: text frames, ping, pong, close. Written by
 * hand because no installed library has a server.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

export type ServerSocket = {
  readonly send: (text: string) => void;
  /** Begins the closing handshake. */
  readonly close: () => void;
  /** Cuts the connection without a word. */
  readonly kill: () => void;
};

const text = 1;
const close = 8;
const ping = 9;
const pong = 10;

export function acceptSocket(
  request: IncomingMessage,
  stream: Duplex,
  on: { readonly message: (text: string) => void; readonly closed: () => void },
): ServerSocket {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let pending = Buffer.alloc(0);
  let isClosing = false;
  const write = (opcode: number, payload: Buffer) => {
    if (!stream.destroyed) stream.write(frame(opcode, payload));
  };

  stream.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let read = readFrame(pending); read !== undefined; read = readFrame(pending)) {
      pending = pending.subarray(read.size);
      if (read.opcode === text) on.message(read.payload.toString("utf8"));
      if (read.opcode === ping) write(pong, read.payload);
      if (read.opcode === close) {
        if (!isClosing) write(close, read.payload.subarray(0, 2));
        stream.end();
      }
    }
  });
  stream.on("error", () => undefined);
  // An HTTP server leaves its end of a connection open: a killed app would keep its socket, and get every other event.
  stream.on("end", () => stream.end());
  stream.on("close", on.closed);

  return {
    send: (message) => write(text, Buffer.from(message)),
    close: () => {
      isClosing = true;
      write(close, Buffer.from([0x03, 0xe8]));
    },
    kill: () => stream.destroy(),
  };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, payload.length])
      : payload.length < 65_536
        ? Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 0xff])
        : longHead(opcode, payload.length);
  return Buffer.concat([head, payload]);
}

function longHead(opcode: number, length: number): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** A whole frame at the beginning of the bytes; clients mask theirs. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + lengthBytes + 4;
  if (bytes.length < start) return undefined;
  const length =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload, size: start + length };
}
