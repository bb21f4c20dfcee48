/**
 * Stops with one sentence on an older Node: what is loaded next needs modules that it lacks, and would fail with their
 * names. Imports nothing, so that any Node can load it.
 */
export const neededNode = 24;

const { node } = process.versions;
if (Number.parseInt(node, 10) < neededNode) {
  process.stderr.write(
    `Parley needs Node ${neededNode} or newer, and this is ${node}. Install it, or in a clone run npm ci and use npm scripts.\n`,
  );
  process.exit(2);
}
