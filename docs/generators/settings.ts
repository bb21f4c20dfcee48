/**
 * `npm run settings`: writes `.env.example` and docs/settings.md. Run it after changing a settings table: a test
 * compares the files.
 */
import { writeFileSync } from "node:fs";
import { settingGroupsWith } from "../../src/config/setting.ts";
import { renderEnvExample, renderSettingsPage } from "../../src/config/settings-text.ts";
import { platformModules } from "../../src/platforms.ts";

const groups = settingGroupsWith(platformModules);
writeFileSync(".env.example", renderEnvExample(groups));
writeFileSync("docs/settings.md", renderSettingsPage(groups));
