/**
 * Runs a real nginx for a test, on a free port and in a folder that is removed with it. Without the program these tests
 * are skipped, loudly; with REQUIRE_ALL=1 that is a failure.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../network/free-port.ts";
import { until } from "../until.ts";

// Debian has it where only root looks.
const path = `${process.env["PATH"] ?? ""}:/usr/sbin`;
const program = "nginx";
const options = { env: { PATH: path } };

/** For `describe.skipIf(!hasNginx())`. */
export function hasNginx(): boolean {
  if (spawnSync(program, ["-v"], options).status === 0) return true;
  if (process.env["REQUIRE_ALL"] === "1") throw new Error("nginx is missing, and REQUIRE_ALL=1 forbids to skip it.");
  process.stderr.write("\nSKIPPED: nginx is not installed, so nothing is tested behind a real proxy.\n\n");
  return false;
}

export type Nginx = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };

/** `server`: what is in its `server { … }` besides `listen`, as nginx reads it. */
export async function startNginx(server: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "parley-nginx-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  // One process without workers: ending it ends everything.
  const settings = `
    daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
      server { listen 127.0.0.1:${port}; ${server} }
    }`;
  await writeFile(join(folder, "nginx.conf"), settings);
  const child = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf")], {
    ...options,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  // A failed test may end without stopping it.
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  await until("nginx accepts connections", () => accepts(port));
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      process.off("exit", killAtExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
