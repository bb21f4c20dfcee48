/**
 * A local DNS server that answers A and AAAA queries over UDP (RFC 1035), answers NXDOMAIN for unknown names, and is
 * silent where a test wants it to be.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

export type DnsServer = {
  /** `address:port`. */
  readonly address: string;
  /** Names, once for each question. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
};

/** `answer`: the addresses of a name, undefined for one that there is not, "silent" for no answer at all. */
export async function startDnsServer(
  answer: (name: string) => readonly string[] | "silent" | undefined,
): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (question, from) => {
    const { name, type, endsAt } = readQuestion(question);
    asked.push(name);
    const found = answer(name);
    if (found === "silent") return;
    const records = (found ?? []).filter((ip) => (isIPv6(ip) ? 28 : 1) === type).map(recordOf);
    const head = Buffer.from(question.subarray(0, 12));
    // A recursive answer; code 3 is NXDOMAIN.
    head.writeUInt16BE(0x8180 | (found === undefined ? 3 : 0), 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([head, question.subarray(12, endsAt), ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readQuestion(question: Buffer): { readonly name: string; readonly type: number; readonly endsAt: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: question.readUInt16BE(at + 1), endsAt: at + 5 };
}

/** The name as a pointer to the question's; class IN, a minute to live. */
function recordOf(ip: string): Buffer {
  const data = isIPv6(ip) ? bytesOfIPv6(ip) : Buffer.from(ip.split(".").map(Number));
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(isIPv6(ip) ? 28 : 1, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function bytesOfIPv6(ip: string): Buffer {
  const [front = "", back] = ip.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const missing = back === undefined ? 0 : 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array<string>(missing).fill("0"), ...groups(back ?? "")];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
