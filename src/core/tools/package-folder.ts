import { findPackageJSON } from "node:module";
import { dirname } from "node:path";

/** Where package.json, the documents and the page's files are: the same for the sources as for what is built in dist. */
export const packageFolder = dirname(findPackageJSON("..", import.meta.url) ?? import.meta.dirname);
