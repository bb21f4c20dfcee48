/**
 * `npm run settings`: writes `.env.example`, docs/settings.md and the table in README.md. Run it after changing a
 * settings table: a test compares the files.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { settingGroupsWith } from "../../src/config/setting.ts";
import { renderEnvExample, renderSettingsPage, withSettingsTable } from "../../src/config/settings-text.ts";
import { platformModules } from "../../src/platforms.ts";

const groups = settingGroupsWith(platformModules);
writeFileSync(".env.example", renderEnvExample(groups));
writeFileSync("docs/settings.md", renderSettingsPage(groups));
if (existsSync("README.md")) {
  const readme = readFileSync("README.md", "utf8");
  if (readme.includes("<!-- settings -->")) writeFileSync("README.md", withSettingsTable(readme, groups));
}
