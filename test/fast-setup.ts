/** Refuses child processes in the fast tests, and with them browsers and Redis servers. */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const starts = ["spawn", "spawnSync", "fork", "exec", "execSync", "execFile", "execFileSync"] as const;

for (const name of starts) {
  const refuse = () => {
    throw new Error(`${name}: a test that starts a process is called *.slow.test.ts`);
  };
  Object.assign(childProcess, { [name]: refuse });
}
syncBuiltinESMExports();
