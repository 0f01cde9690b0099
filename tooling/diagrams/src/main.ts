/** Writes the generated pages of `docs/reference`; with `--check`, only fails when one is not what would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settingsPage } from "./SettingsPage.ts"
import { statusPage } from "./StatusPage.ts"

const pages = { "docs/reference/statuses.md": statusPage(), "docs/reference/settings.md": await settingsPage() }

for (const [name, page] of Object.entries(pages)) {
  const file = join(import.meta.dirname, "../../..", name)
  if (!process.argv.includes("--check")) {
    writeFileSync(file, page)
    process.stdout.write(`${name} is written\n`)
  } else if (existsSync(file) && readFileSync(file, "utf8") === page) {
    process.stdout.write(`${name} is current\n`)
  } else {
    process.stderr.write(`${name} does not match the code: run \`npm run diagrams\` and commit it\n`)
    process.exitCode = 1
  }
}
