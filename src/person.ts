/** `npm run erase` and `npm run export`: what Parley keeps about a person. */
import "./needed-node.ts";

await import("./person-program.ts");
