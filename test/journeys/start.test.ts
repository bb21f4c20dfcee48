/**
 * Starts that cannot succeed, with the real process: one line that says what is wrong and what to do, the right exit
 * code, no token, and whatever lies in DATA_DIR left byte for byte as it was.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, copyFile, mkdtemp, readFile, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { freePort } from "../doubles/network/free-port.ts";
import { main } from "../doubles/processes/built.ts";
import { createParleyProcess } from "../doubles/processes/parley-process.ts";
import { temporaryFolder } from "../doubles/temporary-folder.ts";
import { until } from "../doubles/until.ts";

const secret = "SECRETsecret0123456789";

/** Runs it until it ends by itself. */
async function startIn(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
  node = process.execPath,
) {
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: "1", ...settings };
  const child = spawn(node, [main, ...words], { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

/** One line that holds these words, and nothing that must stay secret. */
function expectOneLine(output: string, words: readonly string[]): void {
  expect(output.trimEnd().split("\n")).toHaveLength(1);
  for (const word of words) expect(output).toContain(word);
  expect(output).not.toContain(secret);
}

it("a first start warns of nothing but the open page", async () => {
  const parley = await createParleyProcess();
  await parley.start();
  await parley.end();
  const warnings = parley
    .output()
    .split("\n")
    .filter((line) => /"level":"(?:warn|error)"/.test(line));
  await parley.close();

  expect(warnings).toEqual([expect.stringContaining("CONSOLE_TOKEN isn't set")]);
});

describe("a start that cannot succeed", () => {
  let folder: string;
  const databases = ["parley.db", "local-service.db"];
  const keptOf = (name: string) => join(folder, `kept-${name}`);
  beforeAll(async () => {
    folder = await temporaryFolder("start");
    const parley = await createParleyProcess();
    await parley.start();
    await parley.end();
    for (const name of databases) await copyFile(join(parley.dataDir, name), keptOf(name));
    await parley.close();
  });

  const wrong: readonly Readonly<Record<string, string>>[] = [
    { SLACK_BOT_TOKEN: secret, SLACK_APP_TOKEN: "xapp-1" },
    { SLACK_BOT_TOKEN: `xoxb-${secret}` },
    { HOST: "0.0.0.0" },
    { AGENT_SERVICE_URL: `http://user:${secret}@127.0.0.1` },
    { MANAGERS: "bob" },
  ];
  it.each(wrong)("refuses wrong settings with exit code 2: %o", async (settings) => {
    const { code, output } = await startIn(join(folder, "data"), settings);

    expect(code).toBe(2);
    expectOneLine(output, ["For example"]);
  });

  it.each(["", "doctor", "erase", "--version"])("says that Node is too old: parley %s", async (word) => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` };
    const { code, output } = await startIn(join(folder, "data"), settings, word === "" ? [] : [word]);

    expect(code).toBe(2);
    expectOneLine(output, ["Node 24 or newer", "20.20.2"]);
  });

  it.each([
    ["serve", 'parley has no command "serve". It has doctor, erase, export, backup, restore; parley --help says more.'],
    ["--port", 'parley has no option "--port". Settings are environment variables, or lines of the file .env.'],
    ["doctor extra", 'parley doctor takes nothing else: leave out "extra".'],
    ["doctor --fix now", 'parley doctor takes nothing else: leave out "--fix now".'],
  ])("refuses what it has no command for: parley %s", async (words, sentence) => {
    const { code, output } = await startIn(join(folder, "data"), {}, words.split(" "));

    expect(code).toBe(2);
    expectOneLine(output, [sentence]);
  });

  it("says that the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const port = String((other.address() as AddressInfo).port);
    const { code, output } = await startIn(join(folder, "data"), { PORT: port });
    other.close();

    expect(code).toBe(2);
    expectOneLine(output, ["PORT", port, "in use"]);
  });

  it.each(["/proc/parley", "/dev/null/parley"])("says that DATA_DIR cannot be written: %s", async (dataDir) => {
    const { code, output } = await startIn(dataDir);

    expect(code).toBe(1);
    expectOneLine(output, ["DATA_DIR isn't writable", dataDir]);
  });

  /** A program that runs `how`, then Node. */
  async function nodeAfter(how: string): Promise<string> {
    const path = join(await temporaryFolder("wrapped"), "node");
    await writeFile(path, `#!/bin/sh\n${how} "${process.execPath}" "$@"\n`, { mode: 0o700 });
    return path;
  }

  const own = process.geteuid?.();
  const isRoot = own === 0;
  // Root without its right to read and write everywhere.
  const withoutRights = isRoot ? "exec setpriv --bounding-set=-dac_override,-dac_read_search" : "exec";

  it("says whose folder DATA_DIR is when it belongs to another user", async () => {
    const dataDir = isRoot ? await temporaryFolder("of-another") : "/root";
    if (isRoot) await chown(dataDir, 10_001, 10_001);
    const { code, output } = await startIn(dataDir, {}, [], await nodeAfter(withoutRights));

    expect(code).toBe(1);
    const owner = isRoot ? 10_001 : 0;
    expectOneLine(output, [
      `DATA_DIR isn't writable: ${dataDir}. It belongs to user ${owner}, and Parley runs as user ${own}`,
    ]);
  });

  it("says that it can't read the folder where it was started", async () => {
    const cwd = await temporaryFolder("unreadable");
    const node = await nodeAfter(`cd ${cwd} && chmod 0 .\n${withoutRights}`);
    const { code, output } = await startIn(join(folder, "data"), {}, [], node);
    await chmod(cwd, 0o700);

    expect(code).toBe(2);
    expectOneLine(output, [
      `${cwd}: is where Parley was started, and user ${own} can't read it. For example chown -R ${own} ${cwd}`,
    ]);
  });

  it("says that DATA_DIR is mounted read-only", async () => {
    const dataDir = await temporaryFolder("read-only");
    const mount = `mount --bind ${dataDir} ${dataDir} && mount -o remount,ro,bind ${dataDir}`;
    const node = await nodeAfter(`exec unshare --map-root-user --mount sh -c '${mount} && exec "$@"' sh`);
    const { code, output } = await startIn(dataDir, {}, [], node);

    expect(code).toBe(1);
    expectOneLine(output, [`DATA_DIR isn't writable: ${dataDir}. It is mounted read-only`]);
  });

  it.each([20, 100])("says what the disk refuses when it ends after %s blocks", async (blocks) => {
    const limited = await nodeAfter(`ulimit -f ${blocks}\nexec`);
    const { code, output } = await startIn(join(limited, "../data"), {}, [], limited);

    expect(code).toBe(1);
    expectOneLine(output, ["Parley can't start", "SQLite says: disk I/O error"]);
  });

  describe.each(databases)("over a %s", (name) => {
    let file: string;
    beforeEach(async () => {
      file = join(await mkdtemp(join(folder, "data-")), name);
      await copyFile(keptOf(name), file);
    });

    async function refusesAndKeeps(words: readonly string[]): Promise<void> {
      const before = await readFile(file);
      const { code, output } = await startIn(join(file, ".."), { PORT: "1024" });

      expect(code).toBe(1);
      expectOneLine(output, ["Parley can't start", file, ...words]);
      expect(before.equals(await readFile(file))).toBe(true);
    }

    it("that isn't a database says so and leaves the file as it is", async () => {
      await writeFile(file, "garbage ".repeat(1_000));

      await refusesAndKeeps(["damaged", "backup"]);
    });

    it("that isn't a database is reported by the doctor too", async () => {
      await writeFile(file, "garbage ".repeat(1_000));
      const { code, output } = await startIn(join(file, ".."), {}, ["doctor"]);

      expect(code).toBe(1);
      expect(output).toMatch(/^FAIL {2}storage .*damaged/m);
      expect(output).toContain(file);
    });

    it("that was cut says so and keeps it", async () => {
      await truncate(file, 6_000);

      await refusesAndKeeps(["damaged", "backup"]);
    });

    it("that is damaged in its middle says so and keeps it", async () => {
      const bytes = await readFile(file);
      bytes.fill("damage", 4_096, 40_000);
      await writeFile(file, bytes);

      await refusesAndKeeps(["damaged", "backup"]);
    });

    it("that another program has locked says so", async () => {
      const db = new DatabaseSync(file);
      db.exec("BEGIN EXCLUSIVE");

      const { code, output } = await startIn(join(file, ".."), { PORT: "1024" });
      db.close();

      expect(code).toBe(1);
      expectOneLine(output, ["Parley can't start", "database is locked"]);
    });

    it("that lost its tables says so", async () => {
      const db = new DatabaseSync(file);
      db.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${name === "parley.db" ? "works" : "knowledge_bases"}`);
      db.close();

      const { code, output } = await startIn(join(file, ".."), { PORT: "1024" });

      expect(code).toBe(1);
      expectOneLine(output, ["Parley can't start", "no such table"]);
    });

    it("that a newer Parley wrote says so and keeps it", async () => {
      const db = new DatabaseSync(file);
      db.exec("PRAGMA user_version = 999");
      db.close();

      await refusesAndKeeps(["newer"]);
    });
  });
});

describe("parley", () => {
  it("prints its version", async () => {
    expect(await startIn("/nowhere", {}, ["--version"])).toEqual({ code: 0, output: `${packageJson.version}\n` });
  });

  it.each(["--help", "-h", "backup --help", "doctor -h"])("says what its commands do: parley %s", async (words) => {
    const { code, output } = await startIn("/nowhere", {}, words.split(" "));

    expect(code).toBe(0);
    for (const word of ["parley doctor", "parley erase PERSON", "parley export PERSON", "--version", "./data"]) {
      expect(output).toContain(word);
    }
  });
});

describe("npm start", () => {
  const ends: readonly [what: string, end: (npm: number) => void][] = [
    ["npm alone gets SIGTERM", (npm) => process.kill(npm, "SIGTERM")],
    ["its terminal is closed", (npm) => process.kill(-npm, "SIGHUP")],
  ];
  it.each(ends)("ends Parley in order when %s", async (_, end) => {
    const port = await freePort();
    const env = { PATH: process.env["PATH"], DATA_DIR: await temporaryFolder("npm-start"), PORT: String(port) };
    // Detached: a group of processes, as a terminal has one.
    const npm = spawn("npm", ["start"], { cwd: packageFolder, env, detached: true });
    let output = "";
    npm.stdout.on("data", (part: Buffer) => {
      output += part.toString();
    });
    const isAnswering = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      );
    await until("its start", isAnswering);

    end(npm.pid ?? 0);
    await until("the end of its shutdown", () => output.includes("Shut down"));

    await until("its end", async () => !(await isAnswering()));
  });
});
