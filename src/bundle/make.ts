/** `node src/bundle/make.ts PROJECT TARGET`: bundles src/program.ts with all that it imports into the folder TARGET. */
import { join, relative } from "node:path";
import { build } from "rolldown";

const [project, target] = process.argv.slice(2);
if (project === undefined || target === undefined) throw new Error("name the folders of the project and of the bundle");

await build({
  input: join(project, "src/program.ts"),
  cwd: project,
  platform: "node",
  // Parley and discord.js share these copies; the last three are optional.
  external: [/^discord\.js(?:\/|$)/, "@discordjs/ws", "ws", "zlib-sync", "bufferutil", "utf-8-validate"],
  plugins: [
    {
      name: "place of a source",
      transform: {
        filter: { code: "import.meta.url", id: /\.ts$/ },
        // Files beside a source are found from where it lies, not from the bundle.
        handler: (code, id) => {
          const source = JSON.stringify(relative(target, id));
          return { code: code.replaceAll("import.meta.url", `new URL(${source}, import.meta.url).href`) };
        },
      },
    },
  ],
  output: {
    dir: target,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    // Names stay for stack traces; comments and spaces would only take memory.
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
    comments: false,
  },
}).catch((thrown: unknown) => {
  // Without its stack, which is longer than the reason.
  process.stderr.write(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
});
