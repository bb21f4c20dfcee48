/**
 * `npm run settings`: writes `.env.example`, docs/settings.md and the table in README.md anew after a change of
 * settings.ts. A test fails until it was run.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { renderEnvExample, renderSettingsPage, withSettingsTable } from "./settings-text.ts";

writeFileSync(".env.example", renderEnvExample());
writeFileSync("docs/settings.md", renderSettingsPage());
if (existsSync("README.md")) {
  const readme = readFileSync("README.md", "utf8");
  if (readme.includes("<!-- settings -->")) writeFileSync("README.md", withSettingsTable(readme));
}
