/** `npm run doctor`: checks everything that Parley needs. */
import "./needed-node.ts";

await import("./doctor-program.ts");
