/** Finds the living child processes of a process by their ids: to end one, or to see that none is left. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export async function childrenOf(parent: number, program: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,command="]);
  return stdout
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .filter(([, , ppid, command = ""]) => Number(ppid) === parent && command.includes(program))
    .map(([, pid]) => Number(pid));
}

/** What it has in memory. 0 when it is gone. */
export async function residentBytes(pid: number): Promise<number> {
  const listed = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]).catch(() => ({ stdout: "0" }));
  return Number(listed.stdout) * 1024;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
