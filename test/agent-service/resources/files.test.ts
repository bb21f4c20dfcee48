import { readdir } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../doubles/temporary-folder.ts";
import { callOf, failure, open } from "../open-service.ts";
import { json, play } from "../real-server.ts";

afterEach(() => vi.unstubAllEnvs());

describe("files", () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("first ");
    yield Buffer.from("second");
  }
  const file = () => ({ fileName: 'a "b"\r\n.txt', mediaType: "text/plain", content: bytes() });

  it("are sent as one part with their length, and a name that cannot leave its header", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/file_put_txt"));

    await service.uploadFile("Manual", file());

    const [asked] = server.asked;
    expect(callOf(server)).toBe("PUT /api/files/Manual");
    expect(Number(asked?.headers["content-length"])).toBe(asked?.body.length);
    const boundary = /boundary=(.+)$/.exec(asked?.headers["content-type"] ?? "")?.[1];
    expect(asked?.body).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22%0D%0A.txt"\r\n` +
        `Content-Type: text/plain\r\n\r\nfirst second\r\n--${boundary}--\r\n`,
    );
  });

  it("are sent again, whole, after a login that was renewed", async () => {
    const { server, service } = await open(
      (asked, response) => {
        if (asked.path === "/api/login") return json(response, 200, { token: "pat_new" });
        if (asked.headers.authorization !== "Bearer pat_new") return json(response, 401, { title: "Unauthorized" });
        play(response, "25.9/file_put_txt");
      },
      { user: "u", password: "p" },
    );

    await service.uploadFile("manual", file());

    expect(server.asked.at(-1)?.body).toContain("first second");
  });

  it("leave nothing in the folder of temporary files, not even when Parley is killed while it sends them", async () => {
    const folder = await temporaryFolder("temporary");
    vi.stubEnv("TMPDIR", folder);
    const during: string[][] = [];
    const { server, service } = await open(async (_, response) => {
      during.push(await readdir(folder));
      play(response, "25.9/file_put_txt");
    });
    // As it is while the platform still hands the file over.
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("first ");
      during.push(await readdir(folder));
      yield Buffer.alloc(3_000_000, "x");
    }

    await service.uploadFile("manual", { ...file(), content: slow() });

    expect(during).toEqual([[], []]);
    expect(Number(server.asked[0]?.headers["content-length"])).toBe(server.asked[0]?.body.length);
    expect(await readdir(folder)).toEqual([]);
  });

  it("that are refused say so", async () => {
    const { service } = await open((_, response) => play(response, "26.1/file_put_md"));

    expect((await failure(service.uploadFile("x", { ...file(), mediaType: "bad\r\ntype" }))).code).toBe("file_refused");
  });

  it("whose bytes cannot be read fail as a ParleyError, with nothing sent", async () => {
    const { server, service } = await open((_, response) => json(response, 200, ""));
    // biome-ignore lint/correctness/useYield: it fails before its first byte
    async function* broken(): AsyncGenerator<Uint8Array> {
      throw new Error("gone");
    }

    expect((await failure(service.uploadFile("x", { ...file(), content: broken() }))).code).toBe("internal");
    expect(server.asked).toEqual([]);
  });

  it("are listed, and count as deleted when they are not there", async () => {
    const { service } = await open((asked, response) =>
      play(response, asked.method === "GET" ? "25.9/files_list" : "26.1/file_delete_unknown"),
    );

    expect(await service.listFiles()).toEqual(["manual", "prices", "myfile"]);
    await service.deleteFile("nope");
  });
});
