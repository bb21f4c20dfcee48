/** Keeps a store that this version made, in SQLite and in Redis, for the test that opens it under every later version. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";

const root = resolve(import.meta.dirname, "..");
/** Small, and with some of each kind of record. The same month in both stores. */
const month = ["--questions", "40", "--days", "10", "--until"];
/** Redis writes its dump, and stays out of the way of one that runs. */
const redisPort = 29_379;
const program = "redis-server";

/** `day`: when its month ends, as 2026-11-27. */
export async function keepStore(version: string, day: string): Promise<string> {
  const kept = join(root, "test/fixtures/releases", version);
  const folder = mkdtempSync(join(tmpdir(), "parley-store-"));
  const fill = (...words: readonly string[]) =>
    execFileSync(process.execPath, [join(root, "bench/demo/run.ts"), ...words, ...month, day], { stdio: "inherit" });
  const keep = (name: string, bytes: Buffer) => writeFileSync(join(kept, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  mkdirSync(kept, { recursive: true });
  try {
    fill(join(folder, "sqlite"));
    for (const name of ["parley.db", "local-service.db"]) {
      const path = join(folder, "sqlite", name);
      const db = new DatabaseSync(path);
      db.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
      keep(name, readFileSync(path));
    }
    const redis = spawn(program, ["--port", String(redisPort), "--bind", "127.0.0.1", "--dir", folder]);
    fill(join(folder, "beside-redis"), "--redis", `redis://127.0.0.1:${redisPort}`);
    // It writes its dump before it ends.
    redis.kill("SIGTERM");
    await once(redis, "exit");
    keep("dump.rdb", readFileSync(join(folder, "dump.rdb")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return kept;
}
