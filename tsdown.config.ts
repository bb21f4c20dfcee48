/** `npm run build`: the programs and their child processes into dist/. What they read (the page, documents) stays where it is. */
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    main: "src/main.ts",
    doctor: "src/doctor.ts",
    person: "src/person.ts",
    "chart-child": "src/operations/charts/chart-child.ts",
    "foreign-child": "src/knowledge/foreign/foreign-child.ts",
  },
  platform: "node",
  target: "node24",
  format: "esm",
  fixedExtension: false,
  dts: false,
  sourcemap: true,
});
