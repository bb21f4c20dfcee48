/** Databases of DATA_DIR beside the state, in pieces: what the built-in agent service keeps. */
import { existsSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const pieceBytes = 192 * 1024;

export type FilePiece = {
  readonly in: "files";
  readonly name: string;
  /** Of its first byte. */
  readonly at: number;
  readonly base64: string;
};

/** Those that exist. Nothing may use them meanwhile. */
export async function* readFiles(dataDir: string, names: readonly string[]): AsyncGenerator<FilePiece> {
  for (const name of names) {
    const path = join(dataDir, name);
    if (!existsSync(path)) continue;
    // Its last writes are in a log beside it, if its process was killed. Closing it moves them.
    const database = new DatabaseSync(path);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const file = await open(path);
    try {
      for (let at = 0; ; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, at);
        if (bytesRead === 0) break;
        yield { in: "files", name, at, base64: buffer.subarray(0, bytesRead).toString("base64") };
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }
}

const partOf = (dataDir: string, name: string) => join(dataDir, `${name}.restoring`);

/** Beside its place, until it is whole. One that is there already stays as it is. */
export async function writePiece(dataDir: string, { name, at, base64 }: FilePiece): Promise<void> {
  if (existsSync(join(dataDir, name))) return;
  const part = partOf(dataDir, name);
  const file = await open(part, at > 0 && existsSync(part) ? "r+" : "w", 0o600);
  try {
    await file.write(Buffer.from(base64, "base64"), 0, undefined, at);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** All pieces of them are written. Returns those that were there before. */
export async function finishFiles(dataDir: string, sizes: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const stayed: string[] = [];
  for (const [name, size] of sizes) {
    const part = partOf(dataDir, name);
    if (!existsSync(part)) stayed.push(name);
    else if (statSync(part).size === size) await rename(part, join(dataDir, name));
    else throw new Error(`${part} has ${statSync(part).size} of ${size} bytes.`);
  }
  return stayed;
}
