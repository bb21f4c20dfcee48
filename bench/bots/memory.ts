/** Reads what the system knows of a process's memory. */
import { readFile } from "node:fs/promises";

export type Memory = { readonly nowBytes: number; readonly peakBytes: number };

export async function memoryOf(pid: number | undefined): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024;
  return { nowBytes: bytes("VmRSS"), peakBytes: bytes("VmHWM") };
}
