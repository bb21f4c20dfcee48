/** `node src/bundle/make.ts PROJECT TARGET`: bundles src/program.ts with all that it imports into the folder TARGET. */
import { join, relative } from "node:path";
import { build } from "rolldown";

const [project, target] = process.argv.slice(2);
if (project === undefined || target === undefined) throw new Error("name the folders of the project and of the bundle");

/** A backslash and what follows it stay together: one before such a character is part of its escape. */
const escaped = (code: string) =>
  code.replace(/\\[\0-\x7f]|\\?([^\0-\x7f])/g, (found, character?: string) =>
    character === undefined ? found : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

await build({
  input: join(project, "src/program.ts"),
  cwd: project,
  platform: "node",
  // Parley and discord.js share the first four; the others are optional.
  external: [/^discord\.js(?:\/|$)/, "@discordjs/ws", "ws", "undici", "zlib-sync", "bufferutil", "utf-8-validate"],
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
    {
      name: "one byte for each character",
      // V8 keeps a source with a single "…" in two bytes for each of its characters.
      generateBundle: (_, files) => {
        for (const file of Object.values(files)) if (file.type === "chunk") file.code = escaped(file.code);
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
