/** Writes `docs/reference/statuses.md`; with `--check`, only fails when it is not what would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { statusPage } from "./StatusPage.ts"

const name = "docs/reference/statuses.md"
const file = join(import.meta.dirname, "../../..", name)
const page = statusPage()

if (!process.argv.includes("--check")) {
  writeFileSync(file, page)
  process.stdout.write(`${name} is written\n`)
} else if (existsSync(file) && readFileSync(file, "utf8") === page) {
  process.stdout.write(`${name} is current\n`)
} else {
  process.stderr.write(`${name} is not what the tables say: run \`npm run diagrams\` and commit it\n`)
  process.exitCode = 1
}
