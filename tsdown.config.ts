/**
 * `npm run build`: the programs and their child processes into dist/, and the page's scripts into dist/page. What they
 * read (documents, the page's HTML, styles and pictures) stays where it is.
 */
import { defineConfig, type UserConfig } from "tsdown";

const page = "adapters/console/page";

/** Bundled whole: a browser has no node_modules. Packages of theirs are development dependencies for that reason. */
const forBrowsers: UserConfig = {
  name: "page",
  platform: "browser",
  target: "es2022",
  format: "esm",
  outDir: "dist/page",
  tsconfig: `${page}/tsconfig.json`,
  dts: false,
  minify: true,
  fixedExtension: false,
};

export default defineConfig([
  {
    name: "server",
    entry: {
      main: "src/main.ts",
      "chart-child": "src/operations/charts/chart-child.ts",
      "foreign-child": "src/knowledge/foreign/foreign-child.ts",
    },
    platform: "node",
    target: "node24",
    format: "esm",
    fixedExtension: false,
    dts: false,
    sourcemap: true,
  },
  {
    ...forBrowsers,
    entry: {
      page: `${page}/page.tsx`,
      admin: `${page}/admin/admin.tsx`,
      // Scripts without imports, which run before anything is drawn.
      "look/theme": `${page}/look/theme.ts`,
      "input/early": `${page}/input/early.ts`,
    },
  },
  {
    ...forBrowsers,
    entry: { docs: `${page}/docs.tsx` },
    // One file, which is all that people without the page's token get.
    outputOptions: { codeSplitting: false },
  },
]);
